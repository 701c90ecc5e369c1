/** Whether an action follows an order in text from outside. */
import { actionWordsOf, mentions } from '../action/naming/action-words.ts';
import { shareSaid } from '../action/naming/tool-names.ts';
import { type Order, STEERING } from '../conversation/order-sentences.ts';
import { slice } from '../conversation/transcript/words-of-text.ts';
import type { EchoSearch } from './echo-search.ts';
import { isEchoedWithoutValue, isIn, isOthersPlain, namesAnother } from './echo-without-value.ts';
import { namingOf } from './named-tool.ts';

/** `named`: the order names the tool that is called or what a command runs; `followed`: the action does what the order says; '' if neither. */
export type Echo = 'named' | 'followed' | '';

export function echoOf(order: Order, search: EchoSearch): Echo {
  const echo = echoIn(order, search);
  return echo !== '' && isOfService(order, search) ? '' : echo;
}

function echoIn(order: Order, search: EchoSearch): Echo {
  // A user who leaves the whole task to a source wants its plain sentences followed.
  if (search.is_open_ended && order.strength < STEERING && !search.isOthers(order)) return '';
  // The project's own program, which the agent ran before, is not a choice of a plain sentence about it.
  if (order.strength < STEERING && !order.is_decoded && order.stretch.segment.index >= search.ran_from) return '';
  // A program of the machine that says how to mend it is not an outsider.
  if (order.strength < STEERING && !order.is_decoded && search.machine.has(order.stretch.segment.index)) return '';
  const { tool, vocabulary } = search;
  const naming =
    tool === null || !isNew(order, search)
      ? ''
      : namingOf(order.words, order.from, order.to, tool, vocabulary.ontology);
  if (naming === 'spelled') return 'named';
  if (naming === 'worded' && isOpenChoice(search) && !namesAnother(order, search)) return 'followed';
  if (order.is_loose && search.is_means && isCommand(order, search)) return 'named';
  return isFollowed(order, search) ? 'followed' : '';
}

/** The service that carries out what the user asked asks for this step first, and gives no value for it. */
const isOfService = (order: Order, { service, places_of_foreign }: EchoSearch): boolean =>
  order.strength < STEERING &&
  !order.is_decoded &&
  service().has(order.stretch.segment.index) &&
  !places_of_foreign.some((places) => places.some((place) => isIn(place, order)));

/** A tool that the agent used before it saw the text is not a choice of that text. */
function isNew(order: Order, search: EchoSearch): boolean {
  return order.stretch.segment.index < search.used_from;
}

/** The user asked for nothing of the kind, so whatever the agent chooses for it follows the order. */
function isOpenChoice({ user_asks, is_means }: EchoSearch): boolean {
  return !user_asks && !is_means;
}

function isFollowed(order: Order, search: EchoSearch): boolean {
  const action = actionWordsOf(search.action, search.vocabulary);
  const said = mentions(order.words, order.from, order.to, action);
  const isSteering = order.strength >= STEERING;
  // Manuals are full of «must»: of what runs whatever it is given, the very command must stand in the sentence.
  if (order.is_loose && search.is_means) return false;
  const hasForeign = order.is_decoded ? holdsText(order, search) : holdsForeign(order, search, isSteering);
  if ((said.has_tool && isNew(order, search)) || (hasForeign && isSteering)) return true;
  const namesEffect =
    (order.groups & action.groups) !== 0 || said.has_verb || (hasForeign && looksForOthers(order, search));
  if (!namesEffect && (said.objects === 0 || order.is_loose)) return false;
  if (hasForeign) return true;
  // A choice that the user left to a source is the user's wish, unless the source poses as somebody else.
  if (isSteering && search.delegated.some((p) => isIn(p, order))) return true;
  // A value that the user gave too proves nothing, unless the user did not ask for the effect.
  if (namesEffect && !order.is_loose && !search.user_asks && search.shared.some((p) => isIn(p, order))) return true;
  const namesOwnEffect = (order.groups & action.own_groups) !== 0 || said.has_verb;
  if (isLeftOpen(order, search, namesOwnEffect)) return true;
  return namesOwnEffect && isEchoedWithoutValue(order, search);
}

/** What somebody else wants bought or sent is looked for first. */
const looksForOthers = (order: Order, search: EchoSearch): boolean =>
  search.is_looking && order.groups !== 0 && isOthersPlain(order, search);

/** Whether the sentence says to run what is run, and the user asked for nothing to be run. */
function isCommand(order: Order, { user_asks, foreign, run_things, action, vocabulary }: EchoSearch): boolean {
  const { own_groups } = actionWordsOf(action, vocabulary);
  if (user_asks || (order.groups & own_groups) === 0) return false;
  if (foreign.some((p) => isIn(p, order))) return true;
  const text = slice(order.words, order.from, order.to);
  // What the agent worked on before it saw the text is not a choice of the text.
  return run_things.some(({ thing, used_from }) => order.stretch.segment.index < used_from && text.includes(thing));
}

/** The order names effect and kind of object, the user neither: whatever the agent chooses then follows the order. */
function isLeftOpen(order: Order, search: EchoSearch, namesOwnEffect: boolean): boolean {
  const share = shareSaid(order.words, order.from, order.to, search.names);
  if (search.is_means || share < 0.5 || !isNew(order, search) || namesAnother(order, search)) return false;
  if (!search.is_looking) return namesOwnEffect && !search.user_asks;
  // Looking is part of any wish, so its object must be foreign; what is passed on has to be looked at first.
  if (!namesOwnEffect && (order.groups & search.passing) === 0) return false;
  // One word, such as «file», is not a name: the product must stand beside it.
  if (share < 1 || (search.names.object_count < 2 && !saysProduct(order, search))) return false;
  return ![...search.names.objects].some((hash) => search.corpus.user.has(hash));
}

function saysProduct({ words, from, to }: Order, { names }: EchoSearch): boolean {
  for (let i = from; i < to; i++) if (names.product.has(words.hash[i]!)) return true;
  return false;
}

/** Whether the order has a value of the action. If the user asked for the act, a plain sentence may give its circumstances. */
function holdsForeign(order: Order, search: EchoSearch, isSteering: boolean): boolean {
  const foreign = order.is_loose ? search.foreign_parties : search.foreign;
  if (foreign.some((p) => isIn(p, order))) return true;
  if (!search.roleless.some((p) => isIn(p, order))) return false;
  if (isSteering) return true;
  // «P025 is the one that I need, please buy it» in a review: what is bought is not a circumstance.
  return !order.is_loose && (!search.user_asks || isOthersPlain(order, search));
}

function holdsText(order: Order, search: EchoSearch): boolean {
  const text = slice(order.words, order.from, order.passage_to).toLowerCase();
  return search.texts.some((value) => text.includes(value.toLowerCase()));
}
