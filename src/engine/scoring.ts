/** How `evaluate` gets a score: on its own thread, or in threads beside it (threads/pool.ts). */
import type { CompiledPolicy } from '../scoring/types.ts';
import type { Extent } from './evidence.ts';
import type { Remembered, ScoredEvent, ScoreEvent } from './score-event.ts';
import type { Scorable } from './submission.ts';

/** `remembered` is null for an event that names neither agent nor session. */
export type Scoring = (
  customer_id: string,
  scorable: Scorable,
  policy: CompiledPolicy,
  remembered: Remembered | null,
  extent: Extent,
) => Promise<ScoredEvent>;

/** On this thread. */
export function inlineScoring(scoreEvent: ScoreEvent): Scoring {
  return async (...args) => scoreEvent(...args);
}
