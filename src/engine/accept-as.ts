/** Accepting a batch for the holder of a token: every event must be permitted, or none is taken. */
import type { AdmitEvent } from '../auth/enforce.ts';
import type { Caller } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import type { AcceptBatch } from './accept-batch.ts';
import { admitAll, releaseAll } from './admit-all.ts';
import type { Submission } from './submission.ts';

/** As `AcceptBatch`, and answers the ids in order; with a token also throws what `AdmitEvent` throws, naming the event by its index. */
export type AcceptBatchAs = (
  bearer: string | null,
  caller: Caller,
  events: readonly Submission[],
  request_id: string,
) => Promise<string[]>;

export function createAcceptBatchAs(acceptBatch: AcceptBatch, admit: AdmitEvent): AcceptBatchAs {
  return async (bearer, caller, events, request_id) => {
    const event_ids = events.map(({ event }) => event.event_id);
    if (bearer === null) {
      await acceptBatch(caller.customer_id, events);
      return event_ids;
    }
    const admitted = await admitAll(admit, bearer, caller, events, request_id);
    try {
      const is_new = await acceptBatch(caller.customer_id, admitted);
      // A retry is no second event.
      await releaseAll(admitted.filter((_, index) => !is_new[index]));
      return event_ids;
    } catch (error) {
      // Only where it is certain that nothing was taken.
      if (error instanceof WeirError) await releaseAll(admitted);
      throw error;
    }
  };
}
