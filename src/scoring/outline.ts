/** An event without its content: how an event is scored whose content makes the engine fail. */
import type { AgentEvent } from '../events/event.ts';
import type { Assessment } from './types.ts';

/** How much of an event is scored. */
export type Extent = 'whole' | 'outline';

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

/** How much of its event a finished score rests on. */
export function extentOf(assessment: Assessment): Extent {
  return assessment.behavioral_flags.includes(OUTLINE_FLAG) ? 'outline' : 'whole';
}
