/**
 * Circuit breakers: after some failures in a row no call is made for a while, then one tries. Failures that concern every question
 * (no connection, wrong key, overload) open the breaker of all customers. Failures that the text of a question may cause open the
 * breaker of its customer alone: otherwise one customer's agents could switch the model off for everybody.
 */
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { LlmTrouble } from './trouble.ts';

/** A breaker is open: the call was not made. */
export class LlmPaused extends Error {
  override name = 'LlmPaused';
}

export interface BreakerLimits {
  /** Failures in a row that open a breaker. */
  failures: number;
  /** Milliseconds until an open one lets a call through. */
  open_ms: number;
}

/** As in the table of faults: five failures, 30 s. */
export const BREAKER_LIMITS: BreakerLimits = { failures: 5, open_ms: 30_000 };
/** Customers whose breakers are kept. */
const MAX_CUSTOMERS = 10_000;

export interface Breakers {
  /** Makes the call unless a breaker is open; then rejects with `LlmPaused`. */
  run<T>(customer_id: string, call: () => Promise<T>): Promise<T>;
  /** Of the breaker of all customers. */
  isOpen(): boolean;
}

/** @param onOpen told of the failure that opened the breaker of all customers */
export function createBreakers(
  { failures, open_ms }: BreakerLimits = BREAKER_LIMITS,
  onOpen: (trouble: LlmTrouble) => void = () => {},
): Breakers {
  const breaker = (is_of_content: boolean): CircuitBreakerPolicy =>
    circuitBreaker(
      handleWhen((error) => error instanceof LlmTrouble && error.is_of_content === is_of_content),
      { halfOpenAfter: open_ms, breaker: new ConsecutiveBreaker(failures) },
    );
  const all = breaker(false);
  all.onBreak((reason) => {
    if ('error' in reason && reason.error instanceof LlmTrouble) onOpen(reason.error);
  });
  const own = new LRUCache<string, CircuitBreakerPolicy>({ max: MAX_CUSTOMERS });
  const ofCustomer = (customer_id: string): CircuitBreakerPolicy => {
    const known = own.get(customer_id) ?? breaker(true);
    own.set(customer_id, known);
    return known;
  };
  return {
    async run(customer_id, call) {
      try {
        return await ofCustomer(customer_id).execute(() => all.execute(call));
      } catch (error) {
        throw error instanceof BrokenCircuitError ? new LlmPaused('calls are paused after failures') : error;
      }
    },
    isOpen: () => all.state === CircuitState.Open,
  };
}
