/** Machines that an action brings to rest. Anyone who sees somebody in danger stops them first and asks later. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { snakeCase, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from './action.ts';

const words = perOntology((ontology) => ({
  stops: setOf(ontology, 'rest_verbs'),
  domains: setOf(ontology, 'stoppable_domains'),
  protective: setOf(ontology, 'protective_stop_words'),
}));

const MAX_LEAVES = 40;
const LONGEST = 40;

/** The action stops a machine, whatever else is in its parameters. Patients depend on medical devices that run. */
export const comesToRest = ({ verb, known_domain }: ActionReading, ontology: Ontology): boolean =>
  known_domain !== 'medical_device' && words(ontology).stops.has(snakeCase(verb));

/** The stop is one for safety, by its name or by what a parameter says of it: `kind: protective_stop`. */
export function isProtectiveStop(event: AgentEvent, action: ActionReading, ontology: Ontology): boolean {
  if (!words(ontology).domains.has(action.known_domain) || !comesToRest(action, ontology)) return false;
  const { protective } = words(ontology);
  const isSaid = (name: string): boolean => wordsOf(name).some((word) => protective.has(word));
  if (isSaid(action.verb)) return true;
  return parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .some(({ value }) => typeof value === 'string' && value.length <= LONGEST && isSaid(snakeCase(value)));
}
