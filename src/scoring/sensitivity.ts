/** How sensitive the target of an event is, for rights that are limited to a level. */

import type { AgentEvent } from '../events/event.ts';
import type { Ontology } from '../ontology/index.ts';
import { NO_POLICY } from './policy/policy.ts';
import { atLeastKnown } from './read/action/declared-sensitivity.ts';
import { Readings } from './read/readings.ts';

/** 0 (public) to 4 (restricted): the larger of what the event declares and what is known. */
export function sensitivityOf(event: AgentEvent, ontology: Ontology): number {
  const { target, content } = new Readings({ event, policy: NO_POLICY, history: null }, ontology);
  return atLeastKnown(event.target?.sensitivity_level, target, content, ontology);
}
