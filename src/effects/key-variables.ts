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

const NAME = /^[A-Z][A-Z0-9_]{2,64}$/;
/** The host of an address or a bare name, up to what follows it. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]{1,16}:\/\/)?([^/?#\s]{1,400})/i;

function isKeyVariable(name: string, ontology: Ontology): boolean {
  if (!NAME.test(name)) return false;
  const { ends, keys, places, services } = variableWords(ontology);
  const words = wordsOf(name);
  const last = words.at(-1)!;
  if (ends.has(last)) return true;
  if (last === 'key') return words.some((word) => keys.has(word));
  return places.has(last) && words.some((word) => services.get(word)?.length === 0);
}

/** The value of an environment variable that the code has not set. */
export function environmentVariable(w: World, name: string): Data {
  if (!isKeyVariable(name, w.ontology)) return UNKNOWN;
  w.keys.add(name);
  return { text: HOLE, taint: FROM.key };
}

/**
 * What is sent to a host or an address, where a secret of the environment counts as a secret if the host is not that of the service
 * for which it is meant. A secret of an unknown service may be meant for any host; no secret is meant for the name of a host, which
 * whoever answers for its domain gets to see.
 */
export function sentTo(w: World, destination: string, taint: number): number {
  if (!(taint & FROM.key)) return taint;
  const rest = taint & ~FROM.key;
  if (isInName(destination)) return rest | FROM.secret;
  const host = hostOf(destination).toLowerCase();
  if (host === '' || host.includes(HOLE) || isLoopback(host) || isInner(host, w.ontology)) return rest;
  return [...w.keys].every((name) => isMeantFor(name, host, w.ontology)) ? rest : rest | FROM.secret;
}

/** `$TOKEN.names.example`, and not `https://$TOKEN@host`, by which one signs in. */
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
