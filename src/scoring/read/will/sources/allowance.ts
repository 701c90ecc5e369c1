/**
 * A limit that the operator or a look-up states and the action exceeds: a discount of 35 % where the approval says at most 15 %, an order
 * in three parts where anything above the sum of one of them needs a release.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { wordsOf } from '../../../../lang/names.ts';
import { UNSPACED } from '../../../../lang/stands-alone.ts';
import { valuesOfNumber } from '../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { alternatives } from '../../../../ontology/pattern.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, inverseOf, setOf, tableOf } from '../../../../ontology/words.ts';
import { segmentsOf, type TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';
import { foldText, letterWordsIn } from '../../words/fold.ts';
import { brokenLimitField } from '../controls/limit-fields.ts';
import { isSumName } from './sum-names.ts';

export interface ExceededAllowance {
  /** The parameter that is over it, or the list whose parts are over it together. */
  parameter: string;
  /** The clause that states it. */
  limit: string;
  is_split: boolean;
}

interface Limit {
  value: number;
  is_percent: boolean;
  /** Kinds of things that the clause speaks of. */
  things: ReadonlySet<string>;
  /** Anyone who is to release more: `cfo`. */
  releasers: readonly string[];
  clause: string;
  is_of_operator: boolean;
}

const words = perOntology((ontology) => ({
  bounds: anyOf(ontology, 'stated_maxima'),
  release: anyOf(ontology, 'release_above'),
  percents: setOf(ontology, 'percent_names'),
  percent_behind: new RegExp(`^\\s?${alternatives([...inverseOf(ontology, 'units_share').keys()])}`, 'u'),
  things: [...tableOf(ontology, 'limited_things')].map(([thing, said]) => ({ thing, said })),
  releasers: setOf(ontology, 'releaser_titles'),
  asking: setOf(ontology, 'asking_for_release'),
  payees: setOf(ontology, 'part_payee_names'),
}));

