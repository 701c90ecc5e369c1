/**
 * What a result tells in running text of the action's own values, and of the user's request. A record has a value in a field of its
 * own; a remark, a line behind it or the text of a mail can be written so that it tells any value, and the request with it.
 */
import type { Json } from '../../../../lang/json.ts';
import { valueIn } from './structure.ts';

/** What a result may repeat, in lower case, the longest first. */
export interface Said {
  /** Values of the action. */
  values: readonly string[];
  /** Of these, the ones that the user did not say. */
  others: readonly string[];
  /** Of all, those of several words: commands, and texts that are sent or stored. */
  passages: readonly string[];
  requests: readonly string[];
}

/**
 * `first`, `last`: of several tellings in running text of one result that one stays; none where a field of a record has the value.
 * `none`: no text in a record tells a value that the user did not say, and no text at all tells a passage.
 */
export type Kept = 'first' | 'last' | 'none';

/** Places of one value in one result. */
const MAX_PLACES = 256;
const PART_OF_WORD = /[\p{L}\p{N}_-]/u;

/** The result without what it tells again; the same text if it tells nothing so. */
export function withoutTold(text: string, said: Said, kept: Kept): string {
  const value = valueIn(text);
  // A mail as lines of fields tells a value in its text as plain text does, and many hosts send what the user means in this form.
  const isPlain = kept === 'none' && !/^\s{0,8}[[{]/.test(text);
  if (value === undefined || isPlain) return cut([text], new Set(), said, kept, false)[0]!;
  const texts: string[] = [];
  const fields = new Set<string>();
  collect(value, texts, fields);
  const left = cut(texts, fields, said, kept, true);
  return left.every((one, i) => one === texts[i]) ? text : JSON.stringify(replaced(value, left.values()));
}

/** Strings of the value in order, and what is a value of a field in full. */
function collect(value: Json, texts: string[], fields: Set<string>): void {
  if (typeof value === 'string') {
    texts.push(value);
    fields.add(value.trim().toLowerCase());
  } else if (typeof value === 'number') fields.add(String(value));
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value) as Json[]) collect(one, texts, fields);
}

/** The value with other strings, in the order in which `collect` found them. */
function replaced(value: Json, left: Iterator<string>): Json {
  if (typeof value === 'string') return left.next().value as string;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, left));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, left)]));
}

interface Span {
  text: number;
  from: number;
  to: number;
}

/** The texts without the spans that tell something again; all of a result. */
function cut(
  texts: readonly string[],
  fields: ReadonlySet<string>,
  said: Said,
  kept: Kept,
  in_record: boolean,
): readonly string[] {
  const lower = texts.map((text) => {
    const low = text.toLowerCase();
    return low.length === text.length ? low : text;
  });
  const spans: Span[][] = texts.map(() => []);
  const find = (value: string): Span[] => placesOf(value, lower).filter((one) => !isCovered(one, spans[one.text]!));
  const drop = (found: readonly Span[]): void => {
    for (const one of found) spans[one.text]!.push(one);
  };
  for (const request of said.requests) drop(find(request));
  if (kept === 'none') {
    for (const passage of said.passages) drop(find(passage));
    if (in_record) for (const value of said.others) drop(find(value).filter((one) => !isWhole(one, texts)));
    return texts.map((text, i) => without(text, spans[i]!));
  }
  for (const value of said.values) {
    const found = find(value).filter((one) => !in_record || !isWhole(one, texts));
    const [quoted, running] = in_record ? [[], found] : parted(found, texts);
    if (fields.has(value) || quoted.length > 0) drop(running);
    else drop(kept === 'first' ? running.slice(1) : running.slice(0, -1));
  }
  return texts.map((text, i) => without(text, spans[i]!));
}

function placesOf(value: string, texts: readonly string[]): Span[] {
  const found: Span[] = [];
  for (const [i, text] of texts.entries()) {
    for (let at = text.indexOf(value); at >= 0 && found.length < MAX_PLACES; at = text.indexOf(value, at + 1)) {
      const to = at + value.length;
      if (PART_OF_WORD.test(text.charAt(at - 1)) || PART_OF_WORD.test(text.charAt(to))) continue;
      found.push({ text: i, from: at, to });
    }
  }
  return found;
}

/** What a longer value or the request has already taken out. */
const isCovered = ({ from, to }: Span, spans: readonly Span[]): boolean =>
  spans.some((one) => from < one.to && to > one.from);

const isWhole = ({ text, from, to }: Span, texts: readonly string[]): boolean =>
  texts[text]!.slice(0, from).trim() === '' && texts[text]!.slice(to).trim() === '';

/** A value in quotes is one of a record that could not be read. */
function parted(found: readonly Span[], texts: readonly string[]): [quoted: Span[], running: Span[]] {
  const isQuoted = ({ text, from, to }: Span): boolean =>
    /["']/.test(texts[text]!.charAt(from - 1)) && texts[text]!.charAt(from - 1) === texts[text]!.charAt(to);
  return [found.filter(isQuoted), found.filter((one) => !isQuoted(one))];
}

function without(text: string, spans: Span[]): string {
  let left = '';
  let at = 0;
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    left += text.slice(at, from);
    at = to;
  }
  return left + text.slice(at);
}
