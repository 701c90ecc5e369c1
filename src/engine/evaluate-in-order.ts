/**
 * Events that follow on each other, as those of a session do, in one commit: each is scored with what the ones before leave
 * behind, though none of them is durable yet. One by one, each of them would wait for the commit of the one before.
 */

import type { Submission } from '../events/submission.ts';
import type { CompiledPolicy } from '../scoring/types.ts';
import { MOST_IN_ORDER, type RecordOutcome, type SentId } from '../storage/ports/storage.ts';
import { createEndOfTurn } from './end-of-turn.ts';
import { createSteps, type EvaluateParts, MAX_ATTEMPTS, type Made, type Outcome, policyChanged } from './evaluate.ts';
import { createMemoriesAhead, type MemoriesAhead } from './memories/memories-ahead.ts';

/**
 * Scores and durably records some of the events, from the first on. `takeMore` is told how many could go with the first, and
 * answers how many may. Answers for each that it recorded, at least one, in order: its outcome, or what `Evaluate` throws. Rejects
 * as `Evaluate` does, with nothing recorded, when there is nothing to say of any but the first.
 */
export type EvaluateInOrder = (
  customer_id: string,
  submissions: readonly Submission[],
  takeMore: (wanted: number) => number,
) => Promise<(Outcome | Error)[]>;

/** JSON text of events that are recorded together; the one that goes beyond is the last. */
const MAX_LENGTH = 2 ** 20;

export function createEvaluateInOrder(parts: EvaluateParts): EvaluateInOrder {
  const { storage, policies, memories } = parts;
  const { recall, score, settle } = createSteps(parts);
  const endOfTurn = createEndOfTurn();

  async function scoreInOrder(
    customer_id: string,
    submissions: readonly Submission[],
    policy: CompiledPolicy,
  ): Promise<Made[]> {
    let ahead = createMemoriesAhead(memories.recall);
    /** Ids that add nothing to what is known: no new event can have them. Asked for once there is a second to be scored. */
    let used: Set<string> | null = null;
    const scored: Made[] = [];
    let length = 0;
    for (const submission of submissions) {
      const { event, json } = submission;
      try {
        const remembered = await recall(customer_id, event, ahead);
        scored.push(await score(customer_id, submission, policy, remembered, 'whole'));
      } catch (error) {
        // It comes first the next time.
        if (scored.length === 0) throw error;
        break;
      }
      length += json?.length ?? MAX_LENGTH;
      if (scored.length === submissions.length || length >= MAX_LENGTH) break;
      if (used === null) {
        used = await storage.scores.usedIds(customer_id, submissions.map(sentId));
        if (used.size > 0) {
          // Of those that were stored a moment ago the memories may have been told since they were asked.
          ahead = createMemoriesAhead(memories.recall);
          await recall(customer_id, event, ahead);
        }
      }
      if (!used.has(event.event_id)) learn(ahead, scored.at(-1)!);
      used.add(event.event_id);
      // What came in meanwhile is read, and begins beside the rest of these: else it would wait for all of them.
      await endOfTurn();
    }
    return scored;
  }

  /** What came of one of them, or what stands in its way; null: a policy. */
  function settleOne(made: Made, outcome: RecordOutcome | Error): Outcome | Error | null {
    if (outcome instanceof Error) return outcome;
    try {
      return settle(made, outcome);
    } catch (error) {
      return error as Error;
    }
  }

  return async (customer_id, all, takeMore) => {
    // Whoever came together has a turn by then.
    await endOfTurn();
    const wanted = Math.min(all.length, MOST_IN_ORDER) - 1;
    const submissions = all.slice(0, 1 + (wanted === 0 ? 0 : takeMore(wanted)));
    let policy = await policies.inForce(customer_id);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const scored = await scoreInOrder(customer_id, submissions, policy);
      const recorded = await storage.scores.recordInOrder(scored.map(({ record }) => record));
      const settled = scored.map((made, index) => settleOne(made, recorded[index]!));
      // A policy that stood in the way of one stood in that of all behind it.
      const changed_at = settled.indexOf(null);
      if (changed_at !== 0) return settled.slice(0, changed_at === -1 ? undefined : changed_at) as (Outcome | Error)[];
      policy = await policies.refresh(customer_id);
    }
    throw policyChanged();
  };
}

const sentId = ({ event, content_hash }: Submission): SentId => ({ event_id: event.event_id, content_hash });

/** At the time at which memories were asked, which is as near as anybody knows. */
function learn(ahead: MemoriesAhead, { record, remembered }: Made): void {
  const { event_id, past } = record;
  if (past === null || remembered === null) return;
  const scored_at = new Date(remembered.now).toISOString();
  ahead.learn(remembered.owners, { event_id, scored_at, trace: past.trace });
}
