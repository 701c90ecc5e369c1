/**
 * Environment variables whose names say that they hold a secret (`GITHUB_TOKEN`, `DB_PASSWORD`), and whether what is sent to a host
 * hands such a secret to somebody for whom it is not meant.
 */
import { wordsOf } from '../lang/names.ts';
import type { Ontology } from '../ontology/index.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { listOf, setOf, tableOf } from '../ontology/words.ts';
import { type Data, FROM, HOLE, UNKNOWN } from './data.ts';
import { hostOf, isLoopback } from './hosts.ts';
import type { World } from './world.ts';

const variableWords = perOntology((ontology) => ({
  ends: setOf(ontology, 'secret_variable_ends'),
  keys: setOf(ontology, 'secret_key_words'),
  places: setOf(ontology, 'connection_variable_ends'),
  inner: listOf(ontology, 'private_suffixes'),
  services: tableOf(ontology, 'services_of_variables'),
}));

/** Letters of a word that is not a name of a secret by itself. */
const SHORTEST = 4;
/** Variables that are kept; each has a bit of its own or shares one. */
const MAX_KEYS = 64;
const NAME = /^[A-Z][A-Z0-9_]{2,64}$/;
/** The host of an address or a bare name, up to what follows it. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]{1,16}:\/\/)?([^/?#\s]{1,400})/i;

/** Bits above `FROM.key`, up to the last one of a positive number: one for each variable, shared from the thirteenth on. */
const KEY_BITS = 12;
const bitOf = (at: number): number => FROM.key << (1 + (at % KEY_BITS));
const WITHOUT_KEYS = FROM.key - 1;

function isKeyVariable(name: string, ontology: Ontology): boolean {
  if (!NAME.test(name)) return false;
  const { ends, keys, places, services } = variableWords(ontology);
  const words = wordsOf(name);
  const last = words.at(-1)!;
  // `PWD` is the folder, and `PASS` alone may be anything.
  if (ends.has(last)) return words.length > 1 || last.length > SHORTEST;
  if (last === 'key') return words.some((word) => keys.has(word));
  return places.has(last) && words.some((word) => services.get(word)?.length === 0);
}

/** The value of an environment variable that the code has not set. */
export function environmentVariable(w: World, name: string): Data {
  if (!isKeyVariable(name, w.ontology)) return UNKNOWN;
  if (!w.keys.includes(name) && w.keys.length < MAX_KEYS) w.keys.push(name);
  const at = w.keys.indexOf(name);
  // Beyond MAX_KEYS a variable counts as a plain secret.
  return { text: HOLE, taint: at < 0 ? FROM.secret : FROM.key | bitOf(at) };
}

/** The secret variables from which data with this taint may come. */
const keysIn = (w: World, taint: number): readonly string[] =>
  taint & FROM.key ? w.keys.filter((_, at) => (taint & bitOf(at)) !== 0) : [];

/**
 * The taint of what is sent to a host or an address, in which a secret of the environment counts as a secret if the host is not that
 * of the service for which it is meant. A secret of an unknown service may be meant for any host; no secret is meant for the name of a host, which
 * anyone who answers for its domain gets to see.
 */
export function taintSentTo(w: World, destination: Data, taint: number): number {
  if (!(taint & FROM.key)) return taint;
  const rest = taint & WITHOUT_KEYS;
  if (destination.taint & FROM.key && isInName(destination.text)) return rest | FROM.secret;
  const host = hostOf(destination.text).toLowerCase();
  if (host === '' || host.includes(HOLE) || isLoopback(host) || isInner(host, w.ontology)) return rest;
  return keysIn(w, taint).every((name) => isMeantFor(name, host, w.ontology)) ? rest : rest | FROM.secret;
}

/** The text of a command, with its unknown parts replaced by references to the secret variables from which they come. */
export function withKeyNames(w: World, { text, taint }: Data): string {
  const names = keysIn(w, taint);
  return names.length === 0 ? text : text.replaceAll(HOLE, names.map((name) => `\${${name}}`).join(''));
}

/** Whether a secret is part of the host name (`$TOKEN.names.example`); `https://$TOKEN@host` authenticates instead. */
function isInName(destination: string): boolean {
  const [, authority = ''] = AUTHORITY.exec(destination) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.includes(HOLE) && /\.[a-z0-9-]{1,63}\.[a-z]{2,24}\.?(?::\d{1,5})?$/i.test(host);
}

function isInner(host: string, ontology: Ontology): boolean {
  return !host.includes('.') || variableWords(ontology).inner.some((suffix) => host.endsWith(`.${suffix}`));
}

function isMeantFor(name: string, host: string, ontology: Ontology): boolean {
  const { services } = variableWords(ontology);
  const known = wordsOf(name).filter((word) => services.has(word));
  return known.length === 0 || known.some((word) => services.get(word)!.some((part) => host.includes(part)));
}
