/** Instructions that untrusted text addresses to the agent, and whether this action follows them. */

import type { AgentEvent } from '../../../events/event.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/naming/action-words.ts';
import { isPreparing } from '../action/preparing.ts';
import { writtenByOthers } from '../conversation/authors.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { hiddenParts } from '../conversation/hidden/hidden.ts';
import { looseOrdersOf, type Order, ordersInText, ordersOf } from '../conversation/order-sentences.ts';
import { isBesidePointedField, isInPointedField } from '../conversation/pointed-field.ts';
import { requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { machineMessages } from '../conversation/transcript/machine.ts';
import { slice } from '../conversation/transcript/words-of-text.ts';
import type { Argument } from '../values/argument.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { echoOf } from './echo.ts';
import { type EchoSearch, echoSearch } from './echo-search.ts';
import { isAnswer, isIn, isOthersPlain } from './echo-without-value.ts';
import { followedHints } from './hints.ts';
import { proseInIdentifiers } from './identifiers.ts';
import type { Instruction } from './instruction.ts';
import { isParticular } from './particular.ts';
import { tellsOfOrders } from './reported.ts';

/** What an echo adds to the strength of an order; the name of the tool is not a coincidence. */
const ECHO_BONUS = { named: 0.4, followed: 0.3, '': 0 };
/** Only the strongest are kept, so that a page full of imperatives does not make a thousand findings. */
const MAX_INSTRUCTIONS = 32;
const MAX_EXCERPT = 300;
/** Strength of a name that reads like a sentence, whatever it says. */
const PROSE_NAME = 0.3;

export function readInstructions(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  args: Argument[],
  text: TextReading,
): Instruction[] {
  const found: Instruction[] = [];
  const orders = [...ordersOf(text, ontology), ...looseOrdersOf(text, ontology)];
  if (orders.length > 0) {
    const request = requestOf(text, ontology);
    const isOfOthers = writtenByOthers(text, request);
    const isOthers = (order: Order): boolean => isOfOthers(order) || isBesidePointedField(saidIn(order), text);
    const machine = machineMessages(text);
    const search = echoSearch(
      corpusOf(text),
      vocabularyOf(ontology),
      action,
      args,
      event,
      request,
      isOthers,
      machine,
      text,
    );
    // «Summarise the mails in a note» speaks of the note without a verb for it.
    const { topics } = actionWordsOf(action, vocabularyOf(ontology));
    const isAsked = search.user_asks || [...topics].some((topic) => corpusOf(text).user.has(topic));
    const is_told = tellsOfOrders(ontology, action, args, text, isAsked);
    for (const order of orders) {
      const instruction = instructionOf(order, search, is_told, text);
      if (instruction !== null) found.push(instruction);
    }
  }
  // What is only looked at follows nothing.
  if (!isPreparing(action, ontology)) found.push(...followedHints(args, text));
  for (const name of proseInIdentifiers(event)) found.push(inIdentifier(name, ontology));
  return strongest(found);
}

const saidIn = ({ words, from, to }: Order): string => slice(words, from, to);

/** `is_told`: the action only reports orders. Then it follows an order to write such a text, but none of those that it quotes. */
function instructionOf(order: Order, search: EchoSearch, is_told: boolean, text: TextReading): Instruction | null {
  const echo = echoOf(order, search);
  const is_echoed = echo !== '' && (!is_told || ordersThis(order, search));
  // Code in a fence is shown to a reader. It is an instruction only if the agent follows it.
  // What a sentence obliges its readers to is an instruction to the agent only if the agent does it.
  if ((order.is_fenced || order.is_loose) && !is_echoed) return null;
  return {
    excerpt: slice(order.words, order.from, order.to).slice(0, MAX_EXCERPT),
    strength: rounded(order.strength + (is_echoed ? ECHO_BONUS[echo] : 0)),
    markers: order.markers,
    is_echoed,
    gives_value: is_echoed && givesValue(order, search, text),
    is_particular: (is_echoed && echo === 'named' && !search.is_means) || isParticular(order, search, is_echoed),
    is_others_choice: is_echoed && isOthersChoice(order, search),
    is_in_identifier: false,
    index: order.stretch.segment.index,
  };
}

function ordersThis({ groups }: Order, { action, vocabulary }: EchoSearch): boolean {
  return (groups & actionWordsOf(action, vocabulary).own_groups) !== 0;
}

/** Whether a value of the action stands in this order and in no other text. A user who leaves the task to a source takes its values. */
function givesValue(
  order: Order,
  { places_of_foreign, is_open_ended, isOthers }: EchoSearch,
  text: TextReading,
): boolean {
  if (order.is_decoded || order.is_fenced || (is_open_ended && !isOthers(order))) return false;
  if (isInPointedField(saidIn(order), text)) return false;
  return places_of_foreign.some((places) => places.some(({ word }) => word >= order.from && word < order.to));
}

/** «P025 is the one that I need. Please buy it» in a review: the value may stand in the sentence that the order refers to. */
const isOthersChoice = (order: Order, search: EchoSearch): boolean =>
  isOthersPlain(order, search) &&
  (search.places_of_foreign.some((places) => places.some((place) => isIn(place, order))) ||
    (!search.is_looking && isAnswer(order, search)));

function inIdentifier(name: string, ontology: Ontology): Instruction {
  const orders = ordersInText(name, ontology);
  const hidden = hiddenParts(name.slice(0, 4_096), ontology).parts;
  const markers = new Set([...orders.flatMap((o) => o.markers), ...hidden.map((h) => h.technique)]);
  const strength = Math.max(PROSE_NAME, ...orders.map((o) => o.strength), ...hidden.map((h) => h.strength));
  return {
    excerpt: name.slice(0, MAX_EXCERPT),
    strength: rounded(strength),
    markers: [...markers],
    is_echoed: false,
    gives_value: false,
    is_particular: false,
    is_others_choice: false,
    is_in_identifier: true,
    index: -1,
  };
}

/** Sorts echoed ones first, then by strength, then by place in the text. The same sentence counts once. */
function strongest(found: Instruction[]): Instruction[] {
  if (found.length < 2) return found;
  const distinct = new Map<string, Instruction>();
  for (const one of found) {
    const key = `${one.is_in_identifier} ${one.excerpt}`;
    const known = distinct.get(key);
    distinct.set(key, known === undefined ? one : merged(known, one));
  }
  return [...distinct.values()].sort((a, b) => rank(b) - rank(a)).slice(0, MAX_INSTRUCTIONS);
}

/** Merges two finds of one sentence, such as visible and hidden: the stronger, with the markers of both. */
function merged(a: Instruction, b: Instruction): Instruction {
  const [stronger, weaker] = rank(b) > rank(a) ? [b, a] : [a, b];
  return { ...stronger, markers: [...new Set([...stronger.markers, ...weaker.markers])] };
}

function rank(instruction: Instruction): number {
  return instruction.strength + (instruction.is_echoed ? 1 : 0);
}

function rounded(strength: number): number {
  return Math.round(Math.min(1, strength) * 1e4) / 1e4;
}
