/** Whether the user's words speak of a path: by one word of it, in any number. */
import { singular, splitWords } from '../../../../lang/names.ts';
import { corpusOf } from '../../conversation/corpus.ts';
import type { TextReading } from '../../conversation/text.ts';
import { hashWord } from '../../words/lexer.ts';

/** A shorter word stands in any request. */
const SHORTEST = 3;
const ENDING = /(?<=[\w)\]-])\.([a-z][a-z0-9]{0,5})$/i;

/** The ending of another file that the user names says nothing of this one: `a.txt` does not speak of `b.txt`, «text files» does. */
export function saysPartOf(path: string, text: TextReading): boolean {
  const { user } = corpusOf(text);
  const ending = ENDING.exec(path)?.[1]?.toLowerCase() ?? '';
  const isOnlyEnding = ending !== '' && endsAName(text.trusted, ending);
  const part = isOnlyEnding ? path.slice(0, -ending.length - 1) : path;
  return splitWords(part).some(
    (word) => word.length >= SHORTEST && [word, singular(word), `${word}s`].some((form) => user.has(hashWord(form))),
  );
}

/** Every time the ending stands in the text, it stands behind a name and a dot. */
function endsAName(said: string, ending: string): boolean {
  const all = said.match(new RegExp(`(?<![a-z0-9])${ending}(?![a-z0-9])`, 'gi'))?.length ?? 0;
  const behindNames = said.match(new RegExp(`[\\w)\\]-]\\.${ending}(?![a-z0-9])`, 'gi'))?.length ?? 0;
  return all > 0 && all === behindNames;
}
