/**
 * Who wrote what in the results of tools: the records of a JSON, YAML or Python text, each with the author that one of its own
 * fields names. Fields are read from the structure of the raw result, so a mail that says «From: Anna» in its text has no other
 * author for it.
 */

import { isObject, type Json, type JsonObject, parseJson } from '../../../lang/json.ts';
import { snakeCase } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { lex } from '../words/lexer.ts';
import { corpusOf } from './corpus.ts';
import { foreignRegions } from './foreign-regions.ts';
import type { Order } from './order-sentences.ts';
import { hasPointer, type Pointed, pointedBy } from './pointed.ts';
import type { Request } from './request.ts';
import { memoOf, type TextReading } from './text.ts';
import { resultContents } from './transcript/answered-calls.ts';
import { ITEM } from './transcript/field-lines.ts';
import { plainWords } from './transcript/plain-words.ts';
import { scanRecords } from './transcript/records.ts';
import { slice } from './transcript/words-of-text.ts';

export interface Writing {
  /** The author as the record has it. */
  author: string;
  /** The record's text without that of inner records, as words parted by blanks. */
  text: string;
}

/** Bounds of the work; records beyond them have no author. */
const MAX_WRITINGS = 1_000;
const MAX_RESULT = 262_144;
const MAX_DEPTH = 32;
const LONGEST_AUTHOR = 200;
/** Shorter words of an author, such as `de`, stand in any request. */
const SHORTEST_NAME = 3;
/** Shorter sentences stand in any record. */
const SHORTEST_ORDER = 8;

const wordsOf = perOntology((ontology) => ({
  authors: setOf(ontology, 'author_fields'),
  parts: setOf(ontology, 'author_parts'),
}));

/**
 * Tells which orders stand in a record of somebody else than the user leaves the task to: «do what Bob's mail asks for» covers
 * no other mail, and «follow runbook RB-17» no other page. An advertisement or a comment on a page is not the page. Nothing is told
 * where no record has an author whom the user names, no call asks for what the user points at and no page has such a part.
 */
export function writtenByOthers(text: TextReading, request: Request): (order: Order) => boolean {
  return memoOf(text).get('written by others', () =>
    request.is_open_ended ? judgeOf(text, pointedBy(text, request)) : ofRegions(text),
  );
}

/** Whether a record of an author whom the user names holds these words, as `plainWords` writes them. */
export function isWrittenByNamed(words: string, text: TextReading, request: Request): boolean {
  return request.is_open_ended && writingsOfNamed(text).some((writing) => writing.text.includes(words));
}

function writingsOfNamed(text: TextReading): readonly Writing[] {
  return memoOf(text).get('writings of named', () => {
    const isNamed = namedBy(text);
    return writingsOf(text).filter(isNamed);
  });
}

function namedBy(text: TextReading): (writing: Writing) => boolean {
  const { user } = corpusOf(text);
  return ({ author }: Writing): boolean => {
    const at = author.lastIndexOf('@');
    const { count, hash, start, end } = lex(at > 0 ? author.slice(0, at) : author);
    for (let i = 0; i < count; i++) if (end[i]! - start[i]! >= SHORTEST_NAME && user.has(hash[i]!)) return true;
    return false;
  };
}

const saidIn = ({ words, from, to }: Order, { ontology }: TextReading): string =>
  plainWords(slice(words, from, to), ontology);

/** Regions are read with the first order: most conversations have none. */
const ofRegions = (text: TextReading): ((order: Order) => boolean) =>
  rememberedFor((order) => isInRegion(saidIn(order, text), text));

const isInRegion = (said: string, text: TextReading): boolean =>
  said.length >= SHORTEST_ORDER && foreignRegions(text).some((region) => region.includes(said));

/** The judge of orders, asked once for each. */
function rememberedFor(judge: (order: Order) => boolean): (order: Order) => boolean {
  const known = new Map<Order, boolean>();
  return (order) => {
    let verdict = known.get(order);
    if (verdict === undefined) known.set(order, (verdict = judge(order)));
    return verdict;
  };
}

function judgeOf(text: TextReading, pointed: Pointed): (order: Order) => boolean {
  const writings = writingsOf(text);
  const named = new Set(writingsOfNamed(text));
  const meant = new Set(
    pointed.messages.size === 0 ? [] : writings.filter((one) => hasPointer(one.text, pointed.words)),
  );
  if (named.size === 0 && pointed.messages.size === 0) return ofRegions(text);
  return rememberedFor((order) => {
    const said = saidIn(order, text);
    const holders = said.length < SHORTEST_ORDER ? [] : writings.filter((writing) => writing.text.includes(said));
    if (holders.some((writing) => named.has(writing))) return false;
    if (isInRegion(said, text)) return true;
    if (named.size > 0 && holders.length > 0) return true;
    if (pointed.messages.size === 0) return false;
    if (!pointed.messages.has(order.stretch.segment.index)) return true;
    // A comment below the issue is not the issue.
    return holders.length > 0 && meant.size > 0 && !holders.some((writing) => meant.has(writing));
  });
}

