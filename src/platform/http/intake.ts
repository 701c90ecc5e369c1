/**
 * Bounds the bytes of requests that are being read or answered, so that memory stays bounded under any load: per
 * customer, so that one customer cannot take all of it, and in total. A request that does not fit is refused before it
 * is read. A body that was read counts for the memory of its parsed form if that is larger: three bytes of JSON may
 * become an object of 64 bytes.
 */
import { WeirError } from '../errors.ts';

export interface IntakeLimits {
  /** Limit per customer; the largest request must fit. */
  bytes_each: number;
  bytes: number;
}

/** Two of the largest batches per customer, eight in total; read and parsed, they take a few times as much. */
const LIMITS: IntakeLimits = { bytes_each: 32 * 2 ** 20, bytes: 128 * 2 ** 20 };

/** An upper estimate of the memory of one value: an empty object, or a number under a key that no other object has. */
export const VALUE_BYTES = 80;

/** The share of one request. */
export interface Share {
  /**
   * Call it once the body is parsed into this many values. Returns the bytes that the request now counts for. Throws as
   * `enter` does.
   */
  weigh(values: number): number;
  /**
   * The request was answered and is gone: from now on only the bytes of the answer count, until the client has taken
   * it.
   */
  answered(bytes: number): void;
  leave(): void;
}

/** Throws as `enter` does. */
export function takeIn(intake: Intake, customer_id: string, bytes: number): Share {
  intake.enter(customer_id, bytes);
  let counted = bytes;
  return {
    weigh(values) {
      const more = values * VALUE_BYTES - counted;
      if (more > 0) {
        intake.enter(customer_id, more);
        counted += more;
      }
      return counted;
    },
    answered(bytes) {
      intake.leave(customer_id, counted);
      intake.keep(customer_id, bytes);
      counted = bytes;
    },
    leave: () => intake.leave(customer_id, counted),
  };
}

export interface Intake {
  /** Throws `rate_limited` when the customer has too much under way, `overloaded` when all have. */
  enter(customer_id: string, bytes: number): void;
  /** Counts the bytes whether or not there is room. */
  keep(customer_id: string, bytes: number): void;
  /** Ends what `enter` or `keep` began; call it with the same arguments. */
  leave(customer_id: string, bytes: number): void;
  /** Bytes in flight. */
  load(): number;
}

export function createIntake(limits: IntakeLimits = LIMITS): Intake {
  const of = new Map<string, number>();
  let all = 0;
  const keep = (customer_id: string, bytes: number): void => {
    of.set(customer_id, (of.get(customer_id) ?? 0) + bytes);
    all += bytes;
  };
  return {
    enter(customer_id, bytes) {
      const own = of.get(customer_id) ?? 0;
      if (own + bytes > limits.bytes_each) {
        throw new WeirError('rate_limited', {
          detail: 'your unanswered requests are too large together; send fewer at a time, or try again in 1 s',
          retry_after_s: 1,
        });
      }
      if (all + bytes > limits.bytes) {
        throw new WeirError('overloaded', {
          detail:
            'the unanswered requests of all customers are too large together; nothing was stored, try again in 1 s',
          retry_after_s: 1,
        });
      }
      keep(customer_id, bytes);
    },
    keep,
    leave(customer_id, bytes) {
      all -= bytes;
      const left = (of.get(customer_id) ?? 0) - bytes;
      if (left > 0) of.set(customer_id, left);
      else of.delete(customer_id);
    },
    load: () => all,
  };
}
