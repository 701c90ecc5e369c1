/** The user's own words as one text. */
import { foldText } from '../words/fold.ts';
import { memoOf, segmentsOf, type TextReading } from './text.ts';

const MAX_TEXT = 65_536;

/** The user's own messages, oldest first; at most 64 Ki characters. */
export const userWords = (text: TextReading): string =>
  memoOf(text).get('user words', () =>
    segmentsOf(text)
      .filter(({ speaker }) => speaker === 'user')
      .map((segment) => segment.text)
      .join('\n')
      .slice(0, MAX_TEXT),
  );

/** The same in small letters and without accents, as `foldText` writes it. */
export const foldedUserWords = (text: TextReading): string =>
  memoOf(text).get('folded user words', () => foldText(userWords(text)));
