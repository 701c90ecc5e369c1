/** Accepting a batch for the holder of a token: every event must be permitted, or none is taken. */
import type { AdmitEvent } from '../auth/enforce.ts';
import type { Caller } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import type { AcceptBatch, BatchedEvent } from './accept-batch.ts';
import { admitAll, releaseAll } from './admit-all.ts';

/** As `AcceptBatch`; with a token also throws what `AdmitEvent` throws, naming the event by its index. */
export type AcceptBatchAs = (
  bearer: string | null,
  caller: Caller,
  events: readonly BatchedEvent[],
  request_id: string,
) => Promise<string[]>;

export function createAcceptBatchAs(acceptBatch: AcceptBatch, admit: AdmitEvent): AcceptBatchAs {
  return async (bearer, caller, events, request_id) => {
    if (bearer === null) return acceptBatch(caller.customer_id, events);
    const admitted = await admitAll(admit, bearer, caller, events, request_id);
    try {
      return await acceptBatch(caller.customer_id, admitted);
    } catch (error) {
      // Only where it is certain that nothing was taken.
      if (error instanceof WeirError) await releaseAll(admitted);
      throw error;
    }
  };
}
