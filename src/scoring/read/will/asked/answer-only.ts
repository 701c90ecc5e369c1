/** Whether the user's words ask for an answer only: a look, an opinion, a summary. Naming a thing in a question permits no change. */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../../../ontology/words.ts';
import { corpusOf } from '../../conversation/corpus.ts';
import { saysManner } from '../../conversation/manner.ts';
import { type Ask, requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { LEAD, NEGATION, STOPWORD } from '../../words/grammar/grammar.ts';
import { sentenceEnd } from '../../words/grammar/imperative.ts';
import { CLAUSE, hashWord, type Words } from '../../words/lexer.ts';
import { buildsDisplay, tellsPerson } from '../../words/limits.ts';
import { leavesSteps } from '../../words/sources.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';
import { hashedList } from '../../words/word-lists.ts';

const words = perOntology((ontology) => ({
  looking: listOf(ontology, 'looking_groups'),
  decision_kept: patternOf(ontology, 'deciding', 'kept'),
}));

/** Words between a verb and the thing that it makes: «prepare the monthly payroll summary». */
const REACH = 6;
/** Words before the first verb: «could you please», «I would like you to». */
const MAX_LEAD = 5;

const keepsDecision = perRequest((said, ontology) => words(ontology).decision_kept.test(foldText(said)));

/**
 * True only if every sentence of the user asks for an answer. A statement may tell a wish, so it leaves the matter open, unless
 * the user keeps the decision: «we have not decided anything».
 */
export const wantsOnlyAnswer = (ontology: Ontology, text: TextReading): boolean =>
  corpusOf(text).memo.get('wants only answer', () => asksOnlyForAnswers(ontology, text));

function asksOnlyForAnswers(ontology: Ontology, text: TextReading): boolean {
  const request = requestOf(text, ontology);
  if (!request.has_words || request.is_open_ended) return false;
  const corpus = corpusOf(text);
  const { words: said } = corpus.user;
  const isKept = keepsDecision(text);
  let answers = 0;
  for (const { segment, first, last } of corpus.user.stretches) {
    if (segment.speaker !== 'user') continue;
    for (let from = first; from < last; ) {
      const to = sentenceEnd(said, from, last);
      const asks = request.asks.filter((ask) => ask.from === from);
      // What follows a question by itself is what it is about, and what the user will do he does not ask for.
      const isBeside = isAddress(said, from, to) || saysManner(said, from, to, ontology);
      if ((answers > 0 && isBeside) || (asks.length === 0 && isOwnPlan(said, from, to, ontology))) {
        from = to;
        continue;
      }
      const sentence = said.text.slice(said.start[from]!, said.end[to - 1]!);
      if (leavesSteps(ontology, sentence) || tellsPerson(sentence, ontology) || buildsDisplay(sentence, ontology))
        return false;
      const wantsAnswer =
        isQuestion(said, from, to, asks, ontology) ||
        asksForAnswer(said, from, to, asks, ontology) ||
        isDoubt(said, from, to, asks, ontology);
      if (!wantsAnswer && !(isKept && (asks.length === 0 || keeps(said, from, to, ontology)))) return false;
      if (wantsAnswer) answers++;
      from = to;
    }
  }
  return answers > 0;
}

const isAddress = ({ text, start, end }: Words, from: number, to: number): boolean =>
  /^(?:https?|www)\b\S{0,2000}$/i.test(text.slice(start[from]!, end[to - 1]!));

/** «I'll restart them by hand»; «I take the figures to the meeting on Thursday», but not «I need them by Thursday». */
function isOwnPlan({ hash }: Words, from: number, to: number, ontology: Ontology): boolean {
  if (from + 2 >= to || !hashedList(ontology, 'speakers').has(hash[from]!)) return false;
  if (hashedList(ontology, 'own_futures').has(hash[from + 1]!)) return true;
  return hashedList(ontology, 'own_doings').has(hash[from + 1]!);
}

/** «I'll decide next week» */
const keeps = (said: Words, from: number, to: number, ontology: Ontology): boolean =>
  words(ontology).decision_kept.test(foldText(said.text.slice(said.start[from]!, said.end[to - 1]!)));

/** A sentence that begins with a verb of looking, judging or telling, and whose other verbs are such verbs, too. */
function asksForAnswer(said: Words, from: number, to: number, asks: readonly Ask[], ontology: Ontology): boolean {
  const first = asks[0];
  if (first === undefined || (!first.is_form && first.word - from > MAX_LEAD)) return false;
  // «The role needs select on …»: what somebody is to get is not a look at it.
  if (first.word > from && hashedList(ontology, 'needing_words').has(said.hash[first.word - 1]!)) return false;
  return (
    asks.every((ask) => isAnswered(ask, said, ontology)) && !hasUnknownDeed(said, first.word + 1, to, asks, ontology)
  );
}

/** «… and place a mug inside»: a word between «and» and an object is a deed, known or not. */
function hasUnknownDeed(said: Words, from: number, to: number, asks: readonly Ask[], ontology: Ontology): boolean {
  const { words: table } = vocabularyOf(ontology);
  for (let at = from; at + 1 < to; at++) {
    const isLed = said.gap[at]! >= CLAUSE || (table.kinds(said.hash[at - 1]!) & LEAD) !== 0;
    const isBeforeObject = hashedList(ontology, 'object_words').has(said.hash[at + 1]!) && said.gap[at + 1]! < CLAUSE;
    if (
      isLed &&
      isBeforeObject &&
      (table.kinds(said.hash[at]!) & STOPWORD) === 0 &&
      !asks.some(({ word }) => word === at)
    )
      return true;
  }
  return false;
}

/** A look («show», «count»), an opinion («review», «rate»), or a text that tells («write a report»). */
function isAnswered({ groups, word, to }: Ask, said: Words, ontology: Ontology): boolean {
  const { bitOf } = vocabularyOf(ontology);
  const looking = words(ontology).looking.reduce((all, name) => all | bitOf(name), 0);
  const hash = said.hash[word]!;
  if (hashedList(ontology, 'taking_words').has(hash)) return false;
  if ((groups & ~looking) === 0) return true;
  // «Check me in» is not a look.
  if ((groups & bitOf('send')) === 0 && hashedList(ontology, 'opining_words').has(hash)) return true;
  if (!hashedList(ontology, 'composing_words').has(hash)) return false;
  const nouns = hashedList(ontology, 'telling_nouns');
  for (let at = word + 1; at < to && at <= word + REACH && said.gap[at]! < CLAUSE; at++)
    if (nouns.has(said.hash[at]!)) return true;
  return false;
}

const SURE = hashWord('sure');
/** Words before «sure» in which a negation stands. */
const DENIAL_REACH = 2;

/** «I am not sure whether we still need it»: who is in doubt asks for nothing yet. */
function isDoubt(said: Words, from: number, to: number, asks: readonly Ask[], ontology: Ontology): boolean {
  if (asks.length > 0) return false;
  const { words: table } = vocabularyOf(ontology);
  for (let at = from; at < to; at++) {
    if (hashedList(ontology, 'doubting_words').has(said.hash[at]!)) return true;
    if (said.hash[at] !== SURE) continue;
    for (let back = at - 1; back >= from && back >= at - DENIAL_REACH; back--)
      if ((table.kinds(said.hash[back]!) & NEGATION) !== 0) return true;
  }
  return false;
}

/** «Which invoices are open?», «how many orders did we have»: no deed is asked for. */
function isQuestion(said: Words, from: number, to: number, asks: readonly Ask[], ontology: Ontology): boolean {
  if (!hashedList(ontology, 'question_openers').has(said.hash[from]!)) return false;
  const behind = said.text.slice(said.end[to - 1]!, said.end[to - 1]! + 4);
  return /[?？؟]/.test(behind) && asks.every((ask) => isAnswered(ask, said, ontology));
}
