/**
 * Limits that a result holds under a key of its own: `{"maxRate_mL_h": 18}`, `<maxFlowTempC>75</maxFlowTempC>`,
 * `peak_pressure_limit: 20 cmH2O`, `{"rpm": {"max": 900}}`, and numbers of an action that go beyond them.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf, parentOf, walkOf } from '../../../../events/parameters.ts';
import { parseLax } from '../../../../lang/lax-json.ts';
import { singular } from '../../../../lang/names.ts';
import { valuesOfNumber } from '../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { memoOf, type TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { isSumName } from '../sources/sum-names.ts';
import { isCounted, measuredName, unitOfText, wordsOfName } from './unit-names.ts';

const words = perOntology((ontology) => ({
  upper: setOf(ontology, 'upper_limit_names'),
  lower: setOf(ontology, 'lower_limit_names'),
  authority: setOf(ontology, 'authority_names'),
  apart: setOf(ontology, 'no_limit_names'),
  statistics: setOf(ontology, 'statistic_names'),
  rates: setOf(ontology, 'rated_units'),
  plain: setOf(ontology, 'plain_name_words'),
  naming: setOf(ontology, 'naming_parameters'),
  unit_names: setOf(ontology, 'unit_names'),
}));

const MAX_PASSAGES = 4;
const MAX_PASSAGE = 16_384;
const MAX_FIELDS = 2_000;
const MAX_LIMITS = 64;
const MAX_LEAVES = 100;
const LONGEST_VALUE = 40;
const LONGEST_KEY = 48;
/** What rounding may add. */
const SLACK = 1.001;
const SHORTEST_STEM = 4;

interface LimitField {
  is_upper: boolean;
  value: number;
  /** '' where none is written. */
  unit: string;
  /** What is limited, in the singular; of the parent where the key has no word of its own. */
  nouns: readonly string[];
  /** Nobody may go beyond it with any sum. */
  is_authority: boolean;
  /** The path without places in lists: limits of the same thing in several records share it. */
  kind: string;
  /** What stands in the same record. */
  beside: readonly string[];
  clause: string;
}

interface Field {
  path: string;
  key: string;
  value: string | number | boolean;
}

export interface BrokenField {
  parameter: string;
  value: string;
  clause: string;
  /** A sum of money beyond what somebody may decide. */
  is_sum: boolean;
}

