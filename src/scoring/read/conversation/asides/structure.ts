/**
 * The records of a result without what stands around them. A line behind a list, a further field in one of its records or an object
 * around the whole makes the list another shape for those who read it, and what they found by comparing its records is lost.
 */
import { isObject, type Json, type JsonObject } from '../../../../lang/json.ts';
import { parseLax } from '../../../../lang/lax-json.ts';
import { objectsInLines, recordsAmongLines, recordsInForm } from '../transcript/record-forms.ts';

/** Characters of the shortest text in brackets that holds a record: `{"id": 104}`. */
const SHORTEST = 11;
/** A longer text of lines is a document. */
const MAX_LISTED = 131_072;
/** Fields of an object that is only the cover of a text. */
const MOST_COVER = 4;
const MAX_DEPTH = 32;
const FIELD = /[\w"']\s{0,4}:/;

/** Which of several records counts. */
type Which = 'first' | 'last';

/** The result as its first and its last record alone; the same text where it has none, or nothing else. */
export function recordsAlone(text: string, wrapping: ReadonlySet<string>): Readonly<Record<Which, string>> {
  const lines = recordLinesFirst(text);
  if (lines !== text || (!text.includes('{') && !text.includes('['))) return { first: lines, last: lines };
  return { first: listAlone(text, 'first', wrapping), last: listAlone(text, 'last', wrapping) };
}

function listAlone(text: string, which: Which, wrapping: ReadonlySet<string>): string {
  const uncovered = withoutCover(oneOf(text, which), wrapping);
  const value = valueIn(uncovered);
  if (value === undefined) return uncovered;
  const left = withSharedFields(value, 0);
  return left === value ? uncovered : JSON.stringify(left);
}

/** The object or list that the whole text is, in whichever form; undefined for any other text. */
export function valueIn(text: string): JsonObject | Json[] | undefined {
  if (!text.includes('{') && !/^\s{0,8}\[/.test(text)) {
    const records = recordsInForm(text);
    return records.length === 0 ? undefined : records.map((fields) => Object.fromEntries(fields));
  }
  if (!/^\s{0,8}[[{]/.test(text)) return undefined;
  const value = parseLax(text);
  if (value === undefined) return objectsInLines(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function oneOf(text: string, which: Which): string {
  const found = bracketed(text);
  if (found.length === 0) return text;
  const lists = listsOf(found, text);
  const list = which === 'first' ? lists[0]! : lists.at(-1)!;
  const one = list.map(([from, to]) => text.slice(from, to));
  // What stands between objects of one kind is blank, so a result that is such a list stays as it is.
  if (list.length === 1) return one[0]!;
  const whole = text.slice(list[0]![0], list.at(-1)![1]);
  return whole === text.trim() && isOfSameFields(one) ? text : `[${one.join(',')}]`;
}

type Span = readonly [from: number, to: number];

/** Objects in lines of their own, with the fields that one of them has, are one list: each alone would be another result. */
function listsOf(found: readonly Span[], text: string): Span[][] {
  const lists: Span[][] = [];
  let fields: readonly string[] = [];
  let end = 0;
  for (const span of found) {
    const own = fieldsOf(text.slice(...span));
    const isNext =
      lists.length > 0 && /^[ \t\r]{0,8},?[ \t\r]{0,8}\n\s{0,8}$/.test(text.slice(end, span[0]).slice(0, 32));
    const isKind = own.length > 1 && fields.length > 1 && (isWithin(own, fields) || isWithin(fields, own));
    if (isNext && isKind) lists.at(-1)!.push(span);
    else lists.push([span]);
    fields = own;
    end = span[1];
  }
  return lists;
}

function fieldsOf(text: string): readonly string[] {
  const value = text.startsWith('{') ? valueIn(text) : undefined;
  return value === undefined || Array.isArray(value) ? [] : Object.keys(value);
}

const isWithin = (some: readonly string[], all: readonly string[]): boolean => {
  const names = new Set(all);
  return some.every((name) => names.has(name));
};

function isOfSameFields(objects: readonly string[]): boolean {
  const [first = '', ...others] = objects.map((one) => fieldsOf(one).toSorted().join('\n'));
  return others.every((one) => one === first);
}

/**
 * A table, or lines of fields, with text among its lines: the records as JSON, then the other lines. A line end in a cell, or a line
 * behind the list, makes it a text for those who read records, and nothing that it tells may be lost to those who read words.
 */
function recordLinesFirst(text: string): string {
  if (text.length > MAX_LISTED || !text.includes('\n') || (/^\s*[{[]/.test(text) && valueIn(text) !== undefined))
    return text;
  const whole = recordsInForm(text);
  const { records, others } = whole.length > 0 ? { records: whole, others: [] } : recordsAmongLines(text);
  if (records.length < 2) return text;
  const value = records.map((fields) => Object.fromEntries(fields));
  const left = withSharedFields(value, 0);
  if (left === value && whole.length > 0) return text;
  return [JSON.stringify(left), ...others].join('\n');
}

/** The texts in brackets that hold a field, without those inside others. One walk over the text. */
function bracketed(text: string): (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  let depth = 0;
  let start = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (quote !== '') {
      if (sign === '\\') at++;
      else if (sign === quote && (quote === '"' || !isLetter(text[at + 1]))) quote = '';
    } else if (sign === '{' || sign === '[') {
      if (depth++ === 0) start = at;
    } else if (depth > 0) {
      if (sign === '"' || (sign === "'" && !isLetter(text[at - 1]))) quote = sign;
      else if ((sign === '}' || sign === ']') && --depth === 0) {
        const end = at + 1;
        if (end - start >= SHORTEST && FIELD.test(text.slice(start, end))) found.push([start, end]);
      }
    }
  }
  return found;
}

const isLetter = (sign: string | undefined): boolean => sign !== undefined && /\w/.test(sign);

/** `{"note": "…", "content": "…"}`: the text inside a small object whose other fields are no records either. */
function withoutCover(text: string, wrapping: ReadonlySet<string>): string {
  const value = valueIn(text);
  if (value === undefined || Array.isArray(value)) return text;
  const entries = Object.entries(value);
  if (entries.length > MOST_COVER || entries.some(([, one]) => typeof one === 'object' && one !== null)) return text;
  const inside = entries.filter(([name, one]) => typeof one === 'string' && wrapping.has(name.toLowerCase()));
  return inside.length === 1 ? (inside[0]![1] as string) : text;
}

/**
 * Lists of records without the fields that not all records have, where one record at least has no others: `{"id": 5, "name": "Ida"}`
 * and `{"id": 9, "name": "Ida", "remark": "…"}` are two of a kind. Returns the value itself where nothing is left out.
 */
function withSharedFields(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  const inner = Object.entries(value).map(([key, one]: [string, Json]) => {
    const left = withSharedFields(one, depth + 1);
    return { key, left, is_changed: left !== one };
  });
  const is_changed = inner.some((one) => one.is_changed);
  if (!Array.isArray(value)) return is_changed ? Object.fromEntries(inner.map(({ key, left }) => [key, left])) : value;
  const list = is_changed ? inner.map(({ left }) => left) : value;
  if (list.length < 2 || !list.every(isObject)) return list;
  const fewest = list.reduce((least, one) => (Object.keys(one).length < Object.keys(least).length ? one : least));
  const shared = Object.keys(fewest);
  const is_kind = shared.length > 0 && list.every((one) => shared.every((name) => Object.hasOwn(one, name)));
  if (!is_kind || list.every((one) => Object.keys(one).length === shared.length)) return list;
  return list.map((one) => Object.fromEntries(shared.map((name) => [name, one[name]!])));
}
