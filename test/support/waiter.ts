/** Callers that stay. */
import type { Waiter } from '../../src/platform/caller.ts';

export const patientWaiter = (checkWanted: () => void = () => {}): Waiter => ({
  checkWanted,
  left: () => new AbortController().signal,
  timeLeft: () => Number.POSITIVE_INFINITY,
});