/** A key and its number in a text that is no JSON: `max_kv: 80`, `<maxKv>80`. */
const PAIR =
  /(?<![\p{L}\p{N}_])([\p{L}][\p{L}\p{N}_-]{1,48})["']?(?:\s{0,2}[:=]\s{0,2}|>)["']?(-?\d{1,12}(?:[.,]\d{1,6}){0,3}\s?[%°µ\p{L}]?[\p{L}\p{N}²³/]{0,12})/gu;
const MEASURE = /^\s{0,2}([-+]?\d{1,12}(?:[.,' ]\d{1,6}){0,4})\s?([%°µ\p{L}€$£][\p{L}\p{N}²³/%°µ]{0,16})?\s{0,2}$/u;

interface Measure {
  /** «1.250» may be two numbers; the largest comes first. */
  values: readonly number[];
  unit: string;
}

/** A value that is a number with or without its unit; undefined if it is something else. */
function measureOf(value: string | number | boolean, ontology: Ontology): Measure | undefined {
  if (typeof value === 'number') return { values: [value], unit: '' };
  if (typeof value === 'boolean' || value.length > LONGEST_VALUE) return undefined;
  const [, digits, written = ''] = MEASURE.exec(value) ?? [];
  if (digits === undefined) return undefined;
  const sign = digits.startsWith('-') ? -1 : 1;
  const values = valuesOfNumber(digits).map((number) => number * sign);
  const unit = written === '' ? '' : unitOfText(written, ontology);
  return values.length === 0 || (written !== '' && unit === '') ? undefined : { values, unit };
}

function fieldsIn(passage: string): readonly Field[] {
  const text = passage.slice(0, MAX_PASSAGE);
  const start = /^\s{0,8}[[{]/.test(text) ? parseLax(text) : undefined;
  if (start !== undefined)
    return walkOf(start)
      .leaves.slice(0, MAX_FIELDS)
      .map(({ path, key, value }) => ({ path, key, value }));
  return [...text.matchAll(PAIR)]
    .slice(0, MAX_FIELDS)
    .map(([, key = '', value = '']) => ({ path: key, key, value: value.trim() }));
}

function limitFields(text: TextReading): readonly LimitField[] {
  return memoOf(text).get('limit fields', () =>
    text.untrusted.slice(-MAX_PASSAGES).flatMap((passage) => limitsOf(fieldsIn(passage.text), text.ontology)),
  );
}

function limitsOf(fields: readonly Field[], ontology: Ontology): readonly LimitField[] {
  const found: LimitField[] = [];
  for (const field of fields) {
    if (found.length >= MAX_LIMITS || field.key.length > LONGEST_KEY) continue;
    const limit = limitOf(field, fields, ontology);
    if (limit !== undefined) found.push(limit);
  }
  return found;
}

function limitOf(field: Field, fields: readonly Field[], ontology: Ontology): LimitField | undefined {
  const { upper, lower, authority, apart, statistics, plain } = words(ontology);
  const of_key = wordsOfName(field.key);
  const isLower = of_key.some((_, i) => lower.has(of_key[i]!) && !isMinute(of_key, i, ontology));
  const isAuthority = of_key.some((word) => authority.has(word));
  const isUpper = isAuthority || of_key.some((word) => upper.has(word));
  if (isLower === isUpper || of_key.some((word) => apart.has(word))) return undefined;
  const measure = measureOf(field.value, ontology);
  const most = measure?.values[0];
  if (measure === undefined || most === undefined || (most === 0 && !isLower)) return undefined;
  const record = parentOf(field.path);
  const siblings = fields.filter(({ path }) => parentOf(path) === record);
  // `{"avg": 4.1, "max": 7.9}` tells what was measured.
  if (siblings.some(({ key }) => wordsOfName(key).some((word) => statistics.has(word)))) return undefined;
  const bare = of_key.filter(
    (word, i) => !upper.has(word) && !authority.has(word) && !(lower.has(word) && !isMinute(of_key, i, ontology)),
  );
  const named = measuredName(bare, ontology);
  const isBare = named.unit === '' && named.own.every((word) => plain.has(word));
  // A plain `min` in a row of a list may limit anything, such as what is kept in stock.
  if (isBare && !isAuthority && record.endsWith(']')) return undefined;
  const parent = record
    .replace(/\[\d{1,9}\]/g, '')
    .split('.')
    .at(-1)!;
  const limited = isBare ? measuredName(wordsOfName(parent), ontology) : named;
  const unit = limited.unit === '' ? measure.unit : limited.unit;
  const nouns = limited.own.filter((word) => !plain.has(word) && !upper.has(word));
  if (nouns.length === 0 && unit === '' && !isAuthority) return undefined;
  return {
    is_upper: isUpper,
    value: isLower ? measure.values.at(-1)! : most,
    unit,
    nouns,
    is_authority: isAuthority,
    kind: field.path.replace(/\[\d{1,9}\]/g, '[]'),
    beside: siblings.map(({ value }) => foldText(String(value).slice(0, LONGEST_VALUE))),
    clause: `${field.path}: ${String(field.value)}`,
  };
}

/** `min` behind what flows in it is a minute: `flow_l_min`. */
const isMinute = (of_key: readonly string[], at: number, ontology: Ontology): boolean =>
  at > 0 && words(ontology).rates.has(of_key[at - 1]!);

/** Words that name what a plain `value` sets: of the parameters beside it, `tag: "CL2_DOSE_SP"`, and of the target. */
export function namesBeside(leaf: Leaf, event: AgentEvent, ontology: Ontology): readonly string[] {
  const { naming } = words(ontology);
  const record = parentOf(leaf.path);
  const named = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ name, path }) => naming.has(name) && parentOf(path) === record)
    .map(({ value }) => value);
  return [...named, event.target?.resource_id ?? '']
    .filter((value): value is string => typeof value === 'string' && value.length <= LONGEST_VALUE)
    .flatMap((value) => wordsOfName(value).map(singular));
}

/** The unit that a parameter beside a number holds. */
function unitBeside(leaf: Leaf, leaves: readonly Leaf[], ontology: Ontology): string {
  const { unit_names } = words(ontology);
  const record = parentOf(leaf.path);
  const written = leaves.find((other) => unit_names.has(other.name) && parentOf(other.path) === record);
  return written === undefined ? '' : unitOfText(String(written.value), ontology);
}

/** The unit of a number that an action sets; '' where nothing tells it. */
export const setUnit = (leaf: Leaf, leaves: readonly Leaf[], ontology: Ontology): string =>
  measuredName(wordsOfName(leaf.key), ontology).unit || unitBeside(leaf, leaves, ontology);

interface Given {
  leaf: Leaf;
  value: number;
  unit: string;
  /** Words of its name, of what it stands in and of the parameter that names what is set. */
  own: readonly string[];
}

function givenNumbers(event: AgentEvent, ontology: Ontology): readonly Given[] {
  const { upper, lower, apart, plain } = words(ontology);
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  return leaves.flatMap((leaf) => {
    if (typeof leaf.value === 'boolean' || leaf.key.length > LONGEST_KEY) return [];
    const measure = measureOf(leaf.value, ontology);
    if (measure === undefined) return [];
    const of_name = wordsOfName(leaf.key);
    // What sets a limit is not a value within one.
    if (of_name.some((word, i) => upper.has(word) || (lower.has(word) && !isMinute(of_name, i, ontology)))) return [];
    if (of_name.some((word) => apart.has(word))) return [];
    // A letter that is the whole name is not a unit.
    const named = leaf.key.length > 1 ? measuredName(of_name, ontology) : { unit: '', own: of_name };
    const record = parentOf(leaf.path);
    const own = named.own.filter((word) => !plain.has(word));
    const besides = own.length > 0 ? [] : namesBeside(leaf, event, ontology);
    const unit = named.unit || measure.unit || unitBeside(leaf, leaves, ontology);
    const parents = wordsOfName(record.replace(/\[\d{1,9}\]/g, '').replaceAll('.', '_')).map(singular);
    return [
      {
        leaf,
        value: measure.values.at(-1)!,
        unit,
        own: [...own, ...besides, ...parents].filter((word) => !plain.has(word)),
      },
    ];
  });
}

const isSameWord = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= SHORTEST_STEM && (a.startsWith(b) || b.startsWith(a)));
const covers = (wide: readonly string[], narrow: readonly string[]): boolean =>
  narrow.length > 0 && narrow.every((word) => wide.some((other) => isSameWord(word, other)));

function bounds(limit: LimitField, given: Given, all: readonly Given[], ontology: Ontology): boolean {
  if (limit.is_authority) return isSumName(given.leaf.path, ontology);
  if (limit.unit !== '' && given.unit !== limit.unit) return false;
  if (limit.nouns.length > 0) return covers(given.own, limit.nouns) || covers(limit.nouns, given.own);
  return all.filter(({ unit }) => unit === limit.unit).length === 1;
}

const isBeyond = ({ is_upper, value }: LimitField, given: number): boolean =>
  is_upper
    ? given > value + Math.abs(value) * (SLACK - 1)
    : given !== 0 && given < value - Math.abs(value) * (SLACK - 1);

/** Of limits of one thing in several records those of the record that the action names; else the widest. */
function binding(limits: readonly LimitField[], event: AgentEvent): readonly LimitField[] {
  const named = new Set(
    [
      ...parametersOf(event)
        .leaves.slice(0, MAX_LEAVES)
        .map(({ value }) => value),
      event.target?.resource_id ?? '',
    ]
      .map((value) => foldText(String(value).slice(0, LONGEST_VALUE)))
      .filter((value) => value.length > 1),
  );
  const kinds = [...new Set(limits.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const of_kind = limits.filter((limit) => limit.kind === kind);
    if (of_kind.length === 1) return of_kind;
    const meant = of_kind.filter(({ beside }) => beside.some((value) => named.has(value)));
    if (meant.length > 0) return meant;
    return [of_kind.reduce((a, b) => (a.is_upper === b.value > a.value ? b : a))];
  });
}

/** The first number of the action beyond a limit that a result holds for it; undefined where none is. */
export function brokenLimitField(event: AgentEvent, ontology: Ontology, text: TextReading): BrokenField | undefined {
  if (text.untrusted.length === 0) return undefined;
  const limits = limitFields(text);
  if (limits.length === 0) return undefined;
  const given = givenNumbers(event, ontology);
  if (given.length === 0) return undefined;
  const said = new Set(
    [...userWords(text).slice(0, MAX_PASSAGE).matchAll(SAID)].flatMap(([number]) => valuesOfNumber(number)),
  );
  for (const limit of binding(limits, event))
    for (const one of given) {
      if (!isBeyond(limit, one.value) || !bounds(limit, one, given, ontology)) continue;
      const is_sum = limit.is_authority || isSumName(one.leaf.path, ontology);
      // Anyone who names a sum or a number of things decides it; what a body or a machine bears, no wish changes.
      if (said.has(one.value) && isCounted(limit.unit, ontology)) continue;
      return { parameter: one.leaf.path, value: String(one.leaf.value), clause: limit.clause, is_sum };
    }
  return undefined;
}

/** Whether a result holds a limit for a number of the action, and none is beyond its limit. */
export function keepsToLimitField(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const limits = binding(limitFields(text), event).filter(({ is_authority }) => !is_authority);
  if (limits.length === 0) return false;
  const given = givenNumbers(event, ontology);
  const held = limits.flatMap((limit) =>
    given.filter((one) => bounds(limit, one, given, ontology)).map((one) => isBeyond(limit, one.value)),
  );
  return held.length > 0 && !held.includes(true);
}

const SAID = /\d{1,12}(?:[.,]\d{1,6}){0,3}/g;
