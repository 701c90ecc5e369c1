/**
 * The text of a condition as a flat list of tokens, in one pass without recursion, linear in the length of the text.
 * Anything but a name, a number, a string or a known sign is refused with its column and what to write instead.
 */
import { ConditionError } from './condition-error.ts';

export interface Token {
  kind: 'name' | 'number' | 'string' | 'sign';
  text: string;
  /** Offset of the first character in the condition. */
  start: number;
}

const WHITE_SPACE = new Set([' ', '\t', '\n', '\r']);
const TWO_CHARACTER_SIGNS = new Set(['==', '!=', '<=', '>=', '&&', '||']);
const ONE_CHARACTER_SIGNS = new Set('<>!+-*/%()[].,'.split(''));

/** A sign is looked up by its first two characters, then by its first character. */
const REFUSED_SIGNS: ReadonlyMap<string, string> = new Map([
  ['=>', '`=>` is not an operator; write >= for “at least”'],
  ['=<', '`=<` is not an operator; write <= for “at most”'],
  ['<>', '`<>` is not an operator; write !='],
  ['//', 'comments are not allowed in a condition; put them into the description'],
  ['/*', 'comments are not allowed in a condition; put them into the description'],
  ['**', '`**` is not an operator'],
  ['=', '`=` does not compare; write == to compare'],
  ['&', '`&` is not an operator; write AND or &&'],
  ['|', '`|` is not an operator; write OR or ||'],
  ['?', '`?` is not allowed; a condition has no “if … then … else”, use AND, OR and NOT'],
  [':', '`:` is not allowed outside a string'],
  ['{', 'maps are not allowed in a condition'],
  ['}', 'maps are not allowed in a condition'],
  [';', '`;` is not allowed; a condition is one expression, join parts with AND or OR'],
  ['`', 'backquotes are not allowed; write strings in single or double quotes'],
]);

const NAME_START = /[A-Za-z_]/;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?/y;
const WHOLE = /^[0-9]+$/;
const AFTER_NUMBER = /[A-Za-z0-9_.]/;
/** Control characters, lone surrogates, and marks that change the reading order: with them the visible text differs from the condition. */
const NOT_IN_A_STRING = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

/** The tokens of a condition, in order. Throws a {@link ConditionError} at the first character that starts no token. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    if (WHITE_SPACE.has(source[at]!)) {
      at += 1;
      continue;
    }
    const token = tokenAt(source, at);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(source: string, start: number): Token {
  const first = source[start]!;
  if (NAME_START.test(first)) return { kind: 'name', text: match(NAME, source, start), start };
  if (first >= '0' && first <= '9') return { kind: 'number', text: numberAt(source, start), start };
  if (first === '"' || first === "'") return { kind: 'string', text: stringAt(source, start), start };
  return { kind: 'sign', text: signAt(source, start), start };
}

function match(pattern: RegExp, source: string, start: number): string {
  pattern.lastIndex = start;
  return pattern.exec(source)?.[0] ?? '';
}

function numberAt(source: string, start: number): string {
  const text = match(NUMBER, source, start);
  const next = source[start + text.length];
  if (next !== undefined && AFTER_NUMBER.test(next)) {
    throw new ConditionError(
      start + 1,
      'not a number; write digits with at most one decimal point, such as 100 or 0.5',
    );
  }
  const value = Number(text);
  if (!Number.isFinite(value) || (WHOLE.test(text) && !Number.isSafeInteger(value))) {
    throw new ConditionError(
      start + 1,
      `the number \`${shorten(text)}\` is too large; the largest is ${Number.MAX_SAFE_INTEGER}`,
    );
  }
  return text;
}

function stringAt(source: string, start: number): string {
  const quote = source[start]!;
  let at = start + 1;
  while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1;
  if (at >= source.length) throw new ConditionError(start + 1, `the string is not closed; end it with ${quote}`);
  const text = source.slice(start, at + 1);
  const bad = NOT_IN_A_STRING.exec(text);
  if (bad !== null) {
    throw new ConditionError(
      start + 1 + bad.index,
      `${named(bad[0])} is invisible in a string; write it as ${escapeSequence(bad[0])}`,
    );
  }
  return text;
}

function signAt(source: string, start: number): string {
  const one = source[start]!;
  const two = source.slice(start, start + 2);
  if (TWO_CHARACTER_SIGNS.has(two)) return two;
  const refused = REFUSED_SIGNS.get(two) ?? (ONE_CHARACTER_SIGNS.has(one) ? undefined : REFUSED_SIGNS.get(one));
  if (refused !== undefined) throw new ConditionError(start + 1, refused);
  if (!ONE_CHARACTER_SIGNS.has(one)) throw new ConditionError(start + 1, strange(source, start));
  return one;
}

function strange(source: string, start: number): string {
  const character = String.fromCodePoint(source.codePointAt(start)!);
  if (character >= ' ' && character <= '~') return `\`${character}\` is not allowed outside a string`;
  return `${named(character)} is not allowed outside a string; only ASCII letters, digits, signs and plain spaces are`;
}

function named(character: string): string {
  return `the character U+${hex(character)}`;
}

function escapeSequence(character: string): string {
  return `\\u${hex(character)}`;
}

function hex(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
}

/** A customer's text as shown in a message: at most 40 characters. */
export function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}…`;
}
