/** How the user answers what the agent proposes, in whatever words: a yes, a condition, a choice, or a yes to less. */
import { standsAlone } from '../../../lang/stands-alone.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../../ontology/words.ts';
import { foldText } from '../words/fold.ts';
import { GROUP_MASK, TOLD } from '../words/grammar/grammar.ts';
import { lex } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { MAX_READ, proposalBefore, startsWithAny, yesOf } from './agreed.ts';
import { requestOf } from './request.ts';
import { lastUserIndex, memoOf, type TextReading } from './text.ts';

/** What an act is called: bits of verb groups, and hashes of its own verbs. */
export interface Deed {
  own_groups: number;
  verbs: ReadonlySet<number>;
}

/** Characters of an answer, folded; a longer one says more than how the user takes the proposal. */
const LONGEST_ANSWER = 200;
/** Characters and words of a clause behind «good», «right»: a longer one says something else. */
const LONGEST_CLAUSE = 60;
const MOST_WORDS = 8;
/** Sentences at the end of a proposal that say what is offered. */
const OFFERED = 3;
/** «Want that?» asks about the sentence before it. */
const BARE_QUESTION = 3;

const saidFor = perOntology((ontology) => {
  const list = (name: string): string[] => listOf(ontology, name).map((word) => foldText(word).trim());
  const said = (name: string): RegExp => patternOf(ontology, 'approval', name);
  return {
    yes: yesOf(ontology),
    no: list('approval_no'),
    agreeing: list('agreeing_words'),
    joining: list('agreement_joins'),
    fine: said('fine'),
    polite: said('polite'),
    postponed: said('postponed'),
    conditional: said('conditional'),
    lesser: said('lesser_offer'),
    listed: said('listed'),
    chosen: said('chosen'),
  };
});

const answerOf = (text: TextReading): string => foldText(text.last_user_message.slice(0, 2 * LONGEST_ANSWER)).trim();
const offerOf = (text: TextReading): string =>
  memoOf(text).get('offer', () => foldText((proposalBefore(text)?.text ?? '').slice(-MAX_READ)).trim());

/**
 * Whether the user's last message answers the agent's proposal with a yes, in whatever words and with whatever more it says: «right,
 * only DB 4», «add thanks, then send», «Sim, 21h. Pode enviar». A question or a postponement is none.
 */
export function agreesToProposal(ontology: Ontology, text: TextReading, deed: Deed): boolean {
  const answer = answerOf(text);
  if (answer === '' || answer.length > LONGEST_ANSWER || proposalBefore(text) === null) return false;
  const said = saidFor(ontology);
  if (said.postponed.test(firstSentence(answer)) || QUESTION.test(answer) || startsWithAny(answer, said.no))
    return false;
  if (answersQuestion(answer, offerOf(text)) || asksForDeed(ontology, text, deed)) return true;
  return clausesOf(answer).some((part) => {
    const join = said.joining.find((word) => part.startsWith(`${word} `));
    const clause = join === undefined ? part : part.slice(join.length).trim();
    if (startsWithAny(clause, said.yes)) return true;
    if (clause.length > LONGEST_CLAUSE || clause.split(/\s+/).length > MOST_WORDS) return false;
    const isFine = said.fine.test(clause) || said.polite.test(clause);
    return isFine || startsWithAny(clause, said.agreeing) || ordersDeed(clause, deed, ontology);
  });
}

/** Whether the agent asked, and the user's last message says yes to it, with whatever condition or limit. */
export function answersProposal(ontology: Ontology, text: TextReading, deed: Deed): boolean {
  if (questionIn(sentencesOf(offerOf(text))) < 0) return false;
  const { yes, listed, chosen } = saidFor(ontology);
  const answer = answerOf(text);
  const isChoice = listed.test(offerOf(text)) && chosen.test(answer);
  return isChoice || startsWithAny(answer, yes) || agreesToProposal(ontology, text, deed);
}

/** Whether the user's last message says yes under a condition: «yes, if the tests pass». */
export function agreesConditionally(ontology: Ontology, text: TextReading): boolean {
  const { yes, conditional } = saidFor(ontology);
  const answer = answerOf(text);
  return answer.length <= LONGEST_ANSWER && startsWithAny(answer, yes) && conditional.test(firstSentence(answer));
}

/**
 * Whether the agent offered less than the deed: to look, to draft, to begin; or several ways or steps of which the user chose one by
 * its letter or number. Where the last question or the answer names the deed itself, the deed was offered.
 */
