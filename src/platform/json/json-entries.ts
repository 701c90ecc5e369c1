/**
 * The entries of a long list in a body, each as its own unparsed bytes. Parsed as a whole, a body of 16 MiB may take
 * twenty times as much memory; and each entry is read with the same limits as a single event.
 */
import { WeirError } from '../errors.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  endOfString,
  OPEN_BRACE,
  OPEN_BRACKET,
  type ParsedJson,
  parseJson,
  QUOTE,
} from './json.ts';

export interface Entries {
  /** The body with `0` in place of each entry. */
  frame: ParsedJson;
  /** The JSON text of each entry, not validated, without the whitespace around it. */
  entries: Buffer[];
  /** Strings, numbers, booleans, nulls, arrays and objects of all entries together. */
  values: number;
}

export interface EntryLimits {
  max_entries: number;
  /** Limit over all entries together. */
  max_values: number;
}

/** A member of the outermost object. */
const LIST_DEPTH = 2;
const PLACE = Buffer.from('0');
/** The bytes of a body outside of its entries are few. */
const MAX_FRAME_BYTES = 65_536;

/**
 * Cuts out the entries of every list that is a member of the outermost object. The body is valid JSON exactly where the
 * frame and each entry are. Throws `invalid` for too many entries or values before any is parsed, and for a frame that
 * is not JSON.
 */
export function cutEntries(raw: Buffer, { max_entries, max_values }: EntryLimits): Entries {
  // One character per byte, so that offsets are equal. No byte of a multi-byte character looks like ASCII.
  const text = raw.toString('latin1');
  const entries: Buffer[] = [];
  const pieces: Buffer[] = [];
  let copied = 0;
  let depth = 0;
  let outermost = 0;
  let list_at: number | null = null;
  let values = 0;
  const addValue = (): void => {
    if (++values > max_values) throw tooMany(`${max_values} values`);
  };
  const endEntry = (start: number, end: number): void => {
    const from = afterSpace(text, start);
    const to = beforeSpace(text, end);
    // An empty list or a trailing comma: stays in the frame.
    if (from >= to) return;
    if (entries.length === max_entries) throw tooMany(`${max_entries} entries`);
    entries.push(raw.subarray(from, to));
    pieces.push(raw.subarray(copied, start), PLACE);
    copied = end;
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    switch (code) {
      case QUOTE:
        i = endOfString(text, i + 1);
        break;
      case COMMA:
        if (list_at === null) break;
        addValue();
        if (depth !== LIST_DEPTH) break;
        endEntry(list_at, i);
        list_at = i + 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth === 1) outermost = code;
        else if (depth === LIST_DEPTH && code === OPEN_BRACKET && outermost === OPEN_BRACE) list_at = i + 1;
        // The first value of the list; every further one follows a comma.
        if (list_at !== null && !isClosing(text.charCodeAt(afterSpace(text, i + 1)))) addValue();
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (list_at !== null && depth === LIST_DEPTH) {
          endEntry(list_at, i);
          list_at = null;
        }
        depth--;
        break;
    }
  }
  pieces.push(raw.subarray(copied));
  const frame = Buffer.concat(pieces);
  if (frame.length > MAX_FRAME_BYTES)
    throw refused(`the body holds more than ${MAX_FRAME_BYTES} bytes outside the entries of its list; leave them out`);
  return { frame: parseJson(frame), entries, values };
}

const isClosing = (code: number): boolean => code === CLOSE_BRACE || code === CLOSE_BRACKET;

/** JSON whitespace: tab, line feed, carriage return, space. */
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function afterSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function beforeSpace(text: string, end: number): number {
  let at = end;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function tooMany(what: string): WeirError {
  return refused(`the body holds more than ${what}; split it`);
}

function refused(detail: string): WeirError {
  return new WeirError('invalid', { detail, errors: [{ path: '', message: detail }] });
}
