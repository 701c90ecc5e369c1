/** Scoring an event for the holder of a token: what every door that takes events calls, with a token or without. */
import type { AdmitEvent, AdmittedEvents } from '../auth/admit.ts';
import type { Caller } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import type { Evaluate, Outcome } from './evaluate.ts';
import type { EvaluateInOrder } from './evaluate-in-order.ts';
import type { Submission } from './submission.ts';
import type { Turns } from './turns.ts';

/**
 * `bearer`: an agent, subagent or session token, `null` without one. `checkWanted` throws when nobody waits for the answer
 * any more: an event whose turn has not come is then left alone, one in work is finished. Throws what `AdmitEvent`,
 * `Evaluate` and `Turns` throw.
 */
export type EvaluateAs = (
  bearer: string | null,
  caller: Caller,
  submission: Submission,
  request_id: string,
  checkWanted: () => void,
) => Promise<Outcome>;

export function createEvaluateAs(evaluate: Evaluate, admit: AdmitEvent, turns: Turns): EvaluateAs {
  return async (bearer, caller, submission, request_id, checkWanted) => {
    const turn = turns.take(caller.customer_id, checkWanted);
    if (turn !== null) await turn;
    try {
      if (bearer === null) return await evaluate(caller.customer_id, submission);
      const admitted = await admit(bearer, caller, submission, request_id);
      return await evaluateAdmitted(evaluate, caller.customer_id, admitted, admitted.events[0]!);
    } finally {
      turns.done();
    }
  };
}

/** Some of these events of one session, from the first on: as `EvaluateInOrder`, with as many as there is room for. */
export type EvaluateAccepted = (
  customer_id: string,
  submissions: readonly Submission[],
) => Promise<(Outcome | Error)[]>;

/** `evaluate` for accepted events, which wait behind those that somebody waits for. */
export function evaluateLater(evaluate: Evaluate, turns: Turns): Evaluate {
  return async (customer_id, ...submission) => {
    const turn = turns.takeLater(customer_id);
    if (turn !== null) await turn;
    try {
      return await evaluate(customer_id, ...submission);
    } finally {
      turns.done();
    }
  };
}

/**
 * `evaluateInOrder` for accepted events. Each takes a turn, which it ends when all are stored; so there are as many in one commit
 * as nobody waits for.
 */
export function evaluateLaterInOrder(evaluateInOrder: EvaluateInOrder, turns: Turns): EvaluateAccepted {
  return async (customer_id, submissions) => {
    const turn = turns.takeLater(customer_id);
    if (turn !== null) await turn;
    let taken = 1;
    const takeAnother = (): boolean => {
      const is_taken = turns.takeAnother();
      if (is_taken) taken += 1;
      return is_taken;
    };
    try {
      return await evaluateInOrder(customer_id, submissions, takeAnother);
    } finally {
      for (; taken > 0; taken -= 1) turns.done();
    }
  };
}

/** Scores one of the events that were admitted; what adds no record takes no count. */
export async function evaluateAdmitted(
  evaluate: Evaluate,
  customer_id: string,
  { release }: AdmittedEvents,
  submission: Submission,
): Promise<Outcome> {
  try {
    const outcome = await evaluate(customer_id, submission);
    // A retry is no second event.
    if (outcome.is_replay) await release([submission]);
    return outcome;
  } catch (error) {
    // Only where it is certain that nothing was recorded.
    if (error instanceof WeirError && error.code === 'event_conflict') await release([submission]);
    throw error;
  }
}
