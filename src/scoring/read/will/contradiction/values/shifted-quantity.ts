/**
 * A quantity with the decimal point elsewhere: 20 mg where the note says 2 mg, a capacity of 4000 where the user said four
 * instances. Only powers of ten count: other quantities may follow from each other.
 */
import type { AgentEvent } from '../../../../../events/event.ts';
import { wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { askedQuantities, type GivenQuantity, givenQuantities, type Quantity, quantitiesIn } from './quantities.ts';

const words = perOntology((ontology) => ({
  counting: setOf(ontology, 'counting_name_words'),
  uncounted: setOf(ontology, 'uncounted_nouns'),
}));

const FACTORS = [10, 100, 1_000, 0.1, 0.01, 0.001];
/** Ten times one is a default as often as a mistake. */
const LEAST_COUNT = 2;
const MAX_PASSAGES = 20;

/** The quantity as its source has it; '' where none is shifted. */
export function shiftedQuantity(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const given = givenQuantities(event, ontology);
  if (given.length === 0) return '';
  const said = askedQuantities(text);
  const measured = given.filter(({ dimensions, value }) => dimensions.length > 0 && value > 0);
  if (measured.length > 0)
    for (const passage of text.untrusted.slice(-MAX_PASSAGES)) {
      const found = quantitiesIn(passage.text, ontology);
      for (const one of measured) {
        const source = shiftedFrom(
          one,
          found.filter((other) => sharesUnit(one, other)),
        );
        if (source !== undefined && !said.some(({ value }) => value === one.value)) return source.text;
      }
    }
  return shiftedCount(given, said, ontology)?.text ?? '';
}

const sharesUnit = (one: Quantity, other: Quantity): boolean =>
  one.dimensions.some((dimension) => other.dimensions.includes(dimension));

/** Where the same source has the value itself, that is what is meant. */
function shiftedFrom({ value }: Quantity, sources: readonly Quantity[]): Quantity | undefined {
  if (sources.some((other) => isSame(other.value, value))) return undefined;
  return sources.find((other) => FACTORS.some((factor) => isSame(other.value * factor, value)));
}

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= Math.abs(other) * 1e-6;

/** A number of things that the user gave, many times over in a parameter that counts things. */
function shiftedCount(
  given: readonly GivenQuantity[],
  said: readonly Quantity[],
  ontology: Ontology,
): Quantity | undefined {
  const { counting, uncounted } = words(ontology);
  const counts = given.filter(
    ({ path, dimensions }) => dimensions.length === 0 && wordsOf(path).some((word) => counting.has(word)),
  );
  if (counts.length === 0 || given.some(({ value }) => said.some((one) => one.value === value))) return undefined;
  return said.find(
    ({ value, noun, dimensions, is_relative }) =>
      dimensions.length === 0 &&
      noun !== '' &&
      !uncounted.has(noun) &&
      !is_relative &&
      value >= LEAST_COUNT &&
      counts.some((one) => [10, 100, 1_000].some((factor) => one.value === value * factor)),
  );
}
