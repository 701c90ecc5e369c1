/** HTTP requests that parameters describe by URL, method and body. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { HOLE } from '../data.ts';
import { lookAt, sendTo } from '../deeds.ts';
import { hostOf } from '../hosts.ts';
import type { World } from '../world.ts';

export const sendingMethods = perOntology((ontology) => setOf(ontology, 'http_sending_methods'));

export interface HttpCall {
  url: string;
  /** Upper case; '' when not given: GET, or POST with a body. */
  method: string;
  has_body: boolean;
}

export function readHttp(call: HttpCall, world: World): void {
  const excerpt = `${call.method === '' ? (call.has_body ? 'POST' : 'GET') : call.method} ${call.url}`;
  if (call.method === 'DELETE') {
    world.noteHost(hostOf(call.url));
    world.add('deletes', 'one', call.url, excerpt);
  } else if (call.has_body || sendingMethods(world.ontology).has(call.method))
    sendTo(world, call.url, { text: HOLE, taint: 0 }, excerpt);
  else lookAt(world, call.url, excerpt);
}
