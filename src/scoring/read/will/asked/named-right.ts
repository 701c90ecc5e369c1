/**
 * Whether the user gives somebody a right by naming both: «Bára needs write on timetable-core», «make dana an editor». People say
 * it with any verb or with none, so the names decide.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { NEGATION } from '../../words/grammar.ts';
import { hashWord } from '../../words/lexer.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';

const words = perOntology((ontology) => ({
  rights: setOf(ontology, 'right_names'),
  states: setOf(ontology, 'state_copulas'),
  openers: setOf(ontology, 'question_openers'),
}));

const MAX_LEAVES = 60;
const MAX_SENTENCES = 60;
const LONGEST_SENTENCE = 400;
const LONGEST_VALUE = 80;
/** Shorter values stand in any text. */
const SHORTEST_VALUE = 3;

/** The user's sentences, folded. */
const sentencesOf = perRequest((said) =>
  foldText(said)
    .split(/(?<=[.!?])\s|\n/)
    .map((sentence) => sentence.trim().slice(0, LONGEST_SENTENCE))
    .filter((sentence) => sentence !== '')
    .slice(-MAX_SENTENCES),
);

/**
 * True where each right among the parameters stands in one sentence of the user with another value of them: not behind a negation,
 * in a question for an answer, or as a state that is there already.
 */
export function namesRight(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const { rights } = words(ontology);
  const leaves = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ value }) => typeof value === 'string' && value.length <= LONGEST_VALUE);
  const given = leaves.filter(({ name }) => rights.has(name));
  const others = leaves.filter(({ name, value }) => !rights.has(name) && String(value).length >= SHORTEST_VALUE);
  if (given.length === 0 || others.length === 0) return false;
  const sentences = sentencesOf(text);
  return given.every((right) =>
    sentences.some((sentence) => {
      const holder = others.find((other) => standsAlone(spelt(other), sentence));
      return holder !== undefined && isGiven(spelt(right), spelt(holder), sentence, ontology);
    }),
  );
}

const spelt = ({ value }: Leaf): string => foldText(String(value).trim());

function isGiven(right: string, holder: string, sentence: string, ontology: Ontology): boolean {
  if (!standsAlone(right, sentence)) return false;
  const { states, openers } = words(ontology);
  const { words: table } = vocabularyOf(ontology);
  if (sentence.endsWith('?') && openers.has(/^\p{L}+/u.exec(sentence)?.[0] ?? '')) return false;
  const at = sentence.indexOf(right);
  const clause = sentence
    .slice(0, at)
    .split(/[,;:()]/)
    .at(-1)!;
  if (lettersOf(clause).some((word) => (table.kinds(hashWord(word)) & NEGATION) !== 0)) return false;
  const from = sentence.indexOf(holder) + holder.length;
  return !(from <= at && lettersOf(sentence.slice(from, at)).some((word) => states.has(word)));
}

const lettersOf = (text: string): readonly string[] => text.split(/[^\p{L}]+/u);