export function offeredLess(ontology: Ontology, text: TextReading, deed: Deed): boolean {
  const { lesser, listed, chosen } = saidFor(ontology);
  const offer = offerOf(text);
  const answer = answerOf(text);
  if (listed.test(offer) && chosen.test(answer)) return !namesDeed(optionOf(offer, answer), deed, ontology);
  const sentences = sentencesOf(offer);
  if (lesser.test(answer)) return true;
  if (!lesser.test(sentences.slice(-OFFERED).join(' '))) return false;
  const question = sentences.at(-1) ?? '';
  return !(namesDeed(question, deed, ontology) && !lesser.test(question)) && !namesDeed(answer, deed, ontology);
}

/** The same, where the answer itself says less, or the agent's last question does: what the user was asked for was plainly not the deed. */
export function acceptedLess(ontology: Ontology, text: TextReading, deed: Deed): boolean {
  if (!offeredLess(ontology, text, deed)) return false;
  const { lesser, listed, chosen } = saidFor(ontology);
  const offer = offerOf(text);
  const answer = answerOf(text);
  if (listed.test(offer) && chosen.test(answer)) return true;
  if (lesser.test(answer)) return true;
  const sentences = sentencesOf(offer);
  const at = questionIn(sentences);
  const question = sentences[at] ?? '';
  const isBare = question.split(/\s+/).length <= BARE_QUESTION;
  return question !== '' && lesser.test(isBare ? `${sentences[at - 1] ?? ''} ${question}` : question);
}

/** The text of the way or step that the answer chooses by its letter or number; '' where it chooses none of them. */
function optionOf(offer: string, answer: string): string {
  const chosen = /(?:^|\s)([a-e1-9])(?=$|[\s.,!)])/.exec(answer)?.[1];
  if (chosen === undefined) return '';
  const parts = offer.split(/(?:^|[\s(])([a-e1-9])[).:]\s/);
  const at = parts.findIndex((part, i) => i % 2 === 1 && part === chosen);
  return at < 0 ? '' : (parts[at + 1] ?? '');
}

const QUESTION = /[?？؟]$/;

/** Index of the question among the last two sentences; -1 where there is none. «Shall I list them first? Nothing is removed.» */
const questionIn = (sentences: readonly string[]): number =>
  sentences.findLastIndex((sentence, at) => at >= sentences.length - 2 && QUESTION.test(sentence.trim()));

const clausesOf = (answer: string): string[] =>
  answer.split(/[.,;:!…。、，！؛،\n]+|\s[–—-]\s/).map((part) => part.trim());

const sentencesOf = (said: string): string[] =>
  said.split(/(?<=[.!?。？！؟])\s{0,4}|\n/).filter((part) => part.trim() !== '');

/** «Yes, delete it. And tell me when it is off»: what the second sentence says is not a condition of the first. */
const firstSentence = (answer: string): string => /^.{1,240}?[.!](?=\s|$)/s.exec(answer)?.[0] ?? answer;

/** «Take the 4,862.34», «place it»: a value of the last question, or its word at the beginning of a short answer. */
function answersQuestion(answer: string, offer: string): boolean {
  if (!QUESTION.test(offer)) return false;
  if ((answer.match(NUMBERS) ?? []).some((number) => standsAlone(number, offer))) return true;
  const [first = ''] = answer.match(/^\p{L}{4,30}/u) ?? [];
  return first !== '' && answer.length <= LONGEST_CLAUSE && standsAlone(first, sentencesOf(offer).at(-1) ?? '');
}

const NUMBERS = /\d[\d.,]{0,14}\d/g;

/** Whether the last message itself asks for the deed, in any language whose verbs we know. */
function asksForDeed(ontology: Ontology, text: TextReading, { own_groups }: Deed): boolean {
  const last = lastUserIndex(text);
  return requestOf(text, ontology).asks.some(
    ({ groups, stretch }) => stretch.segment.index === last && (groups & own_groups) !== 0,
  );
}

/** «Approve the first two», «then terminate»: a verb of the deed among the first words, or at the end where verbs come last. */
function ordersDeed(clause: string, deed: Deed, ontology: Ontology): boolean {
  const verbs = verbsOfDeed(clause, deed, ontology);
  return verbs.at(0) === true || verbs.at(1) === true || verbs.at(-1) === true;
}

const namesDeed = (said: string, deed: Deed, ontology: Ontology): boolean =>
  verbsOfDeed(said, deed, ontology).includes(true);

/** Of each word, whether it is a verb of the deed. */
function verbsOfDeed(said: string, { own_groups, verbs }: Deed, ontology: Ontology): boolean[] {
  const { words } = vocabularyOf(ontology);
  const { hash, count } = lex(said);
  return Array.from({ length: count }, (_, at) => {
    const kinds = words.kinds(hash[at]!);
    return verbs.has(hash[at]!) || ((kinds & TOLD) === 0 && (kinds & GROUP_MASK & own_groups) !== 0);
  });
}
