/** Scores events for those that send them: each event gets a turn, and the token that came with it must permit it. */

import type { AgentEvent } from '../events/event.ts';
import type { Submission } from '../events/submission.ts';
import type { Caller, Waiter } from '../platform/caller.ts';
import { WeirError } from '../platform/errors.ts';
import type { Admission } from '../tokens/admit.ts';
import type { Evaluate, EvaluateOptions, Outcome } from './evaluate.ts';
import { inTurns, type Turns } from './turns.ts';

/**
 * Scores one event. `bearer`: an agent, subagent or session token, `null` without one. An event whose turn has not come
 * when the caller leaves is left out, one in work is finished, without the language model. Throws what `AdmitEvent`, `Evaluate`
 * and `Turns` throw, and the reason why the event was not recorded.
 */
export type EvaluateAs = (
  bearer: string | null,
  caller: Caller,
  submission: Submission,
  request_id: string,
  waiter: Waiter,
) => Promise<Outcome>;

/**
 * Scores many events, each answered, in the order in which they came; those of one session in turn. With a token all must be
 * permitted before the first is scored: throws what `AdmitAll` throws with nothing scored. When an event fails later, or gets no turn,
 * events in work are finished and recorded, and the rest are neither scored nor counted.
 */
export type EvaluateAllAs = (
  bearer: string | null,
  caller: Caller,
  events: readonly Submission[],
  request_id: string,
  waiter: Waiter,
) => Promise<Outcome[]>;

/** Scores accepted events of one session as `Evaluate` does, behind events whose callers wait for the answer. */
export type EvaluateAccepted = (
  customer_id: string,
  submissions: readonly Submission[],
  options?: Pick<EvaluateOptions, 'extent'>,
) => Promise<(Outcome | Error)[]>;

export interface CallerParts {
  evaluate: Evaluate;
  admission: Pick<Admission, 'admit' | 'admitAll'>;
  turns: Turns;
}

/** Sessions of one batch in work at a time: enough to fill the groups that are committed together. */
const MAX_IN_WORK = 256;

export function createEvaluateAs({ evaluate, admission, turns }: CallerParts): EvaluateAs {
  return async (bearer, caller, submission, request_id, waiter) =>
    inTurns(turns, caller.customer_id, turns.take(caller.customer_id, waiter.checkWanted), async (_takeMore, aside) => {
      const admitted = bearer === null ? null : await admission.admit(bearer, caller, submission, request_id);
      const event = admitted?.events[0] ?? submission;
      const { key_id } = caller;
      const [outcome] = await evaluate(caller.customer_id, [{ ...event, key_id }], { aside, waiter }).catch(asErrors);
      if (hasAddedNothing(outcome!)) await admitted?.release([event]);
      if (outcome instanceof Error) throw outcome;
      return outcome!;
    });
}

export function createEvaluateAllAs({ evaluate, admission, turns }: CallerParts): EvaluateAllAs {
  return async (bearer, caller, sent, request_id, waiter) => {
    const { customer_id } = caller;
    const { checkWanted } = waiter;
    const admitted = bearer === null ? null : await admission.admitAll(bearer, caller, sent, request_id, checkWanted);
    // The token's session replaces that of each event.
    const events = admitted?.events ?? sent;
    const outcomes = new Map<number, Outcome | Error>();
    let failure: { error: unknown } | null = null;
    // An event that waits for its turn when another fails must not begin.
    const checkBegin = (): void => {
      if (failure !== null) throw new WeirError('overloaded', { detail: 'another event of this batch failed' });
      checkWanted();
    };

    /** Scores the next events of a session, as many as there are turns for; answers how many. */
    async function scoreSome(indexes: readonly number[]): Promise<number> {
      const submissions = indexes.map((index) => ({ ...events[index]!, key_id: caller.key_id }));
      checkBegin();
      const scored = await inTurns(turns, customer_id, turns.take(customer_id, checkBegin), (takeMore, aside) =>
        evaluate(customer_id, submissions, { takeMore, aside, waiter }),
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
            // The first failure is answered.
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

/** Each event has a turn, and all turns end once all events are recorded. */
export function createEvaluateAccepted({ evaluate, turns }: Pick<CallerParts, 'evaluate' | 'turns'>): EvaluateAccepted {
  return (customer_id, submissions, options) =>
    inTurns(turns, customer_id, turns.takeLater(customer_id), (takeMore, aside) =>
      evaluate(customer_id, submissions, { ...options, takeMore, aside, is_later: true }),
    );
}

/** One list for each session, and one for each event without a session, in the order of `items`; lists may be worked on side by side. */
export function bySession<T>(items: Iterable<T>, eventOf: (item: T) => AgentEvent): T[][] {
  const lists: T[][] = [];
  const of_sessions = new Map<string, T[]>();
  for (const item of items) {
    const session_id = eventOf(item).session?.session_id;
    const known = session_id === undefined ? undefined : of_sessions.get(session_id);
    if (known !== undefined) {
      known.push(item);
      continue;
    }
    const list = [item];
    lists.push(list);
    if (session_id !== undefined) of_sessions.set(session_id, list);
  }
  return lists;
}

/** Whether an event with this outcome has certainly added no record, so that a session's count of it can be given back. */
function hasAddedNothing(outcome: Outcome | Error): boolean {
  return outcome instanceof Error
    ? outcome instanceof WeirError && outcome.code === 'event_conflict'
    : outcome.is_replay;
}

/** What a call that answers with errors would have answered instead of rejecting. */
export const asErrors = (error: unknown): Error[] => [error instanceof Error ? error : new Error(String(error))];
