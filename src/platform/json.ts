/**
 * JSON from bytes, strictly: what two readers could read differently is refused, so that what is scored is what any
 * other program sees. Refused on top of the grammar: invalid UTF-8, a byte order mark, duplicate keys (however spelt),
 * `__proto__` and `constructor.prototype`, numbers that are not finite, too deep nesting, too many keys.
 *
 * One pass over the text checks the depth before anything recursive runs and counts the keys; a duplicate key is a key
 * that was counted but is not in the parsed value.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import type { Json, JsonObject } from '../scoring/types.ts';
import { WeirError } from './errors.ts';
import { endOfString, findDuplicateKey } from './json-text.ts';

export interface JsonLimits {
  /** Nested arrays and objects; the outermost counts as 1. Default 64: far above real events, far below any stack. */
  max_depth: number;
  /** Keys of all objects together. Default 10,000. */
  max_keys: number;
}

export const defaultJsonLimits: JsonLimits = { max_depth: 64, max_keys: 10_000 };

export interface ParsedJson {
  value: Json;
  /** A U+0000 or a surrogate is spelt with an escape somewhere: text must be looked at before it is kept. */
  has_odd_characters: boolean;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Escapes of U+0000 and of surrogates; raw, neither survives the grammar and the check for UTF-8. */
const ODD_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** Whether JSON, as sent or as `JSON.stringify` writes it, may hold U+0000 or half of a surrogate pair. */
export const hasOddEscape = (json: string): boolean => ODD_ESCAPE.test(json);

/** Parses a body; throws `WeirError('invalid')` that says where the fault is and what to do. */
export function parseJson(raw: Buffer, limits: JsonLimits = defaultJsonLimits): ParsedJson {
  const text = decode(raw);
  const key_count = scan(text, limits);
  const value = parse(text);
  if (checkValue(value, '') !== key_count) throw duplicateKey(text);
  return { value, has_odd_characters: hasOddEscape(text) };
}

/** Keys of all objects in a value that `parseJson` took. */
export function countKeys(value: Json): number {
  return checkValue(value, '');
}

function decode(raw: Buffer): string {
  if (isAscii(raw)) return raw.toString('latin1');
  if (!isUtf8(raw)) throw refused('the body is not valid UTF-8; encode it as UTF-8');
  const text = raw.toString('utf8');
  if (text.charCodeAt(0) === 0xfeff) throw refused('the body starts with a byte order mark; send it without');
  return text;
}

/** Checks the depth and counts the keys (colons outside strings). Faults of the grammar are left to `JSON.parse`. */
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

/** Counts the keys of a parsed value and refuses what it must not hold. Recursion is bounded by the depth limit. */
function checkValue(value: Json, path: string): number {
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? checkArray(value, path) : checkObject(value, path);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw refused('the body holds a number that is out of range', path, 'out of range for a double; send it as text');
  }
  return 0;
}

function checkArray(items: Json[], path: string): number {
  let keys = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    if (typeof item === 'object' || typeof item === 'number') keys += checkValue(item, `${path}/${i}`);
  }
  return keys;
}

function checkObject(object: JsonObject, path: string): number {
  const names = Object.keys(object);
  let keys = names.length;
  for (const name of names) {
    if (name === '__proto__') throw forbiddenKey(path, name);
    const item = object[name]!;
    if (typeof item === 'string') continue;
    if (name === 'constructor' && isObject(item) && Object.hasOwn(item, 'prototype')) throw forbiddenKey(path, name);
    keys += checkValue(item, `${path}/${name}`);
  }
  return keys;
}

function isObject(value: Json): value is JsonObject | Json[] {
  return typeof value === 'object' && value !== null;
}

function duplicateKey(text: string): WeirError {
  const path = findDuplicateKey(text);
  return refused('the body names a key twice', path, 'this key stands twice in its object; send each key once');
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
