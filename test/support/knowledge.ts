/** The product's own ontology and rules, loaded once for all tests of a file, and a short way to score an event. */
import { loadKnowledge } from '../../src/engine/knowledge/knowledge.ts';
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { silent } from '../../src/scoring/history/says.ts';
import { compilePolicy } from '../../src/scoring/policy/policy.ts';
import { score } from '../../src/scoring/score.ts';
import type { Assessment, CompiledPolicy, History } from '../../src/scoring/types.ts';

export const knowledge = await loadKnowledge();

/** An event with what a door fills in. */
export function asEvent(event: Partial<AgentEvent> & { action: string }): AgentEvent {
  return { event_id: 'e-1', timestamp: '2026-01-15T10:00:00Z', ...event };
}

/** Scores an event without a past, under a policy as a customer writes it or as it is compiled already. */
export function scoreOf(
  event: Partial<AgentEvent> & { action: string },
  policies: JsonObject = {},
  options: { is_outline?: boolean; policy?: CompiledPolicy; history?: Partial<History> | undefined } = {},
): Assessment {
  const { is_outline = false, policy = compilePolicy(policies, 0, () => false, knowledge) } = options;
  const past = options.history === undefined ? null : { ...silent(), ...options.history };
  return score(asEvent(event), past, policy, knowledge, is_outline ? 'outline' : 'whole');
}
