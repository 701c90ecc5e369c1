/** Accounts that an action writes into a record as the place where somebody is paid: the payee of all payments to come. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';

const words = perOntology((ontology) => ({
  names: patternOf(ontology, 'bank_details', 'names'),
  groups: setOf(ontology, 'groups_that_set_details'),
}));

/** An account number has at least so many digits. */
const FEWEST_DIGITS = 6;
const LONGEST = 64;

/** Paths of the parameters with such an account; none where the action reads, pays or adds something new. */
export function bankDetailPaths(event: AgentEvent, action: ActionReading, ontology: Ontology): string[] {
  const { names, groups } = words(ontology);
  if (!groups.has(action.effective_group)) return [];
  return parametersOf(event)
    .leaves.filter(({ path, value }) => names.test(path.replace(/\[\d{1,6}\]/g, '')) && isAccount(String(value)))
    .map(({ path }) => path);
}

const isAccount = (text: string): boolean =>
  text.length <= LONGEST && text.replace(/\D/g, '').length >= FEWEST_DIGITS && !/[*•]|x{2,}/i.test(text);