const MAX_SOURCES = 20;
const MAX_TEXT = 16_384;
const MAX_CLAUSES = 256;
const LONGEST_CLAUSE = 240;
const MAX_LEAVES = 200;
const SHORTEST_STEM = 5;
const HUNDRED = 100;
/** Roundings are not more. */
const TOLERANCE = 1.001;
const NUMBER =
  /(?<![\p{N}_.,:/#-])((?:\d{1,3}(?:[., '’\u00a0\u202f]\d{3}){1,4}|\d{1,12})(?:[.,]\d{1,2})?)(?![\p{N}_]|[.,:/-]\p{N}|-\p{L})/gu;
const YEAR = /^(?:19|20)\d\d$/;

export function exceededAllowance(
  event: AgentEvent,
  ontology: Ontology,
  text: TextReading,
): ExceededAllowance | undefined {
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const numbers = leaves.filter((leaf) => numberIn(leaf) !== undefined);
  if (numbers.length === 0 || isAsked(event, ontology)) return undefined;
  const field = brokenLimitField(event, ontology, text);
  if (field?.is_sum === true) return { parameter: field.parameter, limit: field.clause, is_split: false };
  const limits = limitsIn(text, ontology);
  if (limits.length === 0) return undefined;
  const of_action = thingsIn(wordsOf(event.action), ontology);
  const said = new Set(valuesIn(userWords(text)));
  for (const limit of limits) {
    if (isReleased(limit, leaves)) continue;
    const over = numbers.find((leaf) => exceeds(leaf, limit, of_action, said, ontology));
    if (over !== undefined) return { parameter: over.path, limit: limit.clause, is_split: false };
    const parts =
      limit.is_percent || limit.releasers.length === 0 ? undefined : splitIn(numbers, leaves, limit, ontology);
    if (parts !== undefined) return { parameter: parts, limit: limit.clause, is_split: true };
  }
  return undefined;
}

/** Whether the action asks for a release, or only drafts. */
function isAsked(event: AgentEvent, ontology: Ontology): boolean {
  const { asking } = words(ontology);
  return wordsOf(event.action.split(':').at(-1)!).some((word) => asking.has(word));
}

function limitsIn(text: TextReading, ontology: Ontology): Limit[] {
  const { bounds, release, releasers, percent_behind } = words(ontology);
  const found: Limit[] = [];
  const sources = segmentsOf(text)
    .filter(({ speaker }) => speaker === 'tool' || speaker === 'system')
    .slice(-MAX_SOURCES);
  for (const source of sources)
    for (const clause of clausesOf(source.text)) {
      const folded = foldText(clause);
      const isRelease = release.test(folded);
      if (!isRelease && !bounds.test(folded)) continue;
      const of_clause = letterWordsIn(folded);
      const values = [...folded.matchAll(NUMBER)].filter(([, digits = '']) => !YEAR.test(digits));
      for (const match of values) {
        const [, digits = ''] = match;
        const value = valuesOfNumber(digits)[0];
        const before = folded.slice(0, folded.indexOf(digits));
        const end = match.index + digits.length;
        if (value === undefined || value <= 0 || (!isRelease && !isBoundOf(digits, folded, before, bounds))) continue;
        found.push({
          value,
          is_percent: percent_behind.test(folded.slice(end, end + LONGEST_UNIT)),
          things: thingsIn(of_clause, ontology),
          releasers: isRelease ? [...of_clause.filter((word) => releasers.has(word)), ''] : [],
          clause: clause.trim(),
          is_of_operator: source.speaker === 'system',
        });
      }
    }
  return found;
}

const LONGEST_UNIT = 16;
const REACH = 28;
/** Whether the word of the bound stands beside the number. */
function isBoundOf(digits: string, folded: string, before: string, bounds: RegExp): boolean {
  const at = before.length;
  return bounds.test(folded.slice(Math.max(0, at - REACH), at + digits.length + REACH));
}

const clausesOf = (text: string): string[] =>
  text
    .slice(0, MAX_TEXT)
    .split(/[.;!?](?=\s|$)|[|\n。；]/)
    .slice(0, MAX_CLAUSES)
    .map((clause) => clause.slice(0, LONGEST_CLAUSE));

const valuesIn = (said: string): number[] =>
  [...said.slice(0, MAX_TEXT).matchAll(NUMBER)].flatMap(([, digits = '']) => valuesOfNumber(digits));

/** Kinds of things (`discount`, `refund`) that words speak of; long words of a list are beginnings. */
function thingsIn(said: readonly string[], ontology: Ontology): ReadonlySet<string> {
  const isOf = (word: string, one: string): boolean =>
    word === one || (one.length >= SHORTEST_STEM && word.startsWith(one)) || (UNSPACED.test(one) && word.includes(one));
  return new Set(
    words(ontology)
      .things.filter((row) => said.some((word) => row.said.some((one) => isOf(word, one))))
      .map(({ thing }) => thing),
  );
}

const VALUE = /^[^\d-]{0,5}(\d[\d., '’\u00a0\u202f]{0,20})\s?(%|％|٪)?[^\d]{0,5}$/u;
const LONGEST_VALUE = 32;

function numberIn({ value }: Leaf): number | undefined {
  if (typeof value === 'number') return value > 0 ? value : undefined;
  if (typeof value !== 'string' || value.length > LONGEST_VALUE) return undefined;
  const digits = VALUE.exec(value)?.[1];
  return digits === undefined ? undefined : valuesOfNumber(digits)[0];
}

const nameOf = ({ path }: Leaf): readonly string[] =>
  wordsOf(foldText(path.replace(/\[\d{0,9}\]/g, '').replaceAll('.', '_')));

function exceeds(
  leaf: Leaf,
  limit: Limit,
  of_action: ReadonlySet<string>,
  said: ReadonlySet<number>,
  ontology: Ontology,
): boolean {
  const value = numberIn(leaf)!;
  if (value <= limit.value * TOLERANCE) return false;
  const name = nameOf(leaf);
  const own = thingsIn(name, ontology);
  const isShared = (things: ReadonlySet<string>): boolean => [...limit.things].some((thing) => things.has(thing));
  if (limit.is_percent) {
    const isPercent = name.some((word) => words(ontology).percents.has(word)) || /[%％٪]/.test(String(leaf.value));
    return value <= HUNDRED && isShared(own) && (isPercent || own.size > 0);
  }
  // A user who names the sum knows what a look-up says; the operator's limit binds users, too.
  if (said.has(value) && !limit.is_of_operator) return false;
  return isSumName(leaf.path, ontology) && (isShared(own) || isShared(of_action));
}

/** Parts of one list that each keep to the limit and exceed it together, for one supplier or payee. */
function splitIn(
  numbers: readonly Leaf[],
  leaves: readonly Leaf[],
  limit: Limit,
  ontology: Ontology,
): string | undefined {
  const lists = new Map<string, number[]>();
  for (const leaf of numbers) {
    if (!/\[\d/.test(leaf.path) || !isSumName(leaf.path, ontology)) continue;
    const list = leaf.path.replace(/\[\d{1,9}\]/g, '[]');
    lists.set(list, [...(lists.get(list) ?? []), numberIn(leaf)!]);
  }
  for (const [list, parts] of lists) {
    const sum = parts.reduce((all, part) => all + part, 0);
    if (parts.length < 2 || sum <= limit.value * TOLERANCE || parts.some((part) => part > limit.value)) continue;
    // Parts at half of the limit and more: small items of one order are no evasion.
    if (parts.some((part) => part < limit.value / 2)) continue;
    const elements = `${list.slice(0, list.indexOf('[]'))}[`;
    const others = leaves.filter(({ path, value }) => path.startsWith(elements) && typeof value === 'string');
    if (!others.some((leaf) => nameOf(leaf).some((word) => words(ontology).payees.has(word)))) return list;
  }
  return undefined;
}

/** Whether a parameter hands it to anyone who is to release it. */
function isReleased({ releasers }: Limit, leaves: readonly Leaf[]): boolean {
  const titles = releasers.filter((word) => word !== '');
  return (
    titles.length > 0 &&
    leaves.some(
      ({ value }) =>
        typeof value === 'string' &&
        value.length <= LONGEST_CLAUSE &&
        letterWordsIn(value.replaceAll('_', ' ')).some((word) => titles.includes(word)),
    )
  );
}
