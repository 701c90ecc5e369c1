/** How `evaluate` gets a score, and who makes it: this thread (score-here.ts), or one beside it (threads/pool.ts). */

import type { Scorable } from '../../events/submission.ts';
import type { AssessmentJson } from '../../records/assessment-json.ts';
import type { Past, RecordJson } from '../../records/record.ts';
import type { Memories } from '../../scoring/history/recall.ts';
import type { Footprint } from '../../scoring/history/trace.ts';
import type { Assessment, CompiledPolicy, History } from '../../scoring/types.ts';
import type { Extent } from '../evidence.ts';
import type { Owners } from '../memories/memories.ts';
import type { Later } from './later.ts';

export interface ScoredEvent {
  assessment: Assessment;
  cache_hit: boolean;
  past: Past | null;
  json: RecordJson;
  /** What a hold of this event approves (holds/action-hash.ts). */
  actionHash(): string | null;
}

/** The memories of the event's owners, and the time by the database's clock at which they were asked. */
export interface Remembered {
  owners: Owners;
  memories: Memories;
  now: number;
}

/** Nobody could score this event whole: whoever tried died of it, hung or threw. */
export class NotSurvived extends Error {}

/** `remembered` is null for an event that names neither agent nor session. */
export type Scoring = (
  customer_id: string,
  scorable: Scorable,
  policy: CompiledPolicy,
  remembered: Remembered | null,
  extent: Extent,
) => Later<ScoredEvent>;

/** One event while it is scored. Nothing is read of it before somebody asks; what is waited for may reject with `NotSurvived`. */
export interface Scorer {
  /** What is remembered of it. */
  footprint(): Later<Footprint>;
  /** Its score, with what its past says. */
  score(history: History | null): Later<AssessmentJson>;
  /** What was read of it on this thread, when it is scored; null: nothing. This scorer is of no use afterwards. */
  leave(): ReadEvent | null;
}

/** An event that was read, without the policy and the past that it was scored with: neither lives on with it. */
export interface ReadEvent {
  /** `policy`: the version that it was read with, because what was found with that one stands. */
  begin(policy: CompiledPolicy): Scorer;
}

export type BeginScoring = (customer_id: string, scorable: Scorable, policy: CompiledPolicy, extent: Extent) => Scorer;
