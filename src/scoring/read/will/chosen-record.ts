/**
 * Whether the object that an action takes is the one that the user described: an id that no result holds was guessed, and
 * a record of which the user's words hold less than of another one was mistaken for it.
 */

import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/action-words.ts';
import { type Call, readCalls, unaskedResults } from '../conversation/calls.ts';
import { type ResultRecord, recordsOf } from '../conversation/records.ts';
import { segmentsOf, type TextReading, textOfSegments } from '../conversation/text.ts';
import { GROUP_MASK, STOPWORD } from '../words/grammar.ts';
import { hashWord } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { otherDate } from './dates.ts';
import { lookedUp } from './looked-up.ts';

export interface ChosenRecord {
  /** Id that the action uses and that stands nowhere, although results were looked up; '' if there is none. */
  guessed_id: string;
  /** Results list ids of the kind of `guessed_id`, or say that there are none. */
  is_kind_listed: boolean;
  /** Words of the user that another record holds and the one that is used lacks, or the order that it breaks; '' if none. */
  missed: string;
  /** Id of the record that is used in spite of that. */
  used: string;
  /** Id of the record that fits better. */
  better: string;
}

const NOTHING: ChosenRecord = { guessed_id: '', is_kind_listed: false, missed: '', used: '', better: '' };
/** Shorter ids stand in too many places, or in none by chance. */
const ID_VALUE = /^(?=[^\s]{0,64}\d)[\w:#./+-]{3,64}$/;
const MAX_IDS = 8;
/** A field of more characters is a text, not a property of the record. */
const LONGEST_FIELD = 120;
const MAX_REQUEST = 8_192;

const words = perOntology((ontology) => ({
  orders: new Map(
    [...tableOf(ontology, 'superlatives')].flatMap(([order, list]) =>
      list.map((word): [string, string] => [word, order]),
    ),
  ),
  all: setOf(ontology, 'quantifier_words'),
  exclusions: setOf(ontology, 'exclusion_words'),
  acknowledgements: setOf(ontology, 'acknowledgement_words'),
  /** Words for kinds of things: every record of a calendar may be a meeting. */
  kinds: new Set([...tableOf(ontology, 'domain_words').values()].flat().flatMap((word) => [word, `${word}s`])),
  times: setOf(ontology, 'time_owner_words'),
  id_keys: setOf(ontology, 'id_key_words'),
  number_words: setOf(ontology, 'small_number_words'),
  not_meant: new RegExp(patternOf(ontology, 'not_meant', 'goal').source, 'gi'),
}));

/** Compares the ids that the action uses with what the conversation holds. Only for actions that change something. */
export function chosenRecord(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  whole: TextReading,
): ChosenRecord {
  const ids = usedIds(event, ontology);
  const named = namedThings(event, action);
  if (!whole.has_request || action.effective_group === 'create') return NOTHING;
  if (ids.length === 0 && named.length === 0 && onlyAddress(event) === '') return NOTHING;
  const text = withoutUnasked(whole, event, ontology);
  const said = segmentsOf(text).filter(({ speaker }) => speaker === 'user' || speaker === 'system');
  const records = recordsOf(whole);
  const about = [event.action, event.mcp_context?.server_name ?? ''];
  const open = ids.filter(({ value }) => !said.some((segment) => holds(segment.text, shortId(value))));
  const guessedAs = ({ name, value, path }: Leaf): 'listed' | 'unlisted' | null => {
    const found = [String(value), shortId(value)].map((id) =>
      lookedUp({ id, name, about, tool: action.tool_name }, event, whole),
    );
    if (found.includes('yes')) return null;
    const isListed = found.includes('no');
    if (!isListed && text.untrusted.some((passage) => holds(passage.text, shortId(value)))) return null;
    if (!whole.untrusted.some((passage) => tells(passage.text, ontology)) || isCut(text, name)) return null;
    // The bare `id` of something inside the action is of its own kind: `passengers[0].id` beside a list of offers.
    const isInside = name === 'id' && /[.[]/.test(path);
    return isListed && !isInside ? 'listed' : 'unlisted';
  };
  const kinds = open.map(guessedAs);
  // What the object lies in, such as the page of a comment, may be known from elsewhere.
  const isObject = ({ name }: Leaf): boolean => isOfThing(name, action);
  if (kinds.some((kind, i) => kind !== null && !isObject(open[i]!))) {
    const objects = parametersOf(event).leaves.filter((leaf) => isObject(leaf) && ID_VALUE.test(String(leaf.value)));
    if (objects.length > 0 && objects.slice(0, MAX_IDS).every((leaf) => guessedAs(leaf) === null))
      for (const [i, leaf] of open.entries()) if (!isObject(leaf)) kinds[i] = null;
  }
  const at = kinds.includes('listed') ? kinds.indexOf('listed') : kinds.indexOf('unlisted');
  const guessed_id = at < 0 ? '' : String(open[at]!.value);
  const chosen = { ...NOTHING, guessed_id, is_kind_listed: kinds[at] === 'listed' };
  const last = lastWords(text).slice(0, MAX_REQUEST);
  if (wordsIn(last).some((word) => words(ontology).exclusions.has(word))) return chosen;
  const unsaid = named.filter(({ value }) => !said.some((segment) => holds(segment.text, String(value))));
  for (const { name, value, path } of [...open, ...unsaid]) {
    if (/[.[]/.test(path)) continue;
    const id = String(value);
    const idOf = (fields: Fields): string | undefined => fields.get(name) ?? fields.get('id');
    const found = mistaken({ id, idOf, event, action, ontology, asked: last, records });
    if (found !== undefined) return { ...chosen, ...found };
  }
  const address = onlyAddress(event);
  if (address !== '' && !said.some((segment) => holds(segment.text.toLowerCase(), address))) {
    const found = mistaken({ id: address, idOf: addressOf, event, action, ontology, asked: last, records });
    if (found !== undefined) return { ...chosen, ...found };
  }
  return chosen;
}

/** The mail address of a record of a person. A mail or an event has addresses, too, and is about something else. */
function addressOf(fields: Fields): string | undefined {
  if (![...fields.keys()].some((key) => NAME_KEY.test(key))) return undefined;
  for (const [key, value] of fields) if (ADDRESS_KEY.test(key) && ADDRESS.test(value)) return value.toLowerCase();
  return undefined;
}

const NAME_KEY = /^(?:(?:display|full|first|last|contact|person)_)?name$/;
const ADDRESS_KEY = /^(?:(?:work|primary|contact|business)_)?(?:e_?)?mail(?:_?address)?$|^address$/;

/** The one mail address among the parameters, '' where there is none or several. */
function onlyAddress(event: AgentEvent): string {
  const found = new Set<string>();
  for (const { value } of parametersOf(event).leaves)
    if (typeof value === 'string' && ADDRESS.test(value)) found.add(value.toLowerCase());
  return found.size === 1 ? [...found][0]! : '';
}

/** Without messages of tools that answer no call: none of them makes an id or a record one that was looked up. */
function withoutUnasked(text: TextReading, event: AgentEvent, ontology: Ontology): TextReading {
  const unasked = unaskedResults(event, ontology);
  if (unasked.size === 0) return text;
  return textOfSegments(
    segmentsOf(text).filter(({ index, speaker }) => speaker !== 'tool' || !unasked.has(index)),
    text,
  );
}

/** What the user said last: with a new message a user may change what was said before. */
const lastWords = (text: TextReading): string => text.last_user_message || text.trusted;

function usedIds(event: AgentEvent, ontology: Ontology): Leaf[] {
  return parametersOf(event)
    .leaves.filter(
      ({ name, value }) =>
        typeof value !== 'boolean' &&
        words(ontology).id_keys.has(name.slice(name.lastIndexOf('_') + 1)) &&
        ID_VALUE.test(String(value)),
    )
    .slice(0, MAX_IDS);
}

/** Ids in parameters that are called like the thing that the tool is for: `booking` of `drop_booking`. */
function namedThings(event: AgentEvent, { tool_name, scope }: ActionReading): Leaf[] {
  const things = new Set([...wordsOf(tool_name), ...wordsOf(scope)].map(singular));
  return parametersOf(event)
    .leaves.filter(
      ({ name, value }) => typeof value !== 'boolean' && things.has(singular(name)) && ID_VALUE.test(String(value)),
    )
    .slice(0, MAX_IDS);
}

/** `comment_ids` of `comment:delete`. */
function isOfThing(name: string, { tool_name, scope }: ActionReading): boolean {
  const things = new Set([...wordsOf(tool_name), ...wordsOf(scope)].map(singular));
  return wordsOf(name).some((word) => things.has(singular(word)));
}

/** What people and other tools call an object of which an interface wants the whole path: `100482` of `gid://shop/Order/100482`. */
function shortId(value: Leaf['value']): string {
  const id = String(value);
  const tail = id.slice(id.lastIndexOf('/') + 1);
  return ID_VALUE.test(tail) ? tail : id;
}

/** The id as a whole, not as a part of a longer number or name. */
function holds(text: string, id: string): boolean {
  for (let at = text.indexOf(id), n = 0; at >= 0 && n < 64; n++, at = text.indexOf(id, at + 1))
    if (!/\w/.test(text[at - 1] ?? ' ') && !/\w/.test(text[at + id.length] ?? ' ')) return true;
  return false;
}

/** Whether a result says anything: `ok` for every call means that the host leaves the results out. An empty list says: none. */
function tells(text: string, ontology: Ontology): boolean {
  const said = text.slice(0, MAX_WRAPPED).replace(WRAPPING, ' ').slice(0, LONGEST_FIELD);
  return (
    /^\s*\[\s*\]\s*$/.test(text.slice(0, LONGEST_FIELD)) ||
    wordsIn(said).some((word) => !words(ontology).acknowledgements.has(word))
  );
}

/** What hosts put around a result: tags, and the names of the fields of a content block. */
const WRAPPING = /<[^<>]{0,200}>|"type"\s{0,4}:\s{0,4}"\w{0,20}"|"(?:text|content)"\s{0,4}:/g;
const MAX_WRAPPED = 1_024;

/** Whether a result with records of this kind was cut off: the id may have stood in the part that is missing. */
const isCut = (text: TextReading, name: string): boolean =>
  recordsOf(text).some(({ fields, is_cut }) => is_cut && (fields.has(name) || fields.has('id')));

interface Search {
  id: string;
  /** What tells a record from others of its kind: its id, or its address. */
  idOf: (fields: Fields) => string | undefined;
  event: AgentEvent;
  action: ActionReading;
  ontology: Ontology;
  asked: string;
  records: readonly ResultRecord[];
}

type Mistake = Pick<ChosenRecord, 'missed' | 'used' | 'better'>;

type Fields = ReadonlyMap<string, string>;

/**
 * Each record of the id is compared, so that a further one, which a tool may have been told to write, hides no other. A record is
 * compared with others of its own kind: those with the same fields.
 */
function mistaken(search: Search): Mistake | undefined {
  const { id, idOf, event, action, ontology, asked, records } = search;
  const excluded = excludedWords(asked, ontology);
  const telling = new Set(
    [...tellingWords(asked, event, action, ontology, records)].filter((word) => !excluded.has(word)),
  );
  // What earlier calls already took is done: it no longer competes with this one.
  const calls = readCalls(event, ontology);
  const isLeft = (other: string): boolean => other !== id && !calls.some((call) => takes(call, other));
  for (const chosen of records.filter(({ fields }) => idOf(fields) === id)) {
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

const kindOf = (fields: Fields): string => [...fields.keys()].sort().join();

function mistakenFor(
  search: Search,
  chosen: Fields,
  others: readonly (readonly [string, Fields])[],
  telling: ReadonlySet<string>,
  excluded: ReadonlySet<string>,
): Mistake | undefined {
  const { id, asked, ontology } = search;
  const day = otherDate(asked, [...chosen.values()], ontology) || otherOwner(chosen, search);
  if (day !== '') return { missed: day, used: id, better: '' };
  const own = matched(chosen, telling);
  const unwanted = matched(chosen, excluded);
  for (const [other, fields] of others) {
    const more = matched(fields, telling);
    const held = wordsHeld(fields);
    const unmeant = [...unwanted].find((word) => !held.has(word));
    if (unmeant !== undefined && [...own].every((word) => more.has(word)))
      return { missed: unmeant, used: id, better: other };
    const missed = [...more].filter((word) => !own.has(word));
    if (missed.length > 0 && [...own].every((word) => more.has(word)))
      return { missed: missed.join(' '), used: id, better: other };
  }
  return outOfOrder(search, chosen, others, telling);
}

const POSSESSIVE = /(?<![\p{L}\p{N}])(\p{L}{2,24})['’]s(?![\p{L}\p{N}])/gu;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

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
function tellingWords(
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
    return word.length >= 3 && !isGrammar && !given.has(word) && !kinds.has(word) && !objects.has(hash);
  };
  return new Set(wordsIn(asked).filter(tells));
}

/** What is not meant: «not to the customer». */
function excludedWords(asked: string, ontology: Ontology): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, goal, thing = ''] of asked.slice(0, MAX_REQUEST).matchAll(words(ontology).not_meant))
    found.add((goal ?? thing).toLowerCase());
  return found;
}

const wordsHeld = (fields: Fields): ReadonlySet<string> => new Set([...fields.values()].flatMap(wordsIn));

const lastWord = (name: string): string => name.slice(name.lastIndexOf('_') + 1);

const wordsIn = (text: string): string[] =>
  text
    .slice(0, MAX_REQUEST)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');

/** The telling words that the short fields of a record hold. */
function matched(fields: ReadonlyMap<string, string>, telling: ReadonlySet<string>): Set<string> {
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
  return better === undefined ? undefined : { missed: word, used: id, better: better[0] };
}
