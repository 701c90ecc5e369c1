/** Running processes that a command looks for by the name of their program, so that only those may be ended. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import type { Call } from '../shell/call.ts';

/** Names, or parts of a command line, one or several of which are looked for. */
const NAMES = /^[\w./@ \\|:+-]{3,160}$/;
/** A shorter word stands in the lines of many processes. */
const SHORTEST_NAME = 4;
const MOST_NAMES = 64;

export const wideProcessNames = perOntology((ontology: Ontology) => setOf(ontology, 'wide_process_names'));

/** Notes what is looked for. False where it fits processes of any program, such as all of one account. */
export function noteSought(c: Call, pattern: string): boolean {
  const wide = wideProcessNames(c.world.ontology);
  if (!NAMES.test(pattern)) return false;
  const names = pattern.split('|').map((one) => one.replaceAll('\\', '').trim());
  const tells = (name: string): boolean =>
    name.split(/[^A-Za-z0-9]+/).some((word) => word.length >= SHORTEST_NAME && !wide.has(word.toLowerCase()));
  if (!names.every(tells)) return false;
  if (c.world.sought_processes.length < MOST_NAMES) c.world.sought_processes.push(...names);
  return true;
}
