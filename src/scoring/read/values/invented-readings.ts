/** Measured values that a record says a person took, and that stand nowhere in the conversation. */
import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { singular, singularsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { unaskedResults } from '../conversation/calls.ts';
import { lastUserIndex, segmentsOf, type TextReading } from '../conversation/text.ts';

const words = perOntology((ontology) => ({
  measuring: setOf(ontology, 'measuring_words'),
  takers: setOf(ontology, 'taker_words'),
  by_hand: setOf(ontology, 'by_hand_words'),
}));

const MAX_LEAVES = 200;
const MOST_TEXT = 65_536;
/** One number may be a setting; a series was measured, or made up. */
const LEAST = 2;
const NUMBER = /^-?\d{1,6}[.,]\d{1,4}$/;
/** The same in a text; a sign before it may be a dash. */
const TOLD = /(?<![\d.])\d{1,6}\.\d{1,4}(?!\d)/g;

/** The parameter with the first such value; '' where no person is named, no series is written, or a value of it was told. */
export function inventedReadings(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
): string {
  const { measuring, takers, by_hand } = words(ontology);
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const isMeasuring =
    action.name_words.some((word) => measuring.has(singular(word))) ||
    leaves.some(({ name }) => singularsOf(name).some((word) => measuring.has(word)));
  if (!isMeasuring) return '';
  const isTaker = ({ name, value }: Leaf): boolean =>
    typeof value === 'string' &&
    value !== '' &&
    (singularsOf(name).some((word) => takers.has(word)) ||
      value
        .toLowerCase()
        .split(/[^\p{L}]+/u)
        .some((word) => by_hand.has(word)));
  if (!leaves.some(isTaker)) return '';
  const numbers = leaves.filter(({ value }) => NUMBER.test(String(value)));
  if (numbers.length < LEAST) return '';
  const last = lastUserIndex(text);
  const unasked = unaskedResults(event, ontology);
  // What the agent says to nobody, and what answers no call, gives no value.
  const told = segmentsOf(text)
    .filter(({ speaker, index }) => (speaker !== 'agent' || index < last) && !unasked.has(index))
    .map((segment) => segment.text)
    .join('\n')
    .slice(-MOST_TEXT)
    .replace(/(?<=\d),(?=\d)/g, '.');
  if (told.trim() === '') return '';
  const values = new Set([...told.matchAll(TOLD)].map(([written]) => Number(written)));
  const isTold = ({ value }: Leaf): boolean => values.has(Math.abs(Number(String(value).replace(',', '.'))));
  return numbers.some(isTold) ? '' : numbers[0]!.path;
}
