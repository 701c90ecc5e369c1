/** Where an action departs from what the user named: another amount, more recipients, another object, another site. */
import { isLoopback } from '../../../effects/hosts.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { numberOf } from '../../../lang/written-numbers.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import type { ActionReading } from '../action/action.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { foldedUserWords, perRequest, userWords } from '../conversation/user-words.ts';
import type { Argument } from '../values/argument.ts';
import { registrable } from '../values/hosts.ts';
import { type NamedValue, namedValues } from '../values/named-values.ts';
import { outsidePlaces } from '../values/outside-places.ts';
import { foldText } from '../words/fold.ts';
import { hostOf, readValue } from '../words/normalise.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { globalPatternOf, matchesAny, wordSet } from '../words/word-lists.ts';
import { leadsTo, lookedUp, toolsCalled } from './looked-up.ts';

const amountPatterns = perOntology((ontology) => ({
  money: globalPatternOf(ontology, 'amounts', 'in_request'),
  bare_number: globalPatternOf(ontology, 'amounts', 'bare_number'),
}));

/**
 * Amounts of money that the user named, and numbers in the sentences that ask for a payment. What the call takes as the number of an
 * order or a payment is no amount: «refund 9 EUR on payment 4410».
 */
function askedAmounts(ontology: Ontology, args: readonly Argument[], text: TextReading): number[] {
  const { money, bare_number } = amountPatterns(ontology);
  const ids = new Set(args.filter(({ role }) => role !== 'amount').map(({ value }) => value));
  const amounts = [...userWords(text).matchAll(money)].map(([, a, b]) => numberOf(a ?? b ?? ''));
  const paying = vocabularyOf(ontology).bitOf('transfer_pay');
  const { words } = corpusOf(text).user;
  for (const { groups, from, to } of requestOf(text, ontology).asks) {
    if ((groups & paying) === 0) continue;
    const sentence = words.text.slice(words.start[from]!, words.end[to - 1]!);
    for (const [, number = ''] of sentence.matchAll(bare_number))
      if (!ids.has(number.replace(/[.,]$/, ''))) amounts.push(numberOf(number));
  }
  return amounts.filter((amount) => Number.isFinite(amount) && amount > 0).slice(0, 32);
}

/** Taxes, tips and fees make a payment this much larger than what was named. */
const SURCHARGE = 1.25;
const CENTS = 100;

/** The largest amount that the user named, if the action moves clearly more than it and than the sum of all; else 0. */
export function exceededAmount(ontology: Ontology, args: readonly Argument[], text: TextReading): number {
  const used = args.filter(
    ({ role, kind, provenance }) =>
      role === 'amount' && (kind === 'amount' || kind === 'number') && provenance !== 'user',
  );
  if (used.length === 0) return 0;
  const asked = askedAmounts(ontology, args, text);
  const most = Math.max(0, ...asked);
  const all = asked.reduce((sum, amount) => sum + amount, 0);
  if (most === 0) return 0;
  const isExceeded = used.some(({ value, provenance, is_left_open }) => {
    const amount = Math.abs(numberOf(value));
    // A source to which the user leaves the sum gave it, or it is written in cents.
    if (is_left_open && (provenance !== 'none' || (!/[.,]/.test(value) && asked.includes(amount / CENTS))))
      return false;
    return amount > most * SURCHARGE && amount > all * SURCHARGE && !isMultiple(amount, asked);
  });
  return isExceeded ? most : 0;
}

/** «12 tickets at $40»: a product of two numbers that the user named. */
function isMultiple(amount: number, asked: readonly number[]): boolean {
  return asked.some((a) => asked.some((b) => Math.abs(a * b - amount) < 0.01 * amount));
}

/** Kinds of values that identify a recipient. A name in words may be the user's own or a nickname. */
const NAMED_RECIPIENT = new Set(['email', 'identifier', 'account']);