/** The records with an author in all results of tools, in order. */
export function writingsOf(text: TextReading): readonly Writing[] {
  return memoOf(text).get('writings', () => {
    const found: Writing[] = [];
    for (const content of resultContents(text)) readContent(content, text.ontology, found);
    return found.slice(0, MAX_WRITINGS);
  });
}

function readContent(content: Json, ontology: Ontology, into: Writing[], depth = 0): void {
  if (typeof content === 'string') readResult(content.slice(0, MAX_RESULT), ontology, into, depth);
  else if (content !== null && typeof content === 'object') readJson(content, ontology, into, depth, '');
}

function readResult(text: string, ontology: Ontology, into: Writing[], depth: number): void {
  const value = parsed(text);
  if (value !== undefined) {
    readJson(value, ontology, into, depth + 1, '');
    return;
  }
  const inner = amidText(text);
  if (inner !== undefined) readJson(inner, ontology, into, depth + 1, '');
  else if (/^\s{0,8}[[{]/.test(text)) readFields(text, ontology, into);
  else readList(text, ontology, into);
}

/** The JSON of a result that is JSON throughout; undefined for any other text, and for what was cut. */
export const parsed = (text: string): Json | undefined => (/^\s{0,8}[[{"]/.test(text) ? parseJson(text) : undefined);

/** JSON with other text before or behind it: lines beside the records take no record away. */
function amidText(text: string): Json | undefined {
  const start = /(?:^|\n)\s{0,8}(?=[[{])/.exec(text);
  if (start === null) return undefined;
  const from = start.index + start[0].length;
  const to = text.lastIndexOf(text[from] === '[' ? ']' : '}');
  return to <= from ? undefined : parsed(text.slice(from, to + 1));
}

/** Adds the records of a value; returns the text that belongs to the record around it. */
function readJson(value: Json, ontology: Ontology, into: Writing[], depth: number, around: string): string {
  if (depth > MAX_DEPTH || into.length >= MAX_WRITINGS) return '';
  if (typeof value === 'string') {
    // A text outside of any record may be a result of its own.
    if (around === '' && /^\s{0,8}[[{"-]/.test(value)) readResult(value, ontology, into, depth + 1);
    return value;
  }
  if (value === null || typeof value !== 'object') return '';
  if (!isObject(value)) {
    return value.map((item) => readJson(item, ontology, into, depth + 1, around)).join('\n');
  }
  const author = authorOf(value, ontology);
  const own = Object.values(value)
    .map((inner) => readJson(inner, ontology, into, depth + 1, author || around))
    .join('\n');
  if (author === '') return own;
  into.push({ author, text: plainWords(own, ontology) });
  return '';
}

function authorOf(record: JsonObject, ontology: Ontology): string {
  const { authors, parts } = wordsOf(ontology);
  for (const [key, value] of Object.entries(record)) {
    if (!authors.has(snakeCase(key))) continue;
    if (typeof value === 'string' && value !== '') return value.slice(0, LONGEST_AUTHOR);
    if (!isObject(value)) continue;
    const said = Object.entries(value).flatMap(([part, name]) =>
      parts.has(snakeCase(part)) && typeof name === 'string' ? [name] : [],
    );
    if (said.length > 0) return said.join(' ').slice(0, LONGEST_AUTHOR);
  }
  return '';
}

/** Records in a Python representation, or in JSON that was cut off. */
function readFields(text: string, ontology: Ontology, into: Writing[]): void {
  const { authors } = wordsOf(ontology);
  for (const fields of scanRecords(text).records) {
    const author = [...fields].find(([key]) => authors.has(key))?.[1] ?? '';
    if (author !== '') into.push(writing(author, [...fields.values()].join('\n'), ontology));
  }
}

const FIELD = /^([\w.-]{1,64}):(?: (.*))?$/;

/** Records of a YAML list: a field stands exactly below the first one; what is deeper is part of a value. */
function readList(text: string, ontology: Ontology, into: Writing[]): void {
  const { authors } = wordsOf(ontology);
  let indent = -1;
  let author = '';
  let own: string[] = [];
  const close = (): void => {
    if (author !== '' && into.length < MAX_WRITINGS) into.push(writing(author, own.join('\n'), ontology));
    author = '';
    own = [];
  };
  for (const line of text.split('\n')) {
    const item = ITEM.exec(line);
    const column = item === null ? -1 : item[1]!.length + 2;
    if (column !== -1 && (indent === -1 || column <= indent)) {
      close();
      indent = column;
    }
    if (indent === -1) continue;
    own.push(line);
    const isBelow = column === indent || (line.search(/\S/) === indent && column === -1);
    const field = isBelow ? FIELD.exec(line.slice(indent).trimEnd()) : null;
    if (field !== null && authors.has(snakeCase(field[1]!))) author ||= field[2] ?? '';
  }
  close();
}

const writing = (author: string, text: string, ontology: Ontology): Writing => ({
  author: author.slice(0, LONGEST_AUTHOR),
  text: plainWords(text, ontology),
});
