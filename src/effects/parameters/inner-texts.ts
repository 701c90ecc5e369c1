/**
 * Texts within a text: what a value says when the encoding in which it was sent is taken off, and the names and values in a text that
 * is a document of its own (XML, YAML, an assignment, a call of GraphQL).
 */
import {
  bytesOfBase64,
  bytesOfHex,
  codePoint,
  decodeBase32,
  decodeBase64,
  decodeEntities,
  decodeHex,
  decodePercent,
  reversed,
  rot13,
  unescapeString,
} from '../decode.ts';
import { inflate } from '../inflate.ts';

export interface Decoded {
  text: string;
  /** The encoding hides what the text says from anyone who reads it; others only carry it: `%20`, `&#32;`. */
  is_hidden: boolean;
}

const MAX_TEXT = 64 * 1024;
const MIN_ENCODED = 24;
const ENCODED = /^[A-Za-z0-9+/_-]{1,65536}={0,2}$/;
const HEX = /^(?:[0-9a-f]{2}){1,32768}$/i;
/** Text and no bytes of something else. */
const PRINTABLE = /^[\t\n\r -~]{4,65536}$/;
/** Base64 within base64. */
const MAX_LAYERS = 3;

/** Text that base64 or hexadecimal digits stand for, packed or not, whatever the number of layers; `null` when they stand for none. */
export function decodedText(value: string): string | null {
  let text = value.trim();
  let isDecoded = false;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    if (text.length < MIN_ENCODED || text.length > MAX_TEXT || !ENCODED.test(text)) break;
    const inner = isCompressed(text) ? unpacked(text) : HEX.test(text) ? decodeHex(text) : decodeBase64(text);
    if (inner === null || !PRINTABLE.test(inner)) break;
    text = inner.trim();
    isDecoded = true;
  }
  return isDecoded ? text : null;
}

/** First bytes of gzip, zlib, zstd, xz, bzip2 and zip, as characters. */
const COMPRESSED = /^(?:\x1f\x8b|x[\x01\x5e\x9c\xda]|\x28\xb5\x2f\xfd|\xfd7zXZ|BZh|PK\x03\x04)/;

/** Whether base64 or hexadecimal digits hold something compressed, of which nothing can be read. */
export function isCompressed(value: string): boolean {
  const digits = value.trim();
  if (digits.length < MIN_ENCODED || !ENCODED.test(digits.slice(0, MAX_TEXT))) return false;
  const head = digits.slice(0, 16);
  return COMPRESSED.test((HEX.test(head) ? decodeHex(head) : decodeBase64(head)) ?? '');
}

const unpacked = (digits: string): string | null =>
  inflate((HEX.test(digits) ? bytesOfHex(digits) : bytesOfBase64(digits)) ?? '');

/** An address that holds its content: `data:text/plain;base64,…`. */
const DATA_ADDRESS = /^data:([\w.+/-]{0,100}(?:;[\w.=-]{1,100}){0,4}),(.{4,65536})$/s;

/** What an address holds that is its own content; `null` for any other. */
function heldIn(value: string): Decoded | null {
  const [, kind = '', body = ''] = DATA_ADDRESS.exec(value.trim()) ?? [];
  if (body === '') return null;
  const plain = decodePercent(body);
  if (!kind.endsWith(';base64')) return { text: plain, is_hidden: false };
  const text = decodedText(plain) ?? decodeBase64(plain);
  return text === null ? null : { text, is_hidden: true };
}

/** Texts in which each letter stands for another, or that are turned around: nobody sends these to a tool but to hide what they say. */
export function disguisedForms(value: string): Decoded[] {
  if (value.length > MAX_LINE || value.includes('\n')) return [];
  const texts = [reversed(value), rot13(value)];
  if (BASE_32.test(value)) texts.push(decodeBase32(value) ?? '');
  return texts.filter((text) => PRINTABLE.test(text)).map((text) => ({ text, is_hidden: true }));
}

const BASE_32 = /^[A-Z2-7]{24,2000}={0,6}$/;

