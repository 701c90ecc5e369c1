/** Whether the user left the choice of a value to the source where it stands. */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { isWrittenByNamed as isInNamedWriting, writingsOf } from '../conversation/authors.ts';
import type { Corpus, Stretch } from '../conversation/corpus.ts';
import { type Order, STEERING } from '../conversation/order-sentences.ts';
import { hasPointer } from '../conversation/pointed.ts';
import type { Request } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { machineMessages } from '../conversation/transcript/machine.ts';
import { plainWords } from '../conversation/transcript/plain-words.ts';
import { hashWord, lex, type Words } from '../words/lexer.ts';
import { hostOf, type Value } from '../words/normalise.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { hashedList } from '../words/word-lists.ts';
import type { Place } from './locate.ts';
import { namedSources } from './named-sources.ts';
import { namedValues } from './named-values.ts';
import { answersLookUp, callOf, wasIssuedAtLogIn } from './records/directory.ts';

/** Letters of a name that an account may begin with, and of one that is written in one word. */
const SHORTEST_FIRST_NAME = 4;
const LONGEST_FIRST_NAME = 16;
const SHORTEST_JOINED = 6;
/** Words on either side of a value within which a name of the request ties a record to it. */
const RECORD = 30;
/** So many words in the user's order are no coincidence; of a shorter request, all of them. */
const REPEATED = 6;
const LEAST_REPEATED = 3;
const MOST_TRIES = 16;
const words = perOntology((ontology) => ({
  people: setOf(ontology, 'people_roles'),
  /** A bill says «please pay to …»: that is how such documents give these values. */
  document_given: setOf(ontology, 'document_given_roles'),
  never: setOf(ontology, 'never_delegated_roles'),
}));

/** What the choice of a value is judged by. */
export interface Conversation {
  corpus: Corpus;
  request: Request;
  orders: readonly Order[];
  vocabulary: Vocabulary;
  /** The order is of somebody else than the user leaves the task to. */
  isOthers: (order: Order) => boolean;
  text: TextReading;
}

export function isDelegated(
  role: string,
  value: Value,
  outside: readonly Place[],
  { corpus, request, orders, vocabulary, isOthers, text }: Conversation,
): boolean {
  const { people, document_given, never } = words(vocabulary.ontology);
  if (role === '' || never.has(role) || !request.has_words) return false;
  // Text that speaks in the name of the user or the system is not the source that the user meant.
  if (outside.some((place) => standsIn(place, orders, (o) => o.strength >= STEERING))) return false;
  const sources = namedSources(corpus);
  // What the machine's own programs say about themselves comes from no outsider.
  if (role === 'command' && isOfMachine(value, outside, corpus, text)) return true;
  // «My account data are in this file»: a credential is taken from there and from nowhere else.
  if (role === 'secret')
    return (
      outside.length > 0 &&
      outside.every(
        (place) => sources.has(corpus.tool.stretchOf(place.word)) || wasIssuedAtLogIn(place, corpus, vocabulary),
      )
    );
  // A page of the site that the user named is the user's choice, whatever it asks its readers to do.
  if (isBelowNamedHost(value, corpus, role)) return true;
  // Whom the user leaves the task to chooses its values, and nobody else who writes there.
  if (outside.some((place) => standsIn(place, orders, isOthers)) && !isWrittenByNamed(value, text, request))
    return false;
  const isOutside =
    isOutsideReply(role, value, outside, corpus, request) || isOutsideStated(role, outside, corpus, request);
  const isNamed = request.delegated.has(role) && !isOutside;
  // «To pay the bill, send … to …» says how to do what the user wants, as a line of the bill does.
  const free = outside.filter((place) => !standsIn(place, orders, (order) => !isOfPurpose(order, vocabulary)));
  if (isNamed && (request.is_open_ended || request.stated.has(role))) return true;
  // Every place counts: a text that quotes the value once more makes no bill of an order.
  if (
    isNamed &&
    document_given.has(role) &&
    outside.every((place) => free.includes(place) || isOfBill(value, place, corpus, vocabulary))
  )
    return true;
  // The person's own mail says «please send me …»: the user named that person.
  if (people.has(role) && (bearsName(value, request, corpus) || answersLookUp(value, outside, corpus, vocabulary)))
    return true;
  // Every place counts here and below: a text that quotes the value once more must not explain it.
  if (free.length < outside.length) return false;
  if (isNamed || bearsName(value, request, corpus)) return true;
  if (outside.length === 0 || isOutside) return false;
  const isOfSource = (place: Place): boolean =>
    sources.has(corpus.tool.stretchOf(place.word)) ||
    (!standsIn(place, orders, () => true) && isInRecord(place, corpus, request));
  return outside.every(isOfSource) || isWrittenByNamedHost(value, outside, corpus, text);
}

/**
 * A reply goes to those who take part: sender, recipients, readers in copy. An address that only a sentence of the mail names is
 * none of them, unless the user says that a text gives it.
 */
