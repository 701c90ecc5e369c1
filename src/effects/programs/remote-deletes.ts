/** Requests that make a service remove what it keeps. */
import { destroyForGood } from '../deeds.ts';
import { hostOf } from '../hosts.ts';
import type { World } from '../world.ts';
import { lineWords } from './unlisted/by-words.ts';

/**
 * Notes what a request removes: by its method, or by a verb in its address (`/logs/_delete_by_query`, `/jobs/7/doDelete`),
 * which only counts where the method changes something.
 *
 * @param method upper case, '' where the client decides
 * @param url an address or a path on a service that is known
 * @returns whether it removes something
 */
export function deletesByRequest(world: World, method: string, url: string, excerpt: string): boolean {
  const { destroys, container } = lineWords(world.ontology);
  const parts = url
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z]{2,8}:\/\/[^/]{0,255}/i, '')
    .split('/')
    .filter((part) => part !== '');
  const isAsked = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  const last = parts.slice(-2);
  const isNamed =
    isAsked && method !== '' && last.some((part) => destroys.test(part.replace(/^(?:_|do(?=[A-Z])){1,8}/, '')));
  if (method !== 'DELETE' && !isNamed) return false;
  world.noteHost(hostOf(url));
  const end = parts.at(-1) ?? '';
  const isWide = /[*,]|^_all$/.test(end) || container.test(end);
  destroyForGood(world, isWide ? 'many' : 'one', url, excerpt);
  return true;
}
