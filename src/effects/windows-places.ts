/** Places that only Windows has: streams beside the content of a file, and shares of machines outside. */

import { perOntology } from '../ontology/per-ontology.ts';
import { patternOf } from '../ontology/words.ts';
import { isPrivateAddress } from './code/code-signs.ts';
import { hostOf } from './hosts.ts';
import type { World } from './world.ts';

export const hiddenStreams = perOntology((ontology) => patternOf(ontology, 'hidden_streams', 'any'));

/** Whether the path is a stream of a file, which no listing shows. Other systems have no such streams. */
export function isHiddenStream(w: World, path: string): boolean {
  return w.is_of_windows && !path.includes('://') && hiddenStreams(w.ontology).test(path);
}

/** Whether the host of a share is outside: a name with a domain, or a public address. */
export const isOutside = (host: string): boolean => hostOf(host) !== '' && !isPrivateAddress(host);
