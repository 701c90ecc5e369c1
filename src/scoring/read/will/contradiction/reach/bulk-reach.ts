/** A tool for many things, whose selection has nothing to do with the one thing that the request means: `bulk_approve` of all that is pending. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf, walkOf } from '../../../../../events/parameters.ts';
import type { Json } from '../../../../../lang/json.ts';
import { singular } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import type { ActionReading } from '../../../action/action.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { userWords } from '../../../conversation/user-words.ts';
import { wordsIn } from '../../../words/fold.ts';
import { meansSeveral } from './several.ts';

const words = perOntology((ontology) => ({
  bulk: setOf(ontology, 'bulk_words'),
  filters: setOf(ontology, 'filter_names'),
  totals: setOf(ontology, 'total_names'),
  stop_words: setOf(ontology, 'stop_words'),
}));

/** From here on a number of things is not one. */
const MANY = 20;
const SHORTEST = 3;
const LONGEST_FILTER = 512;

/** The parameter that selects, or counts, what such a tool reaches; '' where the request may mean several or the selection holds a word of it. */
export function bulkReach(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): string {
  const { bulk, filters, totals } = words(ontology);
  const named = action.name_words;
  const isBulk = named.some((word, i) => bulk.has(word) || (word === 'by' && filters.has(named[i + 1] ?? '')));
  if (!isBulk || meansSeveral(text)) return '';
  const { entries, leaves } = parametersOf(event);
  const own = tellingWords(userWords(text), ontology);
  const selection = entries.find(
    ({ name, value }) =>
      filters.has(name) && !isEmpty(value) && !textsOf(value).some((one) => speaksOf(one, own, ontology)),
  );
  if (selection !== undefined) return selection.path;
  return leaves.find(({ name, value }) => totals.has(name) && Number(value) >= MANY)?.path ?? '';
}

const isEmpty = (value: Json): boolean => textsOf(value).every((text) => text.trim() === '');

function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value.slice(0, LONGEST_FILTER)];
  if (typeof value !== 'object' || value === null) return [];
  return walkOf(value).leaves.map((leaf) => `${leaf.key} ${String(leaf.value)}`.slice(0, LONGEST_FILTER));
}

/** A word or a number of the request: a name, a number, a day. */
const speaksOf = (text: string, own: ReadonlySet<string>, ontology: Ontology): boolean =>
  [...tellingWords(text, ontology)].some((word) => own.has(word));

const tellingWords = (text: string, ontology: Ontology): ReadonlySet<string> =>
  new Set(
    wordsIn(text)
      .filter((word) => (word.length >= SHORTEST || /\d/.test(word)) && !words(ontology).stop_words.has(word))
      .map(singular),
  );
