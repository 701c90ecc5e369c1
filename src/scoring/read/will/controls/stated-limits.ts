/**
 * Numbers of an action beside the limits that results state: «cell max 3.65 V» and `cell_v: 3.95`, «label: 20 m buffer» and
 * `buffer_m: 0`; and a number inside the limits on record where the result measured one outside: «91.3 % (spec 95-105)» and 98.7.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import { valuesOfNumber } from '../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, patternOf, setOf } from '../../../../ontology/words.ts';
import { perPassage } from '../../conversation/kept-passages.ts';
import { memoOf, type TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';
import { foldText, wordsIn } from '../../words/fold.ts';
import { brokenLimitField, keepsToLimitField, namesBeside, setUnit } from './limit-fields.ts';
import { measuredName, unitOfWords, wordsOfName } from './unit-names.ts';

const words = perOntology((ontology) => ({
  upper: setOf(ontology, 'upper_limit_words'),
  lower: setOf(ontology, 'lower_limit_words'),
  below: setOf(ontology, 'below_words'),
  denials: setOf(ontology, 'below_denials'),
  kept: setOf(ontology, 'least_nouns'),
  ranges: setOf(ontology, 'range_words'),
  agreed: setOf(ontology, 'agreed_words'),
  plain: setOf(ontology, 'plain_name_words'),
  shares: new Set(inverseOf(ontology, 'units_share').keys()),
  recording: setOf(ontology, 'recording_names'),
  unspaced: patternOf(ontology, 'unspaced_limits', 'range'),
}));

const MAX_PASSAGES = 4;
const MAX_PASSAGE = 4_096;
const MAX_CLAUSES = 128;
const MAX_CLAUSE = 240;
const MAX_NUMBERS = 32;
const MAX_LEAVES = 100;
const LONGEST_VALUE = 80;
const SHORTEST_NOUN = 3;
/** Words between a limit word and its number, and between two numbers of one measurement. */
const REACH = 3;
/** What rounding may add. */
const SLACK = 1.001;

interface Limit {
  low: number;
  high: number;
  /** `%`, `m/s` as words; none where no unit stands there. */
  unit: readonly string[];
  /** Words of the clause, in the singular. */
  nouns: ReadonlySet<string>;
  /** Those right before the number, where it stands in a sentence. */
  near: ReadonlySet<string>;
  clause: string;
  /** The number before the limit that it is the limit of; NaN if there is none. */
  measured: number;
  /** Unit of that number, else of the limit. */
  measured_unit: readonly string[];
}

interface Numeral {
  /** What the number may mean: `5.000` is five or five thousand. */
  readings: readonly number[];
  unit: readonly string[];
  /** Words before it and behind its unit. */
  before: readonly string[];
  behind: readonly string[];
  start: number;
  end: number;
}

const NUMBER = /\d+(?:[.,]\d+)*/g;
const UNIT = /^\s?([%°µ\p{L}][\p{L}\d°µ²³]{0,7}(?:\/[\p{L}²³\d]{1,5}){0,2})/u;

function unitWords(unit: string, ontology: Ontology): readonly string[] {
  const bare = foldText(unit.replace('°', ''));
  return words(ontology).shares.has(bare) ? ['%'] : wordsIn(bare);
}

function numeralsIn(clause: string, ontology: Ontology): readonly Numeral[] {
  const found: Numeral[] = [];
  for (const match of clause.matchAll(NUMBER)) {
    if (found.length >= MAX_NUMBERS) break;
    const end = match.index + match[0].length;
    // Digits inside a name are no number.
    if (/[\p{L}\p{N}_]/u.test(clause.charAt(match.index - 1))) continue;
    const unit = UNIT.exec(clause.slice(end, end + 16))?.[1] ?? '';
    const behindAt = end + (unit === '' ? 0 : clause.slice(end).indexOf(unit) + unit.length);
    found.push({
      readings: valuesOfNumber(match[0]),
      unit: unit === '' ? [] : unitWords(unit, ontology),
      before: wordsIn(clause.slice(0, match.index)),
      behind: wordsIn(clause.slice(behindAt, behindAt + 40)).slice(0, 2),
      start: match.index,
      end,
    });
  }
  return found;
}

