/**
 * What the user speaks of without its number: «cancel my contract», after the agent looked it up and told about it. A number is
 * meant only where the look-ups show no other one of its kind.
 */

import type { AgentEvent } from '../../../../events/event.ts';
import { shapeOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { type Call, readCalls } from '../../conversation/calls.ts';
import { lastUserIndex, type TextReading } from '../../conversation/text.ts';

export interface Referents {
  /** Numbers and paths by which the agent looked something up before the user's last words, in lower case. */
  numbers: ReadonlySet<string>;
  /** What these look-ups returned. */
  records: readonly string[];
}

const NOTHING: Referents = { numbers: new Set(), records: [] };

const MAX_CALLS = 24;
const MAX_TEXT = 16_384;
/** With a digit; a word alone is a kind of thing or a search. */
const NUMBER = /^(?=.{0,80}\d)[\w./@-]{4,80}$/;
const TOKEN = /[\w./@-]{4,80}/g;

/** Nothing where the user has not spoken since. */
export function referentsOf(event: AgentEvent, ontology: Ontology, text: TextReading): Referents {
  const last = lastUserIndex(text);
  const calls = readCalls(event, ontology)
    .filter(({ index, results }) => index < last && results.length > 0)
    .slice(-MAX_CALLS);
  if (calls.length === 0) return NOTHING;
  const shown = shownNumbers(calls);
  const numbers = new Set<string>();
  const records: string[] = [];
  for (const { args, results } of calls)
    for (const value of args.values()) {
      const number = value.toLowerCase();
      if (!NUMBER.test(number) || shown.get(shapeOf(number))?.size !== 1) continue;
      numbers.add(number);
      records.push(...results.map((result) => result.slice(0, MAX_TEXT)));
    }
  return { numbers, records };
}

/** The numbers in look-ups and their answers, by their shape. */
function shownNumbers(calls: readonly Call[]): ReadonlyMap<string, ReadonlySet<string>> {
  const shown = new Map<string, Set<string>>();
  for (const { args, results } of calls)
    for (const text of [...args.values(), ...results])
      for (const [token] of text.slice(0, MAX_TEXT).toLowerCase().matchAll(TOKEN)) {
        if (!NUMBER.test(token)) continue;
        const shape = shapeOf(token);
        const of_shape = shown.get(shape) ?? new Set<string>();
        shown.set(shape, of_shape.add(token));
      }
  return shown;
}
