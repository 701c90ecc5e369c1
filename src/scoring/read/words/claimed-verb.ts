/** The verb that the action of an event claims, made precise by its scope and by the name of the tool. */
import { singular, wordsOf } from '../../../lang/names.ts';
import type { VerbEntry } from '../../../ontology/index.ts';
import { actNoun, namesPaper, phrasalVerb, preciseByObjects, verbOfName } from './verb-lookup.ts';
import type { VerbLookup } from './verb-table.ts';

/** The three parts of an action, lower case. */
export interface Segments {
  domain: string;
  scope: string;
  verb: string;
}

/**
 * `call` is a phone call only if domain, scope or tool speak of one. Elsewhere instrumentation writes it when a name holds
 * no verb. `mutate` names the kind of an operation of GraphQL, and its name says what is done: `productDelete:mutate`.
 */
function isEmptyCall({ domain, scope, verb }: Segments, tool_name: string, lookup: VerbLookup): boolean {
  const { phone_words, operation_kinds } = lookup;
  if (verb !== 'call') return operation_kinds.has(verb);
  return ![domain, scope, tool_name].flatMap(wordsOf).some((word) => phone_words.has(singular(word)));
}

/**
 * `message_login` and `receive_message`, claimed to `message`: a noun of the tool's name is not a claim where the name ends in a
 * verb or has one before that noun.
 */
function isThingOfName(verb: string, tool_name: string, lookup: VerbLookup): boolean {
  if (!lookup.noun_like.has(verb)) return false;
  const words = wordsOf(tool_name);
  const at = words.indexOf(verb);
  if (at < 0) return false;
  const isVerb = (word: string): boolean => lookup.words.has(word) && !lookup.noun_like.has(word);
  // `make_call`: the noun tells the act.
  const hasOwn = words.slice(0, at).some((word) => isVerb(word) && !lookup.light_verbs.has(word));
  return hasOwn || (words.at(-1) !== verb && isVerb(words.at(-1)!));
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
  if (of_tool !== undefined && isThingOfName(action.verb, tool_name, lookup)) return of_tool;
  if (!isEmptyCall(action, tool_name, lookup)) return preciseVerb(action, lookup);
  return verbOfName(action.scope, lookup) ?? (of_tool === undefined ? lookup.verbs.get('call_function') : undefined);
}

function preciseVerb({ domain, scope, verb }: Segments, lookup: VerbLookup): VerbEntry | undefined {
  const objects = wordsOf(scope);
  const phrasal = phrasalVerb(verb, objects, lookup);
  if (phrasal !== undefined) return phrasal;
  for (const object of objects) {
    // Two letters (`in`, `on`, `as`) are no object; with nothing beside them they belong to the verb: `robot:on:turn`.
    const compound = lookup.verbs.get(`${verb}_${singular(object)}`) ?? lookup.verbs.get(`${verb}_${object}`);
    if (compound !== undefined && (object.length > 2 || objects.length === 1)) return compound;
  }
  // In this place a word that is a noun as often is the verb: `venmo:money:request`.
  const plain =
    lookup.verbs.get(verb.replace(/[-.]/g, '_')) ??
    lookup.words.get(verb) ??
    verbOfName(verb, lookup) ??
    lookup.before_objects.get(verb);
  if (plain === undefined)
    return lookup.light_verbs.has(verb) && !namesPaper(objects, lookup, wordsOf(domain))
      ? actNoun(objects.slice(-1), lookup)
      : undefined;
  return preciseByObjects(plain, verb, objects, [...objects, ...wordsOf(domain)], lookup);
}
