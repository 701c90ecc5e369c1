/**
 * Deletes and empties files and trees. Code of every language calls the operations of this folder (read, write, delete, send, run), so
 * that `rm`, `os.remove` and `fs.unlink` have the same effects. The effects follow from what the path, the host or the text stands for.
 */
import type { Scope } from '../effects.ts';
import { type PathTraits, reachBelow, reachOf } from '../paths.ts';
import type { World } from '../world.ts';
import { noteChange } from './change-file.ts';
import { isEmptyFolder } from './empty-folder.ts';

/** Removes a file or, when `isDeep`, a tree. */
export function deletePath(w: World, path: string, excerpt: string, isDeep: boolean, hasGlob = false): Scope {
  const traits = w.describe(path);
  if (traits.place === 'null') return 'scratch';
  w.notePath(path);
  const isOwn = w.files.has(traits.path) && traits.place !== 'system';
  const origin = w.origins.get(traits.path);
  if (origin !== undefined && isDeep) noteDelete(w, origin, reachBelow(origin), excerpt);
  // With a slash behind it, or a wildcard below it, a link stands for the folder that it leads to.
  const led = /\/\*?$/.test(path) ? w.links.get(w.describe(path.replace(/\/\*?$/, '')).path) : undefined;
  if (led !== undefined) noteDelete(w, led, reachBelow(led), excerpt);
  const scope = isOwn ? 'scratch' : isDeep ? reachBelow(traits) : reachOf(traits, hasGlob);
  noteDelete(w, traits, scope, excerpt);
  return scope;
}

/** Removes what nothing rebuilds, from a service, a database or a home folder. */
export function destroyForGood(w: World, scope: Scope, object: string, excerpt: string): void {
  w.add('deletes', scope, object, excerpt);
  if (scope !== 'scratch') w.add('destroys_data', scope, object, excerpt);
}

/**
 * What a copy removes that makes `to` like its sources. Of a place that holds what a build made, it removes what an earlier build
 * left; an empty folder as the source removes all. `path` is `to` without the machine that it is on: there, no place is scratch.
 */
export function noteMirror(w: World, sources: readonly string[], to: string, excerpt: string, path = to): void {
  const traits = w.describe(path);
  const isScratch = path === to && reachBelow(traits) === 'scratch';
  const keeps = traits.is_treasured || traits.is_recovery || traits.is_store || traits.is_top || traits.is_log;
  const isPublished =
    !keeps && sources.length > 0 && sources.every((source) => w.describe(source).is_built && !isEmptyFolder(w, source));
  destroyForGood(w, isScratch || isPublished ? 'scratch' : 'many', path === to ? traits.path : to, excerpt);
}

export function noteDelete(w: World, traits: PathTraits, scope: Scope, excerpt: string): void {
  w.add('deletes', scope, traits.path, excerpt);
  if (scope === 'scratch') return;
  // A file that is a whole store holds as much as a tree.
  if (traits.is_vital) w.add('destroys_data', 'everything', traits.path, excerpt);
  else if (scope !== 'everything' && traits.is_treasured) w.add('destroys_data', scope, traits.path, excerpt);
  noteChange(w, traits, excerpt, scope);
  if (traits.is_recovery) w.add('destroys_recovery', scope, traits.path, excerpt);
  // Without their keys, people and programs are locked out.
  if (traits.is_credential && traits.place !== 'workspace') w.add('disrupts', scope, traits.path, excerpt);
  if (traits.is_repository) w.add('rewrites_history', 'everything', traits.path, excerpt);
}

/**
 * Leaves nothing in a file: `> file`, `cp /dev/null file`. One that is written anew this way is daily work. Of several that were found,
 * what they held is lost; a file of one fixed name in each folder (`__init__.py`) is made, and records are rotated this way.
 */
export function emptyPath(w: World, path: string, excerpt: string, isSeveral = false): void {
  const traits = w.describe(path);
  if (w.files.has(traits.path) && traits.place !== 'system') return;
  const name = traits.path.slice(traits.path.lastIndexOf('/') + 1);
  const isWide = isSeveral && (!isPlainName(name) || !traits.path.includes('/'));
  // Whatever a person keeps in such a folder is a document; what programs keep there has a dot before its name.
  const isPersons =
    traits.is_document || (!/(?:^|\/)\.[^/]*$/.test(traits.path) && w.describe(folderAbove(traits.path)).is_treasured);
  const isKept = traits.is_treasured || traits.is_vital || traits.is_recovery || isPersons;
  if (!isWide && !isKept) return;
  noteDelete(w, traits, reachOf(traits, isWide), excerpt);
  if (isWide && traits.place !== 'scratch' && traits.place !== 'null' && !traits.is_log)
    w.add('destroys_data', 'many', folderOf(traits.path), excerpt);
}

const folderAbove = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));

/** Whether the name is written out and stands for one file: no wildcard, nothing that is known only at run time. */
const isPlainName = (name: string): boolean => /^[\w.-]+$/.test(name);

/** The folder of a path with wildcards, as far as it is written out. */
export function folderOf(path: string): string {
  const parts = path.split('/');
  const end = parts.findIndex((part) => /[*?\uf8ff]/.test(part));
  return end <= 0 ? path : parts.slice(0, end).join('/') || '/';
}
