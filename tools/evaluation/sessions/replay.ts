/**
 * Replays sessions through the server's own evaluation (`engine/evaluate.ts`) and memories (`engine/memories/`), with a store that
 * keeps nothing: each step is scored with what the steps before it left behind, and held where the server would hold it. The
 * clock of the server stands at the timestamp of the step.
 */
import { createEvaluate } from '../../../src/engine/evaluate.ts';
import { createMakeScore, scoreHere } from '../../../src/engine/making/make-score.ts';
import { createScoreCache } from '../../../src/engine/making/score-cache.ts';
import { createMemories } from '../../../src/engine/memories/memories.ts';
import type { Policies } from '../../../src/engine/policies.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { HoldTerms, StoredHold } from '../../../src/records/hold.ts';
import type { Knowledge } from '../../../src/scoring/knowledge.ts';
import { NO_POLICY } from '../../../src/scoring/policy/policy.ts';
import { score } from '../../../src/scoring/score.ts';
import { memoryCache } from '../../../src/storage/memory/cache.ts';
import type { ScoreStore } from '../../../src/storage/ports/storage.ts';
import type { Label } from '../metrics.ts';
import type { RecordedSession } from './in-order.ts';

/** One step as the server answers it. */
export interface ReplayedStep {
  id: string;
  label: Label;
  action: string;
  score: number;
  is_held: boolean;
  /** The score of the same event without a past. */
  score_alone: number;
}

export interface ReplayedSession {
  source: string;
  steps: ReplayedStep[];
}

const CUSTOMER = 'evaluation';

/** A function that replays one session after the other. Sessions of one agent share its memory, as on a server. */
export function createReplay(knowledge: Knowledge): (session: RecordedSession) => Promise<ReplayedSession> {
  let now = 0;
  const clock: Clock = { now: () => now, ticks: () => 0 };
  const storage = { scores: forgetful(() => new Date(now).toISOString()) };
  const memories = createMemories({ storage, cache: memoryCache(), clock });
  const evaluate = createEvaluate({
    storage,
    policies: WITHOUT_POLICY,
    memories,
    makeScore: createMakeScore(scoreHere(knowledge), createScoreCache(knowledge.version)),
    holding: { threshold: 'high', ttl_minutes: 60 },
    clock,
  });
  return async ({ source, steps }) => {
    const replayed: ReplayedStep[] = [];
    for (const { record, read } of steps) {
      now = Date.parse(read.event.timestamp);
      const [outcome] = await evaluate(CUSTOMER, [read]);
      if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error(`${record.id} has no outcome`);
      const { assessment, past, hold } = outcome.record;
      const has_past = past !== null && past.history !== null;
      replayed.push({
        id: record.id,
        label: record.label,
        action: read.event.action,
        score: assessment.score,
        is_held: hold !== null,
        score_alone: has_past ? score(read.event, null, NO_POLICY, knowledge).score : assessment.score,
      });
    }
    return { source, steps: replayed };
  };
}

const WITHOUT_POLICY = {
  inForce: async () => NO_POLICY,
  refresh: async () => NO_POLICY,
} as Pick<Policies, 'inForce' | 'refresh'> as Policies;

/** Says of each record that it is stored, at the time of the clock. */
function forgetful(time: () => string): ScoreStore {
  const store: Pick<ScoreStore, 'recordInOrder' | 'usedIds' | 'traces'> = {
    recordInOrder: async (records) =>
      records.map(({ hold }) => ({
        kind: 'stored',
        scored_at: time(),
        hold: hold === null ? null : held(hold, time()),
      })),
    usedIds: async () => new Set(),
    traces: async (owners) => owners.map(() => ({ traces: [], asked_at: Math.floor(Date.parse(time()) / 1_000) })),
  };
  return store as ScoreStore;
}

const held = ({ action_hash }: HoldTerms, now: string): StoredHold => ({
  state: 'held',
  expires_at: now,
  decided_at: null,
  reason: null,
  decided_by: null,
  action_hash,
  cosignature: null,
});
