/**
 * U+0000 and lone surrogates are legal in JSON text and impossible in a database. In identifiers they are refused; in
 * free text they become a visible escape before scoring and storing, so that what is scored is what is stored and a NUL
 * cannot hide text from scoring.
 */
import type { Json, JsonObject } from '../../lang/json.ts';

/** In Unicode mode a surrogate matches only when it is not part of a pair. */
const ODD = /\0|\p{Surrogate}/gu;

/**
 * True when PostgreSQL can store this text unchanged. It refuses U+0000 and would turn a lone surrogate into U+FFFD, so
 * that two ids became one.
 */
export function isPlainText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The text with every such character replaced by six visible ones: `\u0000`. */
export function escapeText(text: string): string {
  return isPlainText(text)
    ? text
    : text.replace(ODD, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for every string and key inside a value; `undefined` when two keys of one object become equal. */
export function escapeValue(value: Json): Json | undefined {
  if (typeof value === 'string') return escapeText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? escapeArray(value) : escapeObject(value);
}

function escapeArray(items: Json[]): Json[] | undefined {
  const result: Json[] = [];
  for (const item of items) {
    const escaped = escapeValue(item);
    if (escaped === undefined) return undefined;
    result.push(escaped);
  }
  return result;
}

function escapeObject(object: JsonObject): JsonObject | undefined {
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(object)) {
    const name = escapeText(key);
    const escaped = escapeValue(item);
    if (escaped === undefined || Object.hasOwn(result, name)) return undefined;
    result[name] = escaped;
  }
  return result;
}
