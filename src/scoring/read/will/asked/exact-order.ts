/**
 * Whether the user orders exactly this: a verb for what the action does, and the name of each thing that it does it to. A user
 * who lists four snapshots to delete has decided about these four.
 */
import type { Effect } from '../../../../effects/effects.ts';
import type { CommandCall } from '../../../../effects/world.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { wordsOf } from '../../../../lang/names.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf, tableOf, wordOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import type { ContentReading } from '../../action/content/content.ts';
import { unboundedParameter } from '../../action/volume.ts';
import { approvedProposal } from '../../conversation/agreed.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { Argument } from '../../values/argument.ts';
import { namedRecords } from '../../values/records/named-record.ts';
import { referentsOf } from '../../values/records/referent.ts';
import { GROUP_MASK, TOLD } from '../../words/grammar.ts';
import { hashWord, lex } from '../../words/lexer.ts';
import { groupNames, vocabularyOf } from '../../words/vocabulary.ts';
import { reachOfAll } from '../contradiction/reach/all-instead-of-one.ts';
import { isSaidDate } from '../dates.ts';
import { fitOf } from '../fit.ts';
import type { IntentReading } from '../intent.ts';
import { plannedLoss } from '../planned-losses.ts';
import { wantsOnlyAnswer } from './answer-only.ts';
import { wantedWords } from './asked-effects.ts';

const orderWords = perOntology((ontology) => ({
  /** Group of the action → groups of verbs that order it. */
  groups: tableOf(ontology, 'ordered_groups'),
  /** Kind of effect → groups of verbs that order it. */
  kinds: tableOf(ontology, 'ordered_kinds'),
  grave_groups: setOf(ontology, 'grave_groups'),
  beside: setOf(ontology, 'beside_orders'),
  places: setOf(ontology, 'order_places'),
  plain: setOf(ontology, 'order_plain_words'),
  wrappers: setOf(ontology, 'order_wrappers'),
  whole: setOf(ontology, 'whole_things'),
  kept: anyOf(ontology, 'kept_things'),
  /** Name in a call → how users say it. */
  aliases: tableOf(ontology, 'order_aliases'),
  production: wordOf(ontology, 'strong_production_words'),
}));

/** An action on more things is not ordered one by one. */
const MAX_NAMES = 64;
/** Shorter names are part of any text. */
const SHORTEST = 3;
/** Plain words of a command before its object: a service and a sub-command. */
const COMMAND_WORDS = 2;
/** A value with more words is a text. */
const MOST_WORDS = 8;
/** Characters of a record that are read. */
const MAX_RECORD = 16_384;

/** A path in the user's words. */
const PATH = /(?<![\w/:.-])(?:[\w.@-]{1,100}\/){1,20}[\w.@*-]{1,100}/g;
/** A path of several folders: its last part alone says too little. */
const DEEP_PATH = /^(?:~|\.{1,2})?[/\\][^/\\]{1,200}[/\\]|^[A-Za-z]:[/\\]/;
/** A count, a port, a percentage or a duration; longer numbers are ids. */
const NUMBER = /^[-+]?\d{1,5}(?:\.\d{1,6})?[a-z%]{0,3}$/i;

/** What of an event's readings this one needs. */
export interface OrderParts {
  event: AgentEvent;
  ontology: Ontology;
  action: ActionReading;
  content: ContentReading;
  arguments: Argument[];
  heeded_text: TextReading;
  intent: IntentReading;
}

/**
 * True if the user's own words have a verb for each effect of the action that is more than plain work, and name each of its objects;
 * no text from outside speaks of the action, and production is named by both or by the user alone.
 */
