/** Callers that stay. */
import type { Waiter } from '../../src/platform/waiter.ts';

export const patientWaiter = (checkWanted: () => void = () => {}): Waiter => ({
  checkWanted,
  left: () => new AbortController().signal,
  timeLeft: () => Number.POSITIVE_INFINITY,
});
