/**
 * Where a program takes code from that it runs or installs: a registry that everybody uses, a place where people publish code,
 * another address, a number or share that nobody answers for.
 */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, patternOf, setOf } from '../../../ontology/words.ts';
import { codeSigns, isPrivateAddress, isStrange } from '../../code/code-signs.ts';
import { type Data, FROM } from '../../data.ts';
import { hostOf, hostOfShare, hostOfUrl, isLoopback } from '../../hosts.ts';
import { sourceWords } from '../../package-sources.ts';
import { type Field, isKnownWord } from '../../shell/call.ts';
import type { World } from '../../world.ts';

export const originWords = perOntology((ontology) => ({
  hosts: listOf(ontology, 'published_code_hosts'),
  options: setOf(ontology, 'origin_options'),
  shared: listOf(ontology, 'shared_code'),
  internal: listOf(ontology, 'private_suffixes'),
  inputs: setOf(ontology, 'input_files'),
  unprotected: patternOf(ontology, 'origins', 'unprotected'),
}));

/** `git+https://…`, `git::ssh://…`: the way of fetching before the address. */
const WAY = /^[a-z]{2,8}(?:\+(?=[a-z]{2,8}:)|::)/i;
/** A path that begins with a host: `example.org/tools/x`, `203.0.113.7:5000/image`. */
const HOSTED = /^((?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{1,63})(?::\d{1,5})?\/\S/i;
/** `git@host:owner/name` */
const LOGIN = /^[\w.-]{1,64}@([\w.-]{3,250}):(?!\/\/)\S/;
/** What follows the name of the source itself: version, query, part. */
const BEHIND = /(?:\.git)?(?:@[^/@]{0,100})?(?:[?#].{0,1000})?$/s;
/** Addresses that are looked at in one command. */
const MAX_ORIGINS = 16;

/** How an origin is told where a bare path may begin with a host: a module, an image. */
export type Naming = 'address' | 'module' | 'image';

/**
 * Notes where code comes from that is run or installed.
 *
 * @param naming how the program names sources
 * @returns whether `given` says where it comes from
 */
export function noteOrigin(w: World, given: string, excerpt: string, naming: Naming = 'address'): boolean {
  if (hostOfShare(given) !== '') {
    w.noteHost(hostOfShare(given));
    w.add('downloads_and_runs', 'one', given, excerpt);
    return true;
  }
  const { shared, internal, unprotected } = originWords(w.ontology);
  const text = given.replace(WAY, '');
  const isAddress = hostOfUrl(text) !== '' || LOGIN.test(text);
  const host = hostIn(text, naming);
  if (host === '') {
    const isShared = shared.some((prefix) => given.startsWith(prefix));
    if (isShared) w.add('takes_foreign_code', 'one', nameOf(given.slice(given.indexOf(':') + 1)), excerpt);
    return isShared;
  }
  const isInside = internal.some((end) => host === end || host.endsWith(`.${end}`)) || !host.includes('.');
  if (isLoopback(host) || isInside || isPrivateAddress(host)) return true;
  w.noteHost(host);
  if (isOneOf(host, sourceWords(w.ontology).known)) return true;
  const { ipv4, ipv6, number } = codeSigns(w.ontology);
  const isNumber = ipv4.test(host) || ipv6.test(host) || number.test(host);
  const isOpen = isAddress && unprotected.test(text);
  if (isNumber || isOpen || isStrange(w, isAddress ? text : `https://${text}`))
    w.add('downloads_and_runs', 'one', host, excerpt);
  else {
    const isPublished = isOneOf(host, originWords(w.ontology).hosts);
    // What has a place of its own in a public index comes from there like any package.
    if (naming === 'image' || (isPublished && naming === 'module')) return true;
    w.add('takes_foreign_code', isPublished ? 'one' : 'many', nameOf(text), excerpt);
  }
  return true;
}

/** Notes the origin that each of these words names, alone or behind the name of its option: `--index-url=https://…`. */
export function noteOrigins(w: World, words: readonly Field[], excerpt: string): boolean {
  let found = 0;
  for (const word of words) {
    if (found >= MAX_ORIGINS || !isKnownWord(word)) continue;
    const value = /^--?[\w-]{1,40}=(.{1,2000})$/s.exec(word.text)?.[1] ?? word.text;
    if (noteOrigin(w, value, excerpt)) found++;
  }
  return found > 0;
}

/** The hosts of which an answer is among these data and that belong to somebody else; none that people publish code on. */
export function strangeHosts(w: World, data: Data | null | undefined): string[] {
  if (data === null || data === undefined || (data.taint & FROM.network) === 0) return [];
  return [...w.shown.keys()].filter(
    (host) => foreignName(w, `https://${host}`) !== '' && !isPublished(w, `https://${host}`),
  );
}

/** Notes where that comes from which is piped in: `curl https://… | kubectl apply -f -` takes what `-f https://…` takes. */
export function notePipedOrigin(w: World, piped: Data | null, words: readonly Field[], excerpt: string): void {
  const { inputs } = originWords(w.ontology);
  if (!words.some(({ text }) => text === '-' || inputs.has(text) || /^--?[\w-]{1,40}=-$/.test(text))) return;
  for (const host of strangeHosts(w, piped)) noteOrigin(w, `https://${host}`, excerpt);
}

/** Whether an address leads to where people publish code under names that somebody answers for, over a protected way. */
export function isPublished(w: World, address: string): boolean {
  return isOneOf(hostOf(address), originWords(w.ontology).hosts) && !originWords(w.ontology).unprotected.test(address);
}

/** The source of a repository that belongs to somebody else, as it is told; '' for one of the own machine or network. */
export function foreignName(w: World, address: string): string {
  const { internal } = originWords(w.ontology);
  const host = hostIn(address.replace(WAY, ''), 'module');
  const isInside = !host.includes('.') || internal.some((end) => host === end || host.endsWith(`.${end}`));
  return isInside || isLoopback(host) || isPrivateAddress(host) ? '' : nameOf(address);
}

/** Whether the host is one of these or below one of them. */
function isOneOf(host: string, known: readonly string[]): boolean {
  return known.some((one) => host === one || host.endsWith(`.${one}`));
}

function hostIn(text: string, naming: Naming): string {
  const address = hostOfUrl(text) || (LOGIN.exec(text)?.[1] ?? '').toLowerCase();
  if (address !== '' || naming === 'address') return address;
  const host = HOSTED.exec(text)?.[1]?.toLowerCase() ?? '';
  return host === '' ? '' : hostOf(host);
}

/** The source as it is told: without the way of fetching, the version and the ending. */
function nameOf(text: string): string {
  return text
    .replace(/^[a-z][a-z0-9+.-]{1,15}:\/\//i, '')
    .replace(/^[\w.-]{1,64}@([\w.-]{3,250}):/, '$1/')
    .replace(BEHIND, '');
}
