/** The user's own words as one text, and its words with where they stand. */
import { segmentsOf, type TextReading } from '../conversation/text.ts';

const MAX_TEXT = 65_536;

/** The user's own messages, oldest first; at most 64 Ki characters. */
export const userWords = (text: TextReading): string =>
  segmentsOf(text)
    .filter(({ speaker }) => speaker === 'user')
    .map((segment) => segment.text)
    .join('\n')
    .slice(0, MAX_TEXT);
