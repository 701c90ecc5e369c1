/** Values that stand in the user's own words, with the words before them: what a replaced value is compared with. */
import type { Corpus } from './corpus.ts';
import { readValue, type Value, type ValueKind } from './normalise.ts';

export interface NamedValue {
  value: Value;
  /** Up to 160 characters before it, lower case: the sentence that gives the value, most often. */
  before: string;
  /** Characters in the joined text. */
  at: number;
}

const MAX_NAMED = 64;
const BEFORE = 160;
const KINDS: ReadonlySet<ValueKind> = new Set(['email', 'url', 'host', 'account', 'card', 'path', 'identifier']);

export function namedValues(corpus: Corpus): NamedValue[] {
  return corpus.memo.get('named', () => findNamed(corpus));
}

function findNamed(corpus: Corpus): NamedValue[] {
  const found: NamedValue[] = [];
  for (const stretch of corpus.user.stretches) {
    if (stretch.segment.speaker === 'user')
      collect(corpus.words.text.slice(stretch.from, stretch.to), stretch.from, found);
  }
  return found;
}

const PIECES = /[^\s"'`<>()[\]{},;|]{4,256}/g;

function collect(text: string, offset: number, found: NamedValue[]): void {
  for (const match of text.matchAll(PIECES)) {
    if (found.length >= MAX_NAMED) return;
    const piece = match[0].replace(/[.!?:]{1,8}$/, '');
    // An identifier is told from a word of prose by its signs and digits.
    if (!/[@./\\_\d-]/.test(piece)) continue;
    const value = readValue(piece, '');
    if (!KINDS.has(value.kind)) continue;
    found.push({
      value,
      before: text.slice(Math.max(0, match.index - BEFORE), match.index).toLowerCase(),
      at: offset + match.index,
    });
  }
}
