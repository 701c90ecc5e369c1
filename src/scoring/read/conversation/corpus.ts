/**
 * The conversation as indexed text: the words of the user, of outsiders and of the agent each with a chain from a word's hash to
 * its places. Those of the agent are built only if a value is found nowhere else. Built in linear time; the cost of a look-up
 * grows with the places where a word occurs, not with the length of the text.
 *
 * The user's side is the same for every action of a session, so it is kept, with what was read from it.
 */

import type { Ontology } from '../../../ontology/index.ts';
import { FOLD, SEPARATOR, SKIP, secondUnit } from '../words/fold.ts';
import { lex, type Words } from '../words/lexer.ts';
import { Memo } from '../words/memo.ts';
import { keptRequests } from './kept-requests.ts';
import { perText, segmentsOf, type TextReading } from './text.ts';
import type { Segment, Speaker } from './transcript/transcript.ts';

export interface Stretch {
  segment: Segment;
  /** Characters in the joined text of its side. */
  from: number;
  to: number;
  /** Words: `first` inclusive, `last` exclusive. */
  first: number;
  last: number;
}

/** Trusted speakers share one index. */
export type Side = 'user' | 'tool' | 'agent';

export class Corpus {
  /** The ontology that its text was read with. */
  readonly ontology: Ontology;
  /** Those of all sides, in the order of the conversation. */
  readonly stretches: readonly Stretch[];
  readonly user: Places;
  readonly tool: Places;
  readonly memo = new Memo();
  readonly #own: readonly Stretch[];
  #agent: Places | null = null;

  constructor(segments: readonly Segment[], ontology: Ontology) {
    const said = segments.filter(({ speaker }) => sideOf(speaker) === 'user');
    this.ontology = ontology;
    this.user = requestsOf(ontology).get(keyOf(said), () => new Places(unread(said)));
    this.tool = new Places(unread(segments.filter(({ speaker }) => speaker === 'tool')));
    this.#own = unread(segments.filter(({ speaker }) => speaker === 'agent'));
    const next = { user: this.user.stretches.values(), tool: this.tool.stretches.values(), agent: this.#own.values() };
    this.stretches = segments.flatMap(({ text, speaker }) => (text === '' ? [] : next[sideOf(speaker)].next().value!));
  }

  get agent(): Places {
    this.#agent ??= new Places(this.#own);
    return this.#agent;
  }

  placesOf(side: Side): Places {
    return side === 'agent' ? this.agent : this[side];
  }
}

/** Stretches of the segments that say something; `join` sets their places. */
const unread = (segments: readonly Segment[]): Stretch[] =>
  segments.flatMap((segment) => (segment.text === '' ? [] : { segment, from: 0, to: 0, first: 0, last: 0 }));

/** What the readings of the user's side follow from. An empty segment stands for a message that repeats `user_context`. */
const keyOf = (said: readonly Segment[]): string =>
  said.reduce(
    (key, { speaker, index, source, text }) =>
      `${key}${speaker} ${index} ${source.length} ${text.length} ${source}${text}`,
    '',
  );

/** Joins the stretches to one text and sets their positions in it. */
function join(stretches: readonly Stretch[]): Words {
  const words = lex(stretches.map((s) => s.segment.text).join(GLUE));
  let from = 0;
  let word = 0;
  for (const stretch of stretches) {
    stretch.from = from;
    stretch.to = from + stretch.segment.text.length;
    stretch.first = word;
    while (word < words.count && words.start[word]! < stretch.to) word++;
    stretch.last = word;
    from = stretch.to + GLUE.length;
  }
  return words;
}

/** Words chosen to share a slot must not make a look-up walk the whole text. */
const MAX_STEPS = 4_096;
/** Small plain arrays are cheaper to allocate than typed ones. */
const FEW = 512;
const GLUE = '\n\n';

const requestsOf = keptRequests<Places>();

export const corpusOf: (text: TextReading) => Corpus = perText((text) => new Corpus(segmentsOf(text), text.ontology));

export function sideOf(speaker: Speaker): Side {
  return speaker === 'tool' || speaker === 'agent' ? speaker : 'user';
}

/** The text of one side, and the positions of words in it; the index is built on first use. */
export class Places {
  readonly words: Words;
  readonly stretches: readonly Stretch[];
  readonly memo = new Memo();
  #heads: Int32Array | number[] | null = null;
  #next: Int32Array | number[] = [];
  #mask = 0;

  constructor(stretches: readonly Stretch[]) {
    this.stretches = stretches;
    this.words = join(stretches);
  }

  get is_empty(): boolean {
    return this.stretches.length === 0;
  }

  /** First word with this hash, -1 if there is none; continue with `next`. */
  first(hash: number): number {
    if (this.is_empty) return -1;
    if (this.#heads === null) this.#build();
    return this.#skip(this.#heads![hash & this.#mask]! - 1, hash);
  }

  next(word: number): number {
    return this.#skip(this.#next[word]! - 1, this.words.hash[word]!);
  }

  has(hash: number): boolean {
    return this.first(hash) >= 0;
  }

  stretchOf(word: number): Stretch {
    let low = 0;
    let high = this.stretches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.stretches[middle]!.first <= word) low = middle;
      else high = middle - 1;
    }
    return this.stretches[low]!;
  }

  #skip(from: number, hash: number): number {
    let word = from;
    for (let steps = 0; word >= 0 && this.words.hash[word] !== hash; steps++) {
      if (steps === MAX_STEPS) return -1;
      word = this.#next[word]! - 1;
    }
    return word;
  }

  #build(): void {
    const span = this.words.count;
    let size = 16;
    while (size < span * 2) size *= 2;
    const heads = size < FEW ? new Array<number>(size).fill(0) : new Int32Array(size);
    const next = size < FEW ? new Array<number>(span).fill(0) : new Int32Array(span);
    const mask = size - 1;
    const { hash } = this.words;
    for (let s = this.stretches.length - 1; s >= 0; s--) {
      const { first, last } = this.stretches[s]!;
      for (let word = last - 1; word >= first; word--) {
        const slot = hash[word]! & mask;
        next[word] = heads[slot]!;
        heads[slot] = word + 1;
      }
    }
    this.#heads = heads;
    this.#next = next;
    this.#mask = mask;
  }
}

/** Whether two pieces of text are equal when folded, separators included. */
export function sameFolded(a: string, aFrom: number, aTo: number, b: string, bFrom: number, bTo: number): boolean {
  let i = aFrom;
  let j = bFrom;
  for (;;) {
    while (i < aTo && FOLD[a.charCodeAt(i)] === SKIP) i++;
    while (j < bTo && FOLD[b.charCodeAt(j)] === SKIP) j++;
    if (i >= aTo || j >= bTo) return i >= aTo && j >= bTo;
    const x = a.charCodeAt(i++);
    const y = b.charCodeAt(j++);
    if (x === y) continue;
    const folded = FOLD[x]!;
    if (folded === SEPARATOR || folded !== FOLD[y] || secondUnit(x) !== secondUnit(y)) return false;
  }
}
