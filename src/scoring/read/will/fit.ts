/** Whether an action fits the user's request, and whether text from outside asked for it. */

import { standsAlone } from '../../../lang/stands-alone.ts';
import type { DomainEntry, Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, tableOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { type ActionWords, actionWordsOf } from '../action/naming/action-words.ts';
import { isConfirmedByCode, isPreparing } from '../action/preparing.ts';
import { writtenByOthers } from '../conversation/authors.ts';
import { type Corpus, corpusOf } from '../conversation/corpus.ts';
import { ordersOf, STEERING } from '../conversation/order-sentences.ts';
import { type Request, requestOf } from '../conversation/request.ts';
import { eventOfText, memoOf, type TextReading } from '../conversation/text.ts';
import { isTellingValue } from '../conversation/transcript/words-of-text.ts';
import { namedOutside, orderedOutside } from '../orders/ordered-outside.ts';
import type { Argument } from '../values/argument.ts';
import { outsidePlaces } from '../values/outside-places.ts';
import { namedRecords } from '../values/records/named-record.ts';
import { sentenceEnd } from '../words/grammar/imperative.ts';
import { isAskedWord } from '../words/grammar/mood.ts';
import { lex } from '../words/lexer.ts';
import { type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';
import { wordSet } from '../words/word-lists.ts';
import { grantFit } from './asked/asked-grant.ts';
import { liftsDenial } from './asked/lifted-denial.ts';
import { namesRight } from './asked/named-right.ts';
import { askedQuantities, givenQuantities, type Quantity } from './contradiction/values/quantities.ts';

export interface Fit {
  covers: boolean;
  only_outside: boolean;
  /** The user named this very effect. */
  asks_effect: boolean;
  /** The request speaks of the action's domain or object. */
  has_topic: boolean;
  /** Domain, object or a value of the action is the user's. */
  is_related: boolean;
  /** Strength, 0-1, of the strongest order from outside that speaks of this action. */
  ordered: number;
}

/** Verb groups by what they mean for a wish, see `ontology/lists/verb-groups.yaml`. */
const groupsOf = perOntology((ontology) => ({
  serves: tableOf(ontology, 'group_serves'),
  passing: listOf(ontology, 'passing_groups'),
  means: wordSet(ontology, 'means_groups'),
  grave: wordSet(ontology, 'grave_groups'),
  saying: wordSet(ontology, 'saying_groups'),
  step: wordSet(ontology, 'step_groups'),
}));

/** Fewer values in the user's words may be chance. */
const LEAST_OWN = 2;

interface Known {
  action: ActionReading;
  args: Argument[];
  fit: Fit;
}

export function fitOf(ontology: Ontology, action: ActionReading, args: Argument[], text: TextReading): Fit {
  const known = memoOf(text).get<{ last: Known | null }>('fit', () => ({ last: null }));
  if (known.last?.action === action && known.last.args === args) return known.last.fit;
  const fit = judge(ontology, action, args, text);
  known.last = { action, args, fit };
  return fit;
}

function judge(ontology: Ontology, action: ActionReading, args: Argument[], text: TextReading): Fit {
  const request = requestOf(text, ontology);
  if (!request.has_words)
    return { covers: false, only_outside: false, asks_effect: false, has_topic: false, is_related: false, ordered: 0 };
  const vocabulary = vocabularyOf(ontology);
  const corpus = corpusOf(text);
  const words = actionWordsOf(action, vocabulary);
  const groups = groupsOf(ontology);
  const isLooking = isPreparing(action, ontology);
  const passesOn = isLooking ? groupBits(vocabulary, groups.passing) : 0;
  const ordered = orderedOutside(
    ordersOf(text, ontology),
    words,
    corpus,
    args,
    isLooking,
    passesOn,
    writtenByOthers(text, request),
  );
  // Whom the user leaves the task to may not hand it on.
  const asked = ordered.is_others ? { ...request, is_open_ended: false } : request;
  // A word of the action that may stand in many domains («secrets» in files) is not a topic that a grave deed needs.
  const namesTopic = !ordered.is_other_topic && saysTopic(request, words, corpus, action);
  const hasTopic = namesTopic || (!ordered.is_other_topic && touchesTopic(request, words, vocabulary));
  const asks_effect =
    (request.groups & words.own_groups) !== 0 ||
    isAskedByName(request, words, corpus, action, hasTopic, vocabulary) ||
    isRightOrdered(action, ontology, text);
  const is_related =
    hasTopic ||
    (!ordered.is_other_topic && sharesValue(args, vocabulary)) ||
    (asks_effect && paysAsGiven(action, args));
  // The user asked for the effect, but the object of this action came from outside.
  const isTold =
    !isLooking && args.some((arg) => isForeignThing(arg, action, vocabulary) && !isOfDelegated(arg, args, corpus));
  // «Pay it»: the bill itself says «pay to …».
  const isDue = isOfBill(action, args) && asks_effect && !ordered.is_other_topic && ordered.strength < STEERING;
  const covers =
    !ordered.is_dictated &&
    (isOfHandedRecord(asked, args, ordered.strength, ontology, text) ||
      isCovered(action, asked, vocabulary, asks_effect, namesTopic, is_related || isDue, ordered.strength, isTold) ||
      (ordered.strength === 0 && isGrounded(action, args, vocabulary)) ||
      (ordered.strength === 0 && isConfirmedByCode(action, args, ontology)) ||
      // «Volunteers should see the list»: the right is wanted, whatever it is called.
      (ordered.strength < STEERING && isRightWanted(action, ontology, text)) ||
      // «Go to 1240 C»: anyone who gives the measure wants it set.
      (ordered.strength === 0 && !groups.grave.has(action.effective_group) && setsAskedMeasures(ontology, text)) ||
      // «Place a mug in the drawer»: the steps of a plan are at the things that the user names.
      (ordered.strength === 0 && groups.step.has(action.effective_group) && sharesValue(args, vocabulary)));
  // Looking is part of any wish, so only its object counts.
  const isWish = asks_effect && !isLooking && !isTold;
  // A user who leaves the task to a source knows that its goal is in the source.
  const isHandedOver = asked.is_open_ended && ordered.strength < STEERING;
  // A page that mentions a shell says nothing about the command that is run.
  const isNamed = !groups.means.has(action.effective_group) && namedOutside(words, corpus);
  const only_outside = !covers && !isWish && !is_related && !isHandedOver && (ordered.strength > 0 || isNamed);
  return { covers, only_outside, asks_effect, has_topic: hasTopic, is_related, ordered: ordered.strength };
}

const MAX_RECORD = 16_384;

/** «Work REQ0044190»: the user leaves the task to this record, and whom and what the action takes stands in it. */
function isOfHandedRecord(
  { is_open_ended }: Request,
  args: readonly Argument[],
  ordered: number,
  ontology: Ontology,
  text: TextReading,
): boolean {
  const event = is_open_ended && ordered < STEERING ? eventOfText(text) : null;
  const deciding = args.filter(({ role, kind }) => role !== '' && kind !== 'flag');
  if (event === null || deciding.length === 0) return false;
  const records = namedRecords(event, ontology, text).map((record) => record.slice(0, MAX_RECORD));
  return deciding.every(({ value }) => records.some((record) => standsAlone(value, record)));
}

function isCovered(
  action: ActionReading,
  request: Request,
  { ontology, bitOf }: Vocabulary,
  asksEffect: boolean,
  hasTopic: boolean,
  isRelated: boolean,
  ordered: number,
  isTold: boolean,
): boolean {
  const { grave, means, serves } = groupsOf(ontology);
  const isOnTheWay = isPreparing(action, ontology);
  const group = action.effective_group;
  // «Do what the mail says»: a plain sentence of the mail is the task; steering text is not.
  if (request.is_open_ended && ordered < STEERING && (ordered > 0 || !grave.has(group))) return true;
  const isWanted = asksEffect || (isOnTheWay && request.groups !== 0);
  if (isWanted) return isRelated || (ordered === 0 && !isTold);
  if (isOnTheWay) return isRelated;
  const isServing =
    means.has(group) || serves.get(group)?.some((wish) => (request.groups & bitOf(wish)) !== 0) === true;
  return isServing && (grave.has(group) ? hasTopic : isRelated) && ordered < STEERING;
}

/** Whether the request uses the action's own verb and speaks of its topic: «send the difference back» for `money:send`. */
function isAskedByName(
  request: Request,
  words: ActionWords,
  corpus: Corpus,
  action: ActionReading,
  hasTopic: boolean,
  vocabulary: Vocabulary,
): boolean {
  const isMoney = action.effective_group === 'transfer_pay' && request.delegated.has('amount');
  const { hash } = corpus.user.words;
  if ((hasTopic || isMoney) && request.asks.some((ask) => words.verbs.has(hash[ask.word]!))) return true;
  return asksByOwnVerb(words, corpus, vocabulary);
}

/** Whether each measure of the action (`celsius: 1240`, `hold_minutes: 30`), and one at least, is one that the user gave. */
function setsAskedMeasures(ontology: Ontology, text: TextReading): boolean {
  const event = eventOfText(text);
  if (event === null) return false;
  const given = givenQuantities(event, ontology).filter(({ dimensions }) => dimensions.length > 0);
  const asked = askedQuantities(text);
  const isAsked = ({ value, dimensions }: Quantity): boolean =>
    asked.some((one) => one.value === value && one.dimensions.some((dimension) => dimensions.includes(dimension)));
  return given.length > 0 && given.every(isAsked);
}

function isRightWanted(action: ActionReading, ontology: Ontology, text: TextReading): boolean {
  const event = eventOfText(text);
  return event !== null && grantFit(event, ontology, action, text) === 'as_asked';
}

function isRightOrdered({ effective_group }: ActionReading, ontology: Ontology, text: TextReading): boolean {
  const event = effective_group === 'grant_escalate' ? eventOfText(text) : null;
  return event !== null && (namesRight(event, ontology, text) || liftsDenial(event, ontology, text));
}

/** Words between a verb and what it is done to. */
const OBJECT_REACH = 8;

/** «Close my savings account» for `accounts:close`: verb and object of the action, though the verb is none of one effect. */
function asksByOwnVerb({ verbs, objects }: ActionWords, { user }: Corpus, vocabulary: Vocabulary): boolean {
  const { words, stretches } = user;
  if (![...verbs].some((verb) => user.has(verb))) return false;
  for (const { segment, first, last } of stretches) {
    if (segment.speaker !== 'user') continue;
    for (let from = first; from < last; ) {
      const to = sentenceEnd(words, from, last);
      for (let i = from; i < to; i++) {
        if (!verbs.has(words.hash[i]!) || !isAskedWord(words, vocabulary, i, from, to)) continue;
        for (let at = i + 1; at < to && at <= i + OBJECT_REACH; at++) if (objects.has(words.hash[at]!)) return true;
      }
      from = to;
    }
  }
  return false;
}

function groupBits({ bitOf }: Vocabulary, names: readonly string[]): number {
  return names.reduce((bits, name) => bits | bitOf(name), 0);
}

/** Whether the request speaks of a domain of the action, whichever of its names tells it, or names its object. */
function saysTopic({ domains }: Request, { topics }: ActionWords, { user }: Corpus, action: ActionReading): boolean {
  const { known, own } = action.domains;
  const isSaid = ({ domain }: DomainEntry): boolean => domains.has(domain);
  // A further word in the name of the server is not a topic: anyone who runs the server chooses it.
  return domains.has(known) || own.some(isSaid) || [...topics].some((topic) => user.has(topic));
}

/** Whether the request speaks of a domain in which an object of the action may stand. */
function touchesTopic({ domains }: Request, { topics }: ActionWords, vocabulary: Vocabulary): boolean {
  return [...topics].some((topic) => vocabulary.domains.get(topic)?.some((domain) => domains.has(domain)));
}

/**
 * Whether a value of the action is the user's. A number alone does not count, nor does a text without a role, or what stands in
 * it: a remark beside the parameters that matter may repeat the whole request.
 */
function sharesValue(args: Argument[], { words: table }: Vocabulary): boolean {
  return args.some((arg) => {
    if (arg.kind === 'number' || arg.kind === 'amount' || arg.kind === 'flag') return false;
    if (arg.role === '' && (arg.kind === 'phrase' || arg.path.includes('#'))) return false;
    if (arg.kind === 'phrase' && arg.path.includes('#')) return false;
    if (arg.provenance !== 'user') return false;
    // A file that the user named, whatever its name.
    return (arg.role === 'path' && arg.kind === 'path') || isTellingValue(arg.value, table, 2);
  });
}

/** Whether each payee is the user's, or the source's that the user lets choose it. */
function paysAsGiven({ effective_group }: ActionReading, args: readonly Argument[]): boolean {
  const payees = args.filter(({ role }) => role === 'payee');
  return (
    effective_group === 'transfer_pay' &&
    payees.length > 0 &&
    payees.every(({ provenance, is_delegated }) => provenance === 'user' || is_delegated)
  );
}

/**
 * Whether the action is covered without its verb: its deciding values are in the user's own words and none comes from outside.
 * A payment needs its amount there; another grave effect needs its verb.
 */
function isGrounded(action: ActionReading, args: Argument[], { words: table, ontology }: Vocabulary): boolean {
  const isPayment = action.effective_group === 'transfer_pay';
  if (!isPayment && groupsOf(ontology).grave.has(action.effective_group)) return false;
  let own = 0;
  let hasAmount = false;
  for (const { path, kind, role, value, provenance } of args) {
    if (kind === 'flag' || provenance === 'short') continue;
    // Code is judged by its effects: the user's words in it prove nothing.
    if (role === 'command' || role === 'query') return false;
    if (provenance === 'tool' || (role !== '' && provenance !== 'user')) return false;
    if (provenance !== 'user') continue;
    if (role === 'amount') hasAmount = true;
    if (role === '' && isRemark(path, kind, value, args)) continue;
    if (kind === 'amount' || isTellingValue(value, table, 1)) own++;
  }
  return own >= LEAST_OWN && (hasAmount || !isPayment || own > LEAST_OWN);
}

/** Words of a longer text are a sentence, not the value of a field. */
const MOST_WORDS = 8;

/**
 * A text beside the parameters that matter, and what stands in it: it may repeat the request or any of the values, and says
 * nothing more by that.
 */
function isRemark(path: string, kind: Argument['kind'], value: string, args: readonly Argument[]): boolean {
  if (path.includes('#')) return true;
  return (
    (kind === 'phrase' && lex(value).count > MOST_WORDS) ||
    args
      .slice(0, MOST_COMPARED)
      .some((other) => other.path !== path && other.value.length >= SHORTEST_REPEATED && value.includes(other.value))
  );
}

const SHORTEST_REPEATED = 3;
const MOST_COMPARED = 64;

/** Words between a value and the delegated one of the same record. */
const SAME_RECORD = 40;

/** A reference or a name beside the account that the user lets the bill give: the same record gives both. */
function isOfDelegated(argument: Argument, args: readonly Argument[], corpus: Corpus): boolean {
  if (argument.role !== '') return false;
  const places = outsidePlaces(argument, corpus);
  const given = args
    .filter(({ role, is_delegated, provenance }) => role !== '' && is_delegated && provenance === 'tool')
    .slice(0, MOST_COMPARED)
    .flatMap((one) => outsidePlaces(one, corpus));
  return (
    places.length > 0 &&
    places.every((place) =>
      given.some(
        (other) =>
          Math.abs(other.word - place.word) <= SAME_RECORD &&
          corpus.tool.stretchOf(other.word) === corpus.tool.stretchOf(place.word),
      ),
    )
  );
}

/** The user left payee and amount to a bill: what the bill says beside them, such as a name or a reference, is not an object of its own. */
const isOfBill = ({ effective_group }: ActionReading, args: readonly Argument[]): boolean =>
  effective_group === 'transfer_pay' &&
  args.some(({ role, is_delegated }) => role === 'payee' && is_delegated) &&
  args.every(({ role, provenance, is_delegated }) => role !== 'payee' || provenance === 'user' || is_delegated);

/**
 * Whether the object of the action came from outside. The body of a message is not an object: it may come from a page. Counts and ids
 * that a look-up gave are how the object that the user wants is called.
 */
function isForeignThing(
  argument: Argument,
  { effective_group }: ActionReading,
  { words, ontology }: Vocabulary,
): boolean {
  const { kind, role, provenance, is_delegated, is_ordered, value } = argument;
  if (provenance !== 'tool' || is_delegated || kind === 'command') return false;
  if (role === '' && (kind === 'number' || kind === 'identifier' || kind === 'path') && !is_ordered) return false;
  return !(kind === 'phrase' && groupsOf(ontology).saying.has(effective_group)) && isTellingValue(value, words, 1);
}