/** The limits that the last results state, each with the number that was measured against it. */
function limitsIn(text: TextReading): readonly Limit[] {
  return memoOf(text).get('stated limits', () =>
    text.untrusted.slice(-MAX_PASSAGES).flatMap((passage) => limitsOfPassage(passage, text.ontology)),
  );
}

const limitsOfPassage = perPassage((said, ontology): readonly Limit[] =>
  said
    .slice(0, MAX_PASSAGE)
    .split(/[;|\n]|[.!?](?=\s)/)
    .slice(0, MAX_CLAUSES)
    .filter((clause) => clause.length <= MAX_CLAUSE && /\d/.test(clause))
    .flatMap((clause) => limitsOf(clause, ontology)),
);

/** A number behind a colon or a sign is the value of a key, which is read with its record. */
const isInSentence = (clause: string, { start }: Numeral): boolean => /\p{L}\s{1,2}$/u.test(clause.slice(0, start));

function limitsOf(clause: string, ontology: Ontology): readonly Limit[] {
  const { upper, lower, below, denials, kept, ranges, agreed, unspaced } = words(ontology);
  const all = numeralsIn(clause, ontology);
  const nouns = new Set(wordsIn(clause).map(singular));
  const limits: Limit[] = [];
  for (const [i, one] of all.entries()) {
    const near = one.before.slice(-REACH);
    const next = all[i + 1];
    const isRange = next !== undefined && /^\s?[-–—~]\s?$/.test(clause.slice(one.end, next.start));
    const earlier = all[i - 1];
    const measured =
      earlier === undefined || wordsIn(clause.slice(earlier.end, one.start)).length > REACH + earlier.unit.length
        ? Number.NaN
        : Math.max(...earlier.readings);
    const unit_before = earlier?.unit ?? [];
    const measured_unit = unit_before.length > 0 ? unit_before : one.unit;
    const base = {
      nouns,
      near: new Set(isInSentence(clause, one) ? near.map(singular) : []),
      clause: clause.trim(),
      measured,
      measured_unit,
    };
    if (isRange) {
      if (!near.some((word) => ranges.has(word)) && !unspaced.test(clause.slice(0, one.start))) continue;
      const unit = next.unit.length > 0 ? next.unit : one.unit;
      limits.push({ ...base, low: Math.min(...one.readings), high: Math.max(...next.readings), unit });
      continue;
    }
    if (earlier !== undefined && /^\s?[-–—~]\s?$/.test(clause.slice(earlier.end, one.start))) continue;
    // «14.8 °C (limit 8)»: the word belongs to the next number.
    const leadsOn = next?.before.slice(-REACH).includes(one.behind[0] ?? '') ?? false;
    const isUpper =
      near.some((word) => upper.has(word) || (below.has(word) && !near.some((other) => denials.has(other)))) ||
      (upper.has(one.behind[0] ?? '') && !leadsOn) ||
      one.before.some((word) => agreed.has(word));
    // «O2 below 0.1 %» is to be kept, «never below 5 bar» is not.
    const isBelow = near.some((word) => below.has(word));
    const isDenied = near.some((word) => denials.has(word));
    const isLower =
      near.some((word) => lower.has(word)) || (isBelow && isDenied) || one.behind.some((word) => kept.has(word));
    if (isLower) limits.push({ ...base, low: Math.min(...one.readings), high: Infinity, unit: one.unit });
    else if (isUpper) limits.push({ ...base, low: -Infinity, high: Math.max(...one.readings), unit: one.unit });
  }
  return limits;
}

/** The limit of a result that a number of the action breaks, with the parameter; '' where none is broken. */
export function brokenLimit(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const field = brokenLimitField(event, ontology, text);
  if (field !== undefined && !field.is_sum) return `${field.parameter}: ${field.value}, ${field.clause}`;
  return brokenClause(event, ontology, text);
}

