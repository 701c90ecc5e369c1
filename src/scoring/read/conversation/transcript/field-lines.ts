/** Records as lines: a YAML list, paragraphs of `name: value`, such fields in one line each, or items with an id each. */
import { unquoted } from '../../../../lang/ends.ts';
import { shapeOf, snakeCase } from '../../../../lang/names.ts';

type Fields = Map<string, string>;

const MAX_LINES = 2_000;
/** `- id: 7`, as a list of YAML begins a record. */
export const ITEM = /^( {0,16})- (?=[\w.-]{1,64}:(?: |$))/;
/** `owner: ana`, `Event name: Review`: a name of three words at most, so that a sentence with a colon is none. */
const FIELD = /^([\p{L}_][\p{L}\p{N}_./-]{0,40}(?: [\p{L}\p{N}_./-]{1,24}){0,2}) {0,4}: {0,4}([^\n]*)$/u;
const PART = /, (?=[\p{L}_][\p{L}\p{N}_./ -]{0,60}: )/u;
const LEAST_FIELDS = 2;
/** `- Review [B-400]`, `2) Review`. */
const BULLET = /^ {0,8}(?:[-*•–]|\d{1,3}[.)]) {1,4}(\S.{0,400})$/;
/** `Found 3 bookings:` */
const INTRODUCTION = /^[^\n]{1,120}:\s{0,4}$/;
/** An id: digits with letters or signs, or three digits and more; without a sign before them four, since people count and measure. */
const ID = /(?<![\w.,:/@-])(?=[\w-]{0,40}\d)(?:[A-Za-z]{1,8}[-_]?[\w-]{1,40}|\d[\w-]{2,40})(?![\w@]|[.,:/]\d)/g;
const DATE = /^\d{4}-\d{2}-\d{2}/;
const COUNT = /^\d{1,3}$/;
/** Nobody says what kind of id an item has, so that it stands for no field of any parameter. */
const ITEM_ID = '#';

/** The records of a text that holds nothing else; empty where it holds something else. */
export function lineRecords(text: string): Fields[] {
  const lines = text.split(/\r?\n/, MAX_LINES + 1);
  if (lines.length > MAX_LINES) return [];
  for (const read of [listRecords, paragraphRecords, itemRecords]) {
    const records = read(lines);
    if (records.length > 0) return records;
  }
  return [];
}

/**
 * Items that have an id each, all of one shape: «- Harbour House (B-40017), 3 December». Of several such words in an item the one in
 * brackets or behind a number sign is the id.
 */
function itemRecords([first = '', ...others]: readonly string[]): Fields[] {
  const lines = INTRODUCTION.test(first) ? others : [first, ...others];
  const items: Fields[] = [];
  const shapes = new Set<string>();
  for (const line of lines) {
    if (line.trim() === '') continue;
    const said = BULLET.exec(line)?.[1];
    if (said === undefined) return [];
    const found = [...said.matchAll(ID)].filter(([word]) => !DATE.test(word));
    const marked = found.filter(({ index }) => /[[(#]$/.test(said.slice(0, index).replace(/[\p{L}:.]{1,10} ?$/u, '')));
    const [id, ...more] = marked.length > 0 ? marked : found.filter(([word]) => !COUNT.test(word));
    if (id === undefined || more.length > 0) return [];
    const beside = `${said.slice(0, id.index)} ${said.slice(id.index + id[0].length)}`
      .replace(/[^\p{L}\p{N}.,:-]+/gu, ' ')
      .trim();
    shapes.add(shapeOf(id[0]));
    items.push(
      new Map([
        [ITEM_ID, id[0]],
        ['name', beside],
      ]),
    );
  }
  return items.length > 1 && shapes.size === 1 ? items : [];
}

/** The records of a YAML list. What is deeper than a field is part of its value; what is shallower, and no name of a list, ends it. */
function listRecords(lines: readonly string[]): Fields[] {
  const records: Fields[] = [];
  let indent = -1;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const item = ITEM.exec(line);
    const column = item === null ? line.search(/\S/) : item[1]!.length + 2;
    if (item !== null && (indent === -1 || column === indent)) {
      indent = column;
      records.push(new Map());
    } else if (indent === -1) {
      if (!/^[\w. -]{1,64}:\s{0,4}$/.test(line)) return [];
      continue;
    } else if (column < indent) return [];
    if (column !== indent) continue;
    for (const part of line.slice(indent).split(PART)) {
      const field = FIELD.exec(part);
      if (field === null) return [];
      records.at(-1)!.set(snakeCase(field[1]!), unquoted(field[2]!.trim()));
    }
  }
  return records;
}

/** Paragraphs each line of which is a field, and lines each part of which is one. */
function paragraphRecords(lines: readonly string[]): Fields[] {
  const records: Fields[] = [];
  let open: Fields | undefined;
  for (const line of lines) {
    const own = line.trim();
    if (own === '' || /^[-=*]{3,}$/.test(own)) {
      open = undefined;
      continue;
    }
    const parts = own.split(PART);
    if (parts.length >= LEAST_FIELDS) open = undefined;
    for (const part of parts) {
      const field = FIELD.exec(part);
      if (field === null) return [];
      if (open === undefined) records.push((open = new Map()));
      open.set(snakeCase(field[1]!), unquoted(field[2]!.trim()));
    }
    if (parts.length >= LEAST_FIELDS) open = undefined;
  }
  return records.some(({ size }) => size >= LEAST_FIELDS) ? records : [];
}

/** Records of the same first field among other lines: each line of a record is a field, and another line ends none. */
export function fieldsAmongLines(text: string): { records: Fields[]; others: string[] } {
  const records: Fields[] = [];
  const others: string[] = [];
  let first = '';
  for (const line of text.split('\n', MAX_LINES)) {
    const own = line.trim().replace(/^- /, '');
    const fields = own.split(PART).map((part) => FIELD.exec(part));
    if (own === '' || fields.some((field) => field === null)) {
      // What goes on with a value belongs to its record: a mail in a list of YAML.
      if (/^\s+\S/.test(line)) return { records: [], others: [] };
      if (own !== '') others.push(own);
      continue;
    }
    for (const field of fields) {
      const key = snakeCase(field![1]!);
      if (first === '') first = key;
      if (key === first) records.push(new Map());
      const open = records.at(-1)!;
      // A name that comes twice within one record is not a field of it: anyone who writes into a value cannot replace another.
      if (!open.has(key)) open.set(key, unquoted(field![2]!.trim()));
    }
  }
  const isList = records.length >= 2 && records.every(({ size }) => size >= LEAST_FIELDS);
  return isList ? { records, others } : { records: [], others: [] };
}
