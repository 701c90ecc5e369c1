/** Whether untrusted text orders the action at hand: how strongly, with which values, and on whose topic. */
import type { ActionWords } from '../action/naming/action-words.ts';
import { mentions } from '../action/naming/action-words.ts';
import type { Corpus } from '../conversation/corpus.ts';
import { type Order, PLAIN, STEERING } from '../conversation/order-sentences.ts';
import type { Argument } from '../values/argument.ts';
import { outsidePlaces } from '../values/outside-places.ts';

export interface Ordered {
  /** Strength of the strongest order from outside that speaks of this action, 0 if none does. */
  strength: number;
  /**
   * The action looks at something that the order names and the user does not: the profile in another network, the records
   * of another service. A request of the user to look at something does not cover it.
   */
  is_other_topic: boolean;
  /** Text that poses as an authority gave a value of this action: the user may want such an act, but not this one. */
  is_dictated: boolean;
  /** Somebody else than the user leaves the task to orders this action. */
  is_others: boolean;
}

export function orderedOutside(
  orders: readonly Order[],
  words: ActionWords,
  corpus: Corpus,
  args: Argument[],
  isLooking: boolean,
  passesOn: number,
  isOthers: (order: Order) => boolean,
): Ordered {
  const found: Ordered = { strength: 0, is_other_topic: false, is_dictated: false, is_others: false };
  let isOfNamed = false;
  let isOfOthers = false;
  const places = orders.length === 0 ? [] : foreignPlaces(corpus, args);
  for (const order of orders) {
    const isSteering = order.strength >= STEERING;
    const isPlain = order.strength <= PLAIN;
    const isOther = isOthers(order);
    if (!isOther && isOfNamed && order.strength <= found.strength && (!isSteering || found.is_dictated)) continue;
    const said = mentions(order.words, order.from, order.to, words);
    const groups = isPlain ? words.own_groups : isLooking ? words.own_groups | passesOn : words.groups;
    const isEffect = (order.groups & groups) !== 0 || said.has_verb;
    const hasObject = isLooking && isPlain ? said.objects * 2 >= Math.max(1, words.object_count) : said.objects > 0;
    const hasValue = !order.is_decoded && places.some((word) => word >= order.passage_from && word < order.passage_to);
    if (isSteering && hasValue) found.is_dictated = true;
    if (!said.has_tool && !(isEffect && (hasObject || hasValue)) && !(hasValue && isSteering)) continue;
    if (isOther) isOfOthers = true;
    else isOfNamed = true;
    if (isOther && hasValue) found.is_others = true;
    found.strength = Math.max(found.strength, order.strength);
    if (isLooking && (said.has_tool || !isPlain)) found.is_other_topic ||= namesOther(order, words, corpus);
  }
  found.is_others ||= isOfOthers && !isOfNamed;
  return found;
}

/** Whether the order uses names of the action that the user does not, and the user uses none that the order does not. */
function namesOther({ words, from, to }: Order, { topics, tool }: ActionWords, { user }: Corpus): boolean {
  const said = new Set<number>();
  for (let i = from; i < to; i++) said.add(words.hash[i]!);
  let isOther = said.has(tool) && !user.has(tool);
  for (const topic of topics) {
    const isUsers = user.has(topic);
    if (isUsers && !said.has(topic)) return false;
    if (!isUsers && said.has(topic)) isOther = true;
  }
  return isOther;
}

function foreignPlaces(corpus: Corpus, args: Argument[]): number[] {
  return args
    .slice(0, 200)
    .filter((arg) => arg.kind !== 'flag' && arg.provenance === 'tool')
    .flatMap((arg) => outsidePlaces(arg, corpus).map((p) => p.word));
}

export function namedOutside(words: ActionWords, corpus: Corpus): boolean {
  for (const hash of words.objects) if (corpus.tool.has(hash)) return true;
  return false;
}
