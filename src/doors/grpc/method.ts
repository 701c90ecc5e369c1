/** What one method of the service is, and what every method is told of the call it answers. */
import type { UntypedHandleCall } from '@grpc/grpc-js';
import { WeirError } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/endpoint.ts';
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
  /** Logs what is our fault, and answers what the caller is told. */
  report(error: unknown, method: string, request_id: string): Status;
  /** Counts one message that was answered with this status code, since `started` (`performance.now()`). */
  measure(method: string, code: number, started: number): void;
  /** Bounds the messages under way. */
  intake: Intake;
  /** Aborted when the server stops: streams end after what they have begun. */
  stopping: AbortSignal;
}

export interface Call {
  caller: Caller;
  /** The token in `authorization`, `null` without one. */
  bearer: string | null;
  /** Finds it in the log and the audit log. */
  request_id: string;
  /** Some byte of the request is zero: a text may hold U+0000. */
  may_hold_nul: boolean;
  /** Counts the message for the memory that so many values take. Throws when the customer, or all, have too much under way. */
  weigh(values: number): void;
  /** Throws when nobody waits for the answer any more. To be asked before each piece of work that can be left out. */
  checkWanted(): void;
}

interface Waiting {
  cancelled: boolean;
  getDeadline(): Date | number;
}

export function checkWanted(call: Waiting): void {
  if (call.cancelled || Number(call.getDeadline()) <= Date.now()) throw new DeadlinePassed();
}

/** The message, or `invalid`. */
export function decode<T>(codec: Codec<T>, bytes: Buffer): T {
  try {
    return codec.decode(bytes);
  } catch (error) {
    throw new WeirError('invalid', {
      detail: 'the message is not what risk.proto says: cut off, another type, or a text that is not UTF-8',
      cause: error,
    });
  }
}

/** A request may name the customer that its key belongs to and no other; which others exist is nobody's business. */
export function checkCustomer(named: string, { customer_id }: Caller): void {
  if (named === '' || named.toLowerCase() === customer_id) return;
  throw new WeirError('forbidden', {
    detail: '`customer_id` is not the customer of this API key; use that customer’s own key, or leave the field empty',
  });
}
