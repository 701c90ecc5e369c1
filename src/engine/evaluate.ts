/**
 * One event on its way from a door to the number: gather the policy in force and what is remembered of agent and
 * session, score, record, remember. The second of the three files (door, evaluate, score); gRPC and batches come
 * through here as well.
 */

import type { AgentEvent } from '../events/event.ts';
import type { Submission } from '../events/submission.ts';
import { WeirError } from '../platform/errors.ts';
import type { HoldTerms } from '../records/hold.ts';
import { type HoldThreshold, isHeldAt } from '../records/hold.ts';
import type { ScoreRecord, StoredScore } from '../records/record.ts';
import { levelOf } from '../scoring/level.ts';
import type { CompiledPolicy, RiskLevel } from '../scoring/types.ts';
import type { RecordOutcome, Storage } from '../storage/ports/storage.ts';
import { createEndOfTurn } from './end-of-turn.ts';
import type { Extent } from './evidence.ts';
import type { Remembered, Scoring } from './making/scoring.ts';
import { type Memories, ownersOf } from './memories/memories.ts';
import type { Policies } from './policies.ts';

/** Policy changes that may overtake one event before it is refused as unavailable; two in a row are already rare. */
export const MAX_ATTEMPTS = 5;

export interface Outcome {
  record: StoredScore;
  /** The event was there already with the same content: this is its stored result, nothing was written. */
  is_replay: boolean;
}

/**
 * Scores and durably records one event; answers after the commit.
 * Throws `event_conflict` when the event_id was used for other content, `StoreUnavailable` when nothing can be stored.
 */
export type Evaluate = (customer_id: string, submission: Submission, extent?: Extent) => Promise<Outcome>;

export interface EvaluateParts {
  storage: Storage;
  policies: Policies;
  memories: Memories;
  scoring: Scoring;
  holding: Holding;
}

/** When events wait for a person, and for how long. */
export interface Holding {
  /** `HOLD_THRESHOLD`, for customers whose policy says nothing. */
  threshold: HoldThreshold;
  /** `HOLD_TTL_MINUTES`. */
  ttl_minutes: number;
}

/** A score before it is stored. */
export interface Made {
  record: ScoreRecord;
  remembered: Remembered | null;
}

/** What happens to an event, step by step. */
export interface Steps {
  /** Null for an event that names neither agent nor session. `from`: who remembers. */
  recall(customer_id: string, event: AgentEvent, from?: Pick<Memories, 'recall'>): Promise<Remembered | null>;
  score(
    customer_id: string,
    submission: Submission,
    policy: CompiledPolicy,
    remembered: Remembered | null,
    extent: Extent,
  ): Promise<Made>;
  /** What came of recording it, and remembers what was stored; null: a policy stood in the way. Throws `event_conflict`. */
  settle(made: Made, outcome: RecordOutcome): Outcome | null;
}

export function createSteps({ memories, scoring, holding }: Omit<EvaluateParts, 'storage' | 'policies'>): Steps {
  return {
    async recall(customer_id, event, from = memories) {
      const owners = ownersOf(customer_id, event);
      if (owners === null) return null;
      return { owners, memories: await from.recall(owners), now: memories.now() };
    },
    async score(customer_id, submission, policy, remembered, extent) {
      const { event, content_hash, json: event_json } = submission;
      const { assessment, cache_hit, past, json, actionHash } = await scoring(
        customer_id,
        submission,
        policy,
        remembered,
        extent,
      );
      const risk_level = levelOf(assessment.score);
      const record: ScoreRecord = {
        customer_id,
        event_id: event.event_id,
        content_hash,
        event,
        assessment,
        risk_level,
        cache_hit,
        past,
        hold: holdOf(actionHash, risk_level, policy, holding),
        json: event_json === undefined ? json : { ...json, event: event_json },
      };
      return { record, remembered };
    },
    settle({ record, remembered }, outcome) {
      const { event_id, content_hash, past } = record;
      if (outcome.kind === 'stored') {
        const { scored_at, hold } = outcome;
        // Only whoever stored it adds it, so that a retry adds nothing.
        if (past !== null && remembered !== null)
          memories.learn(remembered.owners, { event_id, scored_at, trace: past.trace });
        return { record: { ...record, scored_at, hold }, is_replay: false };
      }
      if (outcome.kind === 'exists') return replay(outcome.record, content_hash);
      if (outcome.kind === 'queued' && outcome.content_hash !== content_hash) throw eventConflict(event_id);
      // It waits still, so nothing but the policy stood in the way.
      return null;
    },
  };
}

export function createEvaluate(parts: EvaluateParts): Evaluate {
  const { storage, policies } = parts;
  const { recall, score, settle } = createSteps(parts);
  const endOfTurn = createEndOfTurn();

  return async (customer_id, submission, extent = 'whole') => {
    await endOfTurn();
    const remembered = await recall(customer_id, submission.event);
    let policy = await policies.inForce(customer_id);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const made = await score(customer_id, submission, policy, remembered, extent);
      const outcome = settle(made, await storage.scores.record(made.record));
      if (outcome !== null) return outcome;
      policy = await policies.refresh(customer_id);
    }
    throw policyChanged();
  };
}

export function policyChanged(): WeirError {
  return new WeirError('unavailable', {
    detail: 'the policy changed again and again while this event was scored; try again',
    retry_after_s: 1,
  });
}

/** The policy that the score was made with decides, so a change of the threshold is in force when it is answered. */
function holdOf(
  actionHash: () => string | null,
  risk_level: RiskLevel,
  { hold_threshold }: CompiledPolicy,
  { threshold, ttl_minutes }: Holding,
): HoldTerms | null {
  if (!isHeldAt(risk_level, hold_threshold ?? threshold)) return null;
  const action_hash = actionHash();
  // Only what cannot be stored has no hash, and nothing of the kind gets past a door.
  if (action_hash === null) throw new WeirError('invalid', { detail: 'the event has keys that cannot be kept apart' });
  return { ttl_minutes, action_hash };
}

function replay(record: StoredScore, content_hash: string): Outcome {
  if (record.content_hash === content_hash) return { record, is_replay: true };
  throw eventConflict(record.event_id);
}

/** `index`: its place in a batch, of which nothing was accepted. */
export function eventConflict(event_id: string, index?: number): WeirError {
  const reason = `event_id \`${event_id}\` was used before for an event with other content; use a new event_id`;
  if (index === undefined) return new WeirError('event_conflict', { detail: reason });
  return new WeirError('event_conflict', {
    detail: `event ${index} of the batch: ${reason}; nothing was accepted`,
    errors: [{ path: `/events/${index}/event_id`, message: 'was used before for other content' }],
  });
}
