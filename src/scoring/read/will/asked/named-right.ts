/**
 * Whether the user gives somebody a right by naming both: «Bára needs write on timetable-core», «make dana an editor». People say
 * it with any verb or with none, so the names decide.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { NEGATION } from '../../words/grammar/grammar.ts';
import { hashWord } from '../../words/lexer.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';

const words = perOntology((ontology) => ({
  rights: setOf(ontology, 'right_names'),
  states: setOf(ontology, 'state_copulas'),
  openers: setOf(ontology, 'question_openers'),
  notes: setOf(ontology, 'noting_parameters'),
  member: patternOf(ontology, 'names_in_policies', 'member'),
  nested: patternOf(ontology, 'names_in_policies', 'nested'),
  looking_role: patternOf(ontology, 'names_in_policies', 'looking_role'),
}));

const MAX_LEAVES = 60;
const MAX_SENTENCES = 60;
const LONGEST_SENTENCE = 400;
const LONGEST_VALUE = 80;
const LETTER = /\p{L}/u;
/** `30 days`, `12h`, `2026-01-31T08:00`: no name of anybody or anything. */
const MEASURE = /^\d{1,12} ?\p{L}{1,7}$|^\d{4}-\d\d/u;
const MOST_WORDS = 2;

/** Whether a value may be a name: shorter ones stand in any text, longer ones are remarks. */
const isName = (value: string): boolean =>
  LETTER.test(value) && !MEASURE.test(value) && value.split(/\s+/).length <= MOST_WORDS;

/** The user's sentences, folded. */
const sentencesOf = perRequest((said) =>
  foldText(said)
    .split(/(?<=[.!?])\s|\n/)
    .map((sentence) => sentence.trim().slice(0, LONGEST_SENTENCE))
    .filter((sentence) => sentence !== '')
    .slice(-MAX_SENTENCES),
);

/** The rights among the parameters of an event, and the other names beside them: who gets a right, on what. */
export interface GivenRight {
  rights: readonly Leaf[];
  others: readonly Leaf[];
}

const NO_RIGHT: GivenRight = { rights: [], others: [] };

export function givenRight(event: AgentEvent, ontology: Ontology): GivenRight {
  const { rights, notes } = words(ontology);
  const leaves = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ value }) => typeof value === 'string' && value.length <= LONGEST_VALUE);
  const given = leaves.filter(({ name }) => rights.has(name));
  if (given.length === 0) return NO_RIGHT;
  const others = leaves.filter(
    (leaf) => !rights.has(leaf.name) && !notes.has(leaf.name) && isName(spelt(leaf, ontology)),
  );
  return { rights: given, others };
}

/**
 * True where each right among the parameters stands in one sentence of the user with another value of them: not behind a negation,
 * in a question for an answer, or as a state that is there already. All names among the parameters have to be the user's: who gets
 * the right, and on what, else the right of one person would pass for an order to give it to another.
 */
export function namesRight(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const { rights, others } = givenRight(event, ontology);
  return (
    rights.length > 0 &&
    others.length > 0 &&
    others.every((other) => isSaidByUser(other, text)) &&
    rights.every((right) => sentenceOfRight(right, others, ontology, text) !== undefined)
  );
}

/** The user's sentence that gives a right to one of these names, folded. */
export const sentenceOfRight = (
  right: Leaf,
  names: readonly Leaf[],
  ontology: Ontology,
  text: TextReading,
): string | undefined =>
  sentencesOf(text).find((sentence) => {
    const holder = names.find((name) => isSaid(name, sentence, ontology));
    return holder !== undefined && isGiven(spelt(right, ontology), spelt(holder, ontology), sentence, ontology);
  });

export const isSaidByUser = (leaf: Leaf, text: TextReading): boolean =>
  sentencesOf(text).some((sentence) => isSaid(leaf, sentence, text.ontology));

const isSaid = (leaf: Leaf, sentence: string, ontology: Ontology): boolean =>
  standsAlone(spelt(leaf, ontology), sentence);

/**
 * The value of a leaf as names are compared: `user:ana@north.test` is `ana@north.test`, `projects/a/datasets/soil` is `soil`, and of
 * the rights only to look `roles/bigquery.dataViewer` is `viewer`.
 */
export function spelt({ value }: Leaf, ontology: Ontology): string {
  const name = foldText(String(value).trim());
  const { member: of_member, nested, looking_role } = words(ontology);
  const [, member = name] = of_member.exec(name) ?? [];
  const part = nested.test(member) ? (member.split('/').at(-1) ?? member) : member;
  return looking_role.exec(part)?.[1] ?? part;
}

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
