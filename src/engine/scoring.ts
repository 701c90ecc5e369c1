/** How `evaluate` gets a score: on its own thread, or in threads beside it (threads/pool.ts). */
import type { AgentEvent, CompiledPolicy } from '../scoring/types.ts';
import type { RecordTexts } from '../storage/ports.ts';
import type { Extent } from './evidence.ts';
import type { Remembered, ScoredEvent, ScoreEvent } from './score-event.ts';

export interface Scored extends ScoredEvent {
  /** JSON of what will be stored, where it had to be made anyway. */
  texts?: RecordTexts;
}

/** `remembered` is null for an event that names neither agent nor session. */
export type Scoring = (
  customer_id: string,
  event: AgentEvent,
  policy: CompiledPolicy,
  remembered: Remembered | null,
  extent: Extent,
) => Promise<Scored>;

/** On this thread. */
export function inlineScoring(scoreEvent: ScoreEvent): Scoring {
  return async (...args) => scoreEvent(...args);
}
