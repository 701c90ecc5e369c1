/** Quantities of an action that contradict the request: a hundred milligrams where the user said ten. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { pathWords } from '../../../../../lang/names.ts';
import { numberOf } from '../../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';
import { askedQuantities, type GivenQuantity, givenQuantities, type Quantity } from './quantities.ts';

const words = perOntology((ontology) => ({
  relative: setOf(ontology, 'relative_words'),
  uncounted: setOf(ontology, 'uncounted_nouns'),
  old: setOf(ontology, 'old_value_words'),
  bounds: setOf(ontology, 'bound_value_words'),
}));

/** Rounding of a conversion between units. */
const TOLERANCE = 0.02;
/** Sums and products of more numbers than that are not tried. */
const MAX_TERMS = 12;

export function otherQuantities(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  const asked = askedQuantities(text);
  if (asked.length === 0) return [];
  const { old, bounds } = words(ontology);
  const all = givenQuantities(event, ontology);
  const given = all.filter((one) => !pathWords(one.path).some((word) => old.has(word)));
  if (given.length === 0) return [];
  const hours = hoursOf(event);
  const named = asked.filter((one) => !hours.has(HOUR.exec(one.text)?.[1] ?? ''));
  if (named.length === 0 || followsFromOthers(text)) return [];
  const isSet = given.length < all.length && given.some(({ value }) => named.some((one) => one.value === value));
  return given.flatMap((one) => {
    // The bounds that a call tells beside the old value and the one that was asked for.
    if (isSet && pathWords(one.path).some((word) => bounds.has(word))) return [];
    // «Order 40 chairs»: `qty: 40` is what was asked for, and `total` follows from it.
    const others = given.filter(
      ({ path, is_plain, dimensions }) => path !== one.path && is_plain && dimensions.length === 0,
    );
    const left = named.filter(
      ({ value, dimensions }) => dimensions.length > 0 || !others.some((other) => other.value === value),
    );
    return contradiction(one, left, ontology) ?? [];
  });
}

/** «Jeudi 14h» is the time at which the action is set, not a span of fourteen hours. */
const HOUR = /^(\d{1,2})\s?h\b/i;

/** The hours of the times of day among the parameters. */
const hoursOf = (event: AgentEvent): ReadonlySet<string> =>
  new Set(
    parametersOf(event).leaves.flatMap(({ value }) => {
      const hour =
        typeof value === 'string' ? /(?:^|[T\s])(\d{2}):\d{2}/.exec(value.slice(0, MAX_TIME))?.[1] : undefined;
      return hour === undefined ? [] : [hour, String(Number(hour))];
    }),
  );
const MAX_TIME = 40;

/** «Half of it», «the rest»: the number follows from others. */
const followsFromOthers = perRequest((said, ontology) => {
  const { relative } = words(ontology);
  return foldText(said)
    .split(/[^\p{L}%]+/u)
    .some((word) => relative.has(word));
});

function contradiction(
  given: GivenQuantity,
  named: readonly Quantity[],
  ontology: Ontology,
): Contradiction | undefined {
  const comparable = named.filter((one) => isComparable(one, given) && !words(ontology).uncounted.has(one.noun));
  if (comparable.length === 0 || comparable.some((one) => one.is_relative)) return undefined;
  // A number that the user gives in any other sense may be meant here.
  const others = given.dimensions.length > 0 ? comparable : named;
  const { value } = given;
  const meant = others.flatMap(({ values }) => values);
  if (isOneOf(value, meant)) return undefined;
  // «Hull is 122 miles and York 50», «9 degrees, alarm under 6»: the unit is said once.
  const isBare = (one: Quantity): boolean => one.dimensions.length === 0 && one.noun === '';
  if (named.some((one) => isBare(one) && one.value === numberOf(given.text))) return undefined;
  const nearest = comparable.reduce((best, one) =>
    distance(one.value, value) < distance(best.value, value) ? one : best,
  );
  return {
    parameter: given.path,
    asked: nearest.text,
    used: given.text,
    kind: given.dimensions.length > 0 ? 'quantity' : 'count',
    factor: factorOf(nearest.value, value),
    is_less: value < nearest.value,
  };
}

function isComparable(named: Quantity, given: GivenQuantity): boolean {
  if (given.dimensions.length > 0) return given.dimensions.some((dimension) => named.dimensions.includes(dimension));
  if (named.dimensions.length > 0 || named.noun === '') return false;
  return given.is_plain || named.noun === given.noun;
}

/** Whether a value is one of the numbers, or a sum, difference or product of two of them, or the sum of all. */
function isOneOf(value: number, numbers: readonly number[]): boolean {
  const near = (other: number): boolean =>
    Math.abs(other - value) <= TOLERANCE * Math.max(Math.abs(value), Math.abs(other));
  const terms = numbers.slice(0, MAX_TERMS);
  return (
    near(terms.reduce((sum, term) => sum + term, 0)) ||
    terms.some((a, i) => near(a) || terms.some((b, j) => i !== j && (near(a + b) || near(a - b) || near(a * b))))
  );
}

const factorOf = (asked: number, used: number): number => {
  const [low, high] = [Math.abs(asked), Math.abs(used)].sort((a, b) => a - b) as [number, number];
  return low === 0 ? 1_000 : Math.min(1_000, high / low);
};
const distance = factorOf;
