/** JSON as text: where a string ends, where a duplicate key is, and which integer a double cannot represent. */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const PLUS = 0x2b;
const POINT = 0x2e;
const LETTER_E = 0x65;
/** The bit that makes an ASCII letter lower case. */
const LOWER = 0x20;

/** Index of the closing quote of the string whose text starts at `start`; the end of the text when there is none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1) {
    let before = end;
    while (before > start && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if (((end - before) & 1) === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

interface Level {
  /** Keys seen so far, decoded; `null` for an array. */
  names: Set<string> | null;
  /** The current key or index. */
  at: string;
  index: number;
}

/**
 * JSON pointer of the first key that repeats an earlier one of its object; '' when there is none. Takes valid JSON.
 * Runs only after a duplicate is known to exist, so it is written for clarity, not for speed.
 */
export function findDuplicateKey(text: string): string {
  return walk(text, text.length, true);
}

/** A double keeps every integer with fewer digits. */
const LEAST_DIGITS = 16;

/**
 * JSON pointer of the first integer that a double does not represent exactly; `null` when there is none. Takes valid
 * JSON. A number with a fraction or an exponent is a measurement, and may be rounded.
 */
export function findInexactInteger(text: string): string | null {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i + 1);
    else if (isOfNumber(code)) {
      const start = i;
      while (isOfNumber(text.charCodeAt(i + 1))) i += 1;
      if (i - start + 1 >= LEAST_DIGITS && isInexact(text.slice(start, i + 1))) return walk(text, start, false);
    }
  }
  return null;
}

/** Outside of strings: a digit, a sign, a point. `e` also occurs in `true`, which does no harm here. */
const isOfNumber = (code: number): boolean =>
  (code >= ZERO && code <= NINE) || code === MINUS || code === PLUS || code === POINT || (code | LOWER) === LETTER_E;

/**
 * Whether an integer has other digits when it is serialised again: JavaScript writes the shortest text that identifies
 * the double.
 */
function isInexact(number: string): boolean {
  if (!/^-?\d+$/.test(number)) return false;
  const [mantissa, exponent = '0'] = String(Number(number)).split('e+');
  const [whole, fraction = ''] = mantissa!.split('.');
  return whole + fraction.padEnd(Number(exponent), '0') !== number;
}

/** JSON pointer of the first repeated key, where that is searched, otherwise of the value at `end`. */
function walk(text: string, end_at: number, finds_duplicates: boolean): string {
  const levels: Level[] = [];
  const here = (): string => levels.map(({ at }) => `/${escapePointer(at)}`).join('');
  let expects_key = false;
  for (let i = 0; i < end_at; i++) {
    const level = levels.at(-1);
    switch (text[i]) {
      case '{':
      case '[':
        expects_key = text[i] === '{';
        levels.push({ names: expects_key ? new Set() : null, at: '0', index: 0 });
        break;
      case '}':
      case ']':
        levels.pop();
        expects_key = false;
        break;
      case ',':
        if (level?.names === null) level.at = String(++level.index);
        else expects_key = true;
        break;
      case '"': {
        const end = endOfString(text, i + 1);
        if (expects_key && level?.names) {
          level.at = JSON.parse(text.slice(i, end + 1)) as string;
          if (finds_duplicates && level.names.has(level.at)) return here();
          level.names.add(level.at);
          expects_key = false;
        }
        i = end;
        break;
      }
    }
  }
  return finds_duplicates ? '' : here();
}

/** One token of a JSON pointer (RFC 6901). */
function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
