/** From a word or a name to the ontology's verb, by the generic rules for names that the ontology does not list. */

import { asciiLower, singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology, VerbEntry } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { inverseOf, listOf, tableOf } from '../../../ontology/words.ts';
import { foldText } from './fold.ts';
import { formsOfGroup } from './grammar/asked-forms.ts';

type Verbs = ReadonlyMap<string, VerbEntry>;

export interface VerbLookup {
  verbs: Verbs;
  /** Single words, everyday synonyms included. */
  words: Verbs;
  /** Those of them that are no forms of other languages. */
  native: ReadonlySet<string>;
  /** Names of shell programs. */
  programs: Verbs;
  /** `batch_delete` is `delete` with more risk. */
  bulk: Ontology['bulk'];
  /** Rank in the danger order, 0 most dangerous; unknown groups come last. */
  rank: ReadonlyMap<string, number>;
  /** Nouns of acts: `payment` is `pay`. */
  acts: Verbs;
  /** Verb → object → the verb that both together mean. */
  object_senses: ReadonlyMap<string, Verbs>;
  /** Words beside «policy» for policies that are about no rights. */
  plain_policies: ReadonlySet<string>;
  /** What is switched off → the verb that this is. */
  guards: Verbs;
  /** Guards that a setting names by themselves, and those that need a word for a switch beside them. */
  guard_settings: ReadonlySet<string>;
  watchers: ReadonlySet<string>;
  switch_words: ReadonlySet<string>;
  light_verbs: ReadonlySet<string>;
  attributes: ReadonlySet<string>;
  noun_like: ReadonlySet<string>;
  /** Names of places and kinds of things: `email` alone names a thing and no act. */
  things: ReadonlySet<string>;
  /** The same, and kinds of resources. */
  nouns: ReadonlySet<string>;
  /** Words behind a noun: `file_by_id` files nothing. */
  prepositions: ReadonlySet<string>;
  /** Words between two verbs of one name: `get_and_delete`. */
  joining: ReadonlySet<string>;
  /** Names of papers that end in the noun of an act: `work_order`. */
  papers: ReadonlySet<string>;
  switching_off: ReadonlySet<string>;
  traces: ReadonlySet<string>;
  money_contexts: ReadonlySet<string>;
  /** «push», «move»: with one of `moved_money` as the object they pay. */
  money_movers: ReadonlySet<string>;
  moved_money: ReadonlySet<string>;
  phone_words: ReadonlySet<string>;
  operation_kinds: ReadonlySet<string>;
}

/** The ontology's words for verbs, compiled; memoized per ontology. */
export const verbLookup: (ontology: Ontology) => VerbLookup = perOntology(compile);

function compile(ontology: Ontology): VerbLookup {
  const { verbs } = ontology;
  const set = (list: string): ReadonlySet<string> => new Set(listOf(ontology, list));
  const words = new Map<string, VerbEntry>();
  for (const [verb, entry] of verbs) if (!verb.includes('_')) words.set(verb, entry);
  for (const [word, entry] of entriesOf(ontology.tool_verb_prefixes, verbs)) words.set(word, entry);
  const native = new Set(words.keys());
  addForeignVerbs(words, ontology);
  const things = new Set([
    ...ontology.domains.keys(),
    ...[...ontology.domains.values()].flatMap(({ scopes }) => [...scopes.keys()]),
  ]);
  return {
    verbs,
    words,
    native,
    programs: programsOf(ontology),
    bulk: ontology.bulk,
    rank: new Map(ontology.group_danger_order.map((group, i) => [group, i])),
    acts: entriesOf(inverseOf(ontology, 'acts'), verbs),
    object_senses: objectSenses(ontology),
    plain_policies: set('plain_policies'),
    guards: entriesOf(inverseOf(ontology, 'guard_words'), verbs),
    guard_settings: set('guard_settings'),
    watchers: set('watchers'),
    switch_words: set('switch_words'),
    light_verbs: set('light_verbs'),
    attributes: set('attributes'),
    noun_like: set('noun_like_verbs'),
    things,
    nouns: new Set([...things, ...ontology.resource_types.keys()]),
    prepositions: set('name_prepositions'),
    joining: set('joining_words'),
    papers: set('papers_not_acts'),
    switching_off: set('switching_off'),
    traces: set('traces'),
    money_contexts: set('money_contexts'),
    money_movers: set('money_movers'),
    moved_money: set('moved_money'),
    phone_words: set('phone_words'),
    operation_kinds: set('operation_kinds'),
  };
}

