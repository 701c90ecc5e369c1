/**
 * Undoes the representations in which text from outside arrives: a string in JSON in a string in JSON, a Python `repr`, HTML
 * entities, at any depth that occurs. What an escape stands for must not decide where a sentence ends.
 */
import { type Json, parseJson } from '../../../../lang/json.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf } from '../../../../ontology/words.ts';

/** A run of backslashes before an escaped character: a level of JSON doubles it, so 64 are six levels. */
const ESCAPE = /(?<!\\)\\{1,64}(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrt"'`/]))/g;
/** `&lt;`, `&amp;amp;lt;`, `&#60;`, `&#x3c;`. */
const ENTITY = /&(?:amp;){0,8}(?:#(\d{1,6})|#[xX]([0-9a-fA-F]{1,5})|([a-zA-Z]{2,8}));/g;

const entitiesOf = perOntology((ontology) => inverseOf(ontology, 'html_entities'));

/** The text without escapes and entities; the same text if it has none. Linear in its length. */
export function unnested(text: string, ontology: Ontology): string {
  const plain = text.includes('\\') ? text.replace(ESCAPE, characterOf) : text;
  if (!plain.includes('&')) return plain;
  const entities = entitiesOf(ontology);
  return plain.replace(ENTITY, (all: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities.get(name.toLowerCase()) ?? all;
    return unitOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ?? all;
  });
}

const characterOf = (all: string, unicode?: string, byte?: string, plain?: string): string => {
  if (plain !== undefined) return plain === 'n' || plain === 'r' ? '\n' : plain === 't' ? '\t' : plain;
  return unitOf(Number.parseInt(unicode ?? byte ?? '', 16)) ?? all;
};

/** The character of a code that text may hold; control characters other than blanks are left as they are written. */
function unitOf(code: number): string | undefined {
  if (code === 9 || code === 10 || code === 13) return code === 13 ? '\n' : String.fromCharCode(code);
  return code < 0x20 || code > 0x10_ffff ? undefined : String.fromCodePoint(code);
}

const LONGEST_RECORDS = 262_144;
/** A text of a record may be JSON again. */
const MAX_LEVELS = 4;
const MAX_DEPTH = 64;
const JSON_ESCAPE = /\\(u[0-9a-fA-F]{4}|.)/gs;
/** A line end within a text, until it is known whether the records stand in lines. */
const BREAK = '\u0000';
const PLAIN_SIGNS: Readonly<Record<string, string>> = { '"': "'", n: BREAK, r: BREAK, t: ' ', '\\': '\\\\' };
const ESCAPED = /\\["nrt]/;

/**
 * The text of a result in which each field ends where its JSON or XML says; empty where the result without its escapes says the same.
 * For those who read the words a quotation mark stands as it is, and there it would end a text, so that what a stranger wrote behind
 * it reads like further fields: `Old Mill", "booking_id": "B-40018`.
 */
export function recordsTextOf(said: string): { records_text?: string } {
  if (said.length > LONGEST_RECORDS) return {};
  // `&lt;` in an element is not a tag.
  if (/^\s{0,8}</.test(said)) return said.includes('&') ? { records_text: said } : {};
  if (!ESCAPED.test(said) || !/^\s{0,8}[{[]/.test(said)) return {};
  const values = valuesIn(said);
  if (values.length === 0 || !values.every(isShallow)) return {};
  const is_in_lines = values.length > 1 || said.includes('[[');
  const text = values.map((value) => plainTextOf(nestedIn(value, MAX_LEVELS))).join('\n');
  return { records_text: is_in_lines ? text.replaceAll(BREAK, ' ') : text.replaceAll(BREAK, '\n') };
}

/** The value of the text, or one of each of its lines; empty where it is neither. */
function valuesIn(said: string): Json[] {
  const whole = parseJson(said);
  if (whole !== undefined) return [whole];
  const values: Json[] = [];
  for (const line of said.split('\n')) {
    if (line.trim() === '') continue;
    const value = line.trimStart().startsWith('{') ? parseJson(line) : undefined;
    if (value === undefined) return [];
    values.push(value);
  }
  return values;
}

/** Deeper values are no records, and each level takes a place on the stack. */
function isShallow(value: Json): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? (Object.values(one) as Json[]) : []));
  }
  return true;
}

function nestedIn(value: Json, levels: number): Json {
  if (levels === 0) return value;
  if (typeof value === 'string') {
    const inner = /^\s{0,8}[{[]/.test(value) ? parseJson(value) : undefined;
    return inner === undefined || !isShallow(inner) ? value : nestedIn(inner, levels - 1);
  }
  if (Array.isArray(value)) return value.map((one) => nestedIn(one, levels));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, nestedIn(one, levels)]));
}

/** JSON with plain signs in place of escapes, and quotation marks that end nothing. */
const plainTextOf = (value: Json): string =>
  JSON.stringify(value).replace(JSON_ESCAPE, (all, sign: string) => PLAIN_SIGNS[sign] ?? all);
