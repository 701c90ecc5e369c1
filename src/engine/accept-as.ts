/** Accepting a batch for the holder of a token: every event must be permitted, or none is taken. */

import type { Submission } from '../events/submission.ts';
import type { Caller } from '../platform/http/endpoint.ts';
import type { PermitAll } from '../tokens/admit.ts';
import type { AcceptBatch } from './accept-batch.ts';

/** As `AcceptBatch`, and answers the ids in order; with a token also throws what `PermitAll` and `AdmitAll` throw. */
export type AcceptBatchAs = (
  bearer: string | null,
  caller: Caller,
  events: readonly Submission[],
  request_id: string,
) => Promise<string[]>;

export function createAcceptBatchAs(acceptBatch: AcceptBatch, permitAll: PermitAll): AcceptBatchAs {
  return async (bearer, caller, events, request_id) => {
    if (bearer === null) {
      await acceptBatch(caller.customer_id, events, null);
    } else {
      const permitted = await permitAll(bearer, caller, events, request_id);
      // Counted by the transaction that makes the ids known, so that there is never anything to give back.
      const { session } = permitted;
      const no_room = await acceptBatch(caller.customer_id, permitted.events, session?.jti ?? null);
      if (no_room !== null) throw await session!.refusal(no_room);
    }
    return events.map(({ event }) => event.event_id);
  };
}
