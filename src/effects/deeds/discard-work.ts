/** Throws away work that a version control has not recorded. */
import type { Scope } from '../effects.ts';
import type { World } from '../world.ts';
import { destroyForGood } from './delete-file.ts';

export type Unrecorded = 'changes' | 'untracked' | 'stashes';

/** What the object of the effect begins with where the files of another commit take the place of the changes. */
export const FILES_OF = 'files of';
/** What the object begins with where names go that alone keep commits or files. */
export const NAMES = 'names';
/** The object where all files go that are not recorded. */
export const UNTRACKED = 'untracked files';

/**
 * All work of one kind that is recorded nowhere is thrown away. What was put aside is the last copy: when that goes together with
 * the changes or the untracked files, nothing unrecorded remains.
 */
export function discardAll(w: World, kind: Unrecorded, scope: Scope, object: string, excerpt: string): void {
  const { discarded } = w;
  discarded.add(kind);
  w.add('discards_work', scope, object, excerpt);
  if (discarded.has('stashes') && discarded.size > 1)
    w.add('discards_work', 'everything', 'all unrecorded work', excerpt);
}

/** One stash is dropped: the one that these commands have just made holds all changes. */
export function dropStash(w: World, object: string, excerpt: string): void {
  w.add('discards_work', w.has_put_aside ? 'many' : 'one', w.has_put_aside ? 'changes put aside' : object, excerpt);
}

/** `git clean -f`: in a scratch folder nothing is lost, in a folder of people's own files more than work in progress. */
export function cleanFolder(w: World, path: string, excerpt: string): void {
  const traits = w.describe(path === '' ? '.' : path);
  const scope = traits.place === 'scratch' ? 'scratch' : 'many';
  if (path === '') discardAll(w, 'untracked', scope, UNTRACKED, excerpt);
  else w.add('discards_work', scope, traits.path, excerpt);
  if (traits.is_treasured) destroyForGood(w, 'many', traits.path, excerpt);
}
