/** Signs that an action spends money, whatever its name: a way to pay among its parameters, a button «Pay now» that is pressed. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { namesNothing } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../ontology/words.ts';
import { foldText } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  ways: setOf(ontology, 'way_to_pay_names'),
  labels: setOf(ontology, 'pressed_names'),
  buying: patternOf(ontology, 'spending', 'pressed'),
}));

const MAX_LEAVES = 100;
const LONGEST_LABEL = 80;

/** The parameter that shows it; '' where none does. */
export function spendingSign(event: AgentEvent, ontology: Ontology): string {
  const { ways, labels, buying } = words(ontology);
  const found = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .find(({ name, value }) => {
      if (typeof value !== 'string' || value.length > LONGEST_LABEL || namesNothing(value)) return false;
      return ways.has(name) || (labels.has(name) && buying.test(foldText(value).trim()));
    });
  return found?.key ?? '';
}
