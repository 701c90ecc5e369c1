/**
 * The conversation as indexed text. The words of the user and of outsiders are one text, with a chain from each word's hash to
 * its places; the agent's words are a second one, built only if a value is found nowhere else. Built once per event in linear
 * time; the cost of a look-up grows with the places where a word occurs, not with the length of the text.
 */

import type { Ontology } from '../../../ontology/index.ts';
import { FOLD, SEPARATOR, SKIP, secondUnit } from '../words/fold.ts';
import { lex, type Words } from '../words/lexer.ts';
import { Memo } from '../words/memo.ts';
import { keptRequests } from './kept-requests.ts';
import { perText, segmentsOf, type TextReading } from './text.ts';
import type { Segment, Speaker } from './transcript.ts';

export interface Stretch {
  segment: Segment;
  /** Position in the conversation, to tell which of two values came first. */
  order: number;
  /** Characters in the joined text. */
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
  /** Words of user and outsiders. */
  readonly words: Words;
  /** Their stretches and the agent's, in the order of the conversation. */
  readonly stretches: readonly Stretch[];
  readonly user: Places;
  readonly tool: Places;
  readonly memo = new Memo();
  #agent: Places | null = null;

  constructor(segments: readonly Segment[], ontology: Ontology) {
    this.ontology = ontology;
    const stretches: Stretch[] = [];
    for (const segment of segments) {
      if (segment.text !== '') stretches.push({ segment, order: stretches.length, from: 0, to: 0, first: 0, last: 0 });
    }
    this.stretches = stretches;
    const bySide = (side: Side): Stretch[] => stretches.filter((s) => sideOf(s.segment.speaker) === side);
    this.words = join(stretches.filter((s) => s.segment.speaker !== 'agent'));
    this.user = new Places(this.words, bySide('user'));
    this.tool = new Places(this.words, bySide('tool'));
  }

  get agent(): Places {
    if (this.#agent !== null) return this.#agent;
    const own = this.stretches.filter((s) => s.segment.speaker === 'agent');
    this.#agent = new Places(join(own), own);
    return this.#agent;
  }

  placesOf(side: Side): Places {
    return side === 'agent' ? this.agent : this[side];
  }
}

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

const requestsOf = keptRequests<Corpus>();

export const corpusOf: (text: TextReading) => Corpus = perText((text) => corpusFrom(segmentsOf(text), text.ontology));

/** If the conversation is one text of the user, the corpus depends on that text alone and is shared. */
function corpusFrom(segments: readonly Segment[], ontology: Ontology): Corpus {
  const [only] = segments;
  const isRequest = segments.length === 1 && only!.speaker === 'user' && only!.index === -1 && only!.source === '';
  const make = (): Corpus => new Corpus(segments, ontology);
  return isRequest ? requestsOf(ontology).get(only!.text, make) : make();
}

export function sideOf(speaker: Speaker): Side {
  return speaker === 'tool' || speaker === 'agent' ? speaker : 'user';
}

/** Positions of words in the stretches of one side; the index is built on first use. */
export class Places {
  readonly words: Words;
  readonly stretches: readonly Stretch[];
  readonly memo = new Memo();
  #heads: Int32Array | number[] | null = null;
  #next: Int32Array | number[] = [];
  #mask = 0;
  #base = 0;

  constructor(words: Words, stretches: readonly Stretch[]) {
    this.words = words;
    this.stretches = stretches;
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
    return this.#skip(this.#next[word - this.#base]! - 1, this.words.hash[word]!);
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
      word = this.#next[word - this.#base]! - 1;
    }
    return word;
  }

  #build(): void {
    const base = this.stretches[0]!.first;
    const span = this.stretches.at(-1)!.last - base;
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
        next[word - base] = heads[slot]!;
        heads[slot] = word + 1;
      }
    }
    this.#base = base;
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
