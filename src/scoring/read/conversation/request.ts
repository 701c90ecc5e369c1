/** Reads from the user's own words which effects are asked for and excluded and which choices are left to a source. */
import type { Ontology } from '../../../ontology/index.ts';
import { deedCarriedOut } from '../words/grammar/asked-forms.ts';
import { GROUP_MASK, LEAD, STOPWORD, TABLED, TOLD } from '../words/grammar/grammar.ts';
import { isDemandedPassive, isWishedState, sentenceEnd } from '../words/grammar/imperative.ts';
import { actGroups, moneySent, moodOf } from '../words/grammar/mood.ts';
import { askedByForm } from '../words/grammar/obligation.ts';
import { CLAUSE, lex, type Words } from '../words/lexer.ts';
import { liftLimits, readLimits, tellsPerson } from '../words/limits.ts';
import {
  allRoles,
  delegatedBy,
  handsOverAll,
  leavesSteps,
  rolesFound,
  statedIn,
  statedRoles,
} from '../words/sources.ts';
import { groupBits, type Phrase, type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';
import { hashedList } from '../words/word-lists.ts';
import { corpusOf, type Places, type Stretch } from './corpus.ts';
import { saysManner } from './manner.ts';
import { segmentsOf, type TextReading } from './text.ts';

/** One verb that the user asks for. */
export interface Ask {
  word: number;
  groups: number;
  /** Words of its sentence. */
  from: number;
  to: number;
  stretch: Stretch;
  /** A form that asks by itself, wherever it stands in its sentence. */
  is_form: boolean;
}

/** An effect that the user excluded, with the words that follow: «do not delete the log files». */
export interface Exclusion {
  groups: number;
  from: number;
  to: number;
  stretch: Stretch;
}

export interface Request {
  asks: Ask[];
  groups: number;
  exclusions: Exclusion[];
  domains: Set<string>;
  is_read_only: boolean;
  wants_draft_only: boolean;
  /** What is worked on is recorded nowhere else, or must not be lost. */
  fears_loss: boolean;
  /** A limit of the user is put on everything: «change nothing». */
  limits_all: boolean;
  /** «Do what the mail says»: the task itself stands in a source. */
  is_open_ended: boolean;
  /** Words of the sentences that leave the task to a source: they say which. */
  handing: { from: number; to: number }[];
  /** «Continue», «each should be a file»: work is wanted, and no verb says which. */
  leaves_work_open: boolean;
  /** Roles whose values the user lets a source choose. */
  delegated: Set<string>;
  /** Roles of which the user says that a text gives them: «where the contract says». */
  stated: Set<string>;
  /** Hashes of the words for that text: `contract`. */
  stating: Set<number>;
  /** The user wants a message answered. */
  replies: boolean;
  /** Hashes of names, numbers and quoted words, by which a record is tied to this request. */
  telling_names: Set<number>;
  has_words: boolean;
}

/** Groups of what a wish for a draft puts off, as bits. To run something else in between takes no such wish back. */
const lastingGroups = (ontology: Ontology): number =>
  groupBits('beyond_draft_groups', ontology) & ~vocabularyOf(ontology).bitOf('execute');

export function requestOf(text: TextReading, ontology: Ontology): Request {
  const vocabulary = vocabularyOf(ontology);
  const { user } = corpusOf(text);
  // The user's side is told apart by its empty messages, too, so that all texts that share it end alike.
  return user.memo.get(vocabulary.keys.request, () => readRequest(user, vocabulary, endsWithContext(text)));
}

/** Whether `user_context` repeats the user's last message. */
const endsWithContext = (text: TextReading): boolean =>
  segmentsOf(text).findLast(({ speaker }) => speaker === 'user')?.text === '';

/** The user's messages in the order in which they were said. `user_context` stands first, and was said last where it repeats the last one. */
function inOrder(stretches: readonly Stretch[], is_context_last: boolean): readonly Stretch[] {
  const said = stretches.filter(({ segment }) => segment.speaker === 'user');
  if (!is_context_last) return said;
  const isContext = ({ segment }: Stretch): boolean => segment.index < 0;
  return [...said.filter((one) => !isContext(one)), ...said.filter(isContext)];
}

function readRequest({ words, stretches }: Places, vocabulary: Vocabulary, is_context_last: boolean): Request {
  const request: Request = {
    asks: [],
    groups: 0,
    exclusions: [],
    domains: new Set(),
    is_read_only: false,
    wants_draft_only: false,
    fears_loss: false,
    limits_all: false,
    is_open_ended: false,
    handing: [],
    leaves_work_open: false,
    delegated: new Set(),
    stated: new Set(),
    stating: new Set(),
    replies: false,
    telling_names: new Set(),
    has_words: false,
  };
  const beyond_draft = lastingGroups(vocabulary.ontology);
  const changes = vocabulary.bitOf('create') | vocabulary.bitOf('update');
  for (const stretch of inOrder(stretches, is_context_last)) {
    if (stretch.last > stretch.first) request.has_words = true;
    const asked_before = request.asks.length;
    for (let from = stretch.first; from < stretch.last; ) {
      const to = sentenceEnd(words, from, stretch.last);
      readSentence(words, stretch, from, to, vocabulary, request);
      from = to;
    }
    if (liftLimits(stretch.segment.text, request, vocabulary))
      request.exclusions = request.exclusions.filter(
        (one) => one.stretch === stretch || !excludesAll(words, one, vocabulary.ontology),
      );
    // «Don't edit anything yet», and later «write the findings to a file»: work is wanted from that point on.
    if (request.is_read_only && request.asks.slice(asked_before).some(({ groups }) => (groups & changes) !== 0)) {
      request.is_read_only = false;
      request.limits_all = false;
      request.exclusions = request.exclusions.filter(
        (one) => one.stretch === stretch || !excludesAll(words, one, vocabulary.ontology),
      );
    }
    // «A dry run first», and then «fine, publish it»: the later wish is for the deed itself.
    if (
      request.wants_draft_only &&
      request.asks.slice(asked_before).some(({ groups }) => (groups & beyond_draft) !== 0)
    )
      request.wants_draft_only = false;
    readLimits(stretch.segment.text, request, vocabulary);
  }
  if (request.is_open_ended) for (const role of allRoles(vocabulary.ontology)) request.delegated.add(role);
  return request;
}

/** «Don't change anything»: nothing is named that is kept. */
function excludesAll(words: Words, { from, to }: Exclusion, ontology: Ontology): boolean {
  const any_object = hashedList(ontology, 'any_object');
  for (let i = from; i < to; i++) if (any_object.has(words.hash[i]!)) return true;
  return false;
}

function readSentence(
  words: Words,
  stretch: Stretch,
  from: number,
  to: number,
  vocabulary: Vocabulary,
  request: Request,
): void {
  const { words: table, domains, ontology } = vocabulary;
  const asked_before = request.asks.length;
  const obliging = hashedList(ontology, 'obliging_words');
  const replying = hashedList(ontology, 'replying_words');
  const opensQuestion = hashedList(ontology, 'question_openers').has(words.hash[from]!);
  let obliges = false;
  for (let i = from; i < to; i++) {
    const hash = words.hash[i]!;
    const kinds = table.kinds(hash);
    obliges ||= obliging.has(hash);
    request.replies ||= replying.has(hash);
    if (isTellingName(words, i, from, kinds)) request.telling_names.add(hash);
    // Most words are in no table.
    if ((kinds & (TABLED | GROUP_MASK)) === 0) continue;
    const domain = domains.get(hash);
    if (domain !== undefined) for (const name of domain) request.domains.add(name);
    delegatedBy(ontology, hash, request.delegated);
    const phrase = phraseAt(words, i, to, vocabulary.phrases.get(hash), ontology);
    const isTold =
      (kinds & TOLD) !== 0 &&
      !isDemandedPassive(words, table, i, from) &&
      !isWishedState(words, vocabulary, i, from, to);
    const groups = phrase?.groups ?? (isTold ? 0 : actGroups(words, vocabulary, i, to));
    if (groups === 0) {
      readForm(words, stretch, i, from, to, vocabulary, request);
      continue;
    }
    const mood = moodOf(words, vocabulary, i, from, to, phrase !== undefined);
    // «Who has access to it?» asks about rights; it is not a request to grant them.
    const isQuestion = opensQuestion && i > from && phrase?.groups === vocabulary.bitOf('grant_escalate');
    if (mood === 'asked' && !isQuestion) {
      const asked = groups | deedCarriedOut(words, ontology, i, from, to);
      request.asks.push({ word: i, groups: asked, from, to, stretch, is_form: false });
      request.groups |= asked;
    } else if (mood === 'excluded')
      request.exclusions.push({ groups, from: i + 1, to: clauseEnd(words, i + 1, to), stretch });
  }
  const sentence = words.text.slice(words.start[from]!, words.end[to - 1]!);
  // «Tell Ben that …» looks nothing up.
  if (request.asks.length > asked_before && tellsPerson(sentence, ontology)) request.groups |= vocabulary.bitOf('send');
  // An obligation without a verb of a known effect wants something all the same.
  const isOpen = obliges && request.asks.length === asked_before && !saysManner(words, from, to, ontology);
  if (isOpen || leavesSteps(ontology, sentence)) request.leaves_work_open = true;
  for (const role of rolesFound(ontology, sentence)) request.delegated.add(role);
  readStated(statedIn(ontology, sentence), ontology, request);
  if (handsOverAll(ontology, sentence)) {
    request.is_open_ended = true;
    request.handing.push({ from, to });
  }
}

/** Asks and exclusions by forms that are kept; a text that repeats one asks for nothing more. */
const MAX_FORMS = 256;

/** A form of a verb that asks wherever it stands: most languages have other orders of words than English. */
function readForm(
  words: Words,
  stretch: Stretch,
  i: number,
  from: number,
  to: number,
  vocabulary: Vocabulary,
  request: Request,
): void {
  if (request.asks.length + request.exclusions.length >= MAX_FORMS) return;
  const form = askedByForm(words, vocabulary, i, from, to);
  if (form.groups === 0) return;
  const { is_excluded } = form;
  const groups = form.groups | moneySent(words, vocabulary, form.groups, i, to);
  if (is_excluded) request.exclusions.push({ groups, from, to, stretch });
  else {
    request.asks.push({ word: i, groups, from, to, stretch, is_form: true });
    request.groups |= groups;
  }
}

/** Adds the kind of document that the user says gives values. */
function readStated(said: string, ontology: Ontology, request: Request): void {
  if (said === '') return;
  const documents = hashedList(ontology, 'stating_documents');
  const { count, hash } = lex(said);
  for (let i = 0; i < count; i++) if (documents.has(hash[i]!)) request.stating.add(hash[i]!);
  for (const role of statedRoles(ontology)) {
    request.delegated.add(role);
    request.stated.add(role);
  }
}

function clauseEnd(words: Words, from: number, to: number): number {
  let at = from;
  while (at < to && at < from + 12 && words.gap[at]! < CLAUSE) at++;
  return at;
}

/** Words of the object that may part a verb from its particle: «turn the alarm in the hall off». */
const PARTED_BY = 8;

/** The phrase that begins at a word: as it is written, or with its object in front of its particle. */
function phraseAt(
  words: Words,
  i: number,
  to: number,
  phrases: readonly Phrase[] | undefined,
  ontology: Ontology,
): Phrase | undefined {
  if (phrases === undefined) return undefined;
  const particles = hashedList(ontology, 'verb_particles');
  const whole = phrases.find(
    ({ rest }) => i + rest.length < to && rest.every((hash, n) => words.hash[i + 1 + n] === hash),
  );
  if (whole !== undefined) return whole;
  return phrases.find(
    ({ rest }) => rest.length === 1 && particles.has(rest[0]!) && endsObject(words, i, to, rest[0]!, ontology),
  );
}

/**
 * Whether the particle follows the object of the verb, at the end of the clause or before what says where and when: «turn the
 * lamp on my desk off» is not «turn on».
 */
function endsObject(words: Words, i: number, to: number, particle: number, ontology: Ontology): boolean {
  const isPlain = hashedList(ontology, 'plain_particles').has(particle);
  const followers = hashedList(ontology, 'particle_followers');
  for (let next = i + 1; next < to && next <= i + 1 + PARTED_BY; next++) {
    const isLast = next + 1 === to || words.gap[next + 1]! >= CLAUSE;
    if (isLast) return words.hash[next] === particle;
    if (isPlain && words.hash[next] === particle && followers.has(words.hash[next + 1]!)) return true;
  }
  return false;
}

/** Whether a word is a name or a number: a capital letter inside a sentence, or digits. */
function isTellingName(words: Words, i: number, from: number, kinds: number): boolean {
  if (words.end[i]! - words.start[i]! < 3 || (kinds & STOPWORD) !== 0) return false;
  const unit = words.text.charCodeAt(words.start[i]!);
  if (unit >= 0x30 && unit <= 0x39) return words.end[i]! - words.start[i]! > 3;
  const isCapital = unit >= 0x41 && unit <= 0x5a;
  return isCapital && (i > from || (kinds & (GROUP_MASK | LEAD)) === 0);
}
