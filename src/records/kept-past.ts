/** An event's past as it is kept: the trace that it leaves, and of its history only what it says. Most of one says nothing. */

import { says, silent } from '../scoring/history/says.ts';
import type { Trace } from '../scoring/history/trace.ts';
import type { History } from '../scoring/types.ts';

/** A parsed `pastJson`. Older ones have the whole history, and the keys of agent and session, which are columns. */
export interface KeptPast {
  trace: Trace;
  history: Partial<History> | null;
}

/** What of an event's past is kept as JSON. */
export interface EventPast {
  /** What the event leaves in the memory. */
  trace: Trace;
  /** What the memory said about it: evidence of its score. */
  history: History | null;
}

/** JSON; null for an event without a history. */
export function historyJson(history: History | null): string {
  if (history === null) return 'null';
  return JSON.stringify(Object.fromEntries(Object.entries(history).filter(([, value]) => says(value))));
}

/** JSON, with the history last: whoever reads traces leaves it out unread. `history_json`: where somebody has made it already. */
export function pastJson({ trace, history }: EventPast, history_json = historyJson(history)): string {
  return `{"trace":${JSON.stringify(trace)},"history":${history_json}}`;
}

export function pastOf({ trace, history }: KeptPast): EventPast {
  return { trace, history: history === null ? null : { ...silent(), ...history } };
}
