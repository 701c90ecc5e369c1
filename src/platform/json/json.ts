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
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  endOfString,
  findDuplicateKey,
  findInexactInteger,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-text.ts';

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
