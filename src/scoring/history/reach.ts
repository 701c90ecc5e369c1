/** What of an event may concern other agents of the customer: the things it names, what it carries, and whether it goes outside. */
import { inOrder } from '../../lang/in-order.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { OUTWARD, payloadClasses, payloadMayHoldWhatWasRead } from '../facts/payload.ts';
import type { Readings } from '../read/readings.ts';
import { fileName } from './file-name.ts';
import type { Footprint } from './footprint.ts';
import { nameOf } from './names.ts';

type Reach = Pick<Footprint, 'things' | 'payload' | 'may_carry' | 'is_out' | 'parent'>;

const words = perOntology((ontology) => ({
  shared: setOf(ontology, 'shared_thing_names'),
  sensitive: setOf(ontology, 'sensitive_classes'),
}));
const MOST_THINGS = 12;
const LONGEST_THING = 256;
const LONGEST_ID = 256;

export function reachOf(readings: Readings): Reach {
  const { event, ontology, sink } = readings;
  const things = thingsOf(readings);
  const payload = inOrder(payloadClasses(readings)).filter((one) => words(ontology).sensitive.has(one));
  const parent = (event.agent as { delegated_by?: unknown } | undefined)?.delegated_by;
  return {
    ...(things.length > 0 ? { things } : {}),
    ...(payload.length > 0 ? { payload } : {}),
    ...(payloadMayHoldWhatWasRead(readings) && !readings.is_own_work ? { may_carry: true } : {}),
    ...(OUTWARD.has(sink.sink) ? { is_out: true } : {}),
    ...(typeof parent === 'string' && parent !== '' && parent.length <= LONGEST_ID ? { parent } : {}),
  };
}

/** A file counts with its folder: `report.csv` alone is a name that many have. */
function thingsOf({ event, arguments: args, content, ontology }: Readings): string[] {
  const { shared } = words(ontology);
  const found: string[] = [];
  const addPath = (path: string): void => {
    const file = fileName(path.toLowerCase());
    if (file.includes('/') && file.length <= LONGEST_THING) found.push(nameOf(file));
  };
  const add = (name: string): void => {
    if (name.includes('/') || name.includes('\\')) addPath(name);
    else if (name !== '' && name.length <= LONGEST_THING) found.push(nameOf(name.toLowerCase()));
  };
  add((event.target?.resource_id ?? '').trim());
  for (const { path, kind, role, value } of args) {
    const name = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    if (kind === 'path' || role === 'path') addPath(value.trim());
    else if (shared.has(name.slice(name.lastIndexOf('_') + 1)) || shared.has(name.split('_', 1)[0]!)) add(value.trim());
  }
  for (const path of content.paths) addPath(path);
  if (content.languages.includes('sql')) for (const { object } of content.effects) add(object.trim());
  return inOrder(found).slice(0, MOST_THINGS);
}