/** Shorter forms are syllables of other names. */
const SHORTEST_FOREIGN = 5;

/** `lohn_freigeben`, `wyslij_przelew`: names of tools in other languages say what they do as well. A known word keeps its meaning. */
function addForeignVerbs(words: Map<string, VerbEntry>, ontology: Ontology): void {
  const verb_of_group = tableOf(ontology, 'verb_of_groups');
  for (const group of ontology.group_danger_order) {
    const entry = ontology.verbs.get(verb_of_group.get(group)?.[0] ?? '');
    if (entry === undefined) continue;
    for (const form of formsOfGroup(ontology, group)) {
      const word = foldText(form);
      if (word.length >= SHORTEST_FOREIGN && /^[a-z]+$/.test(word) && !words.has(word)) words.set(word, entry);
    }
  }
}

/** Word → verb as word → entry of the verb. Words of verbs that the ontology lacks are left out. */
function entriesOf(verb_by_word: ReadonlyMap<string, string>, verbs: Verbs): Verbs {
  const entries = new Map<string, VerbEntry>();
  for (const [word, verb] of verb_by_word) {
    const entry = verbs.get(verb);
    if (entry !== undefined) entries.set(word, entry);
  }
  return entries;
}

function programsOf(ontology: Ontology): Verbs {
  const programs = new Map<string, VerbEntry>();
  const verb_of_group = tableOf(ontology, 'program_verbs');
  for (const [group, names] of ontology.shell_programs) {
    const entry = ontology.verbs.get(verb_of_group.get(group)?.[0] ?? '');
    if (entry !== undefined) for (const name of names) programs.set(name, entry);
  }
  return programs;
}

function objectSenses(ontology: Ontology): ReadonlyMap<string, Verbs> {
  const senses = new Map<string, Map<string, VerbEntry>>();
  for (const [both, sense] of entriesOf(inverseOf(ontology, 'object_senses'), ontology.verbs)) {
    const [verb = '', object = ''] = both.split(' ');
    const objects = senses.get(verb) ?? new Map<string, VerbEntry>();
    senses.set(verb, objects.set(object, sense));
  }
  return senses;
}

/** A verb of several words that begins at word i: `create_key`, `reset_password`, `turn_on`. */
function compoundAt(words: readonly string[], i: number, lookup: VerbLookup): VerbEntry | undefined {
  const first = words[i]!;
  const second = words[i + 1];
  if (second === undefined) return undefined;
  const own = lookup.verbs.get(`${first}_${second}`) ?? lookup.verbs.get(`${first}_${singular(second)}`);
  if (own !== undefined || lookup.noun_like.has(first)) return own;
  // An everyday word for the verb means the same beside the same object: `enviar_money` is `send_money`.
  const { verb } = lookup.words.get(first) ?? { verb: first };
  if (verb === first) return undefined;
  return lookup.verbs.get(`${verb}_${second}`) ?? lookup.verbs.get(`${verb}_${singular(second)}`);
}

/** The act that a noun names (`payment`). The last such noun decides, because the head noun comes last. */
export function actNoun(words: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  for (let i = words.length - 1; i >= 0; i--) {
    const act = lookup.acts.get(singular(words[i]!));
    if (act !== undefined) return act;
  }
  return undefined;
}

/** A medication order or a work order is a paper; making one orders nothing. `domain`: words that say whose order a bare one is. */
export function namesPaper(
  objects: readonly string[],
  { papers }: VerbLookup,
  domain: readonly string[] = [],
): boolean {
  const last = singular(objects.at(-1) ?? '');
  const before = objects.length > 1 ? [objects.at(-2)!] : domain;
  return before.some((word) => papers.has(`${word}_${last}`));
}

