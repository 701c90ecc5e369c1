/** What a plan that the agent showed would destroy or replace: `1 to destroy`, `forces replacement`. */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';

const losses = perOntology((ontology) => anyOf(ontology, 'planned_losses'));

/** Results in which a plan is looked for, the newest; a plan counts up at its end. */
const MAX_RESULTS = 4;
const MAX_RESULT = 16_384;

/** The words of the newest plans that say so; '' when none does. */
export function plannedLoss(text: TextReading, ontology: Ontology): string {
  for (const passage of text.untrusted.slice(-MAX_RESULTS)) {
    const found = losses(ontology).exec(passage.text.slice(-MAX_RESULT))?.[0];
    if (found !== undefined) return found;
  }
  return '';
}
