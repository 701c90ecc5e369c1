/** Scoring many events at once, each answered: with a token all must be permitted before the first is scored. */

import type { Submission } from '../events/submission.ts';
import { WeirError } from '../platform/errors.ts';
import type { Caller } from '../platform/http/endpoint.ts';
import type { AdmitAll } from '../tokens/admit.ts';
import { bySession } from './by-session.ts';
import type { Outcome } from './evaluate.ts';
import { hasAddedNothing } from './evaluate-as.ts';
import type { EvaluateInOrder } from './evaluate-in-order.ts';
import { inTurns, type Turns } from './turns.ts';

/** Sessions in work at a time: enough to fill the groups that are committed together. */
const MAX_IN_WORK = 256;

/**
 * The outcomes in the order of the events; those of one session are scored one after the other. `checkWanted` throws
 * when nobody waits any more. Throws what `AdmitAll` throws with nothing scored. When
 * an event fails later, or gets no turn, what was begun is finished and stays, and the rest is neither scored nor counted.
 */
export type EvaluateAllAs = (
  bearer: string | null,
  caller: Caller,
  events: readonly Submission[],
  request_id: string,
  checkWanted: () => void,
) => Promise<Outcome[]>;

export function createEvaluateAllAs(evaluateInOrder: EvaluateInOrder, admitAll: AdmitAll, turns: Turns): EvaluateAllAs {
  return async (bearer, caller, sent, request_id, checkWanted) => {
    const { customer_id } = caller;
    const admitted = bearer === null ? null : await admitAll(bearer, caller, sent, request_id, checkWanted);
    // With a token they have the session that it says, which may be another than each event's own.
    const events = admitted?.events ?? sent;
    const outcomes = new Map<number, Outcome | Error>();
    let failure: { error: unknown } | null = null;
    // One that waits for its turn when another fails must not begin.
    const checkBegin = (): void => {
      if (failure !== null) throw new WeirError('overloaded', { detail: 'another event of this batch failed' });
      checkWanted();
    };

    /** Scores the next events of a session, as many as there are turns for; answers how many. */
    async function scoreSome(indexes: readonly number[]): Promise<number> {
      const submissions = indexes.map((index) => events[index]!);
      checkBegin();
      const scored = await inTurns(turns, turns.take(customer_id, checkBegin), (takeMore) =>
        evaluateInOrder(customer_id, submissions, takeMore),
      );
      for (const [n, outcome] of scored.entries()) outcomes.set(indexes[n]!, outcome);
      const error = scored.find((outcome) => outcome instanceof Error);
      if (error !== undefined) throw error;
      return scored.length;
    }

    const sessions = bySession(events.keys(), (index) => events[index]!.event);
    const waiting = sessions.values();
    const work = async (): Promise<void> => {
      for (const indexes of waiting) {
        for (let done = 0; done < indexes.length && failure === null; ) {
          try {
            done += await scoreSome(indexes.slice(done));
          } catch (error) {
            // The first is the one that is told.
            failure ??= { error };
          }
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_IN_WORK, sessions.length) }, work));
    await admitted?.release(events.filter((_, index) => !outcomes.has(index) || hasAddedNothing(outcomes.get(index)!)));
    if (failure !== null) throw (failure as { error: unknown }).error;
    return events.map((_, index) => outcomes.get(index) as Outcome);
  };
}
