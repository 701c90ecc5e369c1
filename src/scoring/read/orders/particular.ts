/** Whether an order and the action that follows it share more than a kind of deed: something that stands in both of them. */
import { type Order, STEERING } from '../conversation/order-sentences.ts';
import { slice } from '../conversation/transcript/words-of-text.ts';
import type { EchoSearch } from './echo-search.ts';
import { isIn } from './echo-without-value.ts';

/**
 * A sentence of a document that tells its readers to call, look for or check something resembles most of what an agent does. It
 * is this action's order where a value, a file or an address of the action stands in its passage, or two words of its command side by
 * side. An order that is followed and steers the agent, or is hidden from people, is one whatever it names.
 */
export function isParticular(
  order: Order,
  { places_of_foreign, run_things, command_pieces }: EchoSearch,
  is_echoed: boolean,
): boolean {
  if (is_echoed && (order.strength >= STEERING || order.is_decoded)) return true;
  if (places_of_foreign.some((places) => places.some((place) => isIn(place, order)))) return true;
  const passage = slice(order.words, order.passage_from, order.passage_to);
  return (
    run_things.some(({ thing }) => passage.includes(thing)) || command_pieces.some((piece) => passage.includes(piece))
  );
}
