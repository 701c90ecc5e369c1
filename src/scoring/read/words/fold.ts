/**
 * Folds characters to one form before words are compared: case, accents, full-width and invisible characters must not
 * decide whether two values are the same. The table is fixed, so that every machine folds alike.
 */

/** The character separates words. */
export const SEPARATOR = 0;
/** The character is ignored: it is invisible (zero-width, soft hyphen) or a combining mark. */
export const SKIP = 1;

/** Second letter of a character that folds to two (`ä` → `ae`), 0 for all others. */
export function secondUnit(unit: number): number {
  if (unit === 0xe4 || unit === 0xc4 || unit === 0xf6 || unit === 0xd6 || unit === 0xfc || unit === 0xdc) return 0x65;
  if (unit === 0xe6 || unit === 0xc6 || unit === 0x153 || unit === 0x152) return 0x65;
  return unit === 0xdf ? 0x73 : 0;
}

/** Ideographs and kana have no spaces between words, so each is a word. */
export function isIdeograph(unit: number): boolean {
  return unit >= 0x3041 && unit <= 0x9fff;
}

/** The text folded, with its separators, for comparing whole values. */
export function foldText(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const to = FOLD[unit]!;
    if (to === SKIP) continue;
    folded += to === SEPARATOR ? text.charAt(i) : String.fromCharCode(to);
    const second = unit < 0xc0 ? 0 : secondUnit(unit);
    if (second !== 0) folded += String.fromCharCode(second);
  }
  return folded;
}

/** The words of a text, folded: runs of letters and digits. */
export const wordsIn = (text: string): string[] => runsIn(foldText(text), NO_LETTER_OR_DIGIT);

/** The words of a text, folded: runs of letters, so that digits part words. */
export const letterWordsIn = (text: string): string[] => runsIn(foldText(text), NO_LETTER);

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/u;
const NO_LETTER = /[^\p{L}]+/u;

const runsIn = (folded: string, between: RegExp): string[] => folded.split(between).filter((word) => word !== '');

/** Letters and digits alone: `Ward-7` and `Ward7` are one name. */
export const bare = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, '');

/** Beginnings and ends of blocks of ideographs and of syllables of Korean, which fold to themselves: most of the table. */
const CASELESS: readonly (readonly [number, number])[] = [
  [0x3040, 0xa63f],
  [0xac00, 0xf8ff],
];

function buildTable(): Uint16Array {
  const table = new Uint16Array(65_536);
  let unit = 0;
  for (const [from, to] of CASELESS) {
    for (; unit < from; unit++) table[unit] = foldOne(unit);
    for (; unit <= to; unit++) table[unit] = unit;
  }
  for (; unit < 65_536; unit++) table[unit] = foldOne(unit);
  return table;
}

/** Scripts with two cases beyond those that `foldScript` names, by Unicode's own pairs of one code unit each. */
function foldOne(unit: number): number {
  const folded = foldScript(unit);
  if (folded !== unit || unit < 0x180) return folded;
  if (unit === FINAL_SIGMA) return SIGMA;
  const isGreek = (unit >= 0x370 && unit <= 0x3ff) || (unit >= 0x1f00 && unit <= 0x1fff);
  // Capitals of Greek carry no accents: «ΔΙΑΓΡΑΨΕ» is «διάγραψε».
  const letter = isGreek ? String.fromCharCode(unit).normalize('NFD').charAt(0) : String.fromCharCode(unit);
  const lower = letter.toLowerCase();
  if (lower.length !== 1) return unit;
  return lower.charCodeAt(0) === FINAL_SIGMA ? SIGMA : foldScript(lower.charCodeAt(0));
}

const SIGMA = 0x3c3;
const FINAL_SIGMA = 0x3c2;

function foldScript(unit: number): number {
  if (unit < 0x80) return foldAscii(unit);
  if (unit < 0x250) return foldLatin(unit);
  if ((unit >= 0x300 && unit <= 0x36f) || (unit >= 0x200b && unit <= 0x200f)) return SKIP;
  if ((unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2060 && unit <= 0x2069) || unit === 0xfeff) return SKIP;
  if (unit >= 0xfe00 && unit <= 0xfe0f) return SKIP;
  // No letter has the number 0x3a2, the place of a capital of the final sigma.
  if (unit >= 0x391 && unit <= 0x3a9 && unit !== 0x3a2) return unit + 32;
  if (unit >= 0x410 && unit <= 0x42f) return unit + 32;
  if (unit >= 0x400 && unit <= 0x40f) return unit + 80;
  if (unit >= 0xff01 && unit <= 0xff5e) return foldAscii(unit - 0xfee0);
  if (unit >= 0x600 && unit <= 0x9ff) return foldSouthern(unit);
  // Punctuation and symbols, general and of East Asia; everything else above Latin counts as letters.
  if ((unit >= 0x2000 && unit <= 0x2bff) || (unit >= 0x3000 && unit <= 0x303f)) return SEPARATOR;
  return unit;
}

