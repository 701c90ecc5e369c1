/** Values that make an action final: `status: sent` in a create, `sendToCustomer: true` beside a quote. */
import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { asciiLower, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';

const words = perOntology((ontology) => ({
  states: setOf(ontology, 'state_names'),
  final: setOf(ontology, 'final_states'),
  finishing: setOf(ontology, 'finishing_verbs'),
  notices: setOf(ontology, 'notice_words'),
  on: setOf(ontology, 'on_words'),
}));

const MAX_LEAVES = 100;
const LONGEST = 48;

/** The first parameter that makes the action final, '' where none does. */
export function madeFinal(event: AgentEvent, ontology: Ontology): string {
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  return leaves.find((leaf) => isFinalState(leaf, ontology) || isSwitchedToFinal(leaf, ontology))?.key ?? '';
}

function isFinalState({ name, value }: Leaf, ontology: Ontology): boolean {
  if (typeof value !== 'string' || value.length > LONGEST || name.length > LONGEST) return false;
  const { states, final } = words(ontology);
  return final.has(asciiLower(value.trim())) && states.has(wordsOf(name).at(-1) ?? '');
}

/** A notice to the user that something was done leaves the thing itself a draft. */
function isSwitchedToFinal({ name, value }: Leaf, ontology: Ontology): boolean {
  const { finishing, notices, on } = words(ontology);
  if (name.length > LONGEST || !on.has(asciiLower(String(value).trim()))) return false;
  const of_name = wordsOf(name);
  return of_name.slice(0, 2).some((word) => finishing.has(word)) && !of_name.some((word) => notices.has(word));
}
