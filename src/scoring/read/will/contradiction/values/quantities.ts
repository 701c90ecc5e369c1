/** Numbers with a unit or a noun, in the user's words and in parameters: «10 mg», «three seats», `dose_mg: 10`. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../../events/parameters.ts';
import { perEvent } from '../../../../../events/working-copy.ts';
import { singular, wordsOf } from '../../../../../lang/names.ts';
import { numberOf, valuesOfNumber } from '../../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { inverseOf, listOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';

export interface Quantity {
  /** In the first unit of its dimension. */
  value: number;
  /** The tables of units that have its unit; none for a number of things. */
  dimensions: readonly string[];
  /** Every value that the number may have as it is written («75.000»), in the same unit. */
  values: readonly number[];
  /** What is counted, in the singular; '' where nothing says so. */
  noun: string;
  /** As it was written. */
  text: string;
  /** A bound («up to 10») or a change («by 10»): the value itself is not said. */
  is_relative: boolean;
}

interface Unit {
  dimensions: string[];
  factor: number;
}

const words = perOntology((ontology) => ({
  units: unitsOf(ontology),
  scales: new Map([...inverseOf(ontology, 'scaled_numbers')].map(([word, factor]) => [word, Number(factor)])),
  numerals: listOf(ontology, 'number_words'),
  other_numerals: inverseOf(ontology, 'number_words_of_languages'),
  quantities: setOf(ontology, 'quantity_names'),
  unit_names: setOf(ontology, 'unit_names'),
  name_words: setOf(ontology, 'number_name_words'),
  technical: setOf(ontology, 'technical_names'),
  before: setOf(ontology, 'relative_before'),
  after: setOf(ontology, 'relative_after'),
  connecting: setOf(ontology, 'connecting_words'),
  numbered: setOf(ontology, 'numbered_nouns'),
  months: new Set(listOf(ontology, 'month_names').flatMap((month) => [month, month.slice(0, 3), month.slice(0, 4)])),
}));

/** A word may be a unit of several dimensions: «degrees». */
function unitsOf(ontology: Ontology): ReadonlyMap<string, Unit> {
  const units = new Map<string, Unit>();
  for (const dimension of listOf(ontology, 'unit_dimensions')) {
    for (const [word, factor] of inverseOf(ontology, dimension)) {
      const known = units.get(word);
      if (known === undefined) units.set(word, { dimensions: [dimension], factor: Number(factor) });
      else known.dimensions.push(dimension);
    }
  }
  return units;
}

/** Whether the word, folded, is a unit of measure or of time. */
export function isUnit(word: string, ontology: Ontology): boolean {
  return unitOf(word, ontology) !== undefined;
}

function unitOf(word: string, ontology: Ontology): Unit | undefined {
  const { units } = words(ontology);
  return units.get(word) ?? units.get(singular(word));
}