/** Arabic, Devanagari and Bengali: marks of vowels and dots are ignored, letters that are written in several ways become one. */
function foldSouthern(unit: number): number {
  if (SOUTHERN_STOPS.has(unit)) return SEPARATOR;
  const isVowelMark = (unit >= 0x64b && unit <= 0x65f) || unit === 0x670 || unit === 0x640;
  if (isVowelMark || unit === 0x93c || unit === 0x9bc) return SKIP;
  return SOUTHERN.get(unit) ?? unit;
}

/** Comma, semicolon, question mark and full stops of these scripts. */
const SOUTHERN_STOPS: ReadonlySet<number> = new Set([0x60c, 0x61b, 0x61f, 0x66a, 0x6d4, 0x964, 0x965]);
/** Alef with hamza or madda, yeh and kaf of Persian and Urdu, heh of Urdu; consonants with a dot below. */
const SOUTHERN: ReadonlyMap<number, number> = new Map([
  [0x622, 0x627],
  [0x623, 0x627],
  [0x625, 0x627],
  [0x649, 0x64a],
  [0x6cc, 0x64a],
  [0x6a9, 0x643],
  [0x6c1, 0x647],
  [0x958, 0x915],
  [0x959, 0x916],
  [0x95a, 0x917],
  [0x95b, 0x91c],
  [0x95c, 0x921],
  [0x95d, 0x922],
  [0x95e, 0x92b],
  [0x95f, 0x92f],
  [0x9dc, 0x9a1],
  [0x9dd, 0x9a2],
  [0x9df, 0x9af],
]);

function foldAscii(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit;
  if (unit >= 0x41 && unit <= 0x5a) return unit + 32;
  return unit >= 0x61 && unit <= 0x7a ? unit : SEPARATOR;
}

const LATIN_BASE: readonly [string, string][] = [
  ['àáâãäåāăąæ', 'a'],
  ['çćĉċč', 'c'],
  ['ďđð', 'd'],
  ['èéêëēĕėęě', 'e'],
  ['ĝğġģ', 'g'],
  ['ĥħ', 'h'],
  ['ìíîïĩīĭįı', 'i'],
  ['ĵ', 'j'],
  ['ķ', 'k'],
  ['ĺļľŀł', 'l'],
  ['ñńņňŉŋ', 'n'],
  ['òóôõöøōŏőœ', 'o'],
  ['ŕŗř', 'r'],
  ['śŝşšșſß', 's'],
  ['ţťțŧþ', 't'],
  ['ùúûüũūŭůűų', 'u'],
  ['ŵ', 'w'],
  ['ýÿŷ', 'y'],
  ['źżž', 'z'],
];
const LATIN = new Map(LATIN_BASE.flatMap(([from, to]) => [...from].map((c) => [c.charCodeAt(0), to.charCodeAt(0)])));

function foldLatin(unit: number): number {
  if (unit === 0xad) return SKIP;
  if (unit < 0xc0) return unit === 0xaa || unit === 0xb5 || unit === 0xba ? unit : SEPARATOR;
  if (unit === 0xd7 || unit === 0xf7) return SEPARATOR;
  return LATIN.get(unit) ?? LATIN.get(lowerLatin(unit)) ?? unit;
}

function lowerLatin(unit: number): number {
  if (unit <= 0xde) return unit + 32;
  if (unit === 0x178) return 0xff;
  // In Latin Extended-A capitals come first of a pair; the parity of the pairs changes at two places.
  const isOddCapital = (unit >= 0x139 && unit <= 0x148) || (unit >= 0x179 && unit <= 0x17e);
  return isOddCapital === (unit % 2 === 1) ? unit + 1 : unit;
}

/** The folded form of every code unit, `SEPARATOR` or `SKIP`; a table, because it is read for every character of a text. */
export const FOLD: Uint16Array = buildTable();