/** Another sense of the verb that an object beside it gives, except where money is near. */
function senseOf(
  entry: VerbEntry,
  word: string,
  objects: readonly string[],
  lookup: VerbLookup,
): VerbEntry | undefined {
  const senses = lookup.object_senses.get(word) ?? lookup.object_senses.get(entry.verb);
  if (senses === undefined || objects.some((object) => lookup.money_contexts.has(singular(object)))) return undefined;
  // A retention policy gives nobody a right.
  const isPlain = objects.some((object) => lookup.plain_policies.has(singular(object)));
  return objects
    .map((object) => (isPlain && singular(object) === 'policy' ? undefined : senses.get(singular(object))))
    .find((sense) => sense !== undefined);
}

/** Whatever moves money pays it, by whatever verb: `push_funds`. */
function moneyVerb(word: string, objects: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  const moves = lookup.money_movers.has(word) || lookup.money_movers.has(lookup.words.get(word)?.verb ?? '');
  const isMoved = moves && objects.some((object) => lookup.moved_money.has(singular(object)));
  return isMoved ? lookup.verbs.get('transfer') : undefined;
}

/** Switching off a guard or removing traces, told by the objects beside the verb. */
function guardVerb(entry: VerbEntry, objects: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  const switches = lookup.switching_off.has(entry.verb);
  if (!switches && entry.group !== 'delete') return undefined;
  for (const word of objects) {
    const object = singular(word);
    const guard = switches ? lookup.guards.get(object) : undefined;
    if (guard !== undefined) return guard;
    // Still a deletion, the more dangerous group of the two, with the weight of hiding traces.
    const hiding = !switches && lookup.traces.has(object) ? lookup.verbs.get('delete_logs') : undefined;
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
  const joint = words.findIndex((word, i) => i > 0 && i < words.length - 1 && lookup.joining.has(word));
  if (joint > 0) {
    const both = [words.slice(0, joint), words.slice(joint + 1)].map((part) => clearVerb(part, lookup));
    if (both[0] !== undefined && both[1] !== undefined) return moreDangerous(both[0], both[1]);
  }
  const found = clearVerb(words, lookup);
  if (found !== undefined) return looksAtMany(found, words, lookup);
  const last = words.at(-1);
  if (last === undefined) return undefined;
  if (lookup.attributes.has(singular(last))) return lookup.verbs.get('get');
  const isVerb = (word: string): boolean => lookup.noun_like.has(word) && lookup.words.has(word);
  // Before an object such a word is the verb (`book_flight`); alone or at the end it is one unless it names a thing.
  const begins = words.length > 1 && isVerb(words[0]!) && !lookup.prepositions.has(words[1]!);
  const at_edge = begins ? words[0] : isVerb(last) && !namesThing(last, lookup) ? last : undefined;
  // `tweets` are things, a `tweet` or a `payment` may be the act.
  if (at_edge === undefined)
    return singular(last) === last
      ? (actNoun(
          words.filter((_, i) => !isActivity(words, i)),
          lookup,
        ) ?? looksUp(words, lookup))
      : undefined;
  const entry = lookup.words.get(at_edge)!;
  return senseOf(entry, at_edge, words, lookup) ?? entry;
}

/** `events_from_calendar`, `users_by_id`: things by what chooses them. `transfers_from_account` may be the act. */
function looksUp(words: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  const things = words[words.findIndex((word) => lookup.prepositions.has(word)) - 1] ?? '';
  const one = singular(things);
  return one === things || lookup.acts.has(one) || lookup.words.has(one) ? undefined : lookup.verbs.get('list');
}

const LOOKING: ReadonlySet<string> = new Set(['read', 'list_search']);

/** A thing that can be sent, filed or ordered; of a `screenshot` or a `query` the noun tells the act as well. */
const namesThing = (word: string, lookup: VerbLookup): boolean =>
  lookup.things.has(word) && !LOOKING.has(lookup.words.get(word)?.group ?? '');

/** `get_issues` lists, `get_issue` and `get_details` read one thing. */
function looksAtMany(entry: VerbEntry, words: readonly string[], lookup: VerbLookup): VerbEntry {
  const last = words.at(-1)!;
  const one = singular(last);
  if (entry.verb !== 'get' || one === last || lookup.attributes.has(one)) return entry;
  return lookup.verbs.get('list') ?? entry;
}

/** Index of the word by which `verbOfWords` knows the verb, -1 where only a noun or nothing tells it. */
export function verbPlace(words: readonly string[], lookup: VerbLookup): number {
  const isVerb = (word: string): boolean => lookup.words.has(word);
  const clear = words.findIndex(
    (word, i) =>
      compoundAt(words, i, lookup) !== undefined ||
      (!lookup.noun_like.has(word) && isVerb(word) && !isActivity(words, i)),
  );
  if (clear >= 0 || words.length === 0) return clear;
  if (lookup.attributes.has(singular(words.at(-1)!))) return -1;
  if (words.length > 1 && isVerb(words[0]!) && !lookup.prepositions.has(words[1]!)) return 0;
  return isVerb(words.at(-1)!) && !namesThing(words.at(-1)!, lookup) ? words.length - 1 : -1;
}

/** `ride_sharing_2_ride`: amid a name, the form in -ing is the name of an activity and says nothing of what is done. */
const isActivity = (words: readonly string[], i: number): boolean =>
  i > 0 && i < words.length - 1 && words[i]!.length > 5 && words[i]!.endsWith('ing');

function clearVerb(words: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  for (const [i, word] of words.entries()) {
    const compound = compoundAt(words, i, lookup);
    if (compound !== undefined) return guardVerb(compound, words, lookup) ?? compound;
    const entry = lookup.noun_like.has(word) || isActivity(words, i) ? undefined : lookup.words.get(word);
    if (entry !== undefined) return preciseByObjects(entry, word, words.slice(i + 1), words, lookup);
  }
  return undefined;
}

/** The verb in the sense that its objects give it; `all` are the words that may name a guard. */
export function preciseByObjects(
  entry: VerbEntry,
  word: string,
  objects: readonly string[],
  all: readonly string[],
  lookup: VerbLookup,
): VerbEntry {
  const sense =
    senseOf(entry, word, objects, lookup) ?? moneyVerb(word, objects, lookup) ?? guardVerb(entry, all, lookup);
  if (sense !== undefined) return sense;
  const act =
    lookup.light_verbs.has(word) && !namesPaper(objects, lookup, all) ? actNoun(objects.slice(-1), lookup) : undefined;
  return act === undefined ? entry : moreDangerous(entry, act);
}

/** The verb of a tool's name. */
export function verbOfName(name: string, lookup: VerbLookup): VerbEntry | undefined {
  const words = wordsOf(name);
  const [only = ''] = words;
  if (words.length === 1 && !(lookup.noun_like.has(only) && namesThing(only, lookup)))
    return lookup.words.get(only) ?? lookup.programs.get(only) ?? verbOfWords(words, lookup);
  return graver(methodVerb(name, lookup), verbOfWords(words, lookup), lookup);
}

/** `waiting_list.truncate`: what follows the last dot is done to what precedes it. */
function methodVerb(name: string, lookup: VerbLookup): VerbEntry | undefined {
  const dot = name.lastIndexOf('.');
  const last = asciiLower(name.slice(dot + 1));
  // `edit.file`: a word that is a noun as often is the thing, where a verb stands before it.
  if (dot <= 0 || (lookup.noun_like.has(last) && clearVerb(wordsOf(name.slice(0, dot)), lookup) !== undefined))
    return undefined;
  return lookup.verbs.get(last);
}

function graver(a: VerbEntry | undefined, b: VerbEntry | undefined, lookup: VerbLookup): VerbEntry | undefined {
  if (a === undefined || b === undefined) return b;
  const rankOf = ({ group }: VerbEntry): number => lookup.rank.get(group) ?? lookup.rank.size;
  return rankOf(a) < rankOf(b) ? a : b;
}
