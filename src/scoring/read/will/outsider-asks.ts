/** Whether text from outside asks for an effect of the action's kind, without a word of its object: «merge it right away». */
import type { Ontology } from '../../../ontology/index.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/naming/action-words.ts';
import { looseOrdersOf, type Order, ordersOf } from '../conversation/order-sentences.ts';
import type { TextReading } from '../conversation/text.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

/** In everyday work on the user's project the order must have the action's own verb: texts of a workspace are full of orders. */
export function outsiderAsksFor(
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
  is_own_work: boolean,
): boolean {
  if (text.untrusted.length === 0) return false;
  const words = actionWordsOf(action, vocabularyOf(ontology));
  const hasVerb = ({ words: said, from, to }: Order): boolean => {
    for (let i = from; i < to; i++) if (words.verbs.has(said.hash[i]!)) return true;
    return false;
  };
  const isMeant = (order: Order): boolean =>
    hasVerb(order) || (!is_own_work && (order.groups & words.own_groups) !== 0);
  return ordersOf(text, ontology).some(isMeant) || looseOrdersOf(text, ontology).some(isMeant);
}
