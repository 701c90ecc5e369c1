/** Where a value stands in the conversation, compared by the rules of its kind. */

import { numberOf } from '../../../lang/written-numbers.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf } from '../../../ontology/words.ts';
import { type Corpus, type Places, type Side, sameFolded } from '../conversation/corpus.ts';
import { FOLD, SKIP } from '../words/fold.ts';
import { hashWord, JOINED, lex, SPACED, type Words } from '../words/lexer.ts';
import { bareUrl, hostOf, type Value } from '../words/normalise.ts';

/** A place: the first word of an occurrence and how many words it has. */
export interface Place {
  word: number;
  length: number;
}

const MAX_PLACES = 64;
const MAX_CANDIDATES = 1_024;
/** Words compared for one value: a long text that repeats itself may begin at each of its words. */
const MAX_WORK = 262_144;
/** Candidates of a value that is itself as long as a text. */
const LEAST_CANDIDATES = 4;

/** The result of most searches. Shared, because lists of places are never changed. */
export const NOWHERE: readonly Place[] = [];

/** Occurrences of the value on one side, in order, at most 64. */
export function locate(corpus: Corpus, side: Side, value: Value): readonly Place[] {
  const places = corpus.placesOf(side);
  if (places.is_empty || value.text === '') return NOWHERE;
  switch (value.kind) {
    case 'number':
    case 'amount':
      return locateNumber(places, Number.parseFloat(value.normal), corpus.ontology);
    case 'account':
    case 'card':
      return locateCompact(places, value.normal);
    case 'url':
    case 'host':
      return locateSequence(places, wordsOfValue(value, bareUrl(value.text)), isUrlBorder);
    case 'email':
      return locateSequence(places, wordsOfValue(value, value.normal), isEmailBorder);
    case 'path':
      return locatePath(places, value);
    default:
      return locateWords(places, wordsOfValue(value, value.text));
  }
}

/** The words of a value, split once however many sides it is searched on. */
export function wordsOfValue(value: Value, text: string): Words {
  if (value.words === undefined || value.words.text !== text) value.words = lex(text);
  return value.words;
}

/** The words in this order, set off at most by spaces or single signs: `amelia_sanchez` is found in `Amelia Sanchez`. */
function locateWords(places: Places, value: Words): readonly Place[] {
  if (!mayHold(places, value)) return NOWHERE;
  return scan(places, value, (at) => hasWords(places.words, at, value));
}

/** Ends most searches at once: most values begin with a word that does not occur in the conversation. */
const mayHold = (places: Places, value: Words): boolean => value.count > 0 && places.has(value.hash[0]!);

/** The text as it stands, folded, between borders. */
function locateSequence(places: Places, value: Words, isBorder: Border): readonly Place[] {
  const normal = value.text;
  if (!mayHold(places, value)) return NOWHERE;
  const { text, start, end } = places.words;
  return scan(places, value, (at) => {
    const last = at + value.count - 1;
    if (last >= places.words.count) return false;
    const from = start[at]!;
    const to = end[last]!;
    if (!sameFolded(text, from, to, normal, value.start[0]!, value.end[value.count - 1]!)) return false;
    return isBorder(text, from, to);
  });
}

type Border = (text: string, from: number, to: number) => boolean;

const isEmailBorder: Border = (text, from, to) =>
  !/[\w.%+-]/.test(text.charAt(from - 1)) && !/^(?:[\w@-]|\.\w)/.test(text.slice(to, to + 2));

