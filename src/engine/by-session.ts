/** Events in the order in which they may be scored: those of one session one after the other, because what came before counts. */
import type { AgentEvent } from '../events/event.ts';

/** One list for each session, and one for each event without, in the order of `items`; lists may be worked on side by side. */
export function bySession<T>(items: Iterable<T>, eventOf: (item: T) => AgentEvent): T[][] {
  const lists: T[][] = [];
  const of_sessions = new Map<string, T[]>();
  for (const item of items) {
    const session_id = eventOf(item).session?.session_id;
    const known = session_id === undefined ? undefined : of_sessions.get(session_id);
    if (known !== undefined) {
      known.push(item);
      continue;
    }
    const list = [item];
    lists.push(list);
    if (session_id !== undefined) of_sessions.set(session_id, list);
  }
  return lists;
}
