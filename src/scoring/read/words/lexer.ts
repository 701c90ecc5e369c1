/**
 * Splits a text in one pass into words (folded and hashed), each with how strongly it is set off from the word before. All
 * readings of text work on these numbers, so that a text is scanned once for all of them.
 */
import { FOLD, isIdeograph, SEPARATOR, SKIP, secondUnit } from './fold.ts';

/** How a word is set off from the word before it, weakest first. */
export const JOINED = 1;
export const SPACED = 2;
/** Comma, colon, bracket, quotation mark, new line. */
export const CLAUSE = 3;
/** Full stop. */
export const SENTENCE = 4;
/** Blank line, border of a JSON value or of a tag: the text behind it may have another author. */
export const BREAK = 5;

/** Plain arrays for short texts: allocating typed arrays would cost more than the whole pass. */
type Numbers = Int32Array | number[];

export interface Words {
  text: string;
  count: number;
  start: Numbers;
  end: Numbers;
  hash: Numbers;
  gap: Uint8Array | number[];
  /** Length of the longest word: a short one rules encoded runs out. */
  longest: number;
  /** Invisible characters or characters beyond the basic plane occur. */
  has_invisible: boolean;
}

const OFFSET = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

// What a separator adds: bits collected between two words.
const SPACE = 1;
const STOP = 2;
const SOFT = 4;
const QUOTE = 8;
const LINE = 16;
const BLANK = 32;
const ANGLE = 64;
/** A second quotation mark: `": "` between a key and its value. */
const QUOTES = 128;
const COLON = 256;
const SEPARATORS = separatorTable();

/**
 * Whether a Latin word ends before an ideograph, kana or a syllable of Korean that is written behind it without a blank:
 * `skillを`, `CLAUDE.md文件`, `push해줘`.
 */
const changesScript = (before: number, unit: number): boolean =>
  before < 0x80 && (isIdeograph(unit) || (unit >= 0xac00 && unit <= 0xd7a3));

/** Hash of one word, as the lexer hashes words in texts. */
export function hashWord(word: string): number {
  let hash = OFFSET;
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    const folded = FOLD[unit]!;
    if (folded <= SKIP) continue;
    hash = Math.imul(hash ^ folded, PRIME);
    const second = unit < 0xc0 ? 0 : secondUnit(unit);
    if (second !== 0) hash = Math.imul(hash ^ second, PRIME);
  }
  return hash;
}

/** Hash of the first word of a text, as `lex` hashes it; null if it has no word. Costs less than `lex` where the text begins with Latin letters. */
export function firstHash(text: string): number | null {
  let end = 0;
  while (end < text.length && isPlainLetter(text.charCodeAt(end))) end++;
  // What may stand inside a word is left to `lex`.
  const isWhole = end > 0 && (end === text.length || text.charCodeAt(end) === 0x20 || text.charCodeAt(end) === 0x7c);
  if (isWhole) return hashWord(text.slice(0, end));
  const { hash, count } = lex(text);
  return count === 0 ? null : hash[0]!;
}

/** A letter of Latin script that is not a separator, is not left out, and goes on a word whatever stands before it. */
const isPlainLetter = (unit: number): boolean => unit < 0x250 && FOLD[unit]! > SKIP;

export function lex(text: string): Words {
  if (scratch.start.length * 2 < text.length + 2) makeRoom(text.length);
  const { start, end, hash, gap } = scratch;
  const { length } = text;
  let count = 0;
  let longest = 0;
  let has_invisible = false;
  let bits = BLANK;
  for (let at = 0; at < length; ) {
    const unit = text.charCodeAt(at);
    if (unit === 0x20) {
      bits |= SPACE;
      at++;
      continue;
    }
    const folded = FOLD[unit]!;
    if (folded > SKIP) {
      const from = at;
      let h = OFFSET;
      for (; at < length; at++) {
        const inner = text.charCodeAt(at);
        const letter = FOLD[inner]!;
        if (letter > SKIP) {
          if (at > from && inner >= 0x80 && changesScript(text.charCodeAt(at - 1), inner)) break;
          h = Math.imul(h ^ letter, PRIME);
          if (inner < 0x80) continue;
          if (inner >= 0xd800 && inner <= 0xdfff) has_invisible = true;
          const second = secondUnit(inner);
          if (second !== 0) h = Math.imul(h ^ second, PRIME);
          if (!isIdeograph(inner)) continue;
          at++;
          break;
        }
        if (letter === SKIP) has_invisible = true;
        else if (!isInnerApostrophe(text, inner, at)) break;
      }
      start[count] = from;
      end[count] = at;
      hash[count] = h;
      gap[count] = bits === SPACE ? SPACED : gapOf(bits);
      bits = 0;
      if (at - from > longest) longest = at - from;
      count++;
    } else if (unit === 0x5c && at + 1 < length) {
      const escaped = text.charCodeAt(at + 1);
      bits |= escapeBits(escaped, bits);
      at += escaped === 0x75 ? 6 : isEscape(escaped) ? 2 : 1;
    } else {
      const behind = unit === 0x3c ? behindLineBreak(text, at) : 0;
      if (behind > 0) {
        bits = withSeparator(bits, 0x0a);
        at = behind;
        continue;
      }
      if (folded === SKIP) has_invisible = true;
      else if (bits === 0 && isBetweenLetters(text, unit, at)) bits = SPACE;
      else bits = withSeparator(bits, unit);
      at++;
    }
  }
  const own = copyOut(count);
  return { text, count, start: own.start, end: own.end, hash: own.hash, gap: own.gap, longest, has_invisible };
}

