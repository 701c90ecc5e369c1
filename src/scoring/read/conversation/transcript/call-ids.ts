/**
 * Ids with which a host says which call a result answers, as OpenAI, Anthropic and others write them: `id` at the call, `tool_call_id`,
 * `tool_use_id` or `call_id` at the result. The host writes them, so that what a tool says can choose none.
 */
import type { Message } from '../../../../events/event.ts';
import { isObject, type Json } from '../../../../lang/json.ts';

type Part = Readonly<Record<string, Json | undefined>>;

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** The id of a call, '' where the host gives none. */
export const idOfCall = (call: Part): string => textOf(call['id']) || textOf(call['call_id']);

/** The ids of the calls that a message answers: its own, or those of the results among its parts. */
export function answeredIds(message: Message): string[] {
  const parts = Array.isArray(message.content) ? message.content.filter(isObject) : [];
  return [message as Part, ...parts].map(answeredId).filter((id) => id !== '');
}

const answeredId = (part: Part): string =>
  textOf(part['tool_call_id']) || textOf(part['tool_use_id']) || textOf(part['call_id']);

/** Which messages answer which calls by their ids. */
export interface Answers {
  /** Index of a message → ids of the calls that it is the first to answer. */
  readonly answered: ReadonlyMap<number, readonly string[]>;
  /** Messages whose ids name no call, or only calls that were answered before. */
  readonly unexplained: ReadonlySet<number>;
}

/**
 * Pairs results with calls, in whatever order they come. Where no call has an id, the ids of results tell nothing.
 *
 * @param idsOf ids of the calls that a message makes
 */
export function pairById(
  history: readonly Message[],
  idsOf: (message: Message, index: number) => readonly string[],
): Answers {
  const open = new Set(history.flatMap((message, i) => idsOf(message, i)));
  const answered = new Map<number, string[]>();
  const unexplained = new Set<number>();
  if (open.size === 0) return { answered, unexplained };
  // What precedes the first of them in a window of the newest messages answers calls that are missing.
  const from = history.findIndex((message, i) => idsOf(message, i).length > 0);
  for (const [i, message] of history.entries()) {
    const ids = answeredIds(message);
    if (ids.length === 0) continue;
    const first = ids.filter((id) => open.delete(id));
    if (first.length > 0) answered.set(i, first);
    else if (i > from) unexplained.add(i);
  }
  return { answered, unexplained };
}
