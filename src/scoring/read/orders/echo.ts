/** Whether an action follows an order in text from outside. */
import { actionWordsOf, mentions } from '../action/action-words.ts';
import { type Order, STEERING } from '../conversation/order-sentences.ts';
import { slice } from '../conversation/words-of-text.ts';
import type { EchoSearch } from './echo-search.ts';
import { isEchoedWithoutValue, isIn } from './echo-without-value.ts';

export function isEchoed(order: Order, search: EchoSearch): boolean {
  const action = actionWordsOf(search.action, search.vocabulary);
  const said = mentions(order.words, order.from, order.to, action);
  const isSteering = order.strength >= STEERING;
  // A user who leaves the whole task to a source wants its plain sentences followed.
  if (search.is_open_ended && !isSteering) return false;
  const hasForeign = order.is_decoded ? holdsText(order, search) : holdsForeign(order, search, isSteering);
  if (said.has_tool || (hasForeign && isSteering)) return true;
  const namesEffect = (order.groups & action.groups) !== 0 || said.has_verb;
  if (!namesEffect && said.objects === 0) return false;
  if (hasForeign) return true;
  // A choice that the user left to a source is the user's wish, unless the source poses as somebody else.
  if (isSteering && search.delegated.some((p) => isIn(p, order))) return true;
  // A value that the user gave too proves nothing, unless the user did not ask for the effect.
  if (namesEffect && !search.user_asks && search.shared.some((p) => isIn(p, order))) return true;
  const namesOwnEffect = (order.groups & action.own_groups) !== 0 || said.has_verb;
  return namesOwnEffect && isEchoedWithoutValue(order, search);
}

/** Whether the order has a value of the action. If the user asked for the act, a plain sentence may give its circumstances. */
function holdsForeign(order: Order, search: EchoSearch, isSteering: boolean): boolean {
  if (search.foreign.some((p) => isIn(p, order))) return true;
  return (isSteering || !search.user_asks) && search.roleless.some((p) => isIn(p, order));
}

function holdsText(order: Order, search: EchoSearch): boolean {
  const text = slice(order.words, order.from, order.passage_to).toLowerCase();
  return search.texts.some((value) => text.includes(value.toLowerCase()));
}