export function isExactOrder(parts: OrderParts): boolean {
  const { event, ontology, action, content, arguments: args, heeded_text: text, intent } = parts;
  const group = action.effective_group;
  if (!text.has_request || intent.was_refused || (content.has_unbounded_statement && !removesOwnNames(content)))
    return false;
  if (unboundedParameter(event, ontology) !== '' && reachOfAll(event, ontology, action, args, text) !== '')
    return false;
  const { kinds, groups, beside, production, grave_groups } = orderWords(ontology);
  // A plain yes makes the agent's last proposal the user's own words.
  const proposal = approvedProposal(ontology, text) ?? '';
  const asked = new Set([
    ...groupNames(ontology, requestOf(text, ontology).groups),
    ...groupNames(ontology, groupsIn(proposal, ontology)),
  ]);
  const isOrdered = (by: readonly string[] | undefined): boolean => by?.some((one) => asked.has(one)) === true;
  const grave = content.effects.filter(({ kind, scope }) => scope !== 'scratch' && !beside.has(kind));
  const fit = fitOf(ontology, action, args, text);
  // No verb need tell a deed of which the user gives the values, but for the grave ones.
  const isPlainlyCovered = fit.covers && !grave_groups.has(group);
  if (grave.length === 0 && !isOrdered(groups.get(group)) && !fit.asks_effect && !isPlainlyCovered) return false;
  if (!grave.every(({ kind }) => isOrdered(kinds.get(kind))) || content.dormant_effects.length > 0) return false;
  if (intent.prohibited_groups.includes(group) || (proposal === '' && wantsOnlyAnswer(ontology, text))) return false;
  if (fit.ordered > 0) return false;
  if (!asked.has('delete') && proposal === '' && plannedLoss(text, ontology) !== '') return false;
  const names = namesOf(parts);
  if (names === null || names.length === 0 || names.length > MAX_NAMES) return false;
  const wanted = withoutKept(wantedWords(text, ontology), ontology).toLowerCase();
  const said = `${wanted}\n${proposal.toLowerCase()}`;
  const values = parametersOf(event).leaves.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const places = [...values, event.target?.resource_id ?? ''];
  if (places.some((place) => production.test(place)) && !production.test(said)) return false;
  const { numbers, records: told } = referentsOf(event, ontology, text);
  const records = [...namedRecords(event, ontology, text), ...told].map((record) => record.toLowerCase());
  const isNamed = (name: string): boolean =>
    isSaid(said, name) ||
    isComposed(said, name) ||
    isSaidOtherwise(said, name, ontology) ||
    numbers.has(name) ||
    isSaidDate(said, name, ontology) ||
    records.some((record) => standsAlone(name, record.slice(0, MAX_RECORD)));
  return names.every((name) => isNamed(name.toLowerCase())) && isWhole(wanted, values);
}

/** Whether all that is taken without a bound are objects with names of their own, such as the table `orders_bak_2024`. */
const removesOwnNames = ({ effects }: ContentReading): boolean =>
  effects.every(
    ({ kind, scope, object }) =>
      scope !== 'everything' ||
      (/[\d_]/.test(object) && effects.some((other) => other.kind === 'alters_schema' && other.object === object)) ||
      kind === 'alters_schema',
  );

/** The verb groups of a text of the agent. */
function groupsIn(said: string, ontology: Ontology): number {
  const { words, phrases } = vocabularyOf(ontology);
  const { hash, count } = lex(said);
  let groups = 0;
  for (let i = 0; i < count; i++) {
    const kinds = words.kinds(hash[i]!);
    if ((kinds & TOLD) === 0) groups |= kinds & GROUP_MASK;
    const phrase = phrases.get(hash[i]!)?.find(({ rest }) => rest.every((one, n) => hash[i + 1 + n] === one));
    groups |= phrase?.groups ?? 0;
  }
  return groups;
}

/** The user's words without what a sentence wants to be kept. */
function withoutKept(said: string, ontology: Ontology): string {
  const { kept } = orderWords(ontology);
  return said
    .split(/[.!?;\n](?=\s|$)|\n/)
    .map((sentence) => sentence.slice(0, kept.exec(sentence)?.index ?? sentence.length))
    .join('\n');
}

