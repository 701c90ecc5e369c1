/** Records as lines of fields: a YAML list, paragraphs of `name: value`, or such fields in one line each. */
import { unquoted } from '../../../../lang/ends.ts';
import { snakeCase } from '../../../../lang/names.ts';

type Fields = Map<string, string>;

const MAX_LINES = 2_000;
/** `- id: 7`, as a list of YAML begins a record. */
const ITEM = /^( {0,16})- (?=[\w.-]{1,64}:(?: |$))/;
/** `owner: ana`, `Event name: Review`: a name of three words at most, so that a sentence with a colon is none. */
const FIELD = /^([\p{L}_][\p{L}\p{N}_./-]{0,40}(?: [\p{L}\p{N}_./-]{1,24}){0,2}) {0,4}: {0,4}(.*)$/u;
const PART = /, (?=[\p{L}_][\p{L}\p{N}_./ -]{0,60}: )/u;
const LEAST_FIELDS = 2;

/** The records of a text that holds nothing else; empty where it holds something else. */
export function lineRecords(text: string): Fields[] {
  const lines = text.split('\n', MAX_LINES + 1);
  if (lines.length > MAX_LINES || !text.includes(':')) return [];
  const listed = listRecords(lines);
  return listed.length > 0 ? listed : paragraphRecords(lines);
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
    const field = FIELD.exec(line.slice(indent));
    if (field === null) return [];
    records.at(-1)!.set(snakeCase(field[1]!), unquoted(field[2]!.trim()));
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
