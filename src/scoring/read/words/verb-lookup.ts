/** From a word or a name to the ontology's verb, by the generic rules for names that the ontology does not list. */

import { singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology, VerbEntry } from '../../../ontology/index.ts';
import {
  ATTRIBUTES,
  GUARDS,
  LIGHT_VERBS,
  MONEY_WORDS,
  NOUN_LIKE_VERBS,
  NOUNS_OF_ACTS,
  SENSES,
  SWITCHING_OFF,
  SYNONYMS,
  TRACES,
} from './verb-words.ts';

/** Plain verb for a shell program that stands alone as a verb or tool name, by group of the ontology's table. */
const PROGRAM_VERBS: ReadonlyMap<string, string> = new Map([
  ['read', 'read'],
  ['update', 'update'],
  ['delete', 'delete'],
  ['execute', 'execute'],
  ['send', 'post_request'],
  ['grant_escalate', 'sudo'],
  ['disable_security', 'bypass'],
  ['deploy_change', 'restart'],
]);

export interface VerbLookup {
  verbs: ReadonlyMap<string, VerbEntry>;
  /** Single words, everyday synonyms and prefixes included. */
  words: ReadonlyMap<string, VerbEntry>;
  programs: ReadonlyMap<string, VerbEntry>;
  /** `batch_delete` is `delete` with more risk. */
  bulk: Ontology['bulk'];
  /** Rank in the danger order, 0 most dangerous; unknown groups come last. */
  rank: ReadonlyMap<string, number>;
}

const lookups = new WeakMap<Ontology, VerbLookup>();

/** Tables for verbs, made once per ontology. */
export function verbLookup(ontology: Ontology): VerbLookup {
  const known = lookups.get(ontology);
  if (known !== undefined) return known;
  const { verbs } = ontology;
  const words = new Map<string, VerbEntry>();
  const add = (word: string, verb: string): void => {
    const entry = verbs.get(verb);
    if (entry !== undefined) words.set(word, entry);
  };
  for (const [word, verb] of ontology.tool_verb_prefixes) add(word, verb);
  for (const verb of verbs.keys()) if (!verb.includes('_')) add(verb, verb);
  for (const [word, verb] of SYNONYMS) if (!verbs.has(word) || word === 'attach') add(word, verb);
  const programs = new Map<string, VerbEntry>();
  for (const [group, names] of ontology.shell_programs) {
    const entry = verbs.get(PROGRAM_VERBS.get(group) ?? '');
    if (entry !== undefined) for (const name of names) programs.set(name, entry);
  }
  const rank = new Map(ontology.group_danger_order.map((group, i) => [group, i]));
  const made = { verbs, words, programs, rank, bulk: ontology.bulk };
  lookups.set(ontology, made);
  return made;
}

/** A verb of several words that begins at word i: `create_key`, `reset_password`, `turn_on`. */
function compoundAt(words: readonly string[], i: number, lookup: VerbLookup): VerbEntry | undefined {
  const first = words[i]!;
  const second = words[i + 1];
  if (second === undefined) return undefined;
  return lookup.verbs.get(`${first}_${second}`) ?? lookup.verbs.get(`${first}_${singular(second)}`);
}

/** The noun that a light verb hands its meaning to, counted from the end, so that the head noun decides. */
function actNoun(words: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  for (let i = words.length - 1; i >= 0; i--) {
    const verb = NOUNS_OF_ACTS.get(singular(words[i]!));
    if (verb !== undefined) return lookup.verbs.get(verb);
  }
  return undefined;
}

/** Another sense of the verb that an object beside it gives, except where money is near. */
function senseOf(
  entry: VerbEntry,
  word: string,
  objects: readonly string[],
  lookup: VerbLookup,
): VerbEntry | undefined {
  const senses = SENSES.get(word) ?? SENSES.get(entry.verb);
  if (senses === undefined || objects.some((object) => MONEY_WORDS.has(singular(object)))) return undefined;
  const sense = objects.map((object) => senses.get(singular(object))).find((verb) => verb !== undefined);
  return sense === undefined ? undefined : lookup.verbs.get(sense);
}

/** Switching off a guard or removing traces, told by the objects that stand beside the verb. */
function guardVerb(entry: VerbEntry, objects: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  const switches = SWITCHING_OFF.has(entry.verb);
  if (!switches && entry.group !== 'delete') return undefined;
  for (const word of objects) {
    const object = singular(word);
    if (switches && GUARDS.has(object)) return lookup.verbs.get(GUARDS.get(object)!);
    // Still a deletion, the more dangerous group of the two, with the weight of hiding traces.
    const hiding = !switches && TRACES.has(object) ? lookup.verbs.get('delete_logs') : undefined;
    if (hiding !== undefined) return { ...hiding, group: entry.group };
  }
  return undefined;
}

