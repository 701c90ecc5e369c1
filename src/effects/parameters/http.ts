/** HTTP requests that parameters describe by URL, method and body. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { noteAdministeringRequest } from '../administered/calls.ts';
import { HOLE } from '../data.ts';
import { lookAt, sendTo } from '../deeds/network.ts';
import { readFile } from '../deeds/read-file.ts';
import { hostOf } from '../hosts.ts';
import { removesWidely } from '../programs/fetching/remote-deletes.ts';
import type { World } from '../world.ts';

export const sendingMethods = perOntology((ontology) => setOf(ontology, 'http_sending_methods'));

export interface HttpCall {
  /** An address, or a path on a service that the call does not name. */
  url: string;
  /** Upper case; '' when not given: GET, or POST with a body. */
  method: string;
  has_body: boolean;
  /** The method that a header or the query puts in its place, upper case; '' where none does. */
  override: string;
  /** Paths of files of this machine that go along. */
  files: readonly string[];
  /** The parameters of the call as JSON, in which the body stands. */
  given: string;
}

const taintOf = (files: readonly string[], world: World, excerpt: string): number =>
  files.reduce((taint, path) => taint | readFile(world, path, excerpt).taint, 0);

export function readHttp(call: HttpCall, world: World): void {
  const excerpt = `${call.method === '' ? (call.has_body ? 'POST' : 'GET') : call.method} ${call.url}`;
  const method = call.method || (call.has_body ? 'POST' : '');
  noteAdministeringRequest(world, method, call.url, [call.given], excerpt);
  // Whether the service heeds it is not known: it adds to what the request does, and takes nothing away.
  if (call.override === 'DELETE') world.add('deletes', 'one', call.url, `DELETE ${call.url}`);
  if (removesWidely(world, method, call.url, excerpt)) return;
  if (call.method === 'DELETE') {
    world.noteHost(hostOf(call.url));
    world.add('deletes', 'one', call.url, excerpt);
  } else if (hostOf(call.url) === '') return;
  else if (call.has_body || sendingMethods(world.ontology).has(call.method))
    sendTo(world, call.url, { text: HOLE, taint: taintOf(call.files, world, excerpt) }, excerpt);
  else lookAt(world, call.url, excerpt);
}
