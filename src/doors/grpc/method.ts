/** One method of the service, and the context that every method gets of its call. */
import type { UntypedHandleCall } from '@grpc/grpc-js';
import { type Caller, leftOnce, type Waiter } from '../../platform/caller.ts';
import { WeirError } from '../../platform/errors.ts';
import type { Intake } from '../../platform/http/intake.ts';
import type { Status } from './messages/messages.ts';
import type { Codec } from './messages/proto.ts';
import { DeadlinePassed } from './status.ts';

/** One rpc of the .proto file. `unary` and `bidi` make them. */
export interface Method {
  /** As in the .proto file. */
  name: string;
  /** The handler over undecoded bytes, so that a message that cannot be decoded is answered like any bad request. */
  bind: (surroundings: Surroundings) => UntypedHandleCall;
}

export interface Surroundings {
  newRequestId(): string;
  /** Logs the server's own faults and returns the error for the caller. */
  report(error: unknown, method: string, request_id: string): Status;
  /** Counts one message that was answered with this status code; `started` is `performance.now()` at its begin. */
  measure(method: string, code: number, started: number): void;
  /** Bounds the messages in flight. */
  intake: Intake;
  /** Aborted when the server stops: streams end after the requests they have begun. */
  stopping: AbortSignal;
}

export interface Call extends Waiter {
  caller: Caller;
  /** The token in `authorization`, `null` without one. */
  bearer: string | null;
  /** Identifies the call in the log and the audit log. */
  request_id: string;
  /** Some byte of the request is zero: a text may hold U+0000. */
  may_hold_nul: boolean;
  /**
   * Counts the memory that the message's values take. Throws when the customer, or all customers together, have too
   * much in flight.
   */
  weigh(values: number): void;
}

interface Waiting {
  cancelled: boolean;
  getDeadline(): Date | number;
  once(event: 'cancelled', callback: () => void): unknown;
}

export function checkWanted(call: Waiting): void {
  if (call.cancelled || Number(call.getDeadline()) <= Date.now()) throw new DeadlinePassed();
}

/** Whether the client of a call still waits, and how long. */
export const waiterOf = (call: Waiting): Waiter => ({
  checkWanted: () => checkWanted(call),
  left: leftOnce((abort) => {
    if (call.cancelled) abort();
    else call.once('cancelled', abort);
  }),
  timeLeft: () => Number(call.getDeadline()) - Date.now(),
});

/** The decoded message; throws `invalid`. */
export function decode<T>(codec: Codec<T>, bytes: Buffer): T {
  try {
    return codec.decode(bytes);
  } catch (error) {
    throw new WeirError('invalid', {
      detail: 'the message does not match risk.proto: truncated, of another type, or with text that is not UTF-8',
      cause: error,
    });
  }
}

/** A request may name only the customer that its key belongs to; whether another one exists is not revealed. */
export function checkCustomer(named: string, { customer_id }: Caller): void {
  if (named === '' || named.toLowerCase() === customer_id) return;
  throw new WeirError('forbidden', {
    detail: '`customer_id` is not the customer of this API key; use that customer’s own key, or leave the field empty',
  });
}