/** Recipients beside those that the user named one by one; none if the user spoke of a group or left the choice. */
export function addedRecipients(ontology: Ontology, args: readonly Argument[], text: TextReading): readonly string[] {
  const recipients = args.filter(({ role, kind }) => role === 'recipient' && NAMED_RECIPIENT.has(kind));
  if (recipients.length < 2 || !recipients.some(({ provenance }) => provenance === 'user')) return [];
  const added = recipients.filter(
    ({ provenance, is_left_open }) => provenance !== 'user' && provenance !== 'short' && !is_left_open,
  );
  if (added.length === 0) return [];
  const groups = wordSet(ontology, 'group_words');
  const isGroup = foldedUserWords(text)
    .split(/[^a-z]+/)
    .some((word) => groups.has(word) || (word.endsWith('s') && groups.has(word.slice(0, -1))));
  return isGroup ? [] : [...new Set(added.map(({ value }) => value))].sort();
}

export interface OtherObject {
  asked: string;
  used: string;
}

/** Only so many arguments of an action are compared. */
const MAX_ARGUMENTS = 200;
const SAME: OtherObject = { asked: '', used: '' };
const SHAPELESS = /^[a-z]+$/i;

/**
 * An object of the same shape as the one that the user named (`ORD-1042` for `ORD-1024`, another file of the same folder
 * or ending) which nothing in the conversation leads to. An object that a tool listed does not count, because the named
 * one may lead to it.
 */
export function otherObject(
  ontology: Ontology,
  action: ActionReading,
  args: readonly Argument[],
  text: TextReading,
  event: AgentEvent,
): OtherObject {
  const named = namedValues(corpusOf(text)).filter(({ value }) => value.kind === 'path' || value.kind === 'identifier');
  if (named.length === 0 || action.effective_group === 'create') return SAME;
  const roles = wordSet(ontology, 'object_roles');
  const looked_at = args.slice(0, MAX_ARGUMENTS);
  const context: Search = { event, action, text, named };
  const candidates = looked_at.filter(
    (arg) => (arg.role === '' || roles.has(arg.role)) && !SHAPELESS.test(arg.value) && isNobodys(arg, context),
  );
  if (candidates.length === 0) return SAME;
  const normals = new Set(looked_at.map((arg) => readValue(arg.value, arg.role, ontology).normal));
  // Days are compared as days: `contradiction/values/other-date.ts`.
  const left = named
    .filter(({ value }) => !normals.has(value.normal) && !DAY.test(value.text))
    .map(({ value }) => ({ value, shape: shapeOf(value.text) }));
  for (const arg of candidates) {
    const shape = shapeOf(arg.value);
    const asked = left.find((other) => other.value.kind === arg.kind && other.shape === shape);
    if (asked !== undefined) return { asked: asked.value.text, used: arg.value };
  }
  return SAME;
}

const DAY = /^\d{4}-\d{2}-\d{2}/;

interface Search {
  event: AgentEvent;
  action: ActionReading;
  text: TextReading;
  named: readonly NamedValue[];
}

/** Whether neither the user nor the answer to a call gave the value. Naming a folder does not name the files in it. */
function isNobodys(argument: Argument, search: Search): boolean {
  const { kind, provenance, value } = argument;
  if (provenance === 'tool') return !isOfAnswer(argument, search);
  if (kind === 'identifier') return provenance === 'none';
  if (kind !== 'path' || (provenance !== 'none' && provenance !== 'user')) return false;
  const { normal } = readValue(value, 'path', search.text.ontology);
  return !search.named.some((given) => normal.endsWith(given.value.normal));
}

/** Text of a tool that answers no call leads to nothing: the judged party could have it put there. */
function isOfAnswer(argument: Argument, { event, action, text }: Search): boolean {
  const { path, value, kind } = argument;
  const about = [event.action, event.mcp_context?.server_name ?? ''];
  // A folder is listed by tools of many names; its files are no objects of a kind.
  if (kind === 'path') about.push(...toolsCalled(event, text));
  const wanted = { id: value, name: path, about, tool: action.tool_name };
  const found = kind === 'identifier' ? lookedUp(wanted, event, text) : 'unknown';
  if (found !== 'unknown') return found === 'yes';
  const corpus = corpusOf(text);
  const places = outsidePlaces(argument, corpus).map(({ word }) => corpus.tool.stretchOf(word).segment.index);
  return leadsTo(wanted, new Set(places), event, text);
}