function isOutsideReply(
  role: string,
  { kind }: Value,
  outside: readonly Place[],
  corpus: Corpus,
  request: Request,
): boolean {
  if (role !== 'recipient' || kind !== 'email' || outside.length === 0) return false;
  if (request.is_open_ended || request.stated.has(role) || !request.replies) return false;
  // A header of another message, or a line that only has the address, makes no reader of whom a sentence names.
  const { tool } = corpus;
  const headed = outside.filter((place) => !isInSentence(place, corpus)).map(({ word }) => tool.stretchOf(word));
  return outside.some((place) => !headed.includes(tool.stretchOf(place.word)));
}

/** «Where the contract says» covers no other text, if a call asked for the contract. */
function isOutsideStated(role: string, outside: readonly Place[], corpus: Corpus, request: Request): boolean {
  if (!request.stated.has(role) || outside.length === 0) return false;
  const stating = statingStretches(corpus, request);
  return stating.size > 0 && !outside.some((place) => stating.has(corpus.tool.stretchOf(place.word)));
}

/** Results of calls whose name or arguments have the user's word for the document. */
function statingStretches(corpus: Corpus, { stating }: Request): ReadonlySet<Stretch> {
  return corpus.memo.get('stating', () => {
    const mails = hashedList(corpus.ontology, 'mail_words');
    const isMail = [...stating].some((hash) => mails.has(hash));
    const wanted = new Set([...stating, ...(isMail ? mails : [])]);
    return new Set(corpus.tool.stretches.filter((stretch) => hasPointer(callOf(stretch, corpus).call, wanted)));
  });
}

/** Characters of a line before and behind a value that are looked at. */
const LINE = 200;
/** So many words in small letters make a sentence; a header has fewer. */
const LEAST_WORDS = 4;

