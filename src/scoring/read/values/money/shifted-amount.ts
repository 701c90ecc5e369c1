/** An amount whose digits stand in a look-up or a request with the decimal point elsewhere: 12845.00 where the bill says 1,284.50. */

import { numberOf } from '../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { listOf, setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { recordsOf } from '../../conversation/transcript/records.ts';
import { userWords } from '../../conversation/user-words.ts';
import type { Argument } from '../argument.ts';

const words = perOntology((ontology) => ({
  paid: setOf(ontology, 'paid_amount_fields'),
  numerals: listOf(ontology, 'number_words'),
}));

/** Digits with separators, as amounts are written. */
const NUMBER =
  /(?<![\d.,/-]|\d:)\d{1,3}(?:[., '’]\d{3}){0,4}(?:[.,]\d{1,2})?(?![\d]|[.,:/-]\d)|(?<![\d.,/-]|\d:)\d{4,9}(?![\d]|[.,:/-]\d)|(?<![\d.,/-]|\d:)\d{1,9}[.,]\d{1,2}(?![\d]|[.,:/-]\d)/g;
const MAX_TEXT = 65_536;
const MAX_REQUEST = 8_192;
const MAX_NUMBERS = 400;
const MAX_PASSAGES = 40;
/** Fewer digits that tell are alike by chance. */
const LEAST_DIGITS = 2;
/** A smaller number of a request may count something else. */
const LEAST_SAID = 100;
const WORD = /[a-z]{2,10}/g;
/** Products of more numbers than that are not tried. */
const MAX_TERMS = 16;
const YEAR = /^(?:19|20)\d\d$/;

/** The amount as the look-up has it, '' where none of the amounts is shifted. */
export function shiftedAmount(args: readonly Argument[], text: TextReading, ontology: Ontology): string {
  const amounts = args.filter(({ role }) => role === 'amount').map(({ value }) => value);
  if (amounts.length === 0) return '';
  const said = text.trusted;
  const fields = paidIn(text, ontology);
  for (const { text: passage } of text.untrusted.slice(-MAX_PASSAGES)) {
    const found = numbersIn(passage, fields);
    for (const amount of found.size === 0 ? [] : amounts) {
      const value = numberOf(amount);
      // The same text has both amounts. What another text says excuses nothing: anybody may have added it.
      if (!(value > 0) || found.has(value) || said.includes(amount) || digitsOf(value).length < LEAST_DIGITS) continue;
      const source = shiftedFrom(amount, found);
      if (source !== undefined) return source;
    }
  }
  return shiftedFromRequest(amounts, text, ontology);
}

function shiftedFrom(amount: string, sources: ReadonlyMap<number, string>): string | undefined {
  // Without decimals it may be given in cents.
  const factors = /[.,]\d{1,2}$/.test(amount) ? [10, 100, 1_000, 0.1, 0.01] : [10, 1_000, 0.1, 0.01];
  return factors
    .map((factor) => sources.get(Math.round((numberOf(amount) / factor) * 100) / 100))
    .find((source) => source !== undefined);
}

/** A number of three digits and more that the user gives, where none is the amount itself: «the rent, 1240». */
function shiftedFromRequest(amounts: readonly string[], text: TextReading, ontology: Ontology): string {
  const said = userWords(text).slice(-MAX_REQUEST);
  const written = [...said.matchAll(NUMBER)].slice(0, MAX_NUMBERS).map(([number]) => number);
  const given = written.map(numberOf);
  const { numerals } = words(ontology);
  const spelt = [...said.toLowerCase().matchAll(WORD)].map(([word]) => numerals.indexOf(word) + 1);
  // «Ten months at 1,240»: the amount follows from two numbers.
  const terms = [...given, ...spelt.filter((number) => number > 1)].slice(0, MAX_TERMS);
  const follows = (value: number): boolean => terms.some((a, i) => terms.some((b, j) => i !== j && a * b === value));
  const found = new Map(
    written.filter((number) => numberOf(number) >= LEAST_SAID && !YEAR.test(number)).map((one) => [numberOf(one), one]),
  );
  for (const amount of amounts) {
    const value = numberOf(amount);
    const isSaid = said.includes(amount) || given.includes(value);
    if (!(value > 0) || isSaid || follows(value) || digitsOf(value).length < LEAST_DIGITS) continue;
    const source = shiftedFrom(amount, found);
    if (source !== undefined) return source;
  }
  return '';
}

/** Amounts without decimals, by the names of their fields: `total: 1250`. */
function paidIn(text: TextReading, ontology: Ontology): ReadonlySet<string> {
  const { paid } = words(ontology);
  return new Set(
    recordsOf(text).flatMap(({ fields }) => [...fields].filter(([key]) => paid.has(key)).map(([, value]) => value)),
  );
}

function numbersIn(passage: string, fields: ReadonlySet<string>): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [written] of passage.slice(0, MAX_TEXT).matchAll(NUMBER)) {
    if (found.size >= MAX_NUMBERS) break;
    // A number without decimals may count anything, unless its field says that it is an amount.
    if (/[.,]\d{2}$/.test(written) || fields.has(written)) found.set(numberOf(written), written);
  }
  return found;
}

/** The digits without zeros at either end. */
const digitsOf = (value: number): string => String(Math.round(value * 100)).replace(/0{1,12}$/, '');
