/** Values that the user's own words contain, with the words before them. Replaced values are compared with these. */
import type { Ontology } from '../../../ontology/index.ts';
import type { Corpus } from '../conversation/corpus.ts';
import { readValue, type Value, type ValueKind } from '../words/normalise.ts';

export interface NamedValue {
  value: Value;
  /** Up to 160 characters before it, lower case: the sentence that gives the value, most often. */
  before: string;
  /** Characters in the joined text of the user. */
  at: number;
}

const MAX_NAMED = 64;
const BEFORE = 160;
const KINDS: ReadonlySet<ValueKind> = new Set(['email', 'url', 'host', 'account', 'card', 'path', 'identifier']);

export function namedValues(corpus: Corpus): NamedValue[] {
  return corpus.user.memo.get('named', () => findNamed(corpus));
}

function findNamed(corpus: Corpus): NamedValue[] {
  const found: NamedValue[] = [];
  for (const stretch of corpus.user.stretches) {
    if (stretch.segment.speaker === 'user')
      collect(corpus.user.words.text.slice(stretch.from, stretch.to), stretch.from, corpus.ontology, found);
  }
  return found;
}

const SHORTEST = 4;
/** Signs that end a sentence, at the end of a piece. */
const MAX_CLOSING = 8;
const LONGEST = 256;
const SEPARATORS = new Set('"\'`<>()[]{},;|');
const ASCII = 128;
const SEPARATES = 1;
/** An identifier is told from a word of prose by its signs and digits. */
const TELLS = 2;
const CLOSES = 4;
const TRAITS = Uint8Array.from({ length: ASCII }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  return (
    (SEPARATORS.has(sign) || /\s/.test(sign) ? SEPARATES : 0) |
    (/[@./\\_\d-]/.test(sign) ? TELLS : 0) |
    (/[.!?:]/.test(sign) ? CLOSES : 0)
  );
});
const traitsOf = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  return unit < ASCII ? TRAITS[unit]! : /\s/.test(text.charAt(at)) ? SEPARATES : 0;
};

/** One look at each piece between spaces, quotation marks and brackets: a pattern would make an object of every word. */
function collect(text: string, offset: number, ontology: Ontology, found: NamedValue[]): void {
  for (let from = 0; from < text.length; ) {
    let to = from;
    let telling = -1;
    for (; to < text.length && to - from < LONGEST; to++) {
      const traits = traitsOf(text, to);
      if ((traits & SEPARATES) !== 0) break;
      if (telling < 0 && (traits & TELLS) !== 0) telling = to;
    }
    if (telling >= 0 && to - from >= SHORTEST) addPiece(text, from, to, telling, offset, ontology, found);
    if (found.length >= MAX_NAMED) return;
    from = Math.max(to, from + 1);
  }
}

function addPiece(
  text: string,
  from: number,
  to: number,
  telling: number,
  offset: number,
  ontology: Ontology,
  found: NamedValue[],
): void {
  let end = to;
  while (to - end < MAX_CLOSING && end > from && (traitsOf(text, end - 1) & CLOSES) !== 0) end--;
  if (telling >= end) return;
  const value = readValue(text.slice(from, end), '', ontology);
  if (!KINDS.has(value.kind)) return;
  found.push({ value, before: text.slice(Math.max(0, from - BEFORE), from).toLowerCase(), at: offset + from });
}
