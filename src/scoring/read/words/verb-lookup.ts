/** From a word or a name to the ontology's verb, by the generic rules for names that the ontology does not list. */

import { asciiLower, singular, wordsOf } from '../../../lang/names.ts';
import type { VerbEntry } from '../../../ontology/index.ts';
import { foldText } from './fold.ts';
import { agentPlace, agentVerb, furtherMeaning, headAct, scriptVerb, wordsWithin } from './verb-forms.ts';
import type { VerbLookup } from './verb-table.ts';

/** A verb of several words that begins at word i: `create_key`, `reset_password`, `turn_on`. */
function compoundAt(words: readonly string[], i: number, lookup: VerbLookup): VerbEntry | undefined {
  const first = words[i]!;
  const second = words[i + 1];
  if (second === undefined) return undefined;
  const own =
    lookup.verbs.get(`${first}_${second}`) ??
    phrasalVerb(first, words.slice(i + 1), lookup) ??
    lookup.verbs.get(`${first}_${singular(second)}`);
  if (own !== undefined || lookup.noun_like.has(first)) return own;
  // An everyday word for the verb means the same beside the same object: `enviar_money` is `send_money`.
  const { verb } = lookup.words.get(first) ?? { verb: first };
  if (verb === first) return undefined;
  return lookup.verbs.get(`${verb}_${second}`) ?? lookup.verbs.get(`${verb}_${singular(second)}`);
}

/** A verb with its particle, behind it or at the end: `tear_down_env`, `kick_user_out`. `rest` are the words behind the verb. */
export function phrasalVerb(
  verb: string,
  rest: readonly string[],
  { phrasal }: Pick<VerbLookup, 'phrasal'>,
): VerbEntry | undefined {
  const found = phrasal.get(`${verb}_${rest[0]}`);
  return found ?? (rest.length > 1 ? phrasal.get(`${verb}_${rest.at(-1)}`) : undefined);
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
  const { verb } = lookup.words.get(word) ?? lookup.further.get(word) ?? { verb: word };
  const moves = lookup.money_movers.has(word) || lookup.money_movers.has(verb);
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
    const [one, other] = [words.slice(0, joint), words.slice(joint + 1)].map(
      (part) => clearVerb(part, lookup) ?? furtherVerb(part, lookup),
    );
    if (other !== undefined) return one === undefined ? other : moreDangerous(one, other);
  }
  const found = clearVerb(words, lookup);
  if (found !== undefined) return looksAtMany(found, words, lookup);
  const last = words.at(-1);
  if (last === undefined) return undefined;
  if (lookup.attributes.has(singular(last))) return lookup.verbs.get('get');
  // `email_sender`, `FileWriterTool`: who does it tells the act before a word that is a noun as often.
  const agent = agentVerb(words, lookup);
  if (agent !== undefined) return agent;
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
  const sense = senseOf(entry, at_edge, words, lookup);
  if (sense !== undefined) return sense;
  // `record_falsification`: the noun behind it may be the act.
  const act = begins ? headAct(words, lookup) : undefined;
  return act === undefined ? entry : moreDangerous(entry, act);
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
  const agent = agentPlace(words, lookup);
  if (agent >= 0) return agent;
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

/** Where a capital begins a word: `kontoLöschen`. */
const CAPITAL = /(\p{Ll})(\p{Lu})/gu;

/** The verb of a tool's name. */
export function verbOfName(written: string, lookup: VerbLookup): VerbEntry | undefined {
  // Accents would part a word: `löschen_benutzer`.
  const name = /[\u00c0-\u024f]/.test(written) ? foldText(written.replace(CAPITAL, '$1_$2')) : written;
  const words = wordsOf(name);
  const [only = ''] = words;
  const own = (): VerbEntry | undefined =>
    verbOfWords(words, lookup) ?? scriptVerb(name, lookup) ?? furtherVerb(words, lookup);
  // Alone, `burn` or `cook` is the verb that it is before an object.
  if (words.length === 1 && !(lookup.noun_like.has(only) && namesThing(only, lookup)))
    return lookup.words.get(only) ?? lookup.programs.get(only) ?? own() ?? lookup.before_objects.get(only);
  return graver(methodVerb(name, lookup), own(), lookup);
}

/** The verb of a name that has no everyday one: a further verb, another form of one, or one that is written together with its object. */
function furtherVerb(words: readonly string[], lookup: VerbLookup): VerbEntry | undefined {
  const parts = words.flatMap((word) => wordsWithin(word, lookup));
  const parted = parts.length > words.length ? verbOfWords(parts, lookup) : undefined;
  if (parted !== undefined) return parted;
  for (const [i, word] of parts.entries()) {
    const entry = furtherMeaning(parts, i, lookup);
    if (entry !== undefined) return preciseByObjects(entry, word, parts.slice(i + 1), parts, lookup);
  }
  return undefined;
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
