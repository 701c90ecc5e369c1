/** What answers calls of a kind, and the contents of all results. */
import type { Json } from '../../../../lang/json.ts';
import { type Call, callsIn, unaskedResults } from '../calls.ts';
import { corpusOf, sideOf } from '../corpus.ts';
import { eventOfText, segmentsOf, type TextReading } from '../text.ts';

/** Indices of the messages of tools that answer a message of the agent in which each call is of the kind. */
export function answersOf(text: TextReading, isOfKind: (call: Call) => boolean): ReadonlySet<number> {
  const found = new Set<number>();
  const event = eventOfText(text);
  if (event === null) return found;
  const unasked = unaskedResults(event, text.ontology);
  let isMeant = false;
  for (const { segment } of corpusOf(text).stretches) {
    const side = sideOf(segment.speaker);
    if (side === 'tool' && isMeant && !unasked.has(segment.index)) found.add(segment.index);
    else if (side !== 'tool') {
      const message = side === 'agent' ? event.conversation_history?.[segment.index] : undefined;
      const calls = message === undefined ? [] : callsIn(message, segment.index);
      isMeant = calls.length > 0 && calls.every(isOfKind);
    }
  }
  return found;
}

/** The content of each message that holds a result of a tool, in order, as it was sent. */
export function resultContents(text: TextReading): readonly Json[] {
  const history = eventOfText(text)?.conversation_history ?? [];
  const indices = new Set<number>();
  for (const { speaker, index } of segmentsOf(text)) if (speaker === 'tool' && index >= 0) indices.add(index);
  return [...indices].flatMap((index) => history[index]?.content ?? []);
}
