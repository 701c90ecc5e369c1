/** Whether an action sets just the value that the user gave: «boiler 2 steam pressure to 10.2 bar» for `{ value: 10.2, old: 9.8 }`. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { pathWords, singular, wordsOf } from '../../../../lang/names.ts';
import { numberOf } from '../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';

const words = perOntology((ontology) => ({
  beside: setOf(ontology, 'beside_value_words'),
  limits: setOf(ontology, 'bound_value_words'),
  old: setOf(ontology, 'old_value_words'),
  bounds: setOf(ontology, 'safety_bound_words'),
}));

const MAX_LEAVES = 60;
const LONGEST_REQUEST = 4_096;
const LONGEST_VALUE = 80;
const NUMBER = /(?<![\w.])(?:\d{1,3}(?:[.,' ]\d{3}){1,4}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,6})?)(?![\w]|[.,]\d)/g;
/** A text that holds nothing but a number and its unit. */
const MEASURE =
  /^\s{0,4}([-+]?(?:\d{1,3}(?:[.,' ]\d{3}){1,4}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,6})?))\s{0,4}[\p{L}%°/]{0,8}\s{0,4}$/u;

/**
 * True if each number that the action sets, and one at least, is a number of the user's words, and nothing that it names is a bound of
 * safety, such as a trip. The old value is not set, nor are the limits that a call tells beside it.
 */
export function setsOrderedValue(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  if (!text.has_request) return false;
  const { beside, limits, old, bounds } = words(ontology);
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const said = new Set(
    [...foldedUserWords(text).slice(-LONGEST_REQUEST).matchAll(NUMBER)].map(([written]) => numberOf(written)),
  );
  const tellsOld = leaves.some(({ path }) => pathWords(path).some((word) => old.has(word)));
  let set = 0;
  for (const { path, value } of leaves) {
    const of_path = pathWords(path);
    const isBeside = of_path.some((word) => beside.has(word) || (tellsOld && limits.has(word)));
    const number = typeof value === 'number' ? value : MEASURE.exec(String(value))?.[1];
    if (number !== undefined) {
      if (isBeside) continue;
      if (of_path.some((word) => bounds.has(word)) || !said.has(numberOf(String(number)))) return false;
      set += 1;
    } else if (typeof value === 'string' && value.length <= LONGEST_VALUE) {
      if (wordsOf(value).some((word) => bounds.has(singular(word)))) return false;
    }
  }
  return set > 0;
}
