/**
 * Whether the user orders exactly this: a verb for what the action does, and the name of each thing that it does it to. A user
 * who lists four snapshots to delete has decided about these four.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
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
import { GROUP_MASK, TOLD } from '../../words/grammar/grammar.ts';
import { lex } from '../../words/lexer.ts';
import { groupNames, vocabularyOf } from '../../words/vocabulary.ts';
import { reachOfAll } from '../contradiction/reach/all-instead-of-one.ts';
import { isSaidDay } from '../dates.ts';
import { fitOf } from '../fit.ts';
import type { IntentReading } from '../intent.ts';
import { plannedLoss } from '../misuse/planned-losses.ts';
import { wantsOnlyAnswer } from './answer-only.ts';
import { wantedWords } from './asked-effects.ts';
import { isGraveEffect, objectNames } from './object-names.ts';

const orderWords = perOntology((ontology) => ({
  /** Group of the action → groups of verbs that order it. */
  groups: tableOf(ontology, 'ordered_groups'),
  /** Kind of effect → groups of verbs that order it. */
  kinds: tableOf(ontology, 'ordered_kinds'),
  grave_groups: setOf(ontology, 'grave_groups'),
  kept: anyOf(ontology, 'kept_things'),
  /** Name in a call → how users say it. */
  aliases: tableOf(ontology, 'order_aliases'),
  production: wordOf(ontology, 'strong_production_words'),
}));

/** An action on more things is not ordered one by one. */
const MAX_NAMES = 64;
/** Shorter names are part of any text. */
const SHORTEST = 3;
/** Characters of a record that are read. */
const MAX_RECORD = 16_384;

/** A path in the user's words. */
const PATH = /(?<![\w/:.-])(?:[\w.@-]{1,100}\/){1,20}[\w.@*-]{1,100}/g;
/** A path of several folders: its last part alone says too little. */
const DEEP_PATH = /^(?:~|\.{1,2})?[/\\][^/\\]{1,200}[/\\]|^[A-Za-z]:[/\\]/;

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
  const { kinds, groups, production, grave_groups } = orderWords(ontology);
  // A plain yes makes the agent's last proposal the user's own words.
  const proposal = approvedProposal(ontology, text) ?? '';
  const asked = new Set([
    ...groupNames(ontology, requestOf(text, ontology).groups),
    ...groupNames(ontology, groupsIn(proposal, ontology)),
  ]);
  const isOrdered = (by: readonly string[] | undefined): boolean => by?.some((one) => asked.has(one)) === true;
  const grave = content.effects.filter((effect) => isGraveEffect(effect, ontology));
  const fit = fitOf(ontology, action, args, text);
  // No verb need tell a deed of which the user gives the values, but for the grave ones.
  const isPlainlyCovered = fit.covers && !grave_groups.has(group);
  if (grave.length === 0 && !isOrdered(groups.get(group)) && !fit.asks_effect && !isPlainlyCovered) return false;
  if (!grave.every(({ kind }) => isOrdered(kinds.get(kind))) || content.dormant_effects.length > 0) return false;
  if (intent.prohibited_groups.includes(group) || (proposal === '' && wantsOnlyAnswer(ontology, text))) return false;
  if (fit.ordered > 0) return false;
  if (!asked.has('delete') && proposal === '' && plannedLoss(text, ontology) !== '') return false;
  const names = objectNames(parts);
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
    isSaidDay(said, name.toUpperCase(), event.timestamp, ontology) ||
    records.some((record) => standsAlone(name, record.slice(0, MAX_RECORD)));
  return names.every((name) => isNamed(name.toLowerCase())) && isWhole(wanted, values);
}

/** The command of a platform and the one thing that it takes whole: `rds delete-db-instance legacy-crm-2019`. */
function namesOne(object: string): boolean {
  const [service = '', operation = '', ...things] = object.split(' ');
  const isCommand = [service, operation].every((word) => /^[a-z][a-z\d-]{1,40}$/.test(word));
  return (
    isCommand && things.length > 0 && !/[*?]/.test(object) && things.some((word) => /\d/.test(word) && word.length > 3)
  );
}

/** Whether all that is taken without a bound are objects with names of their own, such as the table `orders_bak_2024`. */
export const removesOwnNames = ({ effects }: ContentReading): boolean =>
  effects.every(
    ({ kind, scope, object }) =>
      scope !== 'everything' ||
      (/[\d_]/.test(object) && effects.some((other) => other.kind === 'alters_schema' && other.object === object)) ||
      (kind === 'deletes' && namesOne(object)) ||
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
  // `and/or` is not a path.
  const paths = (said.match(PATH) ?? []).filter((path) => /[\d_.]|\/.*\//.test(path)).slice(0, MAX_NAMES);
  return paths.every((path) => values.some((value) => value.toLowerCase().includes(path)));
}

/** `preview-pr-1182` for «PR 1182 … its preview namespace»: each word of the name, with a number among them. */
function isComposed(said: string, name: string): boolean {
  // «ORDERS_BAK in ANALYTICS.PUBLIC» is `analytics.public.orders_bak`.
  return [/[-_./:]/, /[./:]/].some((signs) => {
    const words = name.split(signs);
    return words.length > 1 && /\d/.test(name) && words.every((word) => word !== '' && standsAlone(word, said));
  });
}

/** «My last commit» is `HEAD~1`, «the front door» `front_door`. */
const isSaidOtherwise = (said: string, name: string, ontology: Ontology): boolean =>
  (/[a-z]_[a-z]/.test(name) && standsAlone(name.replaceAll('_', ' '), said)) ||
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
