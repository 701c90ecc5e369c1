/** One spelling for equal JSON: keys sorted by UTF-16 unit, no spaces. What is hashed to tell a retry from a conflict. */
import type { Json } from '../scoring/types.ts';

/** The canonical text. Strings are quoted, so no two different values share one. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
}

function canonicalArray(items: Json[]): string {
  let text = '[';
  for (const item of items) text += (text.length > 1 ? ',' : '') + canonicalJson(item);
  return `${text}]`;
}

function canonicalObject(object: { [key: string]: Json }): string {
  let text = '{';
  for (const name of Object.keys(object).sort()) {
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(name)}:${canonicalJson(object[name]!)}`;
  }
  return `${text}}`;
}
