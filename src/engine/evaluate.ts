/**
 * One event on its way from a door to the number: gather the policy in force, score, record. The second of the three
 * files (door, evaluate, score); gRPC and batches come through here as well.
 */
import { WeirError } from '../platform/errors.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { levelOf } from '../scoring/level.ts';
import { score } from '../scoring/score.ts';
import type { AgentEvent } from '../scoring/types.ts';
import type { ScoreRecord, Storage, StoredScore } from '../storage/ports.ts';
import { createEndOfTurn } from './end-of-turn.ts';
import type { Policies } from './policies.ts';

/** Policy changes that may overtake one event before it is refused as unavailable; two in a row are already rare. */
const MAX_ATTEMPTS = 5;

export interface Outcome {
  record: StoredScore;
  /** The event was there already with the same content: this is its stored result, nothing was written. */
  is_replay: boolean;
}

/**
 * Scores and durably records one event; answers after the commit.
 * Throws `event_conflict` when the event_id was used for other content, `StoreUnavailable` when nothing can be stored.
 */
export type Evaluate = (customer_id: string, event: AgentEvent, content_hash: string) => Promise<Outcome>;

export interface EvaluateParts {
  storage: Storage;
  policies: Policies;
  knowledge: Knowledge;
}

export function createEvaluate({ storage, policies, knowledge }: EvaluateParts): Evaluate {
  const endOfTurn = createEndOfTurn();
  return async (customer_id, event, content_hash) => {
    await endOfTurn();
    let policy = await policies.inForce(customer_id);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const assessment = score({ event, policy, history: null }, knowledge);
      const risk_level = levelOf(assessment.score);
      const record: ScoreRecord = {
        customer_id,
        event_id: event.event_id,
        content_hash,
        event,
        assessment,
        risk_level,
        cache_hit: false,
      };
      const outcome = await storage.scores.record(record);
      if (outcome.kind === 'stored') return { record: { ...record, scored_at: outcome.scored_at }, is_replay: false };
      if (outcome.kind === 'exists') return replay(outcome.record, content_hash);
      policy = await policies.refresh(customer_id);
    }
    throw new WeirError('unavailable', {
      detail: 'the policy changed again and again while this event was scored; try again',
      retry_after_s: 1,
    });
  };
}

function replay(record: StoredScore, content_hash: string): Outcome {
  if (record.content_hash === content_hash) return { record, is_replay: true };
  throw new WeirError('event_conflict', {
    detail: `event_id \`${record.event_id}\` was used before for an event with other content; use a new event_id`,
  });
}
