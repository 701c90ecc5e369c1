/**
 * JSON as models write it: line breaks inside strings, or a Python literal with single quotes, `True` and `None`. It is written anew
 * as JSON, which is read as strictly as any other.
 */
import { type Json, parseJson } from './json.ts';

/** A string in either quotes, or a word outside of strings. An open string goes to the end, so that each character is looked at once. */
const PARTS = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\b(?:True|False|None)\b/gs;
const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
/** What a JSON string may not hold as it is. */
const BARE_CONTROLS = /[\u0000-\u001f]/g;
/** Escapes that Python has and JSON has not: `\'`, `\x41`, and a line that goes on. */
const FOREIGN_ESCAPES = /\\(?:x([0-9a-fA-F]{2})|(['\n])|.)/gs;

/** The value that a text holds as JSON, or nearly so; undefined if it holds none. Time is linear in the text. */
export function parseLax(text: string): Json | undefined {
  return parseJson(text) ?? parseJson(text.replace(PARTS, rewritten));
}

function rewritten(part: string): string {
  const quote = part[0];
  if (quote !== '"' && quote !== "'") return WORDS[part]!;
  const inner = part.slice(1, part.length > 1 && part.endsWith(quote) ? -1 : undefined);
  const escaped = inner.replace(FOREIGN_ESCAPES, (whole, hex: string | undefined, plain: string | undefined) => {
    if (hex !== undefined) return `\\u00${hex}`;
    return plain === undefined ? whole : plain === '\n' ? '' : plain;
  });
  const quoted = quote === '"' ? escaped : escaped.replaceAll('\\"', '"').replaceAll('"', '\\"');
  return `"${quoted.replace(BARE_CONTROLS, (control) => JSON.stringify(control).slice(1, -1))}"`;
}
