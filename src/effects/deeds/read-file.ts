/** Reads files. The kind of file decides which effects its reading has. */
import { type Data, FROM, HOLE } from '../data.ts';
import type { Scope } from '../effects.ts';
import { hostOfShare, hostOfUrl, isUrl } from '../hosts.ts';
import { type PathTraits, pathKinds } from '../paths.ts';
import { programName } from '../shell/call.ts';
import { isInstalled } from '../shell/command-name.ts';
import { isOutside } from '../windows-places.ts';
import { MAX_NAMES, type World } from '../world.ts';
import { fetchFrom } from './network.ts';

/** Kinds of credentials of a person that nobody needs at once. */
const COLLECTED = 3;

/** Reads a file. The bits of the result say what kind of file it was. */
export function readFile(w: World, path: string, excerpt: string, scope: Scope = 'one'): Data {
  if (isUrl(path) && hostOfUrl(path) !== '') return fetchFrom(w, path, excerpt);
  const host = hostOfShare(path);
  if (host !== '') {
    if (isOutside(host)) return fetchFrom(w, host, excerpt);
    w.noteHost(host);
    w.add('reads', scope, path, excerpt);
    return { text: HOLE, taint: FROM.network | FROM.file };
  }
  const traits = w.describe(path);
  const written = w.files.get(traits.path);
  if (written === undefined && traits.place === 'null' && !traits.is_endless && path !== '-')
    return { text: '', taint: 0 };
  if (written !== undefined)
    return traits.is_hidden_scratch ? { text: written.text, taint: written.taint | FROM.staged } : written;
  if (traits.place === 'null' || path === '-') return { text: HOLE, taint: traits.is_endless ? FROM.endless : 0 };
  w.notePath(path);
  let taint: number = FROM.file | (traits.is_hidden_scratch ? FROM.staged : 0);
  if (traits.is_credential) {
    taint |= FROM.secret;
    const isCollected = noteSecret(w, traits);
    w.add('reads_credentials', traits.is_store || isCollected ? 'everything' : scope, traits.path, excerpt);
  } else if (traits.is_personal && traits.place !== 'system' && traits.place !== 'scratch') {
    taint |= FROM.personal;
    w.add('reads_personal_data', scope, traits.path, excerpt);
  }
  // All that the people of a machine have: no matter to look at, but theirs wherever it goes.
  if (pathKinds(w.ontology).homes.test(traits.path.replace(/\/\*$/, ''))) taint |= FROM.personal;
  if (isSensitiveSystemRead(traits)) {
    taint |= FROM.system;
    w.add('reads_system', scope, traits.path, excerpt);
  } else w.add('reads', traits.place === 'scratch' ? 'scratch' : scope, traits.path, excerpt);
  return { text: HOLE, taint, ...programIn(traits.path) };
}

/** Fetches an address, or reads the file that one of the scheme `file` names. */
export function fetchOrRead(w: World, url: string, excerpt: string): Data {
  return /^\s{0,8}file:/i.test(url) ? readFile(w, url.trim(), excerpt) : fetchFrom(w, url, excerpt);
}

/** Reads a file of another machine or of a container: its name says as much there as here. The bits say what kind of file it is. */
export function readElsewhere(w: World, path: string, excerpt: string): number {
  const traits = w.describe(path);
  if (!traits.is_credential) return FROM.file;
  w.add('reads_credentials', traits.is_store ? 'everything' : 'one', traits.path, excerpt);
  return FROM.file | FROM.secret;
}

/**
 * Whether anyone who looks for these names of keys and stores wants any of them: by now the code has looked for several kinds everywhere.
 *
 * @param isEverywhere the search goes through a whole disk or home folder
 */
export function wantsAnySecret(w: World, names: readonly string[], isEverywhere: boolean): boolean {
  if (isEverywhere) for (const name of names) w.sought.add(name);
  return isEverywhere && w.sought.size > 1;
}

/** Whether the code has read credentials of several kinds by now: who wants any that he can get reads in turn. */
function noteSecret(w: World, { path, place }: PathTraits): boolean {
  if (place === 'home' && w.secrets.size < MAX_NAMES) w.secrets.add(path.split('/').slice(0, 3).join('/'));
  return w.secrets.size >= COLLECTED;
}

/** System files, and the start files and histories in a home folder, which show how the machine is set up. */
function isSensitiveSystemRead(t: PathTraits): boolean {
  if (t.is_common_read || t.place === 'scratch' || t.place === 'null') return false;
  return t.place === 'system' || t.is_log || t.is_account || (t.place === 'home' && t.is_start);
}

/** The program that a file is, by the folder of installed programs that it is in, or by the ending of its name. */
export function programIn(path: string): { program?: string } {
  // `cp $(which bash) x`: what a look-up of a program prints is kept as its name.
  return isInstalled(path) || /\.exe$/i.test(path) || !path.includes('/') ? { program: programName(path) } : {};
}

/** Name of the program of which the file at `path` is a copy or a link that this code made; '' when there is none. */
export function copiedProgram(w: World, path: string): string {
  if (w.files.size === 0) return '';
  return w.files.get(w.describe(path).path)?.program ?? '';
}
