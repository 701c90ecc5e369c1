/** Whether another record fits the user's words better than the one that an action takes. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { lastWord } from '../../../lang/names.ts';
import { standsAlone } from '../../../lang/stands-alone.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { inverseOf, patternOf, setOf, tableOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/naming/action-words.ts';
import { type Call, readCalls } from '../conversation/calls.ts';
import type { ResultRecord } from '../conversation/transcript/records.ts';
import { GROUP_MASK, STOPWORD } from '../words/grammar/grammar.ts';
import { hashWord } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { isSaidDate, otherDate } from './dates.ts';

export interface Mistake {
  /** Words of the user that another record holds and the one that is used lacks, or the order that it breaks; '' if none. */
  missed: string;
  /** Id of the record that is used in spite of that. */
  used: string;
  /** Id of the record that fits better. */
  better: string;
  /**
   * Both records have the name that the user says, or only the other one has it: the one was taken for the other. Words of an address say
   * no more than who writes to whom.
   */
  is_namesake: boolean;
}

export type Fields = ReadonlyMap<string, string>;

/** A field of more characters is a text, not a property of the record. */
export const LONGEST_FIELD = 120;
/** Characters of a request that are read. */
export const MAX_REQUEST = 8_192;
export const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

const words = perOntology((ontology) => ({
  orders: inverseOf(ontology, 'superlatives'),
  all: setOf(ontology, 'quantifier_words'),
  /** Words for kinds of things: every record of a calendar may be a meeting. */
  kinds: new Set([...tableOf(ontology, 'domain_words').values()].flat().flatMap((word) => [word, `${word}s`])),
  times: setOf(ontology, 'time_owner_words'),
  number_words: setOf(ontology, 'small_number_words'),
  not_meant: new RegExp(patternOf(ontology, 'not_meant', 'goal').source, 'gi'),
  name_key: patternOf(ontology, 'person_keys', 'name'),
  address_key: patternOf(ontology, 'person_keys', 'address'),
}));

/** The mail address of a record of a person. A mail or an event has addresses, too, and is about something else. */
export function addressOf(fields: Fields, ontology: Ontology): string | undefined {
  const { name_key, address_key } = words(ontology);
  if (![...fields.keys()].some((key) => name_key.test(key))) return undefined;
  for (const [key, value] of fields) if (address_key.test(key) && ADDRESS.test(value)) return value.toLowerCase();
  return undefined;
}

export interface Search {
  id: string;
  /** What tells a record from others of its kind: its id, or its address. */
  idOf: (fields: Fields) => string | undefined;
  event: AgentEvent;
  action: ActionReading;
  ontology: Ontology;
  asked: string;
  records: readonly ResultRecord[];
}

/**
 * Each record of the id is compared, so that a further one, which a tool may have been told to write, hides no other. A record is
 * compared with others of its own kind: those with the same fields.
 */
