/** Sentences that say how an answer is to look and ask for nothing more: «Only a short summary, please.» */
import type { Ontology } from '../../../ontology/index.ts';
import { STOPWORD } from '../words/grammar/grammar.ts';
import type { Words } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { hashedList } from '../words/word-lists.ts';

const MOST_WORDS = 10;
const MANY = 2;

/** Whether each word of the sentence is one of manner, names a text that tells, or says nothing by itself. */
export function saysManner({ hash, start, end, text }: Words, from: number, to: number, ontology: Ontology): boolean {
  if (to - from > MOST_WORDS || to <= from) return false;
  const manner = hashedList(ontology, 'manner_words');
  const nouns = hashedList(ontology, 'telling_nouns');
  const { words: table } = vocabularyOf(ontology);
  let telling = 0;
  for (let i = from; i < to; i++) {
    const isTelling = manner.has(hash[i]!) || nouns.has(hash[i]!);
    if (isTelling) telling++;
    else if ((table.kinds(hash[i]!) & STOPWORD) === 0 && !/^\d{1,4}$/.test(text.slice(start[i]!, end[i]!)))
      return false;
  }
  // One word of manner stands in sentences of any kind: «Please do.»
  return telling >= MANY || (telling === 1 && to - from === 1);
}
