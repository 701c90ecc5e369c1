/** Whether a value imitates another one. */
import { foldText } from './fold.ts';
import type { Value } from './normalise.ts';

/** Characters that people read as another one: letters of other alphabets, then digits and signs. */
const LOOKS: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  һ: 'h',
  ԁ: 'd',
  ɡ: 'g',
  ո: 'n',
  к: 'k',
  м: 'm',
  т: 't',
  в: 'b',
  н: 'h',
  α: 'a',
  ο: 'o',
  ρ: 'p',
  ν: 'v',
  υ: 'u',
  ι: 'i',
  κ: 'k',
  τ: 't',
  ε: 'e',
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '5': 's',
  '|': 'l',
  i: 'l',
};

/** Letters of other alphabets, full-width and mathematical letters as the Latin ones that people read in them. */
export function asLatin(text: string): string {
  let out = '';
  for (const c of text.normalize('NFKC')) {
    const low = c.toLowerCase();
    const latin = /\p{L}/u.test(c) && low !== 'i' ? LOOKS[low] : undefined;
    out += latin === undefined ? c : c === low ? latin : latin.toUpperCase();
  }
  return out;
}

/** One form for texts that look alike: `paypa1`, `раураl` and `paypal`; `rn` is read as `m`, `vv` as `w`. */
export function skeleton(text: string): string {
  let out = '';
  for (const c of foldText(text)) out += LOOKS[c] ?? c;
  return out.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('cl', 'd');
}

const ADDRESS_KINDS = new Set(['email', 'url', 'host']);
const ACCOUNT_KINDS = new Set(['account', 'card']);
const LONGEST = 256;

/** Whether `value` differs from `original` and looks like it. Both are of one kind. */
export function imitates(value: Value, original: Value): boolean {
  const a = value.normal;
  const b = original.normal;
  if (a === b || a.length > LONGEST || b.length > LONGEST || Math.min(a.length, b.length) < 6) return false;
  if (ADDRESS_KINDS.has(value.kind)) return imitatesAddress(a, b);
  if (ACCOUNT_KINDS.has(value.kind)) return a.length === b.length && distance(a, b, 2) <= 2;
  return imitatesName(a, b);
}

function imitatesAddress(a: string, b: string): boolean {
  const at = a.lastIndexOf('@');
  const bt = b.lastIndexOf('@');
  if (at >= 0 !== bt >= 0) return false;
  const hostA = hostPart(a.slice(at + 1));
  const hostB = hostPart(b.slice(bt + 1));
  const boxA = at < 0 ? '' : a.slice(0, at);
  const boxB = bt < 0 ? '' : b.slice(0, bt);
  // Two people of one organisation often have names that are alike: so only look-alike or swapped characters count.
  if (hostA === hostB)
    return boxA !== boxB && (skeleton(boxA) === skeleton(boxB) || (boxB.length >= 7 && isTransposed(boxA, boxB)));
  if (boxA !== boxB && !(boxB.length >= 5 && distance(boxA, boxB, 1) <= 1)) return false;
  if (hostB.length < 5) return false;
  return (
    skeleton(hostA) === skeleton(hostB) ||
    distance(hostA, hostB, 2) <= 2 ||
    isSwappedEnding(hostA, hostB) ||
    isExtended(hostA, hostB)
  );
}

function hostPart(address: string): string {
  return address.split(/[/?#:]/, 1)[0] ?? '';
}

/** `example.org` for `example.com`. */
function isSwappedEnding(a: string, b: string): boolean {
  const nameA = a.slice(0, a.lastIndexOf('.'));
  const nameB = b.slice(0, b.lastIndexOf('.'));
  return nameA === nameB && nameA.length >= 4;
}

/** `example.com.pay.net`, `example-com.net`. */
function isExtended(a: string, b: string): boolean {
  return (
    a.startsWith(`${b}.`) || a.startsWith(`${b.replaceAll('.', '-')}.`) || a.startsWith(`${b.replaceAll('.', '-')}-`)
  );
}

/** For names of files and packages: other numbers (`report1`, `report2`) are usual, exchanged letters are not. */
function imitatesName(a: string, b: string): boolean {
  if (a.replace(/\d+/g, '#') === b.replace(/\d+/g, '#')) return false;
  if (skeleton(a) === skeleton(b)) return true;
  if (a.length < 7 || b.length < 7 || `${a}s` === b || a === `${b}s`) return false;
  return !/\d/.test(a + b) && (isTransposed(a, b) || distance(a, b, 1) <= 1);
}

/** Two neighbours changed places. */
export function isTransposed(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at + 1 < a.length && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** Levenshtein distance up to `most`, else any larger number: only a band of the table is filled. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = new Array<number>(b.length + 1).fill(most + 1);
    row[0] = i;
    const to = Math.min(b.length, i + most);
    for (let j = Math.max(1, i - most); j <= to; j++) {
      const change = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(change, above[j]! + 1, row[j - 1]! + 1);
    }
    above = row;
  }
  return above[b.length]!;
}
