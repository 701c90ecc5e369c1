/** Writes files, and notes those that are opened to be written. */
import { noteRewrites, noteTrustFile } from '../administered/trust.ts';
import { noteGuardSettings } from '../administered/weaker-guards.ts';
import { type Data, FROM, HOLE } from '../data.ts';
import type { Scope } from '../effects.ts';
import { hostOfShare, isAdminShare } from '../hosts.ts';
import { noteSourceFile } from '../package-sources.ts';
import { asksNoMore } from '../settings.ts';
import { onlyTightens, startsNothing } from '../stored-code.ts';
import { isHiddenStream, isOutside } from '../windows-places.ts';
import { MAX_NAMES, type World } from '../world.ts';
import { noteChange } from './change-file.ts';
import { emptyPath } from './delete-file.ts';
import { keepShown, sendTo } from './network.ts';

/** Writes, overwrites or extends a file; `isAppended` where what it held stays. */
export function writeFile(
  w: World,
  path: string,
  content: Data,
  excerpt: string,
  scope: Scope = 'one',
  isAppended = false,
): void {
  const traits = w.describe(path);
  if (traits.place === 'null') return;
  w.notePath(path);
  noteShare(w, path, content, excerpt);
  if (isHiddenStream(w, path)) w.add('obfuscates', 'one', path, excerpt);
  // Nothing is left of files into which nothing is written.
  if (content.text === '' && content.taint === 0 && scope !== 'one') emptyPath(w, path, excerpt, true);
  if (w.files.size < MAX_NAMES) w.files.set(traits.path, content);
  const reach = traits.place === 'scratch' ? 'scratch' : scope;
  w.add('writes', traits.is_device ? 'everything' : reach, traits.path, excerpt);
  keepShown(w, content);
  if (content.taint & FROM.endless) w.add('exhausts_resources', 'everything', traits.path, excerpt);
  if (content.taint & FROM.encrypted) w.add('encrypts', reach, traits.path, excerpt);
  noteChange(w, traits, excerpt, scope, {
    isIdle: startsNothing(traits.path, content, w.ontology),
    isTightened: traits.is_guard && onlyTightens(content, w.ontology),
    isOwnLog: isAppended && !traits.is_record,
  });
  if (traits.names_package_source) noteSourceFile(w, content.text, excerpt);
  noteTrustFile(w, traits.path, content.text, excerpt);
  noteRewrites(w, content.text, excerpt);
  noteGuardSettings(w, traits.path, content.text, excerpt);
  if (!traits.is_agent && asksNoMore(traits.path, content.text, w.ontology))
    w.add('modifies_agent', scope, traits.path, excerpt);
  if (content.text.length >= 8 && content.text !== HOLE) w.stored.set(traits.path, traits);
}

/** A file on the share of a machine outside is sent to it; on an administrative one (`\\\\host\\C$`) it is put on that machine's disk. */
function noteShare(w: World, path: string, content: Data, excerpt: string): void {
  const host = hostOfShare(path);
  if (host === '') return;
  w.noteHost(host);
  if (isOutside(host)) sendTo(w, host, content, excerpt);
  if (isAdminShare(path)) w.add('moves_laterally', 'everything', path, excerpt);
}

/** Notes a file that is opened to be written anew: when nothing is written by the end of the code, it stays empty. */
export function noteOpened(w: World, path: string, excerpt: string, isSeveral: boolean): void {
  if (w.opened.size < MAX_NAMES) w.opened.set(path, { excerpt, isSeveral });
}
