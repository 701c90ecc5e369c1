/**
 * Strict JSON from bytes: text that two parsers could read differently is refused, so that what is scored is what any
 * other program sees. Refused beyond the grammar: invalid UTF-8, a byte order mark, duplicate keys (however spelt),
 * `__proto__` and `constructor.prototype`, numbers that are not finite, integers that a double cannot represent, too
 * deep nesting, too many keys.
 *
 * One pass over the text checks the depth before anything recursive runs and counts the keys; a duplicate key is one
 * that was counted and is missing in the parsed value.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import type { Json, JsonObject } from '../../lang/json.ts';
import { WeirError } from '../errors.ts';

export interface JsonLimits {
  /** Nested arrays and objects; the outermost counts as 1. Default 64: far above real events, far below any stack. */
  max_depth: number;
  /** Keys of all objects together. Default 10,000. */
  max_keys: number;
}

export const defaultJsonLimits: JsonLimits = { max_depth: 64, max_keys: 10_000 };

export interface ParsedJson {
  value: Json;
  /** An escape spells a U+0000 or a surrogate: the text must be checked before it is stored. */
  has_odd_characters: boolean;
}

/** Escapes of U+0000 and of surrogates; the grammar and the UTF-8 check refuse both when they are not escaped. */
const ODD_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** Whether JSON, as sent or as `JSON.stringify` writes it, may hold U+0000 or a lone surrogate. */
export const hasOddEscape = (json: string): boolean => ODD_ESCAPE.test(json);

/** Parses a body; throws `WeirError('invalid')` that says where the fault is and what to do. */
export function parseJson(raw: Buffer, limits: JsonLimits = defaultJsonLimits): ParsedJson {
  const text = decode(raw);
  const key_count = scan(text, limits);
  const value = parse(text);
  const seen: Seen = { keys: 0, has_large_number: false };
  checkValue(value, '', seen);
  if (seen.keys !== key_count) throw duplicateKey(text);
  if (seen.has_large_number) checkIntegers(text);
  return { value, has_odd_characters: hasOddEscape(text) };
}

function decode(raw: Buffer): string {
  if (isAscii(raw)) return raw.toString('latin1');
  if (!isUtf8(raw)) throw refused('the body is not valid UTF-8; encode it as UTF-8');
  const text = raw.toString('utf8');
  if (text.charCodeAt(0) === 0xfeff) throw refused('the body starts with a byte order mark; send it without');
  return text;
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const BACKSLASH = 0x5c;

/** Checks the depth and counts the keys (colons outside strings). `JSON.parse` finds the faults of the grammar. */
function scan(text: string, limits: JsonLimits): number {
  const length = text.length;
  let depth = 0;
  let keys = 0;
  for (let i = 0; i < length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i + 1);
        break;
      case COLON:
        if (++keys > limits.max_keys) throw tooManyKeys(limits.max_keys);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > limits.max_depth) throw tooDeep(limits.max_depth, i);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
    }
  }
  return keys;
}

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

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : 'unknown fault';
    throw refused(`the body is not valid JSON: ${message.charAt(0).toLowerCase()}${message.slice(1)}`);
  }
}

/** What a parsed value contains. */
interface Seen {
  keys: number;
  /** From this value on, a double cannot represent every integer. */
  has_large_number: boolean;
}

/** The first integer whose neighbour a double cannot represent. */
const LARGE = 2 ** 53;

/** Counts the keys of a parsed value and refuses forbidden content. The depth limit bounds the recursion. */
function checkValue(value: Json, path: string, seen: Seen): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw refused('the body holds a number that is out of range', path, 'out of range for a double; send it as text');
    seen.has_large_number ||= !isHarmless(value);
  } else if (isObject(value)) {
    if (Array.isArray(value)) checkArray(value, path, seen);
    else checkObject(value, path, seen);
  }
}

/** Values that cannot be at fault are skipped first, because building a path takes longer. */
function isHarmless(value: Json): boolean {
  if (typeof value === 'number') return value < LARGE && value > -LARGE;
  return !isObject(value);
}

function checkArray(items: Json[], path: string, seen: Seen): void {
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    if (!isHarmless(item)) checkValue(item, `${path}/${i}`, seen);
  }
}

function checkObject(object: JsonObject, path: string, seen: Seen): void {
  const names = Object.keys(object);
  seen.keys += names.length;
  for (const name of names) {
    if (name === '__proto__') throw forbiddenKey(path, name);
    const item = object[name]!;
    if (isHarmless(item)) continue;
    if (name === 'constructor' && isObject(item) && Object.hasOwn(item, 'prototype')) throw forbiddenKey(path, name);
    checkValue(item, `${path}/${name}`, seen);
  }
}

/** Two integers that become the same number would be the same content and, for an account number, another account. */
function checkIntegers(text: string): void {
  const path = findInexactInteger(text);
  if (path !== null)
    throw refused(
      'the body holds an integer that has more digits than a double keeps',
      path,
      'more digits than a double keeps; send it as text',
    );
}

function isObject(value: Json): value is JsonObject | Json[] {
  return typeof value === 'object' && value !== null;
}

function duplicateKey(text: string): WeirError {
  const path = findDuplicateKey(text);
  return refused('the body names a key twice', path, 'this key occurs twice in its object; send each key once');
}

function forbiddenKey(path: string, name: string): WeirError {
  return refused(`the body uses the reserved key \`${name}\``, `${path}/${name}`, 'this key is not allowed; rename it');
}

function tooDeep(limit: number, position: number): WeirError {
  return refused(`the body is nested deeper than ${limit} levels at position ${position}; flatten it`);
}

function tooManyKeys(limit: number): WeirError {
  return refused(`the body has more than ${limit} keys; send fewer`);
}

function refused(detail: string, path = '', message = detail): WeirError {
  return new WeirError('invalid', { detail, errors: [{ path: path.slice(0, 200), message }] });
}

// Where a fault is: these run only for bodies that are refused, or that hold a large number.

/**
 * JSON pointer of the first key that repeats an earlier one of its object; '' when there is none. Takes valid JSON.
 * Runs only after a duplicate is known to exist, so it is written for clarity, not for speed.
 */
function findDuplicateKey(text: string): string {
  return walk(text, text.length, true);
}

/** A double keeps every integer with fewer digits. */
const LEAST_DIGITS = 16;

/**
 * JSON pointer of the first integer that a double does not represent exactly; `null` when there is none. Takes valid
 * JSON. A number with a fraction or an exponent is a measurement, and may be rounded.
 */
function findInexactInteger(text: string): string | null {
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

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const PLUS = 0x2b;
const POINT = 0x2e;
const LETTER_E = 0x65;
/** The bit that makes an ASCII letter lower case. */
const LOWER = 0x20;

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

interface Level {
  /** Keys seen so far, decoded; `null` for an array. */
  names: Set<string> | null;
  /** The current key or index. */
  at: string;
  index: number;
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
