/**
 * The records of a result that is a list of them throughout, in a form other than objects: tables, lists and paragraphs of fields, XML,
 * and JSON that tells names of columns once. What a tool returned must read the same in whichever form it prints it.
 */
import { isObject, type Json, type JsonObject, parseJson } from '../../../../lang/json.ts';
import { snakeCase } from '../../../../lang/names.ts';
import { elementsOf } from '../../../../lang/xml.ts';
import { fieldsAmongLines, lineRecords } from './field-lines.ts';
import { rowsAmongLines, tableRecords } from './tables.ts';

type Fields = Map<string, string>;

/** A longer text is a document. */
const LONGEST = 262_144;
const MAX_DEPTH = 8;
const MAX_COLUMNS = 64;

/** Records by field in snake case; empty where the text is anything else, or more than one list. Linear in the text. */
export function recordsInForm(text: string): readonly Fields[] {
  const own = text.trim();
  if (own.length > LONGEST || own.length < 8) return [];
  if (own[0] === '<') {
    const elements = elementsOf(own);
    return elements === undefined ? [] : recordsInElements(elements, 0);
  }
  const tables = tableRecords(own);
  return tables.length > 0 ? tables : lineRecords(own);
}

/**
 * The objects of a text that has one of JSON in each line, all with the same fields; undefined for any other text. Strings of JSON hold no
 * line end, so that none of them adds a line.
 */
export function objectsInLines(text: string): JsonObject[] | undefined {
  if (text.length > LONGEST || !/^\s{0,8}\{/.test(text) || !/\}\s{0,8}\n\s{0,8}\{/.test(text)) return undefined;
  const { objects, has_others } = objectLines(text);
  const kinds = new Set(objects.map(({ object }) => Object.keys(object).join('\n')));
  return !has_others && kinds.size === 1 ? objects.map(({ object }) => object) : undefined;
}

/** A line that is an object of JSON. */
interface ObjectLine {
  line: string;
  object: JsonObject;
}

/**
 * The objects of JSON that stand in lines of their own, two at least; none where another line has brackets. `has_others`: lines of words
 * stand among them.
 */
export function objectLines(text: string): { objects: readonly ObjectLine[]; has_others: boolean } {
  const objects: ObjectLine[] = [];
  let has_others = false;
  for (const whole of text.split('\n')) {
    const line = whole.trim();
    if (!/[[{]/.test(line)) {
      has_others ||= line !== '';
      continue;
    }
    const object = line[0] === '{' ? parseJson(line) : undefined;
    if (!isObject(object)) return NO_OBJECTS;
    objects.push({ line, object });
  }
  return objects.length > 1 ? { objects, has_others } : NO_OBJECTS;
}

const NO_OBJECTS = { objects: [], has_others: false };

/** Records of a text, and its lines that belong to none. */
export interface AmongLines {
  records: readonly Fields[];
  others: readonly string[];
}

/** The records of a list that other lines interrupt, and these lines; no records where the text has none, or they are as rare as chance. */
export function recordsAmongLines(text: string): AmongLines {
  const from = text.indexOf('<');
  const to = text.lastIndexOf('>') + 1;
  const elements = from >= 0 && to > from ? recordsInForm(text.slice(from, to)) : [];
  if (elements.length > 0) return { records: elements, others: [text.slice(0, from), text.slice(to)].filter(isSaid) };
  const table = rowsAmongLines(text);
  return table.records.length > 0 ? table : fieldsAmongLines(text);
}

const isSaid = (text: string): boolean => text.trim() !== '';

/** The rows of a table in JSON: `{"columns": ["id", "name"], "rows": [[7, "ana"]]}`, under whatever names. */
export function recordsInColumns(value: Json): readonly Fields[] {
  if (!isObject(value)) return [];
  const lists = Object.values(value).filter((one) => Array.isArray(one));
  const names = lists.find((list) => list.length > 1 && list.length <= MAX_COLUMNS && list.every(isName));
  const rows = lists.find((list) => list !== names && list.length > 0 && list.every((row) => Array.isArray(row)));
  if (names === undefined || rows === undefined) return [];
  const keys = names.map((name) => snakeCase(String(name)));
  return (rows as Json[][]).flatMap((row) =>
    row.length === keys.length ? [new Map(keys.map((key, i) => [key, textOf(row[i]!)]))] : [],
  );
}

const isName = (value: Json): boolean => typeof value === 'string' && value !== '' && value.length <= 64;

const textOf = (value: Json): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Elements with texts inside are records; a table of HTML has its names in the cells of its first row. */
function recordsInElements(value: Json, depth: number): readonly Fields[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    const rows = value.flatMap((row) => (isObject(row) ? [cellsOf(row)] : []));
    const [names, ...others] = rows;
    if (names !== undefined && names.length > 1 && rows.length === value.length)
      return recordsInColumns({ names, rows: others });
    return value.flatMap((one) => recordsInElements(one, depth + 1));
  }
  if (!isObject(value)) return [];
  const texts = Object.entries(value).filter(([, one]) => typeof one !== 'object' && one !== null);
  const inner = Object.values(value).flatMap((one) => recordsInElements(one, depth + 1));
  if (texts.length < 2) return inner;
  return [...inner, new Map(texts.map(([key, one]) => [snakeCase(key), textOf(one)]))];
}

/** The cells of a row of an HTML table, each a text. */
function cellsOf(row: JsonObject): Json[] {
  const cells = row['th'] ?? row['td'];
  return Array.isArray(cells) && cells.every((cell) => typeof cell === 'string') ? cells : [];
}
