/**
 * What a change of an account takes away beside what was asked for: a factor of its login, and the notice by which its owner would
 * learn of the change. Both stand in parameters of any form, or in the statement or pipeline of a database.
 */
import { pairsInText } from '../../../../effects/administered/pairs.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { asciiLower, singular, singularsOf, snakeCase, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import { perCallNames } from '../../action/content/call-names.ts';
import type { ContentReading } from '../../action/content/content.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';
import { entryInName } from '../../words/word-lists.ts';

const words = perOntology((ontology) => ({
  off: setOf(ontology, 'control_off_words'),
  on: setOf(ontology, 'on_words'),
  states: setOf(ontology, 'protection_states'),
  removing: setOf(ontology, 'weakening_verbs'),
  spoken: setOf(ontology, 'factor_spoken_words'),
  clients: setOf(ontology, 'account_store_clients'),
  nothing: setOf(ontology, 'empty_values'),
  notice: setOf(ontology, 'change_notice_words'),
  skipping: setOf(ontology, 'skipping_words'),
  telling: setOf(ontology, 'telling_words'),
  tellSpoken: setOf(ontology, 'notice_spoken_words'),
  accounts: setOf(ontology, 'guarded_account_words'),
  /** The owner of an account that ends needs no notice of that. */
  ending: setOf(ontology, 'account_ending_verbs'),
}));

const MAX_LEAVES = 400;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 120;
const LONGEST_REQUEST = 8_192;

/** A name with a value, and the names around it. */
interface Given {
  name: string;
  around: readonly string[];
  value: string;
}

/** The factor or control of a login that the parameters or a statement take away; '' when there is none. */
export function clearedFactor(event: AgentEvent, content: ContentReading, ontology: Ontology): string {
  if (!namesFactor(event, ontology) && !isOfStore(content, ontology)) return '';
  for (const given of givenBy(event, content, ontology)) {
    const factor = factorTakenBy(given, ontology);
    if (factor !== '') return factor;
  }
  return '';
}

/** A key names a factor, a control, or that something is removed; a key that is a path itself may hold such a name. */
const namesFactor = perCallNames(
  ({ keys, names, is_cut }, ontology) =>
    is_cut ||
    keys.some((key) => /[.[]/.test(key)) ||
    names.some(
      (name) =>
        entryInName(ontology, 'authentication_factors', name) !== '' ||
        entryInName(ontology, 'authentication_controls', name) !== '' ||
        wordsOf(name).some((word) => words(ontology).removing.has(word)),
    ),
);

const isOfStore = ({ languages, programs }: ContentReading, ontology: Ontology): boolean =>
  languages.includes('sql') || programs.some((name) => words(ontology).clients.has(name));

function factorTakenBy({ name, around, value }: Given, ontology: Ontology): string {
  const { off, states, removing, nothing } = words(ontology);
  const parts = [name, ...around];
  const word = asciiLower(value);
  const own = entryInName(ontology, 'authentication_factors', name);
  if (own !== '' && (word === '' || nothing.has(word))) return own;
  const isRemoving = parts.some((part) => wordsOf(part).some((one) => removing.has(one)));
  // `clear: ["totp_secret"]`, `remove_factors: ["webauthn"]`: the value names what goes.
  if (isRemoving && !off.has(word)) {
    const named = entryInName(ontology, 'authentication_factors', value.slice(0, LONGEST_VALUE)) || own;
    if (named !== '') return named;
  }
  // `mfa: { enabled: false }`: the name around the switch says what it is for.
  const control = (part: string): string =>
    entryInName(ontology, 'authentication_controls', part) || entryInName(ontology, 'authentication_factors', part);
  if (!off.has(word)) return '';
  if (states.has(name) && around.length > 0) return control(around.at(-1)!);
  return control(name);
}

/** What is given, by parameters and, where a store is told what to change, by the text of a statement. */
function givenBy(event: AgentEvent, content: ContentReading, ontology: Ontology): Given[] {
  const { leaves, entries } = parametersOf(event);
  const given = leaves.slice(0, MAX_LEAVES).flatMap((leaf) => (isShort(leaf) ? [givenOf(leaf)] : []));
  for (const { path, name, value } of entries.slice(0, MAX_LEAVES))
    if (value === null || (Array.isArray(value) && value.length === 0))
      given.push({ name, around: namesAround(path), value: '' });
  if (!isOfStore(content, ontology)) return given;
  for (const { value } of leaves)
    if (typeof value === 'string' && value.length > LONGEST_KEY / 4)
      for (const pair of pairsInText(value.slice(0, LONGEST_REQUEST)))
        given.push({ name: snakeCase(pair.path), around: [], value: pair.value });
  return given;
}

const isShort = ({ key, value }: Leaf): boolean => key.length <= LONGEST_KEY && String(value).length <= LONGEST_VALUE;
const givenOf = ({ name, path, value }: Leaf): Given => ({
  name,
  around: namesAround(path),
  value: String(value).trim(),
});

/** The names that lead to a value, without its own. */
const namesAround = (path: string): string[] =>
  path
    .replace(/\[\d{1,6}\]/g, '')
    .split('.')
    .slice(0, -1)
    .map((name) => snakeCase(name));

/** The same factor, where the user's words speak of no login and of nothing that guards it; '' where there are no such words. */
export function factorClearedUnasked(factor: string, text: TextReading, ontology: Ontology): string {
  if (factor === '' || !text.has_request) return '';
  const { spoken } = words(ontology);
  const own = new Set(singularsOf(factor));
  return saidWords(text).some((word) => spoken.has(word) || own.has(word)) ? '' : factor;
}

function saidWords(text: TextReading): string[] {
  return foldedUserWords(text)
    .slice(0, LONGEST_REQUEST)
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
    .map(singular);
}

/**
 * The parameter by which nobody learns of a change of an account, a login or a place of payment, although the user's words do not ask
 * for that; '' when there is none.
 */
export function suppressedNotice(
  event: AgentEvent,
  action: ActionReading,
  text: TextReading,
  ontology: Ontology,
): string {
  if (!text.has_request || action.verbs.some((verb) => words(ontology).ending.has(verb))) return '';
  const { leaves } = parametersOf(event);
  const found = leaves.slice(0, MAX_LEAVES).find((leaf) => isShort(leaf) && keepsQuiet(leaf, ontology));
  if (found === undefined) return '';
  const { accounts, tellSpoken } = words(ontology);
  const isAccount = [action.scope, action.tool_name, ...leaves.slice(0, MAX_LEAVES).map(({ name }) => name)].some(
    (name) => wordsOf(name).some((word) => accounts.has(singular(word))),
  );
  return !isAccount || saidWords(text).some((word) => tellSpoken.has(word)) ? '' : found.path;
}

/** `skip_notification: true`, `notify_user: "no"`, `send_email: false`. */
function keepsQuiet({ name, value }: Leaf, ontology: Ontology): boolean {
  const { on, off, notice, skipping, telling } = words(ontology);
  const parts = wordsOf(name);
  const word = asciiLower(String(value).trim());
  if (!parts.some((part) => notice.has(singular(part)))) return false;
  if (on.has(word)) return skipping.has(parts[0] ?? '');
  return off.has(word) && parts.length > 0 && (parts.length === 1 || telling.has(parts[0]!));
}
