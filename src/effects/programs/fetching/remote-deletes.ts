/** Requests that make a service remove what it keeps. */
import { wordsOf } from '../../../lang/names.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { destroyForGood } from '../../deeds/delete-file.ts';
import { hostOf, isLoopback } from '../../hosts.ts';
import type { World } from '../../world.ts';
import { lineWords } from '../unlisted/by-words.ts';

/**
 * Notes what a request removes: by its method, or by a verb in its address (`/logs/_delete_by_query`, `/jobs/7/doDelete`),
 * which only counts where the method changes something.
 *
 * @param method upper case, '' where the client decides
 * @param url an address or a path on a service that is known
 * @returns whether it removes something
 */
export function deletesByRequest(world: World, method: string, url: string, excerpt: string): boolean {
  const { destroys } = lineWords(world.ontology);
  const parts = partsOf(url);
  const isAsked = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  const last = parts.slice(-2);
  const isNamed =
    isAsked && method !== '' && last.some((part) => destroys.test(part.replace(/^(?:_|do(?=[A-Z])){1,8}/, '')));
  if (method !== 'DELETE' && !isNamed) return false;
  world.noteHost(hostOf(url));
  const isMany = namesAll(world, parts.at(-1) ?? '') || (method === 'DELETE' && isContainer(world, url, parts));
  destroyForGood(world, isMany ? 'many' : 'one', url, excerpt);
  return true;
}

/**
 * Notes a request that removes all of a kind, or all that a query finds: `DELETE /_all`, `POST /logs/_delete_by_query`. Clients in
 * code remove single things all day.
 *
 * @returns whether it does
 */
export function removesWidely(world: World, method: string, url: string, excerpt: string): boolean {
  const parts = partsOf(url);
  const end = parts.at(-1) ?? '';
  const isWide = method === 'DELETE' ? /[*,]|^_\w/.test(end) : method === 'POST' && /^_\w/.test(end);
  return isWide && deletesByRequest(world, method, url, excerpt);
}

/** Names of the fields that a mutation in GraphQL calls first. */
const MUTATION = /\bmutation\b[^{]{0,400}\{\s{0,40}(?:\w{1,60}\s{0,4}:\s{0,4})?(\w{1,100})/g;
const MAX_BODY = 16_000;

/** Notes what a mutation in GraphQL removes, by its name: `mutation { volumeDelete(volumeId: "x") }`. */
export function deletesByMutation(world: World, body: string, excerpt: string): boolean {
  const { destroys } = lineWords(world.ontology);
  const name = [...body.slice(0, MAX_BODY).matchAll(MUTATION)]
    .map(([, field = '']) => field)
    .find((field) => wordsOf(field).some((word) => destroys.test(word)));
  if (name === undefined) return false;
  destroyForGood(world, 'one', name, excerpt);
  return true;
}

/** The parts of the path of an address. */
function partsOf(url: string): string[] {
  return url
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z]{2,8}:\/\/[^/]{0,255}/i, '')
    .split('/')
    .filter((part) => part !== '');
}

/**
 * Whether the address is that of one thing in which others are kept, such as a project or a repository. Services on this machine are
 * those under test.
 */
function isContainer(world: World, url: string, parts: readonly string[]): boolean {
  if (parts.length < 2 || isLoopback(hostOf(url))) return false;
  const { kept, owned } = collections(world.ontology);
  return kept.has(parts.at(-2)!.toLowerCase()) || owned.has((parts.at(-3) ?? '').toLowerCase());
}

const collections = perOntology((ontology) => ({
  kept: setOf(ontology, 'container_collections'),
  owned: setOf(ontology, 'owned_collections'),
}));

const namesAll = (world: World, end: string): boolean =>
  /[*,]|^_\w/.test(end) || lineWords(world.ontology).container.test(end);
