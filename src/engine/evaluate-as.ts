/** Scoring an event for the holder of a token: what every door that takes events calls, with a token or without. */
import type { AdmitEvent, AdmittedEvent } from '../auth/enforce.ts';
import type { Caller } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import type { AgentEvent } from '../scoring/types.ts';
import type { Evaluate, Outcome } from './evaluate.ts';

/** `bearer`: an agent, subagent or session token, `null` without one. Throws what `AdmitEvent` and `Evaluate` throw. */
export type EvaluateAs = (
  bearer: string | null,
  caller: Caller,
  event: AgentEvent,
  content_hash: string,
  request_id: string,
) => Promise<Outcome>;

export function createEvaluateAs(evaluate: Evaluate, admit: AdmitEvent): EvaluateAs {
  return async (bearer, caller, event, content_hash, request_id) => {
    if (bearer === null) return evaluate(caller.customer_id, event, content_hash);
    const admitted = await admit(bearer, caller, event, content_hash, request_id);
    return evaluateAdmitted(evaluate, caller.customer_id, admitted);
  };
}

/** Scores what a token permitted; what adds no record takes no count. */
export async function evaluateAdmitted(
  evaluate: Evaluate,
  customer_id: string,
  { event, content_hash, release }: AdmittedEvent,
): Promise<Outcome> {
  try {
    const outcome = await evaluate(customer_id, event, content_hash);
    // A retry is no second event.
    if (outcome.is_replay) await release();
    return outcome;
  } catch (error) {
    // Only where it is certain that nothing was recorded.
    if (error instanceof WeirError && error.code === 'event_conflict') await release();
    throw error;
  }
}
