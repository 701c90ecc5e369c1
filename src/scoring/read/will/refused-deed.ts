/** Whether all that an action does is to say that it will not do what was asked. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf } from '../../../ontology/words.ts';
import { foldText } from '../words/fold.ts';

const refusals = perOntology((ontology) => anyOf(ontology, 'agent_refusals'));

/** A longer answer goes on to something else. */
const LONGEST = 1_000;

/** True where the only parameter is a short text that begins with a refusal: nothing else can be carried beside it. */
export function tellsRefusal(event: AgentEvent, ontology: Ontology): boolean {
  const { leaves } = parametersOf(event);
  const [only] = leaves;
  if (leaves.length !== 1 || typeof only!.value !== 'string' || only!.value.length > LONGEST) return false;
  return refusals(ontology).test(foldText(only!.value));
}
