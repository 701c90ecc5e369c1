/** Whether all that an action does is to say that it will not do what was asked. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { foldText } from '../words/fold.ts';

const words = perOntology((ontology) => ({
  refusals: anyOf(ontology, 'agent_refusals'),
  handing: setOf(ontology, 'file_handing_groups'),
}));

/** A longer answer goes on to something else. */
const LONGEST = 1_000;

/**
 * True where the only parameter is a short text that begins with a refusal, told to the user: nothing else can be carried beside it, and
 * a text that goes to others may be the deed itself.
 */
export function tellsRefusal(event: AgentEvent, ontology: Ontology, { effective_group }: ActionReading): boolean {
  const { refusals, handing } = words(ontology);
  const { leaves } = parametersOf(event);
  const [only] = leaves;
  if (
    handing.has(effective_group) ||
    leaves.length !== 1 ||
    typeof only!.value !== 'string' ||
    only!.value.length > LONGEST
  )
    return false;
  return refusals.test(foldText(only!.value));
}
