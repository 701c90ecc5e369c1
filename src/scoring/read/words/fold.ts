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

function buildTable(): Uint16Array {
  const table = new Uint16Array(65_536);
  for (let unit = 0; unit < 65_536; unit++) table[unit] = foldOne(unit);
  return table;
}

function foldOne(unit: number): number {
  if (unit < 0x80) return foldAscii(unit);
  if (unit < 0x250) return foldLatin(unit);
  if ((unit >= 0x300 && unit <= 0x36f) || (unit >= 0x200b && unit <= 0x200f)) return SKIP;
  if ((unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2060 && unit <= 0x2069) || unit === 0xfeff) return SKIP;
  if (unit >= 0xfe00 && unit <= 0xfe0f) return SKIP;
  if (unit >= 0x391 && unit <= 0x3a9) return unit + 32;
  if (unit >= 0x410 && unit <= 0x42f) return unit + 32;
  if (unit >= 0x400 && unit <= 0x40f) return unit + 80;
  if (unit >= 0xff01 && unit <= 0xff5e) return foldAscii(unit - 0xfee0);
  // Punctuation and symbols, general and of East Asia; everything else above Latin counts as letters.
  if ((unit >= 0x2000 && unit <= 0x2bff) || (unit >= 0x3000 && unit <= 0x303f)) return SEPARATOR;
  return unit;
}

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
  ['śŝşšſß', 's'],
  ['ţťŧþ', 't'],
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
