/**
 * Bytes of requests that are being read or answered, so that memory stays bounded however many arrive at once: for each
 * customer, so that one cannot take it all, and for all. What does not fit is refused before it is read. What was read counts
 * for the memory that it takes now, if that is more: three bytes may be an object of sixty-four.
 */
import { WeirError } from '../errors.ts';

export interface IntakeLimits {
  /** Of one customer; the largest request must fit. */
  bytes_each: number;
  bytes: number;
}

/** Two of the largest batches of one customer, eight of all; read and parsed they take a few times that. */
const LIMITS: IntakeLimits = { bytes_each: 32 * 2 ** 20, bytes: 128 * 2 ** 20 };

/** What a value takes in memory, nearly at most: an empty object, or a number under a key that no other object has. */
export const VALUE_BYTES = 80;

/** What one request counts for. */
export interface Share {
  /** Once it is read: it holds so many values. Answers the bytes that it counts for now. Throws as `enter` does. */
  weigh(values: number): number;
  /** It was answered and is gone: what is left is an answer of so many bytes, until the caller has taken it. */
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
  /** Counts what is there whether or not there is room. */
  keep(customer_id: string, bytes: number): void;
  /** Ends what `enter` or `keep` began, with the same arguments. */
  leave(customer_id: string, bytes: number): void;
  /** Bytes under way. */
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
          detail:
            'requests of yours that are not answered yet are too large together; send fewer at a time, or try again in 1 s',
          retry_after_s: 1,
        });
      }
      if (all + bytes > limits.bytes) {
        throw new WeirError('overloaded', {
          detail: 'requests that are not answered yet are too large together; nothing was stored, try again in 1 s',
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
