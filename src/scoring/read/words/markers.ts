/**
 * Finds the ontology's injection markers in a sentence. A pattern is tried only on a sentence with one of its own words, on a
 * bounded piece of it, and on a bounded amount of text in all, so that hostile text cannot use up time.
 */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.ts';
import { wordSet } from './word-lists.ts';

/** Limit of strength if all markers found are those of people who write to each other («Please send the list to ana@… today»). */
const MOST_OF_BUSINESS = 0.45;
const MAX_PIECE = 600;
/** Characters that two pieces of a long sentence share, more than what one marker needs, and pieces that are searched. */
const OVERLAP = 120;
const STEP = MAX_PIECE - OVERLAP;
const MAX_PIECES = 6;
/** As much as a transcript holds: with less a long honest conversation counts as one that was not read. */
const MAX_SEARCHED = 1024 * 1024;

/** Sets of markers whose strength is cached; few sets occur. */
const MAX_STRENGTHS = 4_096;

/** Strength by set of markers, and which markers say no more than «an imperative»; memoized per ontology. */
const knownOf = perOntology((ontology) => ({
  strengths: new Map<number, number>(),
  imperative: vocabularyOf(ontology).markers.reduce(
    (bits, { marker }, i) => (marker.startsWith('imperative') ? bits | (1 << i) : bits),
    0,
  ),
  betraying: vocabularyOf(ontology).markers.reduce(
    (bits, { marker }, i) => (wordSet(ontology, 'betraying_markers').has(marker) ? bits | (1 << i) : bits),
    0,
  ),
}));

export class MarkerSearch {
  readonly #vocabulary: Vocabulary;
  readonly #strengths: Map<number, number>;
  #left = MAX_SEARCHED;
  /** The amount of text was used up before everything was searched. */
  was_cut = false;
  /** Bits of markers that say no more than «an imperative»; grammar decides whether a sentence is one. */
  readonly imperative: number;
  /** Bits of markers that nobody writes to those who work with him. */
  readonly #betraying: number;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    const { strengths, imperative, betraying } = knownOf(vocabulary.ontology);
    this.#betraying = betraying;
    this.#strengths = strengths;
    this.imperative = imperative;
  }

  /** Bits of the markers found; `candidates` are those whose words stand in the sentence. A long sentence is searched piece by piece. */
  find(sentence: string, candidates: number): number {
    let found = this.#findIn(sentence.slice(0, MAX_PIECE), candidates);
    // Code has long stretches without the end of a sentence, in which weaker markers stand by chance.
    let wanted = candidates & this.#betraying & ~found;
    for (let at = STEP, n = 1; at + OVERLAP < sentence.length && n < MAX_PIECES && wanted !== 0; at += STEP, n++) {
      const from = n === MAX_PIECES - 1 ? Math.max(at, sentence.length - MAX_PIECE) : at;
      found |= this.#findIn(sentence.slice(from, from + MAX_PIECE), wanted);
      wanted &= ~found;
    }
    return found;
  }

  #findIn(piece: string, candidates: number): number {
    const text = unescaped(piece);
    const { markers } = this.#vocabulary;
    let found = 0;
    for (let i = 0; i < markers.length; i++) {
      if ((candidates & (1 << i)) === 0) continue;
      if (this.#left < text.length) {
        this.was_cut = true;
        return found;
      }
      this.#left -= text.length;
      const { pattern } = markers[i]!;
      pattern.lastIndex = 0;
      if (pattern.test(text)) found |= 1 << i;
    }
    return found;
  }

  strength(marks: number): number {
    const known = this.#strengths.get(marks);
    if (known !== undefined) return known;
    let rest = 1;
    for (const [i, marker] of this.#vocabulary.markers.entries()) {
      if ((marks & (1 << i)) !== 0) rest *= 1 - marker.strength;
    }
    const business = wordSet(this.#vocabulary.ontology, 'business_markers');
    const isBusiness = this.names(marks).every((name) => business.has(name));
    const strength = Math.round(Math.min(1 - rest, isBusiness ? MOST_OF_BUSINESS : 1) * 1e6) / 1e6;
    if (this.#strengths.size >= MAX_STRENGTHS) this.#strengths.clear();
    this.#strengths.set(marks, strength);
    return strength;
  }

  names(marks: number): string[] {
    if (marks === 0) return [];
    return this.#vocabulary.markers.filter((_, i) => (marks & (1 << i)) !== 0).map((m) => m.marker);
  }
}

/**
 * Output often has the escapes of a string's source: `\\n` for a line end, `\\"` for a quotation mark. Any run of blanks is one,
 * as it is for a reader.
 */
function unescaped(text: string): string {
  const plain = text.replace(/[^\S\n]+/g, ' ').replaceAll(' \n', '\n');
  return plain.includes('\\')
    ? plain.replace(/\\([nrt"'\\/])/g, (_, c: string) => (c === 'n' || c === 'r' ? '\n' : c === 't' ? ' ' : c))
    : plain;
}
