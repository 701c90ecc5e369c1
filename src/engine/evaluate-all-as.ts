/** Scoring many events at once, each answered: with a token all must be permitted before the first is scored. */
import type { AdmitAll } from '../auth/admit.ts';
import type { Caller } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import { bySession } from './by-session.ts';
import type { Evaluate, Outcome } from './evaluate.ts';
import { evaluateAdmitted } from './evaluate-as.ts';
import type { Submission } from './submission.ts';
import type { Turns } from './turns.ts';

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

export function createEvaluateAllAs(evaluate: Evaluate, admitAll: AdmitAll, turns: Turns): EvaluateAllAs {
  return async (bearer, caller, events, request_id, checkWanted) => {
    const { customer_id } = caller;
    let has_failed = false;
    // One that waits for its turn when another fails has been given back by the time it comes: it must not begin.
    const checkBegin = (): void => {
      if (has_failed) throw new WeirError('overloaded', { detail: 'another event of this batch failed' });
      checkWanted();
    };
    const inTurn = async (work: () => Promise<void>): Promise<void> => {
      try {
        checkBegin();
        const turn = turns.take(customer_id, checkBegin);
        if (turn !== null) await turn;
        await work().finally(turns.done);
      } catch (error) {
        has_failed = true;
        throw error;
      }
    };
    const outcomes = new Array<Outcome>(events.length);
    if (bearer === null) {
      await inOrderBySession(events, (index) =>
        inTurn(async () => {
          outcomes[index] = await evaluate(customer_id, events[index]!);
        }),
      );
      return outcomes;
    }
    const admitted = await admitAll(bearer, caller, events, request_id, checkWanted);
    const waiting = new Set(admitted.events);
    try {
      // By the session that the token says, which may be another than each event's own.
      await inOrderBySession(admitted.events, (index) =>
        inTurn(async () => {
          const submission = admitted.events[index]!;
          waiting.delete(submission);
          outcomes[index] = await evaluateAdmitted(evaluate, customer_id, admitted, submission);
        }),
      );
      return outcomes;
    } catch (error) {
      await admitted.release([...waiting]);
      throw error;
    }
  };
}

/**
 * Runs `work` for each index: those of one session one after the other, different sessions side by side. After a
 * failure nothing more is begun, and the first failure is the one that is told.
 */
async function inOrderBySession(events: readonly Submission[], work: (index: number) => Promise<void>): Promise<void> {
  const chains = bySession(events.keys(), (index) => events[index]!.event);
  const waiting = chains.values();
  let has_failed = false;
  const run = async (): Promise<void> => {
    for (const chain of waiting) {
      for (const index of chain) {
        if (has_failed) return;
        await work(index).catch((error: unknown) => {
          has_failed = true;
          throw error;
        });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_IN_WORK, chains.length) }, run));
}
