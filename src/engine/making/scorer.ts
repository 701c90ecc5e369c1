/** Scores one event by the two halves of `score` (scoring/score.ts): here in this thread, in threads/pool.ts in another one. */
import type { Scorable } from '../../events/submission.ts';
import { AssessmentJson } from '../../records/texts.ts';
import type { Footprint } from '../../scoring/history/trace.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import type { Extent } from '../../scoring/outline.ts';
import { type EventReading, read } from '../../scoring/score.ts';
import type { CompiledPolicy, History } from '../../scoring/types.ts';

/** A value, now or later. Most scores are made without waiting, and a promise for each would cost a turn of the event loop. */
export type Later<T> = T | Promise<T>;

/** Calls `next` with the value as soon as it is there: at once when it is no promise. */
export function whenThere<T, U>(value: Later<T>, next: (value: T) => Later<U>): Later<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A scoring thread crashed, hung or threw over this event, so it cannot be scored whole. */
export class ScoringFailed extends Error {}

/** One event while it is scored. `footprint` and `score` may reject with `ScoringFailed`. */
export interface Scorer {
  footprint(): Later<Footprint>;
  score(past: History | null): Later<AssessmentJson>;
  /** What this thread has read of the event; null when another one read it. The scorer must not be used afterwards. */
  reading(): EventReading | null;
}

/** Nothing is read of the event before the scorer is asked for something. */
export type BeginScoring = (customer_id: string, scorable: Scorable, policy: CompiledPolicy, extent: Extent) => Scorer;

/** Scores in the thread that asks. */
export function scoreHere(knowledge: Knowledge): BeginScoring {
  return (_customer_id, { event }, policy, extent) => scorerOf(read(event, policy, knowledge, extent));
}

/** Goes on with an event that was read before. */
export function scorerOf(reading: EventReading): Scorer {
  return {
    footprint: () => reading.footprint(),
    score: (past) => new AssessmentJson(Object.freeze(reading.score(past))),
    reading: () => reading,
  };
}
