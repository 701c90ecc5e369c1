/** How `evaluate` gets a score: on its own thread (score-event.ts), or in threads beside it (threads/pool.ts). */
import type { CompiledPolicy } from '../scoring/types.ts';
import type { Extent } from './evidence.ts';
import type { Remembered, ScoredEvent } from './score-event.ts';
import type { Scorable } from './submission.ts';

/** `remembered` is null for an event that names neither agent nor session. */
export type Scoring = (
  customer_id: string,
  scorable: Scorable,
  policy: CompiledPolicy,
  remembered: Remembered | null,
  extent: Extent,
) => ScoredEvent | Promise<ScoredEvent>;
