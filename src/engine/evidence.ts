/** What one score is made from, put together the same way when an event is scored and when its score is explained. */

import type { AgentEvent } from '../events/event.ts';
import { OUTLINE_FLAG, outlineOf } from '../scoring/outline.ts';
import type { Assessment, CompiledPolicy, Evidence, History } from '../scoring/types.ts';

/** `outline`: without the content of the event, for one that could not be scored whole. */
export type Extent = 'whole' | 'outline';

export function evidenceOf(
  event: AgentEvent,
  policy: CompiledPolicy,
  history: History | null,
  extent: Extent,
): Evidence {
  const is_outline = extent === 'outline';
  return { event: is_outline ? outlineOf(event) : event, policy, history, is_outline };
}

/** How a score was made that is there already. */
export function extentOf(assessment: Assessment): Extent {
  return assessment.behavioral_flags.includes(OUTLINE_FLAG) ? 'outline' : 'whole';
}
