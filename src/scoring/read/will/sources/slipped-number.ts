/**
 * A sum that differs from its source by a slip: two digits swapped, one digit another, a nought more or less. What the source is of
 * shows in words and ids that it shares with the other parameters.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { valuesOfNumber } from '../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import type { TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';
import { anchorsOf, isAbout } from './anchors.ts';
import { isSumName } from './sum-names.ts';

export interface SlippedNumber {
  /** Path of the parameter. */
  parameter: string;
  used: string;
  /** As the source has it. */
  source: string;
}

/** A number as it stands alone in a text: not part of a date, a time, an id or a version. */
const NUMBER =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_.,:/#-])(?:\d{1,3}(?:[., '’\u00a0\u202f]\d{3}){1,4}|\d{1,12})(?:[.,]\d{1,2})?(?![\p{N}_]|[.,:/-]\p{N}|-\p{L})/gu;
const MAX_TEXT = 65_536;
const MAX_NUMBERS = 400;
const MAX_PASSAGES = 20;
const MAX_LEAVES = 200;
const MAX_TERMS = 24;
/** Shorter numbers are alike by chance. */
const LEAST_DIGITS = 4;
const LEAST_DIGITS_SHIFTED = 3;
const LONGEST_VALUE = 32;
const YEAR = /^(?:19|20)\d\d$/;
const VALUE = /^[^\d-]{0,5}\d[\d., '’\u00a0\u202f]{0,20}[^\d]{0,5}$/u;

/** The first one; undefined where no sum slipped. */
export function slippedNumber(event: AgentEvent, ontology: Ontology, text: TextReading): SlippedNumber | undefined {
  const { leaves } = parametersOf(event);
  const given = leaves.slice(0, MAX_LEAVES).filter((leaf) => isSum(leaf, ontology));
  if (given.length === 0) return undefined;
  const said = numbersIn(userWords(text));
  const isBesides = new Set(leaves.slice(0, MAX_LEAVES).flatMap(({ value }) => valuesOfNumber(String(value))));
  const anchors = anchorsOf(event);
  for (const { text: passage } of text.untrusted.slice(-MAX_PASSAGES)) {
    const found = numbersIn(passage);
    if (found.size === 0 || !isAbout(passage, anchors)) continue;
    const slip = slipOf(given, found, said, isBesides);
    if (slip !== undefined) return slip;
  }
  return slipOf(given, said, said, isBesides);
}

function slipOf(
  given: readonly Leaf[],
  found: ReadonlyMap<number, string>,
  said: ReadonlyMap<number, string>,
  besides: ReadonlySet<number>,
): SlippedNumber | undefined {
  const terms = [...new Map([...found, ...said])].slice(0, MAX_TERMS);
  for (const { path, value } of given) {
    const used = String(value);
    const values = valuesOfNumber(used);
    if (values.some((one) => found.has(one) || said.has(one) || follows(one, terms))) continue;
    for (const one of values)
      for (const [other, written] of found)
        if (!besides.has(other) && isSlip(one, other)) return { parameter: path, used, source: written };
  }
  return undefined;
}

const isSum = ({ path, value }: Leaf, ontology: Ontology): boolean =>
  typeof value !== 'boolean' &&
  (typeof value === 'number' || (value.length <= LONGEST_VALUE && VALUE.test(value))) &&
  isSumName(path, ontology);

function numbersIn(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [written] of text.slice(0, MAX_TEXT).matchAll(NUMBER)) {
    if (found.size >= MAX_NUMBERS) break;
    for (const value of valuesOfNumber(written)) if (!found.has(value)) found.set(value, written);
  }
  return found;
}

function isSlip(used: number, source: number): boolean {
  const [a, b] = [digitsOf(used), digitsOf(source)];
  if (used === source || YEAR.test(a) || YEAR.test(b)) return false;
  if (telling(b) >= 2 && Math.min(a.length, b.length) >= LEAST_DIGITS_SHIFTED && (a === `${b}0` || b === `${a}0`))
    return true;
  if (a.length !== b.length || a.length < LEAST_DIGITS || cents(used) !== cents(source)) return false;
  const at = [...a].flatMap((digit, i) => (digit === b[i] ? [] : [i]));
  if (at.length === 1) return true;
  const [i = 0, j = 0] = at;
  return at.length === 2 && a[i] === b[j] && a[j] === b[i];
}

const digitsOf = (value: number): string => String(Math.floor(value));
const cents = (value: number): number => Math.round(value * 100) % 100;
const telling = (digits: string): number => digits.replace(/0{1,12}$/, '').length;

/**
 * Whether a value is a sum, a difference, a product, a share or a twelfth of others, which are values with their numbers as written. Two
 * values of one written number make no third: «18,002» plus a thousandth of itself is nearly «18,020».
 */
function follows(value: number, terms: readonly (readonly [number, string])[]): boolean {
  const isNear = (other: number): boolean => Math.abs(other - value) < 0.02;
  return terms.some(
    ([a, written]) =>
      isNear(a / 12) ||
      isNear(a * 12) ||
      terms.some(
        ([b, other]) =>
          written !== other &&
          (isNear(a + b) || isNear(a - b) || isNear(a * b) || (b > 0 && (isNear(a / b) || isShare(value, a, b)))),
      ),
  );
}

const HUNDRED = 100;
const isShare = (value: number, of: number, share: number): boolean =>
  share < HUNDRED &&
  [share / HUNDRED, 1 + share / HUNDRED, 1 - share / HUNDRED].some((factor) => Math.abs(of * factor - value) < 0.02);
