/** An event's past as it is kept: the trace that it leaves, and of its history only what it says. Most of one says nothing. */

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

/** A history that says nothing. What is kept is read by it, so no value here may ever change. */
const silent = (): History => ({
  first_seen: [],
  changes_per_minute: 0,
  actions_per_minute: 0,
  burst: 0,
  is_unusual_hour: false,
  off_hours: '',
  clock: '',
  drift: 0,
  refused: 0,
  high: 0,
  earlier_actions: [],
  seen_classes: [],
  repeats: 0,
  is_steady: false,
});

const says = (value: History[keyof History]): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

export function saysSomething(history: History): boolean {
  for (const name in history) if (says(history[name as keyof History])) return true;
  return false;
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