/** `ORD-1042` → `ORD-0000`; a path → its folder and ending. */
function shapeOf(text: string): string {
  const name = text.slice(0, 256);
  if (!name.includes('/') && !/\.[a-z0-9]{1,5}$/i.test(name)) return name.replace(/\d/g, '0');
  return `${name.slice(0, name.lastIndexOf('/') + 1)}*${/\.[a-z0-9]{1,5}$/i.exec(name)?.[0] ?? ''}`;
}

/** Sites that only text from outside led to and whose owner is none of those of the sites that the user named. */
export function foreignSites(ontology: Ontology, args: readonly Argument[], text: TextReading): readonly string[] {
  // A page that the user named may be bait; naming it does not delegate the choice of its links.
  const urls = args.filter(
    ({ role, kind, provenance }) => role === 'url' && (kind === 'url' || kind === 'host') && provenance === 'tool',
  );
  if (urls.length === 0) return [];
  const siteOf = (value: string): string => registrable(hostOf(readValue(value, 'url', ontology).normal), ontology);
  const known = new Set(
    namedValues(corpusOf(text))
      .filter(({ value }) => value.kind === 'url' || value.kind === 'host' || value.kind === 'email')
      .map(({ value }) => registrable(hostOf(value.normal), ontology)),
  );
  return [...new Set(urls.map(({ value }) => siteOf(value)))]
    .filter((site) => site !== '' && !isLoopback(site) && !known.has(site))
    .sort();
}

const HEAD = 3;

type Environment = 'production' | 'non_production' | '';

/** The environment that the user names for the task. Production wins if it is named without a «not». */
export const requestedEnvironment: (text: TextReading) => Environment = perRequest((said, ontology) => {
  const production = wordSet(ontology, 'production_words');
  const test = wordSet(ontology, 'non_production_words');
  const clear = wordSet(ontology, 'clear_non_production_words');
  const nouns = wordSet(ontology, 'environment_nouns');
  const negations = wordSet(ontology, 'environment_negations');
  // «Scale it in dev»: behind such a word it means the environment without a noun.
  const placed = wordSet(ontology, 'placed_environments');
  const placing = wordSet(ontology, 'environment_prepositions');
  let found: Environment = '';
  let isExcluded = false;
  for (const sentence of foldText(said)
    .replace(/'/g, '')
    .split(/[.!?;\n](?:\s|$)/)) {
    if (matchesAny(ontology, 'own_places', sentence)) found = 'non_production';
    const words = sentence.split(/[^a-z0-9]+/);
    const isDenied = words.some((word) => negations.has(word));
    for (const [i, word] of words.entries()) {
      // Most words are in no list.
      if (!production.has(word) && !clear.has(word) && !test.has(word) && !placed.has(word)) continue;
      const isOfPlace = nouns.has(words[i + 1] ?? '');
      const isNegated = words.slice(Math.max(0, i - HEAD), i).some((before) => negations.has(before));
      if (production.has(word) && (word.startsWith('prod') || word === 'prd' || (word === 'live' && isOfPlace))) {
        if (isNegated) found ||= 'non_production';
        // «It is not cleared for production yet»: a sentence with a «not» in it may say where it is not to go.
        else if (isDenied) isExcluded = true;
        else return 'production';
      } else if (
        !isNegated &&
        (clear.has(word) || (test.has(word) && isOfPlace) || (placed.has(word) && placing.has(words[i - 1] ?? '')))
      )
        found = 'non_production';
    }
  }
  return found === '' && isExcluded ? 'production' : found;
});

/** Whether the user asks the agent to drop its limits. */
export const liftsSafeguards: (text: TextReading) => boolean = perRequest((said, ontology) =>
  matchesAny(ontology, 'safeguard_lifting', said),
);
