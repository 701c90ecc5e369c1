/** Whether an action follows an order without sharing a value: a paraphrase, or a value looked up for the order. */
import { actionWordsOf } from '../action/naming/action-words.ts';
import { shareSaid } from '../action/naming/tool-names.ts';
import { type Order, PLAIN, STEERING } from '../conversation/order-sentences.ts';
import { slice } from '../conversation/transcript/words-of-text.ts';
import type { Place } from '../values/locate.ts';
import { embeddedValues } from '../words/embedded.ts';
import { GROUP_MASK, LEAD, MODAL, STOPWORD } from '../words/grammar/grammar.ts';
import { hashedList } from '../words/word-lists.ts';
import type { EchoSearch } from './echo-search.ts';

export function isEchoedWithoutValue(order: Order, search: EchoSearch): boolean {
  const isLikely =
    ((order.strength >= STEERING || (!search.is_looking && isOthersPlain(order, search))) && isAnswer(order, search)) ||
    isParaphrase(order, search, shareSaid(order.words, order.from, order.to, search.names));
  return isLikely && !namesAnother(order, search);
}

/** A plain sentence of a review, comment or advertisement. A task that is left to a source may lead on to further sources. */
export const isOthersPlain = (order: Order, search: EchoSearch): boolean =>
  !search.is_open_ended && !order.is_loose && !order.is_decoded && search.isOthers(order);

export function isIn(place: Place, order: Order): boolean {
  return place.word >= order.passage_from && place.word < order.passage_to;
}

/** Whether the order names another recipient or place than the action: a payment to B does not follow «pay to A». */
export function namesAnother(order: Order, { address_kinds, vocabulary }: EchoSearch): boolean {
  if (address_kinds.size === 0) return false;
  const said = slice(order.words, order.passage_from, order.passage_to);
  return embeddedValues(said, vocabulary.ontology).some(({ kind }) => address_kinds.has(kind));
}

/** Whether order and action share verb and object in words that the user did not use. */
function isParaphrase(order: Order, search: EchoSearch, share: number): boolean {
  if (order.is_loose || (search.user_asks && share < 1)) return false;
  let shared = 0;
  for (let i = order.from; i < order.passage_to; i++) if (search.telling.has(order.words.hash[i]!)) shared++;
  if (shared >= 3 || (shared >= 2 && share > 0)) return true;
  // Pages tell their readers to sign in or to find a file: without a marker, such a sentence is not an order to the agent.
  if (order.strength <= PLAIN || share < 0.5) return false;
  return ![...search.names.objects].some((hash) => search.corpus.user.has(hash));
}

/** So many words around a value are its record: `P020` beside «Mechanical Pencil Set». */
const RECORD = 12;

/** Whether a value was looked up for the order: its record has words that the order uses and the user did not. */
export function isAnswer(order: Order, search: EchoSearch): boolean {
  const wanted = orderedThings(order, search);
  if (wanted.size === 0) return false;
  const need = wanted.size <= 3 ? 1 : 2;
  const { tool } = search.corpus;
  return [...search.foreign, ...search.roleless].some((place) => {
    if (order.is_decoded || isIn(place, order)) return false;
    const { first, last } = tool.stretchOf(place.word);
    const found = new Set<number>();
    const to = Math.min(last, place.word + place.length + RECORD);
    for (let word = Math.max(first, place.word - RECORD); word < to; word++) {
      const isOrder = word >= order.passage_from && word < order.passage_to;
      const hash = tool.words.hash[word]!;
      if (!isOrder && wanted.has(hash)) found.add(hash);
    }
    return found.size >= need;
  });
}

function orderedThings(order: Order, { corpus, vocabulary, action }: EchoSearch): Set<number> {
  const { words } = order;
  const { objects } = actionWordsOf(action, vocabulary);
  const wanted = new Set<number>();
  // «It is expected of you to buy one» wants no more than «please buy one».
  const obliging = hashedList(vocabulary.ontology, 'obliging_words');
  for (let i = order.passage_from; i < order.to; i++) {
    const hash = words.hash[i]!;
    if (
      words.end[i]! - words.start[i]! < 4 ||
      obliging.has(hash) ||
      (vocabulary.words.kinds(hash) & (STOPWORD | GROUP_MASK | LEAD | MODAL)) !== 0
    )
      continue;
    if (!objects.has(hash) && !corpus.user.has(hash)) wanted.add(hash);
  }
  return wanted;
}