/** What a text says without the escapes in which it was sent. */
export function decodedForms(value: string): Decoded[] {
  if (value.length > MAX_TEXT) return [];
  const found: Decoded[] = [];
  const add = (text: string, is_hidden: boolean): void => {
    if (text !== value && PRINTABLE.test(text)) found.push({ text, is_hidden });
  };
  if (/%[0-9a-f]{2}/i.test(value)) add(percentDecoded(value), false);
  if (/=[0-9A-F]{2}=[0-9A-F]{2}/.test(value))
    add(
      value.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => codePoint(Number.parseInt(hex, 16))),
      true,
    );
  if (value.includes('&')) add(decodeEntities(value), false);
  if (/\\(?:x[0-9a-f]{2}|u[0-9a-f{]|[0-7]{3})/i.test(value)) add(unescapeString(value), true);
  const plain = decodedText(value);
  if (plain !== null) add(plain, true);
  const held = value.startsWith('data:') ? heldIn(value) : null;
  if (held !== null) add(held.text, held.is_hidden);
  return found;
}

/** The text of a list of character codes; `null` when it is no such list. */
export function textOfCodes(values: readonly unknown[]): string | null {
  if (values.length < MIN_CODES || values.length > MAX_TEXT) return null;
  const isText = values.every((v) => Number.isInteger(v) && (v as number) >= 9 && (v as number) < 127);
  return isText ? values.map((v) => String.fromCharCode(v as number)).join('') : null;
}

const MIN_CODES = 8;

const MAX_LINE = 2_000;

/** Names and values that follow `#` in an address: they never leave the machine that opens it, so that they are told to the page. */
export function pairsInFragment(address: string): [name: string, value: string][] {
  const at = address.indexOf('#');
  if (at < 0 || address.length > MAX_LINE) return [];
  return [...address.slice(at + 1).matchAll(FRAGMENT_PAIR)].map(([, name = '', value = '']) => [
    name,
    percentDecoded(value),
  ]);
}

const FRAGMENT_PAIR = /(?:^|[&?/!])([\w.-]{1,64})=([^&\s]{2,2000})/g;

const percentDecoded = (text: string): string => decodePercent(text.replace(/\+/g, ' '));

/** Pairs of one text that are read. */
const MAX_PAIRS = 256;
/** How a text begins that is a document of names and values as a whole. */
const DOCUMENT =
  /^\s{0,64}(?:<[?!a-z]|---\s|[\w.-]{1,64}[ \t]{0,8}:(?:\s|$)|[\w.-]{1,64}[ \t]{0,8}=[^=]|\[[\w.:-]{1,64}\]\s|-\s[\w.-]{1,64}:\s|(?:mutation|query|subscription)\b|\{)/i;
const XML_PAIR = /<([a-z][\w.:-]{0,63})(?:\s[^<>]{0,400})?>([^<]{2,4000})<\//gi;
const QUOTED_PAIR = /([\w.-]{1,64})["']?[ \t]{0,8}[:=][ \t]{0,8}"((?:[^"\\]|\\.){2,4000})"/g;
const LINE_PAIR =
  /^[ \t]{0,64}(?:-[ \t]{1,8})?["']?([\w.-]{1,64})["']?[ \t]{0,8}[:=][ \t]{1,8}([^\s"'|>{[&][^\n]{1,2000})$/gm;
const FORM_PAIR = /(?:^|&)([\w.-]{1,64})=([^&\s]{2,4000})/g;

/** The names and values in a text that is a document of its own; none when it is a text like any other. */
export function pairsIn(text: string): [name: string, value: string][] {
  if (text.length > MAX_TEXT || !DOCUMENT.test(text)) return [];
  const found: [string, string][] = [];
  const take = (pattern: RegExp, plain: (value: string) => string): void => {
    for (const [, name = '', value = ''] of text.matchAll(pattern)) {
      if (found.length >= MAX_PAIRS) return;
      found.push([name.slice(name.lastIndexOf(':') + 1), plain(value)]);
    }
  };
  if (/^\s{0,64}</.test(text)) take(XML_PAIR, decodeEntities);
  else if (/^[\w.-]{1,64}=[^\s&]{0,4000}&[\w.-]{1,64}=/.test(text)) take(FORM_PAIR, percentDecoded);
  else take(LINE_PAIR, (value) => value.trim());
  take(QUOTED_PAIR, unescapeString);
  return found;
}
