/** Whether an action has nothing to do with what the user asked for, by its names and all of its values. */
import type { AgentEvent } from '../../../events/event.ts';
import { singular } from '../../../lang/names.ts';
import { standsAlone } from '../../../lang/stands-alone.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import type { ActionReading } from '../action/action.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { type Request, requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { foldedUserWords, perRequest } from '../conversation/user-words.ts';
import type { Argument } from '../values/argument.ts';
import { foldText, letterWordsIn } from '../words/fold.ts';
import { GROUP_MASK } from '../words/grammar/grammar.ts';
import { hashWord } from '../words/lexer.ts';
import { groupBits, vocabularyOf } from '../words/vocabulary.ts';
import { hashedList } from '../words/word-lists.ts';
import { isPlace } from './asked/object-names.ts';
import { fitOf } from './fit.ts';

const groupsOf = perOntology((ontology) => ({
  looking: groupBits('preparing_groups', ontology),
  pointing: hashedList(ontology, 'referring_words'),
}));

/** Words of so many letters at least are compared, by so many: «recording» and `recordings`, «licence» and `licensed`. */
const STEM = 5;
const SHORTEST = 4;

/**
 * True only where the user asks for something of a known kind and leaves nothing open: what is not understood may be the reason.
 * Some words of the request among the parameters prove nothing, since anyone who fills them in can repeat it there.
 */
export function isUnrelated(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  args: Argument[],
  text: TextReading,
): boolean {
  const request = requestOf(text, ontology);
  if (!request.has_words || request.asks.length === 0 || request.is_open_ended || request.leaves_work_open)
    return false;
  if (pointsBack(request, text, ontology)) return false;
  const { covers, has_topic, asks_effect } = fitOf(ontology, action, args, text);
  return (
    !covers &&
    !has_topic &&
    !asks_effect &&
    !sharesWord(event, action, text) &&
    !hasOnlyUsersValues(args, text, ontology)
  );
}

/** Words between a verb and the word that points back. */
const POINTING_REACH = 4;

/** «Good, both signed. Book them out»: what is done, is done to something that was told before in words that are not read here. */
function pointsBack({ asks }: Request, text: TextReading, ontology: Ontology): boolean {
  const { words } = corpusOf(text).user;
  const { looking, pointing } = groupsOf(ontology);
  return asks.some(({ word, groups, to }) => {
    if ((groups & ~looking) === 0) return false;
    for (let at = word + 1; at < to && at <= word + POINTING_REACH; at++)
      if (pointing.has(words.hash[at]!)) return true;
    return false;
  });
}

/** Whether a word of the names is the user's, also one that may mean anything (`account`). */
function sharesWord(event: AgentEvent, { verb, domain }: ActionReading, text: TextReading): boolean {
  const said = stemsOfUser(text);
  const general = new Set([verb, domain].flatMap(stemsOf));
  return [event.action, event.mcp_context?.tool_name ?? '']
    .flatMap((name) => stemsOf(name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')))
    .some((stem) => said.has(stem) && !general.has(stem));
}

const stemsOf = (text: string): readonly string[] =>
  letterWordsIn(text)
    .map((word) => singular(word))
    .filter((word) => word.length >= SHORTEST)
    .map((word) => word.slice(0, STEM));

const stemsOfUser: (text: TextReading) => ReadonlySet<string> = perRequest((said) => new Set(stemsOf(said)));

const MOST_WORDS = 8;
const MAX_VALUES = 64;
/** Words of a value from which on it may be a sentence. */
const LEAST_REPEATED = 4;

const LONGEST_SENTENCE = 400;
const MAX_SENTENCES = 64;

/** The user's sentences of some length, each as words parted by blanks. */
const sentencesOfUser: (text: TextReading) => readonly string[] = perRequest((said) =>
  said
    .split(/[.!?](?=\s|$)|\n/, MAX_SENTENCES)
    .map((one) => letterWordsIn(one.slice(0, LONGEST_SENTENCE)))
    .filter((parts) => parts.length >= LEAST_REPEATED)
    .map((parts) => parts.join(' ')),
);

/** Whether each value that tells something is the user's, and one at least: a value of another source is what the action is about. */
function hasOnlyUsersValues(args: readonly Argument[], text: TextReading, ontology: Ontology): boolean {
  const { words, domains } = vocabularyOf(ontology);
  const said = foldedUserWords(text);
  const isPlain = (value: string): boolean => {
    const hash = hashWord(foldText(value));
    return words.kinds(hash) !== 0 || domains.has(hash);
  };
  const sentences = sentencesOfUser(text);
  // A remark that repeats the request tells nothing of the action, in whatever form it is written.
  const repeatsOrder = (value: string): boolean => {
    const parts = letterWordsIn(value.slice(0, LONGEST_SENTENCE));
    return (
      parts.length >= LEAST_REPEATED &&
      (sentences.some((sentence) => parts.join(' ').includes(sentence)) ||
        parts.slice(0, 2).some((part) => (words.kinds(hashWord(part)) & GROUP_MASK) !== 0))
    );
  };
  const telling = args.filter(
    ({ kind, path, value }) =>
      kind !== 'flag' &&
      !path.includes('#') &&
      !isPlace(path, ontology) &&
      !isPlain(value) &&
      !repeatsOrder(value) &&
      value.split(/\s+/).length <= MOST_WORDS,
  );
  const isOwn = ({ provenance, value }: Argument): boolean =>
    provenance === 'user' || standsAlone(foldText(value).replace(/^[*%]|[*%]$/g, ''), said);
  return telling.length > 0 && telling.length <= MAX_VALUES && telling.every(isOwn);
}