const moreDangerous = (a: VerbEntry, b: VerbEntry): VerbEntry => (b.base_risk > a.base_risk ? b : a);

/**
 * The verb of a name, from its words: a compound verb, else the first clear verb from the left, else a property
 * (`cart_total`), else a word that is noun and verb at the beginning or the end, else the noun of an act.
 */
export function verbOfWords(words: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  if (lookup.bulk.words.includes(words[0] ?? '')) {
    const one = verbOfWords(words.slice(1), lookup);
    return one === undefined ? one : { ...one, base_risk: Math.min(100, one.base_risk + lookup.bulk.base_risk_bonus) };
  }
  const found = clearVerb(words, lookup);
  if (found !== undefined) return found;
  const last = words.at(-1);
  if (last === undefined) return undefined;
  if (ATTRIBUTES.has(singular(last))) return lookup.verbs.get('get');
  const at_edge = [words[0]!, last].find((word) => NOUN_LIKE_VERBS.has(word) && lookup.words.has(word));
  if (at_edge === undefined) return actNoun(words, lookup);
  const entry = lookup.words.get(at_edge)!;
  return senseOf(entry, at_edge, words, lookup) ?? entry;
}

function clearVerb(words: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  for (const [i, word] of words.entries()) {
    const compound = compoundAt(words, i, lookup);
    if (compound !== undefined) return guardVerb(compound, words, lookup) ?? compound;
    const entry = NOUN_LIKE_VERBS.has(word) ? undefined : lookup.words.get(word);
    if (entry !== undefined) return preciseByObjects(entry, word, words.slice(i + 1), words, lookup);
  }
  return undefined;
}

/** The verb in the sense that its objects give it; `all` are the words among which a guard may stand. */
function preciseByObjects(
  entry: VerbEntry,
  word: string,
  objects: readonly string[],
  all: readonly string[],
  lookup: VerbLookup,
): VerbEntry {
  const sense = senseOf(entry, word, objects, lookup) ?? guardVerb(entry, all, lookup);
  if (sense !== undefined) return sense;
  const act = LIGHT_VERBS.has(word) ? actNoun(objects.slice(-1), lookup) : undefined;
  return act === undefined ? entry : moreDangerous(entry, act);
}

/** The verb of a tool's name. */
export function verbOfName(name: string, lookup: VerbLookup): VerbEntry | undefined {
  const words = wordsOf(name);
  if (words.length === 1)
    return lookup.words.get(words[0]!) ?? lookup.programs.get(words[0]!) ?? verbOfWords(words, lookup);
  return verbOfWords(words, lookup);
}

/** The three parts of an action, lower case. */
export interface Segments {
  domain: string;
  scope: string;
  verb: string;
}

const PHONE_WORDS = new Set(['call', 'phone', 'dial', 'voice', 'telephony']);

/**
 * `call` is a phone call only where domain, scope or tool speak of one: elsewhere it is what instrumentation writes when
 * a name holds no verb.
 */
function isEmptyCall({ domain, scope, verb }: Segments, tool_name: string): boolean {
  if (verb !== 'call') return false;
  return ![domain, scope, tool_name].flatMap(wordsOf).some((word) => PHONE_WORDS.has(singular(word)));
}

/**
 * The claimed verb, made precise by the claimed scope: `mfa:disable` is `disable_mfa`, `money:send` is `send_money`,
 * `payment:make` is a payment. An empty `call` means what the scope says, else what the tool says, else that a
 * function of unknown effect is called. Undefined when neither the verb nor its words are known.
 */
export function claimedVerb(
  action: Segments,
  tool_name: string,
  of_tool: VerbEntry | undefined,
  lookup: VerbLookup,
): VerbEntry | undefined {
  if (!isEmptyCall(action, tool_name)) return preciseVerb(action, lookup);
  return verbOfName(action.scope, lookup) ?? (of_tool === undefined ? lookup.verbs.get('call_function') : undefined);
}

function preciseVerb({ domain, scope, verb }: Segments, lookup: VerbLookup): VerbEntry | undefined {
  const objects = wordsOf(scope);
  for (const object of objects) {
    // Two letters (`in`, `on`, `as`) are no object.
    const compound = lookup.verbs.get(`${verb}_${singular(object)}`) ?? lookup.verbs.get(`${verb}_${object}`);
    if (compound !== undefined && object.length > 2) return compound;
  }
  const plain = lookup.verbs.get(verb.replace(/[-.]/g, '_')) ?? verbOfName(verb, lookup);
  if (plain === undefined) return LIGHT_VERBS.has(verb) ? actNoun(objects.slice(-1), lookup) : undefined;
  return preciseByObjects(plain, verb, objects, [...objects, ...wordsOf(domain)], lookup);
}