/** Whether words of a sentence stand around the value, in the same line or the same text of a record. */
function isInSentence({ word, length }: Place, { tool }: Corpus): boolean {
  const { words: said } = tool;
  const { from, to } = tool.stretchOf(word);
  const start = said.start[word]!;
  const end = said.end[word + length - 1]!;
  const before =
    said.text
      .slice(Math.max(from, start - LINE), start)
      .split(/["\n\r]|\\n/)
      .at(-1) ?? '';
  const behind = said.text.slice(end, Math.min(to, end + LINE)).split(/["\n\r]|\\n/)[0] ?? '';
  const pieces = `${before} ${behind}`.split(/\s/).filter((piece) => !piece.includes('@'));
  const small = pieces.flatMap((piece) => piece.split(/[^\p{L}]/u)).filter((word) => /^[\p{Ll}\p{Lo}]{2}/u.test(word));
  return small.length >= LEAST_WORDS || small.some((piece) => /\p{Lo}{8}/u.test(piece));
}

/** «Please pay 98.70 to …»: a bill says what is to be paid; a sentence that only orders to pay somebody is none. */
function isOfBill(value: Value, place: Place, corpus: Corpus, { ontology }: Vocabulary): boolean {
  if (value.kind === 'amount' || value.kind === 'number') return true;
  const money = hashedList(ontology, 'named_money');
  const { tool } = corpus;
  const { words } = tool;
  const { first, last } = tool.stretchOf(place.word);
  const from = Math.max(first, place.word - RECORD);
  const to = Math.min(last, place.word + place.length + RECORD);
  if (MONEY.test(words.text.slice(words.start[from]!, words.end[to - 1]!))) return true;
  for (let i = from + 1; i < to; i++) {
    if (isNumber(words, i - 1) && money.has(words.hash[i]!)) return true;
    if (isNumber(words, i) && money.has(words.hash[i - 1]!)) return true;
  }
  return false;
}

/** A number beside a sign of money, or with two decimals. */
const MONEY = /\p{Sc} ?\d|\d ?\p{Sc}|(?<![\d.,:/-])\d{1,9}[.,]\d\d(?![\d.,:/-]\d|\d)/u;

const isNumber = ({ text, start, end }: Words, i: number): boolean => /^\d+$/.test(text.slice(start[i]!, end[i]!));

function standsIn(place: Place, orders: readonly Order[], counts: (order: Order) => boolean): boolean {
  return orders.some((o) => {
    if (o.is_decoded || !counts(o)) return false;
    const from = o.strength >= STEERING ? o.passage_from : o.from;
    const to = o.strength >= STEERING ? o.passage_to : o.to;
    return place.word >= from && place.word < to;
  });
}

/** A record of somebody to whom the user leaves the task holds the value. */
function isWrittenByNamed(value: Value, text: TextReading, request: Request): boolean {
  const needle = plainWords(value.text, text.ontology);
  return needle.length >= SHORTEST_JOINED && isInNamedWriting(needle, text, request);
}

/** Every place lies in a record, such as a mail, that the host which the user named has written. */
function isWrittenByNamedHost(value: Value, outside: readonly Place[], corpus: Corpus, text: TextReading): boolean {
  const hosts = namedValues(corpus).flatMap(({ value: { kind, normal } }) =>
    kind === 'url' || kind === 'host' ? [hostOf(normal).replace(/^www\./, '')] : [],
  );
  if (hosts.length === 0) return false;
  const isNamed = (author: string): boolean => {
    const domain = /@([\w.-]{3,253})\W{0,4}$/.exec(author)?.[1]?.toLowerCase();
    return domain !== undefined && hosts.some((host) => domain === host || domain.endsWith(`.${host}`));
  };
  const needle = plainWords(value.text, corpus.ontology);
  if (needle.length < SHORTEST_JOINED) return false;
  const own = writingsOf(text).filter(({ author }) => isNamed(author));
  const count = own.reduce((sum, { text: written }) => sum + written.split(needle).length - 1, 0);
  return count === outside.length;
}

function isOfPurpose({ words: said, from, strength }: Order, { ontology }: Vocabulary): boolean {
  return strength < STEERING && hashedList(ontology, 'purpose_openers').has(said.hash[from]!);
}

/** `alice.miller@…` where the user said Alice: the result of looking that name up. */
function bearsName(value: Value, request: Request, { user }: Corpus): boolean {
  const own = value.kind === 'email' ? value.normal.slice(0, value.normal.lastIndexOf('@')) : value.text;
  const { text, count, hash, start, end } = lex(own.slice(0, 200));
  for (let i = 0; i < count; i++) {
    if (request.telling_names.has(hash[i]!)) return true;
    // `aliciab` where the user said Alicia.
    for (let to = start[i]! + SHORTEST_FIRST_NAME; to < Math.min(end[i]!, start[i]! + LONGEST_FIRST_NAME); to++)
      if (request.telling_names.has(hashWord(text.slice(start[i]!, to)))) return true;
  }
  // `lara.jean@…` where the user said larajean.
  const joined = text.replace(/[^\p{L}\p{N}]+/gu, '');
  return count > 1 && joined.length >= SHORTEST_JOINED && user.has(hashWord(joined));
}

/** A record that holds both the value and a name of the request. */
function isInRecord(place: Place, corpus: Corpus, request: Request): boolean {
  if (request.telling_names.size === 0) return false;
  const { first, last } = corpus.tool.stretchOf(place.word);
  const from = Math.max(first, place.word - RECORD);
  const to = Math.min(last, place.word + place.length + RECORD);
  let hasName = false;
  for (let word = from; word < to && !hasName; word++)
    hasName = request.telling_names.has(corpus.tool.words.hash[word]!);
  return hasName && !repeatsRequest(from, to, corpus);
}

/**
 * Whether words of a tool's text repeat the user's request: a record bears a name that the user said, and what repeats the request
 * was written for it.
 */
function repeatsRequest(from: number, to: number, { tool, user }: Corpus): boolean {
  const { words } = tool;
  const said = user.words;
  for (let word = from; word < to; word++) {
    for (
      let at = user.first(words.hash[word]!), tries = 0;
      at >= 0 && tries < MOST_TRIES;
      at = user.next(at), tries++
    ) {
      const { first, last } = user.stretchOf(at);
      const most = Math.min(REPEATED, last - first);
      let run = 0;
      while (run < most && word + run < to && at + run < last && words.hash[word + run] === said.hash[at + run]) run++;
      if (run === most && run >= LEAST_REPEATED) return true;
    }
  }
  return false;
}

/** Each place of the command, or of the words in it that the user did not say, is in a result that is the machine's own words. */
function isOfMachine(value: Value, outside: readonly Place[], { tool, user }: Corpus, text: TextReading): boolean {
  const machine = machineMessages(text);
  if (machine.size === 0) return false;
  const isOwn = (word: number): boolean => machine.has(tool.stretchOf(word).segment.index);
  if (outside.length > 0) return outside.every(({ word }) => isOwn(word));
  const { count, hash, start, end } = lex(value.text.slice(0, LONGEST_COMMAND));
  let found = 0;
  for (let i = 0; i < count; i++) {
    if (end[i]! - start[i]! < SHORTEST_FIRST_NAME || user.has(hash[i]!)) continue;
    for (let at = tool.first(hash[i]!); at >= 0; at = tool.next(at)) {
      if (found++ === MOST_FOUND || !isOwn(at)) return false;
    }
  }
  return found > 0;
}

const LONGEST_COMMAND = 1_024;
const MOST_FOUND = 256;

/** A page of the site that the user named. */
function isBelowNamedHost(value: Value, corpus: Corpus, role: string): boolean {
  if (value.kind !== 'url' || (role !== 'url' && role !== 'host')) return false;
  const { count, hash } = lex(hostOf(value.normal));
  if (count < 2) return false;
  const { user } = corpus;
  for (let i = 0; i < count; i++) if (!user.has(hash[i]!)) return false;
  return true;
}