/**
 * `lex` collects words here and copies them to arrays of the right size when it has counted them. It is not reentrant and
 * leaves nothing behind that a later call reads.
 */
const scratch = { start: new Int32Array(0), end: new Int32Array(0), hash: new Int32Array(0), gap: new Uint8Array(0) };

function makeRoom(length: number): void {
  const room = Math.max(4_096, length + 2);
  scratch.start = new Int32Array(room);
  scratch.end = new Int32Array(room);
  scratch.hash = new Int32Array(room);
  scratch.gap = new Uint8Array(room);
}

/** Below this many words plain arrays are cheaper than typed ones. */
const FEW = 128;

function copyOut(count: number): Pick<Words, 'start' | 'end' | 'hash' | 'gap'> {
  const { start, end, hash, gap } = scratch;
  if (count >= FEW) {
    return {
      start: start.slice(0, count),
      end: end.slice(0, count),
      hash: hash.slice(0, count),
      gap: gap.slice(0, count),
    };
  }
  const few = {
    start: new Array<number>(count),
    end: new Array<number>(count),
    hash: new Array<number>(count),
    gap: new Array<number>(count),
  };
  for (let i = 0; i < count; i++) {
    few.start[i] = start[i]!;
    few.end[i] = end[i]!;
    few.hash[i] = hash[i]!;
    few.gap[i] = gap[i]!;
  }
  return few;
}

function withSeparator(bits: number, unit: number): number {
  if (unit === 0x0a) return bits | ((bits & LINE) !== 0 ? BLANK : LINE);
  const added = unit < 128 ? SEPARATORS[unit]! : separatorBits(unit);
  return bits | added | ((added & bits & QUOTE) !== 0 ? QUOTES : 0);
}

/** Where a text goes on behind `<br>` and the line end after it, which are one line end; 0 for any other sign. */
function behindLineBreak(text: string, at: number): number {
  if ((text.charCodeAt(at + 1) | 0x20) !== 0x62 || (text.charCodeAt(at + 2) | 0x20) !== 0x72) return 0;
  let to = at + 3;
  while (to < at + 6 && (text.charCodeAt(to) === 0x20 || text.charCodeAt(to) === 0x2f)) to++;
  if (text.charCodeAt(to) !== 0x3e) return 0;
  to++;
  if (text.charCodeAt(to) === 0x0d) to++;
  return text.charCodeAt(to) === 0x0a ? to + 1 : to;
}

/** `don't` is one word, `Emma's` are two. */
function isInnerApostrophe(text: string, unit: number, at: number): boolean {
  if (unit !== 0x27 && unit !== 0x2019) return false;
  const next = text.charCodeAt(at + 1) | 0x20;
  const after = FOLD[text.charCodeAt(at + 2)] ?? SEPARATOR;
  return next === 0x74 && after <= SKIP;
}

/** The apostrophe of `Emma's` and `l'ordre` parts words and no clauses; a word stands before it. */
const isBetweenLetters = (text: string, unit: number, at: number): boolean =>
  (unit === 0x27 || unit === 0x2019) && FOLD[text.charCodeAt(at + 1)]! > SKIP;

function gapOf(bits: number): number {
  if ((bits & (BLANK | ANGLE)) !== 0) return BREAK;
  if ((bits & QUOTES) !== 0 && (bits & SOFT) !== 0) return BREAK;
  if ((bits & STOP) !== 0 && (bits & (SPACE | LINE | QUOTE)) !== 0) return SENTENCE;
  if ((bits & COLON) !== 0 && (bits & LINE) !== 0) return SENTENCE;
  if ((bits & (LINE | QUOTE)) !== 0) return CLAUSE;
  if ((bits & SPACE) !== 0) return (bits & SOFT) !== 0 ? CLAUSE : SPACED;
  return JOINED;
}

function isEscape(unit: number): boolean {
  return (
    unit === 0x6e || unit === 0x72 || unit === 0x74 || unit === 0x22 || unit === 0x27 || unit === 0x5c || unit === 0x2f
  );
}

function escapeBits(escaped: number, bits: number): number {
  if (escaped === 0x6e) return (bits & LINE) !== 0 ? BLANK : LINE;
  return escaped === 0x22 || escaped === 0x27 || escaped === 0x75 ? QUOTE : SPACE;
}

function separatorTable(): Uint16Array {
  const table = new Uint16Array(128);
  for (const c of ' \t\r\v\f') table[c.charCodeAt(0)] = SPACE;
  for (const c of '.!?') table[c.charCodeAt(0)] = STOP;
  for (const c of ';|') table[c.charCodeAt(0)] = STOP | SPACE;
  for (const c of ',()[]{}*#') table[c.charCodeAt(0)] = SOFT;
  table[0x3a] = SOFT | COLON;
  for (const c of '"\'`') table[c.charCodeAt(0)] = QUOTE;
  for (const c of '<>') table[c.charCodeAt(0)] = ANGLE;
  return table;
}

function separatorBits(unit: number): number {
  if (unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0x2026) return STOP | SPACE;
  if (unit === 0x6d4 || unit === 0x61f || unit === 0x964 || unit === 0x965) return STOP | SPACE;
  if (unit === 0x60c || unit === 0x61b) return SOFT | SPACE;
  if (unit >= 0x2018 && unit <= 0x201f) return QUOTE;
  if (unit === 0xab || unit === 0xbb || unit === 0x300c || unit === 0x300d) return QUOTE;
  if (unit === 0x2013 || unit === 0x2014 || unit === 0x3001 || unit === 0xff0c || unit === 0x2022) return SOFT | SPACE;
  return unit === 0xa0 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x3000 || unit === 0x2028 ? SPACE : 0;
}