export function mistaken(search: Search): Mistake | undefined {
  const { id, idOf, event, action, ontology, asked, records } = search;
  const own = records.filter(({ fields }) => idOf(fields) === id);
  if (own.length === 0) return undefined;
  const excluded = excludedWords(asked, ontology);
  const telling = new Set(
    [...tellingWords(asked, event, action, ontology, records)].filter((word) => !excluded.has(word)),
  );
  // What earlier calls already took is done: it no longer competes with this one.
  const calls = readCalls(event, ontology);
  const isLeft = (other: string): boolean => other !== id && !calls.some((call) => takes(call, other));
  for (const chosen of own) {
    const kind = kindOf(chosen.fields);
    const byId = new Map<string, Fields>();
    for (const { fields } of records) {
      const other = idOf(fields);
      if (other !== undefined && isLeft(other) && kindOf(fields) === kind) byId.set(other, fields);
    }
    const found = mistakenFor(search, chosen.fields, [...byId], telling, excluded);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const kindOf = (fields: Fields): string => [...fields.keys()].sort().join();

function mistakenFor(
  search: Search,
  chosen: Fields,
  others: readonly (readonly [string, Fields])[],
  telling: ReadonlySet<string>,
  excluded: ReadonlySet<string>,
): Mistake | undefined {
  const { id, asked, ontology } = search;
  const day = otherDate(asked, [...chosen.values()], ontology) || otherOwner(chosen, search);
  if (day !== '') return { missed: day, used: id, better: '', is_namesake: false };
  const own = matched(chosen, telling);
  const numbers = tellingNumbers(search);
  const own_numbers = numbersHeld(chosen, numbers, search);
  const unwanted = matched(chosen, excluded);
  for (const [other, fields] of others) {
    const more = matched(fields, telling);
    const held = wordsHeld(fields);
    const unmeant = [...unwanted].find((word) => !held.has(word));
    if (unmeant !== undefined && [...own].every((word) => more.has(word)))
      return { missed: unmeant, used: id, better: other, is_namesake: false };
    if (![...own].every((word) => more.has(word))) continue;
    const more_numbers = numbersHeld(fields, numbers, search);
    const isNearer = own_numbers.every((number) => more_numbers.includes(number));
    const missed = [...more, ...(isNearer ? more_numbers : [])].filter(
      (word) => !own.has(word) && !own_numbers.includes(word),
    );
    if (missed.length > 0)
      return {
        missed: missed.join(' '),
        used: id,
        better: other,
        is_namesake: isNamesake(search, chosen, fields, missed),
      };
  }
  return outOfOrder(search, chosen, others, telling);
}

function isNamesake(search: Search, chosen: Fields, better: Fields, missed: readonly string[]): boolean {
  const { id, asked, event, ontology } = search;
  const list = wordsIn(asked);
  const said = new Set(list);
  if (DATE.test(id) || list.some((word) => words(ontology).all.has(word))) return false;
  // «To Amir and Akira», where this call is for Amir: the other one has a call of her own.
  const given = new Set(parametersOf(event).leaves.flatMap(({ value }) => wordsIn(String(value))));
  const isOther = (word: string): boolean =>
    list.some((one, i) => one === word && [list[i - 2], list[i + 2]].some((beside) => given.has(beside ?? '')));
  if (missed.some(isOther)) return false;
  const plain = [...better.values()].filter((value) => value.length <= LONGEST_FIELD && !ADDRESS.test(value));
  const holdsMissed = (value: string): boolean =>
    missed.includes(value.slice(0, DAY_LENGTH)) ||
    [...wordsIn(value), ...numbersIn(value)].some((word) => missed.includes(word));
  if (!plain.some(holdsMissed)) return false;
  const isSaid = (value: string): boolean => {
    const of_value = wordsIn(value).filter(isLongEnough);
    const digits = value.match(/\d+/g) ?? [];
    return (
      of_value.length > 0 && of_value.every((word) => said.has(word)) && digits.every((one) => standsAlone(one, asked))
    );
  };
  return [...better].some(([key, value]) => {
    const own = chosen.get(key) ?? '';
    if (value.length > LONGEST_FIELD || own === '') return false;
    if (own === value) return isSaid(value);
    // «Nele» for `Nele Hart`: the call names the thing by this very field.
    return own === id ? wordsIn(value).some((word) => missed.includes(word)) : isSaid(value) && !isSaid(own);
  });
}

const POSSESSIVE = /(?<![\p{L}\p{N}])(\p{L}{2,24})['’]s(?![\p{L}\p{N}])/gu;

/** «Akira's leads»: the person of whom the user speaks, if the record names others and not this one; else ''. */
function otherOwner(chosen: Fields, search: Search): string {
  if (![...chosen.values()].some((value) => ADDRESS.test(value))) return '';
  const vocabulary = vocabularyOf(search.ontology);
  const held = new Set([...chosen.values()].flatMap(wordsIn));
  const given = new Set(parametersOf(search.event).leaves.flatMap(({ value }) => wordsIn(String(value))));
  const owners = [...search.asked.matchAll(POSSESSIVE)].map(([, word = '']) => word.toLowerCase());
  const people = owners.filter((word) => (vocabulary.words.kinds(hashWord(word)) & (STOPWORD | GROUP_MASK)) === 0);
  const isPerson = (word: string): boolean =>
    !words(search.ontology).times.has(word) && !words(search.ontology).kinds.has(word) && !given.has(word);
  const [owner, ...more] = [...new Set(people)].filter(isPerson);
  return owner === undefined || more.length > 0 || held.has(owner) ? '' : owner;
}

const takes = (call: Call, id: string): boolean => [...call.args.values()].includes(id);

/** Words of the request that can tell records apart: no grammar, no verbs, no kinds of things, none of the new values. */
export function tellingWords(
  asked: string,
  event: AgentEvent,
  action: ActionReading,
  ontology: Ontology,
  records: readonly ResultRecord[],
): ReadonlySet<string> {
  // A remark beside the values may repeat the request: only what has the name of a field is a new value of the record.
  const fieldWords = new Set(records.flatMap(({ fields }) => [...fields.keys()].map(lastWord)));
  const vocabulary = vocabularyOf(ontology);
  const { kinds } = words(ontology);
  const { objects } = actionWordsOf(action, vocabulary);
  const given = new Set(
    parametersOf(event)
      .leaves.filter(({ name }) => fieldWords.has(lastWord(name)))
      .flatMap(({ value }) => wordsIn(String(value))),
  );
  const tells = (word: string): boolean => {
    const hash = hashWord(word);
    const isGrammar = (vocabulary.words.kinds(hash) & (STOPWORD | GROUP_MASK)) !== 0;
    return isLongEnough(word) && !isGrammar && !given.has(word) && !kinds.has(word) && !objects.has(hash);
  };
  return new Set(wordsIn(asked).filter(tells));
}

/** Two letters of the Latin alphabet tell nothing; two syllables or ideographs are a word. */
const isLongEnough = (word: string): boolean => word.length >= 3 || (word.length === 2 && word > '\u1100');

/** Years, class `9a`, rooms: numbers of the request by which records are told apart. Those that the call carries are new values. */
function tellingNumbers({ asked, event }: Search): ReadonlySet<string> {
  const given = new Set(parametersOf(event).leaves.flatMap(({ value }) => numbersIn(String(value))));
  return new Set(numbersIn(asked).filter((number) => !given.has(number)));
}

/** Digits with letters, or of a year or a longer number; and days, `--12-31`, of dates in either form. */
const NUMBERS = /(?<![\p{L}\p{N}.,:/-])(?:\d{1,4}\p{Ll}|\p{L}\d{1,4}|\d{3,8})(?![\p{L}\p{N}]|[.,:/-]\p{N})/giu;
const ISO_DATE = /(?<!\d)(\d{4})-\d{2}-\d{2}(?!\d)/g;

const numbersIn = (text: string): string[] => [
  ...[...text.slice(0, MAX_REQUEST).matchAll(NUMBERS)].map(([number]) => number.toLowerCase()),
  ...[...text.slice(0, MAX_REQUEST).matchAll(ISO_DATE)].map(([, year]) => year!),
];

/** The numbers that the short fields of a record hold, and its dates that the user says: «del 14 maggio». */
function numbersHeld(
  fields: Fields,
  numbers: ReadonlySet<string>,
  { asked, event, ontology }: Search,
): readonly string[] {
  const values = [...fields.values()].filter((value) => value.length <= LONGEST_FIELD);
  const { leaves } = parametersOf(event);
  const isMeant = (day: string): boolean =>
    !leaves.some(({ value }) => String(value).startsWith(day)) && isSaidDate(asked, day, ontology);
  const days = values.filter((value) => DATE.test(value)).map((value) => value.slice(0, DAY_LENGTH));
  return [
    ...(numbers.size === 0 ? [] : values.flatMap(numbersIn).filter((number) => numbers.has(number))),
    ...days.filter(isMeant),
  ];
}

/** Of `2026-01-14`. */
const DAY_LENGTH = 10;

/** What is not meant: «not to the customer». */
function excludedWords(asked: string, ontology: Ontology): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, goal, thing = ''] of asked.slice(0, MAX_REQUEST).matchAll(words(ontology).not_meant))
    found.add((goal ?? thing).toLowerCase());
  return found;
}

