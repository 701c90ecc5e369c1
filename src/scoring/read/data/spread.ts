/** Copied text in the payload: instructions from outside, the agent's own instructions, or content of another place. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf } from '../../../ontology/words.ts';
import { readCalls } from '../conversation/calls.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { type Order, ordersOf } from '../conversation/order-sentences.ts';
import { segmentsOf, type TextReading } from '../conversation/text.ts';
import { isTelling } from '../conversation/transcript/words-of-text.ts';
import { foldText } from '../words/fold.ts';
import { lex, type Words } from '../words/lexer.ts';
import { groupBits, vocabularyOf } from '../words/vocabulary.ts';
import { wordSet } from '../words/word-lists.ts';

/** Shorter texts hold no sentence worth comparing. */
const SHORTEST = 40;
const MAX_PAYLOAD = 16_384;
const MAX_WORDS = 2_000;
const MAX_TRIES = 16;

/** The texts that the action carries, as one run of words; null when it carries none. */
function payloadOf(event: AgentEvent): Words | null {
  const texts: string[] = [];
  let left = MAX_PAYLOAD;
  for (const { value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length < SHORTEST || left <= 0) continue;
    texts.push(value.slice(0, left));
    left -= value.length;
  }
  return texts.length === 0 ? null : lex(texts.join('\n\n'));
}

/** Words of the longest piece that both have in the same order. */
function commonRun(a: Words, b: Words, from = 0, to = b.count): number {
  const places = new Map<number, number[]>();
  for (let i = from; i < Math.min(to, from + MAX_WORDS); i++) {
    const at = places.get(b.hash[i]!);
    if (at === undefined) places.set(b.hash[i]!, [i]);
    else if (at.length < MAX_TRIES) at.push(i);
  }
  let longest = 0;
  for (let i = 0; i < Math.min(a.count, MAX_WORDS); ) {
    let best = 0;
    for (const at of places.get(a.hash[i]!) ?? []) {
      let n = 1;
      while (i + n < a.count && at + n < to && a.hash[i + n] === b.hash[at + n]) n++;
      if (n > best) best = n;
    }
    if (best > longest) longest = best;
    i += Math.max(1, best);
  }
  return longest;
}

/** With at least one sign of an attempt to steer; a newsletter that asks to be passed on has none. */
const LEAST_STRENGTH = 0.3;
const SHORTEST_ORDER = 6;
/** Rule catalogue, INJ-15: similarity from which a copy counts. */
const SIMILAR = 0.8;

/** Verb groups that make a sentence spread: its reader passes it on, stores it or runs it. One bit each. */
const spreadingGroups = (ontology: Ontology): number => groupBits('spreading_groups', ontology);

/** The payload repeats an instruction from outside that asks its next reader to pass on, store or run something. */
export function spreadsInstruction(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const spreading = spreadingGroups(ontology);
  const orders = ordersOf(text, ontology).filter(
    ({ groups, strength, from, to }) =>
      (groups & spreading) !== 0 && strength >= LEAST_STRENGTH && to - from >= SHORTEST_ORDER,
  );
  if (orders.length === 0) return false;
  const payload = payloadOf(event);
  if (payload === null) return false;
  return orders.slice(0, MAX_ORDERS).some((order) => isRepeated(payload, order));
}

/** Orders that are compared. */
const MAX_ORDERS = 64;

const isRepeated = (payload: Words, { words, from, to }: Order): boolean =>
  commonRun(payload, words, from, to) >= Math.min(SIMILAR * (to - from), QUOTED_RUN);

/** This many words in a row are a quotation and no coincidence. */
const QUOTED_RUN = 12;

/** Of the telling words of an order to remember something, so large a part in the payload is the same note in other words. */
const SAME_NOTE = 0.5;
const LEAST_TELLING = 4;

/** The payload is what a text from outside tells the agent to remember, in whatever words: «assistants must remember that …». */
export function keepsOrderedNote(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const remembering = groupBits('memory_groups', ontology);
  const orders = ordersOf(text, ontology).filter(
    ({ groups, words }) => (groups & remembering) !== 0 && words.count > 0,
  );
  const payload = orders.length === 0 ? null : payloadOf(event);
  if (payload === null) return false;
  const kept = new Set(payload.hash.slice(0, payload.count));
  const table = vocabularyOf(ontology).words;
  return orders.slice(0, MAX_ORDERS).some(({ words, from, to }) => {
    const telling = new Set<number>();
    for (let i = from; i < to; i++) if (isTelling(words, i, table)) telling.add(words.hash[i]!);
    const shared = [...telling].filter((word) => kept.has(word)).length;
    return shared >= LEAST_TELLING && shared >= SAME_NOTE * telling.size;
  });
}

