/** A recorded value that a call replaces without the one who has to agree, or without a trace: `vet_ref: null, overwrite_original: true`. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf, parentOf } from '../../../../events/parameters.ts';
import type { Json } from '../../../../lang/json.ts';
import { asciiLower, namesNothing, singularsOf, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  off: setOf(ontology, 'off_words'),
  former: setOf(ontology, 'former_value_words'),
  latter: setOf(ontology, 'new_value_words'),
  witnesses: setOf(ontology, 'witness_words'),
  demanding: setOf(ontology, 'demanding_words'),
  overwriting: setOf(ontology, 'overwriting_switches'),
  makers: setOf(ontology, 'maker_parameters'),
  checkers: setOf(ontology, 'checker_parameters'),
}));

const MAX_ENTRIES = 300;
const LONGEST_KEY = 64;
/** A missing name may be a field that the tool does not need; a refusal in so many words, or two signs, are none. */
const ENOUGH = 2;

interface Entry {
  path: string;
  name: string;
  value: Json;
}

const entriesOf = (event: AgentEvent): readonly Entry[] =>
  parametersOf(event)
    .entries.slice(0, MAX_ENTRIES)
    .filter(({ name }) => name.length <= LONGEST_KEY);

/** The parameter that shows that nobody agrees to the new value, or that the old one leaves no trace; '' if none does. */
export function rewrittenRecord(event: AgentEvent, ontology: Ontology): string {
  const entries = entriesOf(event);
  if (!replacesValue(entries, ontology)) return '';
  const signs = entries
    .map((entry) => ({ path: entry.path, weight: weightOf(entry, ontology) }))
    .filter(({ weight }) => weight > 0);
  return signs.reduce((sum, { weight }) => sum + weight, 0) >= ENOUGH ? signs[0]!.path : '';
}

function weightOf({ name, value }: Entry, ontology: Ontology): number {
  const { on, off, witnesses, demanding, overwriting } = words(ontology);
  const isPlain = typeof value !== 'object' || value === null;
  if (!isPlain) return 0;
  const state = asciiLower(String(value).trim());
  if (overwriting.has(name)) return on.has(state) ? 1 : 0;
  const of_name = singularsOf(name);
  if (demanding.has(of_name[0] ?? '') || !of_name.some((word) => witnesses.has(word))) return 0;
  if (value === null || state === '' || namesNothing(state)) return 1;
  return off.has(state) ? ENOUGH : 0;
}

/** Two parameters of one object that differ in the word for the former and the new value alone. */
function replacesValue(entries: readonly Entry[], ontology: Ontology): boolean {
  const { former, latter } = words(ontology);
  const known = new Set<string>();
  const next = new Set<string>();
  for (const { path, name } of entries) {
    const of_name = wordsOf(name);
    const keyWithout = (list: ReadonlySet<string>): string =>
      `${parentOf(path)} ${of_name.filter((word) => !list.has(word)).join('_')}`;
    if (of_name.some((word) => former.has(word))) known.add(keyWithout(former));
    else if (of_name.some((word) => latter.has(word))) next.add(keyWithout(latter));
  }
  return [...known].some((key) => next.has(key));
}

/** The parameter that names as the one who checks the person who entered it; '' if two persons are named, or one. */
export function checkedByMaker(event: AgentEvent, ontology: Ontology): string {
  const { makers, checkers } = words(ontology);
  const entries = entriesOf(event);
  const makes = entries.filter(({ name, value }) => makers.has(name) && isPerson(value));
  const found = entries.find(
    ({ path, name, value }) =>
      checkers.has(name) &&
      makes.some((made) => parentOf(made.path) === parentOf(path) && personOf(made.value) === personOf(value)),
  );
  return found?.path ?? '';
}

const personOf = (value: Json): string => (typeof value === 'object' ? '' : asciiLower(String(value).trim()));
const isPerson = (value: Json): boolean => personOf(value) !== '' && !namesNothing(personOf(value));
