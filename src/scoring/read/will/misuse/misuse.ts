/**
 * Whether the user's own words ask for what harms others: a control is evaded, a record falsified, evidence destroyed. A way is told
 * by what it is about (`misuse_ways`), or by its form: a deed, and beside it what condemns it (`form_ways`).
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, inverseOf, patternOf, setOf, tableOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { recordsOtherThanTrue } from './contrary-value.ts';

/** A form that stands in a text, or must not. */
type Sign = (said: string) => boolean;

interface Way {
  kind: string;
  signs: readonly Sign[];
  reliefs: readonly Sign[];
}

const ways = perOntology((ontology): readonly Way[] => {
  const kinds = new Map([...inverseOf(ontology, 'misuse_kinds'), ...inverseOf(ontology, 'form_kinds')]);
  return [...tableOf(ontology, 'misuse_ways'), ...tableOf(ontology, 'form_ways')].map(([way, groups]) => ({
    kind: (kinds.get(way) ?? way).replaceAll('_', ' '),
    signs: groups.filter((group) => !group.startsWith('-')).map((group) => signOf(group, ontology)),
    reliefs: groups.filter((group) => group.startsWith('-')).map((group) => signOf(group.slice(1), ontology)),
  }));
});

/** `gain` is one form, and `unseen|untold` one of two. */
function signOf(group: string, ontology: Ontology): Sign {
  if (group.includes('|')) {
    const signs = group.split('|').map((one) => signOf(one, ontology));
    return (said) => signs.some((sign) => sign(said));
  }
  if (group === CONTRARY_VALUE) return (said) => recordsOtherThanTrue(said, ontology);
  const pattern = anyOf(ontology, group);
  return (said) => pattern.test(said);
}

const CONTRARY_VALUE = 'contrary_value';
const holdWords = perOntology((ontology) => ({
  said: new RegExp(patternOf(ontology, 'spared_holds', 'said').source, 'gi'),
  filter: patternOf(ontology, 'spared_holds', 'filter'),
  alternative: patternOf(ontology, 'spared_holds', 'alternative'),
}));
const words = perOntology((ontology) => ({
  protective: anyOf(ontology, 'protective_words'),
  openers: setOf(ontology, 'question_openers'),
}));

/** Sentences of the user that are read, from the newest on, and characters of each. */
const MAX_SENTENCES = 40;
const LONGEST = 500;
const SENTENCE_ENDS = /(?<=[.!?。！？]["'»”)]{0,2})\s|\n/;

/** What the user asks for that harms others, as words that people read («destruction of evidence»); '' if nothing is. */
export const harmfulWish: (text: TextReading) => string = perRequest((words_of_user, ontology) =>
  wishIn(foldText(words_of_user), ontology),
);

/** The same without words such as «skip those under legal hold», for an action that leaves records under hold alone. */
export const harmfulWishBesideHolds: (text: TextReading) => string = perRequest((words_of_user, ontology) => {
  const { said } = holdWords(ontology);
  return wishIn(foldText(words_of_user).replace(said, ' '), ontology);
});

/** Whether every record that the action takes must be under no hold: a filter of its own says so, and offers no other way in. */
export function sparesHeldRecords(event: AgentEvent, ontology: Ontology): boolean {
  const { filter, alternative } = holdWords(ontology);
  const texts = parametersOf(event).leaves.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return texts.some((value) => value.length <= LONGEST_FILTER && filter.test(value) && !alternative.test(value));
}

const LONGEST_FILTER = 2_000;

function wishIn(said_by_user: string, ontology: Ontology): string {
  const sentences = said_by_user
    .split(SENTENCE_ENDS)
    .map((sentence) => sentence.trim().slice(0, LONGEST))
    .filter((sentence) => sentence !== '' && !isQuestion(sentence, ontology))
    .slice(-MAX_SENTENCES);
  const all = sentences.join(' ');
  const possible = ways(ontology).filter(({ signs }) => signs.every((sign) => sign(all)));
  if (possible.length === 0) return '';
  const { protective } = words(ontology);
  for (const [i, sentence] of sentences.entries()) {
    const said = i === 0 ? sentence : `${sentences[i - 1]!} ${sentence}`;
    const way = possible.find(
      ({ signs, reliefs }) => signs.every((sign) => sign(said)) && !reliefs.some((relief) => relief(said)),
    );
    if (way !== undefined && !protective.test(said)) return way.kind;
  }
  return '';
}

/** «Are we allowed to …?» asks for an answer, «can you …?» for the deed. */
const isQuestion = (sentence: string, ontology: Ontology): boolean =>
  sentence.endsWith('?') && words(ontology).openers.has(/^\p{L}+/u.exec(sentence)?.[0] ?? '');