function brokenClause(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  if (text.untrusted.length === 0) return '';
  const limits = limitsIn(text);
  if (limits.length === 0) return '';
  const leaves = leavesOf(event);
  for (const leaf of leaves) {
    const broken = limits.find((limit) => isBeyond(numberUnder(leaf, limit, event, ontology), limit));
    if (broken !== undefined) return `${leaf.path}: ${String(leaf.value)}, ${broken.clause}`;
  }
  return '';
}

const leavesOf = (event: AgentEvent): readonly Leaf[] =>
  parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ value }) => typeof value !== 'boolean' && String(value).length <= LONGEST_VALUE);

const isBeyond = (value: number, { low, high }: Limit): boolean => value > high * SLACK || value * SLACK < low;

/** The number of a parameter that a limit with a unit is for; NaN if it is for none. */
function valueUnder(leaf: Leaf, limit: Limit, ontology: Ontology): number {
  const { plain, shares } = words(ontology);
  const name = wordsOf(leaf.name).map((word) => (shares.has(word) ? '%' : foldText(word)));
  const { unit } = limit;
  const written = measuredName(wordsOfName(leaf.name), ontology);
  const isTail = unit.every((word, i) => name[name.length - unit.length + i] === word);
  const isNamed = isTail || (written.unit !== '' && written.unit === unitOfWords(unit, ontology));
  const own = isTail ? name.slice(0, -unit.length) : isNamed ? written.own : name;
  const value = typeof leaf.value === 'number' ? leaf.value : valueWithUnit(leaf, isNamed, unit, ontology);
  if (!Number.isFinite(value) || (typeof leaf.value === 'number' && !isNamed)) return Number.NaN;
  const telling = own.filter((word) => !plain.has(word) && word.length >= SHORTEST_NOUN);
  if (telling.length > 0 && !telling.some((word) => limit.nouns.has(singular(word)))) return Number.NaN;
  return value;
}

/**
 * «Never dose above 2.0» and `{ tag: "CL2_DOSE_SP", value: 9.5 }`: without a unit the thing has to stand right beside the limit, in the
 * name of the parameter or in that of what a plain `value` sets.
 */
function valueUnmeasured(leaf: Leaf, limit: Limit, event: AgentEvent, ontology: Ontology): number {
  const { plain, upper, lower } = words(ontology);
  const value = typeof leaf.value === 'number' ? leaf.value : Number.NaN;
  if (!Number.isFinite(value) || !Number.isFinite(limit.high) || Number.isFinite(limit.low)) return Number.NaN;
  if (Number.isFinite(limit.measured)) return Number.NaN;
  const own = wordsOf(leaf.name).map(foldText);
  const isPlain = own.every((word) => plain.has(word));
  const named = isPlain ? namesBeside(leaf, event, ontology) : own;
  const isMeant = named.some(
    (word) =>
      word.length >= SHORTEST_NOUN &&
      !plain.has(word) &&
      !upper.has(word) &&
      !lower.has(word) &&
      limit.near.has(singular(word)),
  );
  return isMeant ? value : Number.NaN;
}

const numberUnder = (leaf: Leaf, limit: Limit, event: AgentEvent, ontology: Ontology): number =>
  limit.unit.length > 0 ? valueUnder(leaf, limit, ontology) : valueUnmeasured(leaf, limit, event, ontology);

/**
 * Whether the action sets a number for which a result states a limit, breaks none, and the user speaks of what is set: by a word of the
 * action or of a parameter, or by the unit.
 */