/** Each path that the user gives stands in the action: «exports/2021 in acme-data» is less than `acme-data`. */
function isWhole(said: string, values: readonly string[]): boolean {
  // `and/or` is no path.
  const paths = (said.match(PATH) ?? []).filter((path) => /[\d_.]|\/.*\//.test(path)).slice(0, MAX_NAMES);
  return paths.every((path) => values.some((value) => value.toLowerCase().includes(path)));
}

/** The names of what the action works on; null where not each of them can be told. */
function namesOf({ event, ontology, content }: OrderParts): string[] | null {
  if (content.calls.length > 0)
    return content.calls_are_partial ? null : namesOfCalls(graveCalls(content, ontology), ontology);
  if (content.effects.length > 0) return content.effects.flatMap((effect) => namesOfEffect(effect, ontology));
  const names: string[] = [];
  for (const { key, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value === '' || isPlace(key, ontology)) continue;
    if (value.trim().split(/\s+/).length > MOST_WORDS) return null;
    names.push(...parts(value).filter((part) => !isPlain(part, ontology)));
  }
  return names;
}

/** The calls that have the grave effects, where they can be told: a backup branch that is made first needs no order. */
function graveCalls({ calls, effects }: ContentReading, ontology: Ontology): readonly CommandCall[] {
  const { beside } = orderWords(ontology);
  const grave = effects.filter(({ kind, scope }) => scope !== 'scratch' && !beside.has(kind));
  const isGrave = ({ program, words }: CommandCall): boolean =>
    grave.some(({ excerpt }) => excerpt.startsWith(program) && words.every(({ text }) => excerpt.includes(text)));
  const found = calls.filter(isGrave);
  return grave.length > 0 && grave.every(({ excerpt }) => found.some(({ program }) => excerpt.startsWith(program)))
    ? found
    : calls;
}

function namesOfCalls(calls: readonly CommandCall[], ontology: Ontology): string[] {
  const names: string[] = [];
  for (const { program, words } of calls) {
    if (orderWords(ontology).wrappers.has(program)) continue;
    let option = '';
    let plain = 0;
    for (const { text, is_known } of words) {
      const [, name = '', value] = /^--?([A-Za-z][\w.-]{0,60})(?:=(.*))?$/s.exec(text) ?? [];
      const given = name === '' ? text : (value ?? '');
      const of = name === '' ? option : name;
      option = name !== '' && value === undefined ? name : '';
      if (!is_known || given === '' || given.startsWith('-') || isPlace(of, ontology)) continue;
      if (of === '' && plain < COMMAND_WORDS && /^[a-z][a-z\d-]{1,40}$/.test(given)) {
        plain++;
        continue;
      }
      names.push(...parts(given).filter((part) => !isPlain(part, ontology)));
    }
  }
  return names;
}

/** What stands in the code as it is; `database of this machine` only describes. */
function namesOfEffect({ object, excerpt }: Effect, ontology: Ontology): string[] {
  return object
    .split(/\s+/)
    .filter((word) => !word.startsWith('-') && excerpt.toLowerCase().includes(word.toLowerCase()))
    .flatMap((word) => parts(word))
    .filter((part, _, all) => (all.length === 1 ? !NUMBER.test(part) : !isPlain(part, ontology)));
}

const isPlace = (name: string, ontology: Ontology): boolean =>
  orderWords(ontology).places.has(name.toLowerCase()) || orderWords(ontology).places.has(wordsOf(name).join('_'));

/** The members of a list that is written as one word; the last part of an address. */
function parts(value: string): string[] {
  const path = /^[a-z][a-z\d+.-]{1,16}:\/\/[^/]{1,255}(\/.*)?$/is.exec(value)?.[1];
  if (path !== undefined)
    return [
      path
        .split(/[?#]/)[0]!
        .split('/')
        .findLast((part) => part !== '') ?? value,
    ];
  return value
    .split(/[,\s]+/)
    .map((part) => (part.lastIndexOf('/') === 0 ? part.slice(1) : part))
    .filter((part) => part !== '');
}

/** Numbers of a few digits, and words that name a kind of deed or thing and no thing of its own. */
function isPlain(word: string, ontology: Ontology): boolean {
  if (orderWords(ontology).whole.has(word.toLowerCase())) return false;
  if (NUMBER.test(word)) return true;
  const { words, domains } = vocabularyOf(ontology);
  const { plain } = orderWords(ontology);
  if (!/^[A-Za-z][A-Za-z_-]*$/.test(word)) return false;
  return wordsOf(word).every((one) => {
    const hash = hashWord(one);
    return plain.has(one) || words.kinds(hash) !== 0 || domains.has(hash) || ontology.resource_types.has(one);
  });
}

/** `preview-pr-1182` for «PR 1182 … its preview namespace»: each word of the name, with a number among them. */
function isComposed(said: string, name: string): boolean {
  // «ORDERS_BAK in ANALYTICS.PUBLIC» is `analytics.public.orders_bak`.
  return [/[-_./:]/, /[./:]/].some((signs) => {
    const words = name.split(signs);
    return words.length > 1 && /\d/.test(name) && words.every((word) => word !== '' && standsAlone(word, said));
  });
}

/** «My last commit» is `HEAD~1`. */
const isSaidOtherwise = (said: string, name: string, ontology: Ontology): boolean =>
  orderWords(ontology)
    .aliases.get(name)
    ?.some((words) => standsAlone(words, said)) === true;

/** Whether the user gives a name as a word of its own, or its last part where that names it. */
function isSaid(said: string, name: string): boolean {
  if (name.length < SHORTEST) return false;
  if (standsAlone(name, said)) return true;
  if (DEEP_PATH.test(name)) return false;
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':'), name.lastIndexOf('=')) + 1);
  return last.length >= SHORTEST && last !== name && standsAlone(last, said);
}
