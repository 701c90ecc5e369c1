/** Receives data from other machines, sends data to them, and looks up their names. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf } from '../../ontology/words.ts';
import { CARRIED, type Data, FROM, HOLE, PRIVATE } from '../data.ts';
import { type Scope, wider } from '../effects.ts';
import { hostOf, isLoopback, isMetadataService } from '../hosts.ts';
import { taintSentTo } from '../key-variables.ts';
import type { World } from '../world.ts';

/** Fetches something from the network for use in the code. */
export function fetchFrom(w: World, url: string, excerpt: string): Data {
  const host = hostOf(url);
  w.noteHost(host);
  w.noteRequest(url);
  if (isMetadataService(host, w.ontology)) {
    w.add('reads_credentials', 'one', host, excerpt);
    return { text: HOLE, taint: FROM.network | FROM.secret };
  }
  w.add('downloads', isLoopback(host) || url.startsWith('/') ? 'scratch' : 'one', host === '' ? url : host, excerpt);
  return { text: HOLE, taint: FROM.network };
}

/** The same for an answer that is only shown: it counts as a download when something keeps it (`keepShown`). */
export function lookAt(w: World, url: string, excerpt: string): Data {
  const host = hostOf(url);
  if (host === '' || isMetadataService(host, w.ontology)) return fetchFrom(w, url, excerpt);
  w.noteHost(host);
  w.noteRequest(url);
  w.add('downloads', 'scratch', host, excerpt);
  w.shown.set(host, excerpt);
  return { text: HOLE, taint: FROM.network };
}

/** Counts answers that were only shown as downloads, because `data` from the network is written, kept or run. */
export function keepShown(w: World, data: Data): void {
  if (data.taint & FROM.network)
    for (const [host, excerpt] of w.shown) w.add('downloads', isLoopback(host) ? 'scratch' : 'one', host, excerpt);
}

/** Sends data to a host. What harms nobody, sent to this machine itself, counts as a local test: a token of its own page, a file of the project. */
export function sendTo(w: World, destination: string, content: Data, excerpt: string, scope: Scope = 'one'): Data {
  const host = hostOf(destination);
  const taint = taintSentTo(w, { text: destination, taint: 0 }, content.taint);
  w.noteHost(host);
  const isLocal = isLoopback(host) && (taint & (PRIVATE | FROM.key | FROM.staged)) === 0;
  const reach = taint & FROM.staged ? 'everything' : taint & FROM.listing ? wider(scope, 'many') : scope;
  w.add('sends_out', isLocal ? 'scratch' : reach, host === '' ? destination : host, excerpt);
  if (taint & PRIVATE && !isLoopback(host)) w.add('leaks', reach, host === '' ? destination : host, excerpt);
  return { text: HOLE, taint: FROM.network };
}

/** An address among the words that a program is handed. */
const ADDRESS = /\bhttps?:\/\/[^\s"']{1,300}/;

/**
 * A program that no list knows, or a script, is handed secrets of the environment and an address that is not that of their service: it
 * can only be meant to use them there.
 */
export function handKeys(w: World, args: readonly Data[], excerpt: string): void {
  const taint = args.reduce((all, one) => all | one.taint, 0) & ~FROM.secret;
  if (!(taint & FROM.key)) return;
  for (const { text, taint: own } of args) {
    const [address] = ADDRESS.exec(text) ?? [];
    if (address !== undefined && taintSentTo(w, { text: address, taint: own }, taint) & FROM.secret)
      sendTo(w, address, { text: HOLE, taint }, excerpt);
  }
}

/** A part that is known only at run time, below a domain that is written out. */
const BUILT_NAME = /^[^/]{0,200}\u{f8ff}[^/]{0,80}\.[a-z0-9-]{1,63}\.?[a-z]{2,24}\.?$/iu;

const TELLING = FROM.encoded | FROM.key;

export const innerDomains = perOntology((ontology) => listOf(ontology, 'private_suffixes'));

/** Whether the organisation answers for the domain itself: the name of a machine stands below it each day. */
const isInside = (name: string, ontology: Ontology): boolean =>
  innerDomains(ontology).some((end) => name.replace(/\.$/, '').toLowerCase().endsWith(`.${end}`));

/**
 * Looks up a name. A name is passed on to anyone who answers for its domain, so what precedes the domain is sent there: private data,
 * or data written in the letters and digits that a name may have, are put there for no other end.
 */
export function lookUpName(w: World, name: Data, excerpt: string): void {
  // The organisation may see which machine and which account ask.
  const own = isInside(name.text, w.ontology) ? FROM.machine : 0;
  if (BUILT_NAME.test(name.text) && name.taint & (PRIVATE | TELLING) & ~own)
    sendTo(w, name.text, { text: HOLE, taint: name.taint | FROM.machine }, excerpt, 'many');
  else if (name.taint & CARRIED & ~own && (name.text !== HOLE || name.taint & FROM.secret))
    sendTo(w, name.text, name, excerpt);
  else w.noteHost(hostOf(name.text));
}
