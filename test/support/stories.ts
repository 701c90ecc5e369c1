/** Plays steps of one customer's agents through the server's own evaluation and memories, with a store that keeps what memories need. */
import { randomUUID } from 'node:crypto';
import { createEvaluate } from '../../src/engine/evaluate.ts';
import { createMakeScore, scoreHere } from '../../src/engine/making/make-score.ts';
import { createScoreCache } from '../../src/engine/making/score-cache.ts';
import { createMemories } from '../../src/engine/memories/memories.ts';
import type { Policies } from '../../src/engine/policies.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { ScoreRecord, StoredScore } from '../../src/records/record.ts';
import type { Verdict } from '../../src/scoring/history/notes.ts';
import type { StoredTrace } from '../../src/scoring/history/trace.ts';
import { compilePolicy } from '../../src/scoring/policy/policy.ts';
import type { Assessment, CompiledPolicy } from '../../src/scoring/types.ts';
import { memoryCache } from '../../src/storage/memory/cache.ts';
import type { ScoreStore, TraceOwner } from '../../src/storage/ports/storage.ts';
import { readSent } from '../../tools/evaluation/read-records.ts';
import { WEDNESDAY } from './history.ts';
import { knowledge } from './knowledge.ts';

export interface Played {
  assessment: Assessment;
  /** The same event without what other sessions did. */
  alone: Assessment;
  record: Pick<StoredScore, 'event_id' | 'past'>;
}

const GAP_MS = 600_000;

export function createStage(policies: JsonObject = {}, customer_id: string = randomUUID()) {
  const policy: CompiledPolicy = compilePolicy(policies, 1, () => false, knowledge);
  let now = WEDNESDAY;
  const clock: Clock = { now: () => now, ticks: () => 0 };
  const stored: (StoredTrace & { record: ScoreRecord; verdict: Verdict })[] = [];
  const belongs = ({ kind, key, customer_id: of }: TraceOwner, { record, trace }: (typeof stored)[number]): boolean => {
    if (record.customer_id !== of) return false;
    return kind === 'shared' ? trace.mark !== undefined : record.past?.[`${kind}_key`] === key;
  };
  const scores: Pick<ScoreStore, 'recordInOrder' | 'usedIds' | 'traces'> = {
    recordInOrder: async (records) =>
      records.map((record) => {
        const scored_at = new Date(now).toISOString().replace('Z', '000Z');
        if (record.past !== null)
          stored.push({ event_id: record.event_id, scored_at, trace: record.past.trace, record, verdict: '' });
        return { kind: 'stored', scored_at, hold: null };
      }),
    usedIds: async () => new Set(),
    traces: async (owners, limit) =>
      owners.map((owner) => ({
        traces: stored.filter((one) => belongs(owner, one)).slice(-limit),
        asked_at: Math.floor(now / 1_000),
      })),
  };
  const storage = { scores: scores as ScoreStore };
  const createNode = () => {
    const memories = createMemories({ storage, cache: memoryCache(), clock });
    const of = async () => policy;
    const evaluate = createEvaluate({
      storage,
      policies: { inForce: of, refresh: of } as unknown as Policies,
      memories,
      makeScore: createMakeScore(scoreHere(knowledge), createScoreCache(knowledge.version)),
      holding: { threshold: 'high', ttl_minutes: 60 },
      clock,
    });
    return { memories, evaluate };
  };
  let node = createNode();
  const makeAlone = createMakeScore(scoreHere(knowledge), createScoreCache(knowledge.version));

  return {
    /** Scores one event as the server does, ten minutes after the one before. */
    async play(event: object, of = customer_id): Promise<Played> {
      now += GAP_MS;
      const read = readSent({ event_id: randomUUID(), timestamp: new Date(now).toISOString(), ...event } as never);
      const [outcome] = await node.evaluate(of, [read]);
      if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('no outcome');
      const { record } = outcome;
      const bare = await makeAlone(of, read, policy, null, 'whole');
      return { assessment: record.assessment, alone: bare.assessment, record };
    },
    decide(event_id: string, verdict: Verdict): void {
      const one = stored.find((known) => known.event_id === event_id)!;
      one.verdict = verdict;
      node.memories.decided(customer_id);
    },
    pass: (ms: number): void => void (now += ms),
    /** A new process, which knows what is stored alone. */
    restart: (): void => void (node = createNode()),
    stored,
  };
}
