/** An event without its content, for one whose content brings the engine down: something must be said of it all the same. */
import type { AgentEvent } from '../events/event.ts';

/** Flag of the rule that fires for every outline. */
export const OUTLINE_FLAG = 'content_not_scored';

/** Who does what to which target, in short identifiers alone: nothing that is parsed, decoded or searched. */
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
