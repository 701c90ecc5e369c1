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
const MAX_SEARCHED = 128 * 1024;

/** Sets of markers whose strength is cached; few sets occur. */
const MAX_STRENGTHS = 4_096;

/** Strength by set of markers, and which markers say no more than «an imperative»; memoized per ontology. */
const knownOf = perOntology((ontology) => ({
  strengths: new Map<number, number>(),
  imperative: vocabularyOf(ontology).markers.reduce(
    (bits, { marker }, i) => (marker.startsWith('imperative') ? bits | (1 << i) : bits),
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

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    const { strengths, imperative } = knownOf(vocabulary.ontology);
    this.#strengths = strengths;
    this.imperative = imperative;
  }

  /** Bits of the markers found; `candidates` are those whose words stand in the sentence. */
  find(piece: string, candidates: number): number {
    const text = unescaped(piece.length > MAX_PIECE ? piece.slice(0, MAX_PIECE) : piece);
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
