/** What a call says of its own reach where the user means one: `unit_count: 31`, `members: 1204`, `scope: entire_series`. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { asciiLower, singularsOf, snakeCase, wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest, saysAny } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import { classOfRecord } from '../../beyond/class-of-record.ts';
import { meansSeveral } from './several.ts';

const words = perOntology((ontology) => ({
  reached: setOf(ontology, 'reached_nouns'),
  places: setOf(ontology, 'audience_places'),
  series: setOf(ontology, 'whole_series_values'),
  series_spoken: setOf(ontology, 'series_words'),
  occasion: anyOf(ontology, 'single_occasions'),
}));

const MAX_LEAVES = 200;
const MAX_REQUEST = 8_192;
/** From here on a number of people is not one. */
const MANY = 20;
const COUNTING = 'count';

/** The parameter that says so; '' where the user's words may mean several. */
export function statedReach(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const { leaves } = parametersOf(event);
  return (
    wholeSeries(leaves.slice(0, MAX_LEAVES), ontology, text) ||
    manyPeople(leaves.slice(0, MAX_LEAVES), ontology, text) ||
    classOfRecord(event, ontology, text)
  );
}

type Leaves = ReturnType<typeof parametersOf>['leaves'];

function manyPeople(leaves: Leaves, ontology: Ontology, text: TextReading): string {
  const { reached, places } = words(ontology);
  const found = leaves.find(({ name, value }) => {
    if (typeof value !== 'number' || value < MANY) return false;
    const of_name = singularsOf(name);
    const noun = of_name.at(-1) === COUNTING ? of_name.at(-2) : of_name.at(-1);
    // `member: 20871` is a number of one.
    const isPlural = of_name.at(-1) === COUNTING || wordsOf(name).at(-1) !== noun;
    return noun !== undefined && isPlural && reached.has(noun);
  });
  if (found === undefined || meansSeveral(text) || saysAny(text, places) || speaksOfMany(text)) return '';
  return found.path;
}

/** «#eng-all», «@channel», «340 people» */
const speaksOfMany = perRequest((said) => /[#@][a-z]|\b[2-9]\d{1,5}\b/i.test(said.slice(0, MAX_REQUEST)));

/** Everything that repeats, where the user speaks of one occasion of it. */
function wholeSeries(leaves: Leaves, ontology: Ontology, text: TextReading): string {
  if (!speaksOfOccasion(text)) return '';
  const { series, series_spoken } = words(ontology);
  const found = leaves.find(
    ({ value }) => typeof value === 'string' && series.has(snakeCase(asciiLower(value.trim()))),
  );
  return found === undefined || saysAny(text, series_spoken) ? '' : found.path;
}

const speaksOfOccasion = perRequest((said, ontology) =>
  words(ontology).occasion.test(foldText(said).slice(0, MAX_REQUEST)),
);