const isUrlBorder: Border = (text, from, to) => {
  const before = text.slice(Math.max(0, from - 4), from).toLowerCase();
  if (/[\w@-]$/.test(before) || (before.endsWith('.') && before !== 'www.')) return false;
  return !/^(?:[\w-]|\.\w|\/[^\s"'<>)\].,]|[?#&=]\w)/.test(text.slice(to, to + 2));
};

const isPathBorder: Border = (text, from, to) =>
  !/[\w-]/.test(text.charAt(from - 1)) && !/^(?:[\w-]|\.\w)/.test(text.slice(to, to + 2));

/** The whole path, or the file's own name where the user or a tool gives no folder. */
function locatePath(places: Places, value: Value): readonly Place[] {
  const whole = locateSequence(places, lex(value.normal.replace(/^\//, '')), isPathBorder);
  return whole.length > 0 ? whole : locateSequence(places, lex(value.text), isPathBorder);
}

function scan(places: Places, value: Words, isHere: (at: number) => boolean): readonly Place[] {
  const found: Place[] = [];
  const most = Math.min(MAX_CANDIDATES, Math.max(LEAST_CANDIDATES, MAX_WORK / value.count));
  let tries = 0;
  for (let at = places.first(value.hash[0]!); at >= 0 && tries < most; at = places.next(at)) {
    tries++;
    if (isHere(at)) found.push({ word: at, length: value.count });
    if (found.length === MAX_PLACES) break;
  }
  return found;
}

function hasWords(words: Words, at: number, value: Words): boolean {
  const { count, hash } = value;
  if (at + count > words.count) return false;
  for (let i = 0; i < count; i++) {
    if (words.hash[at + i] !== hash[i]) return false;
    if (i > 0 && words.gap[at + i]! > Math.max(SPACED, value.gap[i]!)) return false;
  }
  // Equal hashes are no proof: an attacker can construct words that collide.
  for (let i = 0; i < count; i++) {
    const here = at + i;
    if (!sameFolded(words.text, words.start[here]!, words.end[here]!, value.text, value.start[i]!, value.end[i]!))
      return false;
  }
  return true;
}

/** An account may be written in groups: `AT68 5410 5000` is `AT6854105000`. One spelling hides no other. */
function locateCompact(places: Places, normal: string): readonly Place[] {
  const found: Place[] = [];
  const { words } = places;
  const initial = normal.charCodeAt(0);
  for (const { first, last } of places.stretches) {
    for (let word = first; word < last && found.length < MAX_PLACES; word++) {
      if (FOLD[words.text.charCodeAt(words.start[word]!)] !== initial) continue;
      const length = groupsSpelling(words, word, last, normal);
      if (length > 0) found.push({ word, length });
    }
  }
  return found;
}

function groupsSpelling(words: Words, from: number, last: number, normal: string): number {
  let matched = 0;
  for (let word = from; word < last; word++) {
    if (word > from && words.gap[word]! > SPACED) return 0;
    for (let i = words.start[word]!; i < words.end[word]!; i++) {
      const folded = FOLD[words.text.charCodeAt(i)]!;
      if (folded === SKIP) continue;
      if (folded !== normal.charCodeAt(matched)) return 0;
      matched++;
    }
    if (matched === normal.length) return word - from + 1;
  }
  return 0;
}

function locateNumber(places: Places, value: number, ontology: Ontology): readonly Place[] {
  return places.memo.get('numbers', () => numbersIn(places, ontology)).get(value) ?? NOWHERE;
}

const numberWords = perOntology(
  (ontology) => new Map(listOf(ontology, 'number_words').map((word, i) => [hashWord(word), i + 1])),
);

/** Every number by value: `1,000.00`, `1000` and `1k` are the same. */
function numbersIn(places: Places, ontology: Ontology): Map<number, Place[]> {
  const number_words = numberWords(ontology);
  const numbers = new Map<number, Place[]>();
  const { words } = places;
  const add = (value: number, word: number, length: number): void => {
    const list = numbers.get(value);
    if (list === undefined) numbers.set(value, [{ word, length }]);
    else if (list.length < MAX_PLACES) list.push({ word, length });
  };
  for (const { first, last } of places.stretches) {
    for (let word = first; word < last; word++) {
      const unit = words.text.charCodeAt(words.start[word]!);
      if (unit < 0x30 || unit > 0x39) {
        const spelled = number_words.get(words.hash[word]!);
        if (spelled !== undefined) add(spelled, word, 1);
        continue;
      }
      const length = numberLength(words, word, last);
      const plain = length === 1 ? plainNumber(words, word) : -1;
      if (plain >= 0) {
        add(plain, word, 1);
        continue;
      }
      const written = words.text.slice(
        words.start[word]!,
        Math.min(words.end[word + length - 1]!, words.start[word]! + 40),
      );
      const value = numberOf(written);
      add(value, word, length);
      if (/k$/i.test(written)) add(value * 1_000, word, length);
      if (length > 1) add(Number.parseFloat(written), word, 1);
      word += length - 1;
    }
  }
  return numbers;
}

/** So many digits are exact as a number. */
const EXACT_DIGITS = 15;

/** What digits alone stand for, -1 for any other word: most numbers are such, and a page can hold a hundred thousand. */
function plainNumber(words: Words, word: number): number {
  const from = words.start[word]!;
  const to = words.end[word]!;
  if (to - from > EXACT_DIGITS) return -1;
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = words.text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Digits joined by a point or comma are one number. */
function numberLength(words: Words, from: number, last: number): number {
  let at = from + 1;
  while (at < last && at - from < 8 && words.gap[at] === JOINED && isDecimalSign(words, at)) at++;
  return at - from;
}

function isDecimalSign(words: Words, word: number): boolean {
  const from = words.end[word - 1]!;
  const sign = words.text.charCodeAt(from);
  const next = words.text.charCodeAt(from + 1);
  return words.start[word] === from + 1 && (sign === 0x2e || sign === 0x2c) && next >= 0x30 && next <= 0x39;
}

/** Places of the host alone: of `https://example.com/a`, those of `example.com` in any address or by itself. */
export function locateHost(corpus: Corpus, side: Side, value: Value): readonly Place[] {
  const host = hostOf(value.normal);
  if (!host.includes('.')) return NOWHERE;
  return locateSequence(corpus.placesOf(side), lex(host), (text, from, to) => {
    const before = text.slice(Math.max(0, from - 4), from).toLowerCase();
    return (!/[\w@-]$/.test(before) || before.endsWith('@')) && !/^(?:[\w-]|\.\w)/.test(text.slice(to, to + 2));
  });
}
