/** What an action changes by its values: an account in an update of a person's record, a status that denies somebody something. */
import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { asciiLower, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';

const words = perOntology((ontology) => ({
  accounts: setOf(ontology, 'account_field_names'),
  banks: setOf(ontology, 'bank_words'),
  numbers: setOf(ontology, 'bank_number_words'),
  states: setOf(ontology, 'state_names'),
  adverse: setOf(ontology, 'adverse_states'),
}));

const MAX_LEAVES = 100;
const LONGEST_STATE = 32;

/** Kinds of consequential things, as in `consequential_things`, that the values change; none where there are none. */
export function thingsByValue(event: AgentEvent, ontology: Ontology): readonly string[] {
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const kinds: string[] = [];
  if (leaves.some((leaf) => isAccount(leaf, ontology))) kinds.push('bank_details');
  if (leaves.some((leaf) => isAdverse(leaf, ontology))) kinds.push('adverse_decision');
  return kinds;
}

/** `iban`, `routing_number`, `bank.account`; a number and not the name of a column. */
function isAccount({ name, path, value }: Leaf, ontology: Ontology): boolean {
  const { accounts, banks, numbers } = words(ontology);
  if (!/\d{5}/.test(String(value).replace(/[ -]/g, ''))) return false;
  if (accounts.has(name)) return true;
  const along = wordsOf(path);
  return along.some((word) => banks.has(word)) && along.some((word) => numbers.has(word));
}

/** `set: { status: DENIED }`. */
function isAdverse({ name, value }: Leaf, ontology: Ontology): boolean {
  const { states, adverse } = words(ontology);
  if (typeof value !== 'string' || value.length > LONGEST_STATE) return false;
  return wordsOf(name).some((word) => states.has(word)) && adverse.has(asciiLower(value.trim()));
}