const MAX_QUANTITIES = 24;
const LONGEST_TEXT = 16_384;
/** A number that stands by itself, the currency before it, and up to three words behind it. */
const NUMBER =
  /(?<=^|[\s("'«“])([$€£])?(\d{1,3}(?: \d{3}){1,4}(?![\d.,]\d)|\d{1,15}(?:[.,]\d{1,9}){0,5})[ \u00a0-]?((?:[\p{L}µ°%$€£]\p{L}{0,23})?)(?=$|[\s.,;:!?)"'»”/])(?: ([\p{L}]{2,24}))?/gu;
const NUMERAL = /(?<=^|[\s("'])([a-z]{2,8})[ -]([\p{L}]{2,24})(?: ([\p{L}]{2,24}))?/gu;
const LAST_WORDS = /([\p{L}]{1,12})\s{1,3}([\p{L}]{1,12})\s{1,3}$|([\p{L}]{1,12})\s{1,3}$/u;

/** «1 200» may be two numbers: one tablet of 200 mg. */
const partsOf = (digits: string): readonly number[] => (digits.includes(' ') ? digits.split(' ').map(Number) : []);

/** The quantities that a text names; at most 24. */
export function quantitiesIn(text: string, ontology: Ontology): readonly Quantity[] {
  const folded = foldText(text.slice(0, LONGEST_TEXT));
  const found: Quantity[] = [];
  for (const match of folded.matchAll(NUMBER)) {
    const [all, currency = '', digits = '', first = '', second = ''] = match;
    found.push(
      quantityOf(
        folded,
        match.index,
        all,
        { value: numberOf(digits), values: [...valuesOfNumber(digits), ...partsOf(digits)] },
        [currency || first, currency ? first : second],
        ontology,
      ),
    );
    if (found.length >= MAX_QUANTITIES) return found;
  }
  const { numerals, other_numerals } = words(ontology);
  for (const match of folded.matchAll(NUMERAL)) {
    const value = numerals.indexOf(match[1]!) + 1 || Number(other_numerals.get(match[1]!) ?? 0);
    // «One» is a pronoun more often than a number.
    if (value < 2) continue;
    found.push(
      quantityOf(folded, match.index, match[0], { value, values: [value] }, [match[2]!, match[3] ?? ''], ontology),
    );
    if (found.length >= MAX_QUANTITIES) return found;
  }
  return found;
}

/** The same of the user's words. */
export const askedQuantities: (text: TextReading) => readonly Quantity[] = perRequest(quantitiesIn);

/** One letter is a word between two numbers: «3 a 7 de agosto», «3 e 4». */
const isNoun = (word: string): boolean => word.length > 1 || /[^a-z]/.test(word);
const TO = 'to';
const COMPARED = /[<>≤≥]\s{0,2}\d?$/;

function quantityOf(
  text: string,
  at: number,
  all: string,
  number: Pick<Quantity, 'value' | 'values'>,
  behind: [string, string],
  ontology: Ontology,
): Quantity {
  const { scales, before, after, connecting, numbered, months } = words(ontology);
  const scale = scales.get(behind[0]);
  const [unitWord, next] = scale === undefined ? behind : [behind[1], ''];
  const unit = unitOf(unitWord, ontology);
  const [, early = '', late = '', only = ''] = LAST_WORDS.exec(text.slice(Math.max(0, at - 32), at)) ?? [];
  // «To 21 degrees» says the value, «3 to 5 days» only its bounds.
  const isRelative =
    // «80 mg/kg»: what is given follows from a number that stands elsewhere.
    text[at + all.length] === '/' ||
    // «If it fails for > 10 min» says when, and no value.
    COMPARED.test(text.slice(Math.max(0, at - 3), at + 1)) ||
    before.has(late || only) ||
    only === TO ||
    (early !== '' && before.has(`${early} ${late}`)) ||
    [unitWord, next].some((w) => after.has(w));
  const isName = numbered.has(late || only) || months.has(unitWord);
  const factor = (scale ?? 1) * (unit?.factor ?? 1);
  return {
    value: number.value * factor,
    values: number.values.map((one) => one * factor),
    dimensions: unit?.dimensions ?? [],
    noun: unit === undefined && !isName && isNoun(unitWord) && !connecting.has(unitWord) ? singular(unitWord) : '',
    text: all.trim(),
    is_relative: isRelative,
  };
}

export interface GivenQuantity extends Quantity {
  path: string;
  /** The parameter says how many, of whatever is meant. */
  is_plain: boolean;
}

const VALUE = /^\s{0,4}([$€£])?\s?(\d{1,15}(?:[.,]\d{1,9}){0,5})\s?([\p{L}µ°%$€£]{0,12})\s{0,4}$/u;
const LONGEST_VALUE = 32;
const MAX_LEAVES = 200;

/** The quantities that parameters hold, by their names, their own units or a `unit` beside them. */
export const givenQuantities: (event: AgentEvent, ontology: Ontology) => readonly GivenQuantity[] = perEvent(
  (event, ontology: Ontology) => {
    const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
    return leaves.flatMap((leaf) => givenIn(leaf, leaves, ontology) ?? []);
  },
);

function givenIn(leaf: Leaf, leaves: readonly Leaf[], ontology: Ontology): GivenQuantity | undefined {
  const { path, name, value } = leaf;
  if (typeof value === 'boolean' || name === '' || name.length > 48) return undefined;
  const text = foldText(String(value));
  const [, sign = '', digits = '', own = ''] = text.length <= LONGEST_VALUE ? (VALUE.exec(text) ?? []) : [];
  if (digits === '') return undefined;
  const { quantities, name_words, technical } = words(ontology);
  const of_name = wordsOf(name);
  if (of_name.some((word) => technical.has(word))) return undefined;
  const beside = besideOf(leaf, leaves, ontology);
  const unit = unitOf(sign || own, ontology) ?? unitOfName(of_name, ontology) ?? unitOf(beside, ontology);
  // `{ dose: 10, unit: "units" }`: what is counted, where the word is not a unit of measure.
  const besideNoun = unit === undefined && /^\p{L}{3,24}$/u.test(beside) ? singular(beside) : '';
  const counted = of_name.filter((word) => !name_words.has(word)).map(singular);
  const isPlain = quantities.has(name) || counted.length === 0;
  const number = numberOf(digits) * (unit?.factor ?? 1);
  return {
    path,
    value: number,
    values: [number],
    dimensions: unit?.dimensions ?? [],
    noun: unit === undefined ? besideNoun || (counted.at(-1) ?? '') : '',
    text: String(value),
    is_relative: false,
    is_plain: isPlain,
  };
}

/** `dose_mg`, `minutes`, `litres_per_hectare`. A single letter is a unit only behind other words. */
function unitOfName(of_name: readonly string[], ontology: Ontology): Unit | undefined {
  for (let i = of_name.length - 1; i >= 0; i--) {
    const word = of_name[i]!;
    if (word.length === 1 && (i === 0 || i !== of_name.length - 1)) continue;
    const unit = unitOf(word, ontology);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** The text of a `unit` beside a number, in lower case; '' where there is none: `{ dose: 10, unit: "mg" }`. */
function besideOf(leaf: Leaf, leaves: readonly Leaf[], ontology: Ontology): string {
  const place = leaf.path.slice(0, leaf.path.lastIndexOf('.') + 1);
  const beside = leaves.find(
    (other) =>
      words(ontology).unit_names.has(other.name) &&
      typeof other.value === 'string' &&
      other.path.slice(0, other.path.lastIndexOf('.') + 1) === place,
  );
  return beside === undefined ? '' : foldText(String(beside.value));
}