const wordsHeld = (fields: Fields): ReadonlySet<string> => new Set([...fields.values()].flatMap(wordsIn));

export const wordsIn = (text: string): string[] =>
  text
    .slice(0, MAX_REQUEST)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');

/** The telling words that the short fields of a record hold. */
export function matched(fields: ReadonlyMap<string, string>, telling: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const value of fields.values())
    if (value.length <= LONGEST_FIELD) for (const word of wordsIn(value)) if (telling.has(word)) found.add(word);
  return found;
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.{0,20})?$/;

/** «The latest mail from ana»: another of the records that fit as well is later. */
function outOfOrder(
  { id, ontology, asked }: Search,
  chosen: Fields,
  others: readonly (readonly [string, Fields])[],
  telling: ReadonlySet<string>,
): Mistake | undefined {
  const { orders, all, number_words } = words(ontology);
  const list = wordsIn(asked);
  if (list.some((word) => all.has(word))) return undefined;
  const named = list.filter((word, i) => orders.has(word) && !number_words.has(list[i + 1] ?? ''));
  // Two orders, or a number of days behind one, say something about something else.
  const [word] = [...new Set(named)];
  if (word === undefined || named.length > 1 || new RegExp(`${word}\\s{1,4}\\d`, 'i').test(asked)) return undefined;
  const own = matched(chosen, telling);
  const like = others.filter(([, fields]) => {
    const theirs = matched(fields, telling);
    return theirs.size === own.size && [...own].every((one) => theirs.has(one));
  });
  const field = [...chosen.keys()].find((key) => DATE.test(chosen.get(key)!));
  if (field === undefined) return undefined;
  const at = chosen.get(field)!;
  const isBefore = orders.get(word) === 'latest' ? (date: string) => date > at : (date: string) => date < at;
  const better = like.find(([, fields]) => DATE.test(fields.get(field) ?? '') && isBefore(fields.get(field)!));
  return better === undefined ? undefined : { missed: word, used: id, better: better[0], is_namesake: false };
}