/** The parameters repeat a piece of any text from outside, be it an order or not; true as well for more than is compared. */
export function copiesFromOutside(event: AgentEvent, text: TextReading): boolean {
  const values = parametersOf(event).leaves.map(({ value }) => String(value));
  const payload = lex(values.join('\n\n').slice(0, MAX_PAYLOAD));
  if (payload.count > MAX_WORDS) return true;
  return text.untrusted.some((passage) => {
    const words = lex(passage.text);
    for (let from = 0; from < words.count; from += MAX_WORDS - COPIED_RUN)
      if (commonRun(payload, words, from) >= COPIED_RUN) return true;
    return false;
  });
}

/** The payload repeats what the operator told the agent (system and developer messages: instructions, lists of tools). */
export function repeatsOwnInstructions(event: AgentEvent, text: TextReading): boolean {
  const own = segmentsOf(text).filter(({ speaker }) => speaker === 'system');
  if (own.length === 0) return false;
  const payload = payloadOf(event);
  if (payload === null) return false;
  return own.some(({ text: told }) => commonRun(payload, lex(told.slice(0, MAX_PAYLOAD))) >= QUOTED_RUN);
}

const COPIED_RUN = 10;
/** The same of what says of itself that it is not for everybody. */
const COPIED_PRIVATE = 5;
/** Characters of a result in which it says so. */
const MAX_HEAD = 400;

const placeWords = perOntology((ontology) => ({
  /** In a command: `--repo owner/name`. */
  named: patternOf(ontology, 'places_in_commands', 'named'),
  private: patternOf(ontology, 'places_in_commands', 'private'),
}));

/** Where a command that a parameter holds puts its text. */
function placesInCommand(values: readonly string[], ontology: Ontology): string[] {
  const { named } = placeWords(ontology);
  return values.flatMap((value) => named.exec(value.slice(0, MAX_PAYLOAD))?.[1] ?? []);
}

/**
 * The repository, channel, tenant or mailbox from which text was read that the payload now takes to another one, unless
 * the user named both; '' when there is none.
 */
export function placeLeftBehind(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const keys = wordSet(ontology, 'place_parameters');
  const places = parametersOf(event).leaves.filter(({ name, value }) => keys.has(name) && typeof value === 'string');
  const texts = parametersOf(event).leaves.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const commanded = placesInCommand(texts, ontology);
  if (places.length + commanded.length === 0 && !isOpenPlace(event, ontology)) return '';
  const here = new Set([...places.map(({ value }) => String(value)), ...commanded].map(foldText));
  const payload = payloadOf(event);
  if (payload === null) return '';
  const { user } = corpusOf(text);
  const said = foldText(user.stretches.map(({ segment }) => segment.text).join('\n'));
  for (const call of readCalls(event, ontology)) {
    const given = [...call.args].filter(([key]) => keys.has(key)).map(([, value]) => value);
    const from = [...given, ...placesInCommand([...call.args.values()], ontology)].find(
      (place) => !isHere(foldText(place), here),
    );
    if (from === undefined || from.length < 2) continue;
    const isOrdered = said.includes(foldText(from)) && [...here].every((place) => said.includes(place));
    if (isOrdered) continue;
    const isPrivate = (result: string): boolean =>
      placeWords(ontology).private.test(`${from} ${result.slice(0, MAX_HEAD)}`);
    const isCopied = call.results.some(
      (result) => commonRun(payload, lex(result)) >= (isPrivate(result) ? COPIED_PRIVATE : COPIED_RUN),
    );
    if (isCopied) return from;
  }
  return '';
}

/** The call makes something that everybody may read, and that has no readers of its own: a gist, a paste. */
function isOpenPlace(event: AgentEvent, ontology: Ontology): boolean {
  const open = wordSet(ontology, 'open_places');
  const names = `${event.action} ${event.mcp_context?.tool_name ?? ''} ${String(event.parameters?.['name'] ?? '')}`;
  return wordsOf(names).some((word) => open.has(word));
}

/** `name` and `owner/name` are one place. */
function isHere(place: string, here: ReadonlySet<string>): boolean {
  return [...here].some((one) => one === place || one.endsWith(`/${place}`) || place.endsWith(`/${one}`));
}