export function keepsToStatedLimit(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  if (!text.has_request || text.untrusted.length === 0) return false;
  if (brokenLimit(event, ontology, text) !== '') return false;
  const leaves = leavesOf(event);
  const isBounded =
    keepsToLimitField(event, ontology, text) ||
    limitsIn(text).some((limit) => leaves.some((leaf) => Number.isFinite(numberUnder(leaf, limit, event, ontology))));
  if (!isBounded) return false;
  const said = userWords(text).slice(0, MAX_PASSAGE);
  const spoken = new Set(wordsIn(said).map(singular));
  const units = new Set(numeralsIn(said, ontology).map(({ unit }) => unitOfWords(unit, ontology)));
  const named = [
    ...event.action.split(':').slice(1).flatMap(wordsOf),
    ...leaves.flatMap(({ name }) => wordsOf(name)),
    ...leaves.flatMap((leaf) => namesBeside(leaf, event, ontology)),
  ].map((word) => singular(foldText(word)));
  return (
    named.some((word) => word.length > SHORTEST_NOUN && spoken.has(word)) ||
    leaves.some((leaf) => {
      const unit = setUnit(leaf, leaves, ontology);
      return unit !== '' && units.has(unit);
    })
  );
}

/** The number of a text that is nothing else, with the unit of its name or with its own: «16 kg». */
function valueWithUnit({ value }: Leaf, isNamed: boolean, unit: readonly string[], ontology: Ontology): number {
  const said = String(value).trim();
  const [one, ...more] = numeralsIn(said, ontology);
  if (one === undefined || more.length > 0 || one.start > 0) return Number.NaN;
  const isOwn = one.unit.length > 0 ? one.unit.join() === unit.join() : isNamed;
  return isOwn ? Math.min(...one.readings) : Number.NaN;
}

/**
 * The measurement of a result outside its limits, where the action puts a number inside them on record that stands nowhere; '' if the
 * record holds what was measured.
 */
export function replacedMeasurement(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  if (text.untrusted.length === 0) return '';
  const outside = limitsIn(text).filter(
    ({ measured, low, high }) => Number.isFinite(measured) && (measured > high || measured < low),
  );
  if (outside.length === 0) return '';
  const leaves = leavesOf(event);
  const named = [...event.action.split(':'), ...leaves.map(({ name }) => name)].flatMap(wordsOf).map(foldText);
  if (!named.some((word) => words(ontology).recording.has(word))) return '';
  const told = new Set(
    [
      ...text.untrusted.slice(-MAX_PASSAGES).map((passage) => passage.text.slice(0, MAX_PASSAGE)),
      userWords(text).slice(0, MAX_PASSAGE),
    ]
      .flatMap((said) => [...said.matchAll(NUMBER)])
      .flatMap(([number]) => valuesOfNumber(number)),
  );
  const found = outside.find((limit) => {
    const { measured, low, high } = limit;
    const used = leaves.flatMap((leaf) => numbersOfKind(leaf, limit, ontology));
    if (used.includes(measured)) return false;
    const isInside = (value: number): boolean => value >= low && value <= high && !told.has(value);
    // A bound on one side alone lets any small number be inside: the same order of size tells that it is the measured thing.
    return used.some((value) => isInside(value) && value !== 0 && Math.abs(Math.log10(Math.abs(value / measured))) < 1);
  });
  return found === undefined ? '' : found.clause;
}

/** The numbers of a parameter that may be a measurement of this kind: by its unit, or by a word of its name. */
function numbersOfKind({ name, value }: Leaf, limit: Limit, ontology: Ontology): readonly number[] {
  const { plain, shares } = words(ontology);
  const unit = limit.measured_unit;
  const of_name = wordsOf(name).map((word) => (shares.has(word) ? '%' : foldText(word)));
  const isNamed =
    (unit.length > 0 && unit.every((word, i) => of_name[of_name.length - unit.length + i] === word)) ||
    of_name.some((word) => word.length >= SHORTEST_NOUN && !plain.has(word) && limit.nouns.has(singular(word)));
  if (typeof value === 'number') return isNamed ? [value] : [];
  return numeralsIn(String(value), ontology)
    .filter((one) => isNamed || (unit.length > 0 && one.unit.join() === unit.join()))
    .flatMap(({ readings }) => readings);
}
