/** Scoring an event for the holder of a token: what every door that takes events calls, with a token or without. */

import type { Submission } from '../events/submission.ts';
import { WeirError } from '../platform/errors.ts';
import type { Caller } from '../platform/http/endpoint.ts';
import type { AdmitEvent, AdmittedEvents } from '../tokens/admit.ts';
import type { Evaluate, Outcome } from './evaluate.ts';
import type { EvaluateInOrder } from './evaluate-in-order.ts';
import { inTurns, type Turns } from './turns.ts';

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
  return async (bearer, caller, submission, request_id, checkWanted) =>
    inTurns(turns, turns.take(caller.customer_id, checkWanted), async () => {
      if (bearer === null) return evaluate(caller.customer_id, submission);
      const admitted = await admit(bearer, caller, submission, request_id);
      return evaluateAdmitted(evaluate, caller.customer_id, admitted, admitted.events[0]!);
    });
}

/** Some of these events of one session, from the first on: as `EvaluateInOrder`, with as many as there is room for. */
export type EvaluateAccepted = (
  customer_id: string,
  submissions: readonly Submission[],
) => Promise<(Outcome | Error)[]>;

/** `evaluate` for accepted events, which wait behind those that somebody waits for. */
export function evaluateLater(evaluate: Evaluate, turns: Turns): Evaluate {
  return (customer_id, ...submission) =>
    inTurns(turns, turns.takeLater(customer_id), () => evaluate(customer_id, ...submission));
}

/** `evaluateInOrder` for the same. Each has a turn, and all end once all are stored. */
export function evaluateLaterInOrder(evaluateInOrder: EvaluateInOrder, turns: Turns): EvaluateAccepted {
  return (customer_id, submissions) =>
    inTurns(turns, turns.takeLater(customer_id), (takeMore) => evaluateInOrder(customer_id, submissions, takeMore));
}

/** Scores one of the events that were admitted; what adds no record takes no count. */
async function evaluateAdmitted(
  evaluate: Evaluate,
  customer_id: string,
  { release }: AdmittedEvents,
  submission: Submission,
): Promise<Outcome> {
  try {
    const outcome = await evaluate(customer_id, submission);
    if (hasAddedNothing(outcome)) await release([submission]);
    return outcome;
  } catch (error) {
    if (hasAddedNothing(error)) await release([submission]);
    throw error;
  }
}

/** Whether it is certain that an event with this outcome, or error, added no record: a retry is no second event. */
export function hasAddedNothing(outcome: unknown): boolean {
  return outcome instanceof Error
    ? outcome instanceof WeirError && outcome.code === 'event_conflict'
    : (outcome as Outcome).is_replay;
}
