/** Whether the user's own words ask for what harms others: a control is evaded, a record falsified, evidence destroyed. */
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, inverseOf, setOf, tableOf } from '../../../ontology/words.ts';
import type { TextReading } from '../conversation/text.ts';
import { perRequest } from '../conversation/user-words.ts';
import { foldText } from '../words/fold.ts';

const ways = perOntology((ontology) => {
  const kinds = inverseOf(ontology, 'misuse_kinds');
  return [...tableOf(ontology, 'misuse_ways')].map(([way, groups]) => ({
    kind: (kinds.get(way) ?? way).replaceAll('_', ' '),
    signs: groups.map((group) => anyOf(ontology, group)),
  }));
});
const words = perOntology((ontology) => ({
  protective: anyOf(ontology, 'protective_words'),
  openers: setOf(ontology, 'question_openers'),
}));

/** Sentences of the user that are read, from the newest on, and characters of each. */
const MAX_SENTENCES = 40;
const LONGEST = 500;
const SENTENCE_ENDS = /(?<=[.!?。！？]["'»”)]{0,2})\s|\n/;

/** What the user asks for that harms others, as words that people read («destruction of evidence»); '' if nothing is. */
export const harmfulWish: (text: TextReading) => string = perRequest((words_of_user, ontology) => {
  const sentences = foldText(words_of_user)
    .split(SENTENCE_ENDS)
    .map((sentence) => sentence.trim().slice(0, LONGEST))
    .filter((sentence) => sentence !== '' && !isQuestion(sentence, ontology))
    .slice(-MAX_SENTENCES);
  const all = sentences.join(' ');
  const possible = ways(ontology).filter(({ signs }) => signs.every((sign) => sign.test(all)));
  if (possible.length === 0) return '';
  const { protective } = words(ontology);
  for (const [i, sentence] of sentences.entries()) {
    const said = i === 0 ? sentence : `${sentences[i - 1]!} ${sentence}`;
    const way = possible.find(({ signs }) => signs.every((sign) => sign.test(said)));
    if (way !== undefined && !protective.test(said)) return way.kind;
  }
  return '';
});

/** «Are we allowed to …?» asks for an answer, «can you …?» for the deed. */
const isQuestion = (sentence: string, ontology: Ontology): boolean =>
  sentence.endsWith('?') && words(ontology).openers.has(/^\p{L}+/u.exec(sentence)?.[0] ?? '');
