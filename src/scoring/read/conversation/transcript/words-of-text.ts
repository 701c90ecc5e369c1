/** The telling words of a text (no stop words) and how many of them each side of the conversation has. */

import { GROUP_MASK, STOPWORD } from '../../words/grammar/grammar.ts';
import { lex, type Words } from '../../words/lexer.ts';
import type { WordTable } from '../../words/word-table.ts';
import type { Corpus, Places } from '../corpus.ts';

export interface Overlap {
  /** Words that tell texts apart. */
  telling: number;
  user: number;
  /** Only in text from outside, not in the user's. */
  tool: number;
}

/** Only so many words of a text are read. */
const MAX_WORDS = 2_000;

export function overlapOf(corpus: Corpus, words: Words, table: WordTable): Overlap {
  let telling = 0;
  let of_user = 0;
  let of_tool = 0;
  const { user, tool } = corpus;
  for (let i = 0; i < words.count && i < MAX_WORDS; i++) {
    if (!isTelling(words, i, table)) continue;
    const hash = words.hash[i]!;
    telling++;
    if (user.has(hash)) of_user++;
    else if (tool.has(hash)) of_tool++;
  }
  return { telling, user: of_user, tool: of_tool };
}

export function isTelling(words: Words, i: number, table: WordTable): boolean {
  return words.end[i]! - words.start[i]! > 2 && (table.kinds(words.hash[i]!) & STOPWORD) === 0;
}

/** Length in words of the longest piece of `words` that stands in `places` in the same order. */
export function longestRun(places: Places, words: Words): number {
  const all = places.words;
  let longest = 0;
  for (let i = 0; i < words.count && i < MAX_WORDS; ) {
    let best = 0;
    let tries = 0;
    for (let at = places.first(words.hash[i]!); at >= 0 && tries < 16; at = places.next(at), tries++) {
      let n = 1;
      while (i + n < words.count && at + n < all.count && all.hash[at + n] === words.hash[i + n]) n++;
      if (n > best) best = n;
    }
    if (best > longest) longest = best;
    i += Math.max(1, best);
  }
  return longest;
}

/** How many of the words, in the same order, stand in `places` with at most `gap` other words between two of them. */
export function longestNearRun(places: Places, words: Words, gap: number): number {
  const all = places.words;
  let longest = 0;
  for (let i = 0; i < words.count && i < MAX_WORDS; i++) {
    let tries = 0;
    for (let at = places.first(words.hash[i]!); at >= 0 && tries < 16; at = places.next(at), tries++) {
      let found = 1;
      let last = at;
      for (let k = i + 1; k < words.count; k++) {
        const end = Math.min(all.count, last + 2 + gap);
        for (let next = last + 1; next < end; next++) {
          if (all.hash[next] !== words.hash[k]) continue;
          found++;
          last = next;
          break;
        }
      }
      if (found > longest) longest = found;
    }
  }
  return longest;
}

/** Whether a value is specific enough to tie texts together: a name, a code, an address, at least `least` telling words. */
export function isTellingValue(text: string, table: WordTable, least: number): boolean {
  if (!/^[a-z ,.]*$/.test(text)) return true;
  const words = lex(text);
  let telling = 0;
  for (let i = 0; i < words.count && telling < least; i++) {
    if (isTelling(words, i, table) && (table.kinds(words.hash[i]!) & GROUP_MASK) === 0) telling++;
  }
  return telling >= least;
}

/** The text of the words `from` to `to` - 1. */
export function slice(words: Words, from: number, to: number): string {
  if (to <= from || words.count === 0) return '';
  return words.text.slice(words.start[from]!, words.end[Math.min(to, words.count) - 1]!);
}
