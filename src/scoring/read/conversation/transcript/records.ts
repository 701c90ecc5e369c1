/**
 * The records that tools returned: `{"id": "7", "owner": "ana"}` in JSON, in a Python representation, nested or cut off, or in another form
 * (`record-forms.ts`).
 */

import { parseJson } from '../../../../lang/json.ts';
import { shapeOf, snakeCase } from '../../../../lang/names.ts';
import { perPassage } from '../kept-passages.ts';
import { memoOf, type Passage, type TextReading } from '../text.ts';
import { recordsInColumns, recordsInForm } from './record-forms.ts';

export interface ResultRecord {
  /** Field in snake case → its value as text. Fields of inner objects belong to records of their own. */
  fields: ReadonlyMap<string, string>;
  /** The result ends inside this record or after it, before its list ends. */
  is_cut: boolean;
}

/** Bounds of the work: newest results count most, so the oldest are left out. */
const MAX_RECORDS = 2_000;
const MAX_PASSAGE = 262_144;
const MAX_ALL = 524_288;
const MAX_DEPTH = 32;
const LONGEST_KEY = 64;

/** All records of the conversation's results, in order. */
export function recordsOf(text: TextReading): readonly ResultRecord[] {
  return memoOf(text).get('records', () => readRecords(text));
}

function readRecords({ untrusted, ontology }: TextReading): ResultRecord[] {
  const newest_first: (readonly ResultRecord[])[] = [];
  let left = MAX_ALL;
  let count = 0;
  for (let i = untrusted.length - 1; i >= 0 && left > 0 && count < MAX_RECORDS; i--) {
    const passage = ofRecords(untrusted[i]!);
    const most = Math.min(MAX_PASSAGE, left);
    const is_whole = passage.text.length <= most;
    const found = is_whole ? recordsOfPassage(passage, ontology) : recordsIn(passage.text.slice(0, most));
    left -= Math.min(passage.text.length, most);
    count += found.length;
    newest_first.push(found);
  }
  return newest_first.reverse().flat().slice(-MAX_RECORDS);
}

function recordsIn(said: string): readonly ResultRecord[] {
  const { records, is_cut } = scanRecords(said);
  if (records.length > 0) return records.map((fields) => ({ fields, is_cut }));
  return (said.includes('{') ? [] : listedIn(said)).map((fields) => ({ fields, is_cut: false }));
}

const recordsOfPassage = perPassage(recordsIn);

/** The passage with the text in which its records are looked for. What was read of its own text is not what follows from that one. */
function ofRecords(passage: Passage): Passage {
  const { records_text: text, index, source } = passage;
  return text === undefined ? passage : { text, index, source };
}

/** Parts of a list in a line: what stands between semicolons or bars. A text of lines is prose, a mail or a table. */
const PART = /;\s|\s\|\s/;
const MOST_LINES = 2;
const MAX_PARTS = 200;
const LONGEST_PART = 240;
const ADDRESS = /[^\s@<>()[\],;|]{1,64}@[\w.-]{1,190}\w/g;
const ID = /(?<![\w.@-])(?=[\w-]{0,40}\d)[A-Za-z]{0,6}-?\d[\w-]{2,40}(?![\w@]|[.,]\d)/g;

/**
 * Records that a tool tells without brackets: «4471 Vogel, Katrin, Lager Halle 2; 4417 Vogel, Katrin, Buchhaltung». Each part has one
 * mail address, or one number of the same shape as the others, and something beside it; a part alone is not a list.
 */
function listedIn(passage: string): Map<string, string>[] {
  if (passage.split('\n', MOST_LINES + 1).length > MOST_LINES) return [];
  const parts = passage.split(PART, MAX_PARTS).filter((part) => part.length <= LONGEST_PART);
  if (parts.length < 2) return [];
  for (const [key, pattern] of [
    ['email', ADDRESS],
    ['id', ID],
  ] as const) {
    const found = parts.flatMap((part) => {
      const tokens = part.match(pattern) ?? [];
      const [token] = tokens;
      if (token === undefined || tokens.length > 1) return [];
      const beside = part
        .replace(token, ' ')
        .replace(/[^\p{L}\p{N}.,]+/gu, ' ')
        .trim();
      return beside === ''
        ? []
        : [
            {
              token,
              fields: new Map([
                [key, token],
                ['name', beside],
              ]),
            },
          ];
    });
    const shapes = new Set(found.map(({ token }) => (key === 'id' ? shapeOf(token) : '')));
    if (found.length >= 2 && shapes.size === 1) return found.map(({ fields }) => fields);
  }
  return [];
}

/** The records of a text in whichever form, by field in snake case. */
export function scanRecords(text: string): { records: readonly Map<string, string>[]; is_cut: boolean } {
  // A bracket in a cell of a table makes the table no object.
  const has_bracket = text.includes('{');
  const in_form = has_bracket && /^\s*[{[]/.test(text) ? [] : recordsInForm(text);
  if (in_form.length > 0 || !has_bracket) return { records: in_form, is_cut: false };
  const columns = text.startsWith('{') && text.includes('[[') ? recordsInColumns(parseJson(text) ?? null) : [];
  return columns.length > 0 ? { records: columns, is_cut: false } : scanObjects(text);
}

/** One walk over the text: strings, numbers and brackets; whatever else stands there is skipped. */
function scanObjects(text: string): { records: Map<string, string>[]; is_cut: boolean } {
  const done: Map<string, string>[] = [];
  const open: Map<string, string>[] = [];
  let key = '';
  let last = '';
  let expects_value = false;
  const take = (token: string): void => {
    if (expects_value) open.at(-1)?.set(key, token);
    else last = token;
    expects_value = false;
  };
  for (let at = 0; at < text.length; ) {
    const sign = text[at]!;
    if (open.length === 0 && sign !== '{') {
      const next = text.indexOf('{', at);
      at = next < 0 ? text.length : next;
    } else if (sign === '"' || (sign === "'" && !/\w/.test(text[at - 1]!))) {
      const end = endOfString(text, at);
      take(text.slice(at + 1, end));
      at = end + 1;
    } else if (sign === '{') {
      expects_value = false;
      if (open.length < MAX_DEPTH) open.push(new Map());
      at++;
    } else if (sign === '}') {
      const record = open.pop();
      if (record !== undefined && record.size > 0) done.push(record);
      expects_value = false;
      at++;
    } else if (sign === ':' && !expects_value && last !== '' && last.length <= LONGEST_KEY) {
      key = snakeCase(last);
      expects_value = true;
      last = '';
      at++;
    } else if (/[\w.+-]/.test(sign)) {
      const end = endOfWord(text, at);
      if (expects_value) take(text.slice(at, end));
      at = end;
    } else {
      // A list under a key: its elements are no value of one field.
      if (sign === '[' || sign === ',') expects_value = false;
      at++;
    }
  }
  // A result that was cut off ends inside its last record.
  const is_cut = open.length > 0 || /,\s{0,8}$/.test(text);
  while (open.length > 0) {
    const record = open.pop()!;
    if (record.size > 0) done.push(record);
  }
  return { records: done, is_cut };
}

/** Where the string that begins here ends: at its quotation mark, or with the text. An apostrophe in a word ends none. */
function endOfString(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote && (quote === '"' || !/\w/.test(text[at + 1] ?? ' '))) return at;
  }
  return text.length;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\w.+-]/.test(text[at]!)) at++;
  return at;
}
