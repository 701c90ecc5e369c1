/** Reduces an event to its identifiers. Used when scoring its content crashes or hangs a thread, so that it still gets a score. */
import type { AgentEvent } from '../events/event.ts';

/** Flag of the rule that fires for every outline. */
export const OUTLINE_FLAG = 'content_not_scored';

/** Agent, action and target by their identifiers alone, without anything that is parsed, decoded or searched. */
export function outlineOf(event: AgentEvent): AgentEvent {
  const { event_id, action, timestamp, agent, session, target, mcp_context } = event;
  return {
    event_id,
    action,
    timestamp,
    ...(agent && { agent }),
    ...(session && { session }),
    ...(target && { target }),
    ...(mcp_context && { mcp_context }),
  };
}
