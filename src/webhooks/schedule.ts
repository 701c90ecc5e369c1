/** When a message is tried again: the schedule of the Standard Webhooks specification, 10 attempts over 75 hours. */

const SECOND = 1;
const MINUTE = 60;
const HOUR = 3_600;

export interface Schedule {
  /** Pause before each further attempt at a message, in seconds; after the last one the message is dead. */
  retries_s: readonly number[];
  /** Longest pause of an endpoint whose attempts fail, for any message. */
  max_pause_s: number;
  /** An endpoint whose attempts all failed for this long is disabled. */
  give_up_s: number;
}

export const SCHEDULE: Schedule = {
  retries_s: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  max_pause_s: MINUTE,
  give_up_s: 5 * 24 * HOUR,
};

/** Longest pause that a receiver may request. */
const MAX_RETRY_AFTER_S = 24 * HOUR;

/**
 * Seconds until the next attempt at a message; `null` when there is none. `made`: attempts so far, at least 1.
 * `spread`: 0 to 1, drawn for each attempt, so that messages that failed together are not retried together. A receiver
 * may request a longer pause, not a shorter one.
 */
export function pauseAfter(
  { retries_s }: Schedule,
  made: number,
  retry_after_s: number | null,
  spread: number,
): number | null {
  const pause = retries_s[made - 1];
  if (pause === undefined) return null;
  return Math.max(pause * (1 + 0.1 * spread), asked(retry_after_s));
}

/**
 * Seconds in which nothing is sent to an endpoint after `failures` in a row: 1, 2, 4, … Messages for a receiver that is
 * down do not spend their attempts, and its Retry-After holds for every message.
 */
export function endpointPause({ max_pause_s }: Schedule, failures: number, retry_after_s: number | null): number {
  return Math.max(Math.min(2 ** (failures - 1), max_pause_s), asked(retry_after_s));
}

function asked(retry_after_s: number | null): number {
  return Math.min(retry_after_s ?? 0, MAX_RETRY_AFTER_S);
}
