import { EXAMPLE_EVENT } from '../../events/event-schema.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import { NO_POLICY } from '../../scoring/policy/policy.ts';
import { score } from '../../scoring/score.ts';

/**
 * Scores the documentation's example and drops the result. The first score of a process builds the tables of words and programs, which
 * takes as long as a hundred scores: without it the first caller waits for that.
 */
export function warmUp(knowledge: Knowledge): void {
  score({ event_id: 'warm-up', timestamp: '2026-01-01T00:00:00Z', ...EXAMPLE_EVENT }, null, NO_POLICY, knowledge);
}
