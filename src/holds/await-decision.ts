/** Waiting for a person's decision: returns the record as soon as there is one. */

import type { StoredScore } from '../records/record.ts';
import type { HoldStore } from '../storage/ports/holds.ts';
import type { ScoreStore } from '../storage/ports/storage.ts';

/** The state of an event: its record, waiting to be scored, or unknown. */
export type LookedUp = StoredScore | 'queued' | null;

export interface Waiting {
  /**
   * The record as soon as there is nothing left to wait for, or its state after `wait_s` seconds. Also waits for an
   * event that is not scored yet, and on to the decision when its score holds it. 0 does not wait, and neither does a
   * call beyond the limit of waiting calls. `checkWanted` throws when the client has disconnected: its place is then
   * free within two seconds.
   */
  lookUp(customer_id: string, event_id: string, wait_s: number, checkWanted: () => void): Promise<LookedUp>;
  /** Releases all waiting calls, and every later one at once: the process is about to stop. */
  release(): void;
}

export interface WaitingParts {
  scores: Pick<ScoreStore, 'lookUp'>;
  holds: Pick<HoldStore, 'onDecision'>;
}

/** Waiting calls in one process; a call beyond that is answered with the current state, so that polling stays cheap. */
const MAX_WAITING = 1_000;
/** How often a waiting call looks by itself: a notice was lost, the hold expired, the event was scored. */
const POLL_MS = 2_000;

export function createWaiting({ scores, holds }: WaitingParts): Waiting {
  const rings = new Set<() => void>();
  let is_released = false;
  return {
    async lookUp(customer_id, event_id, wait_s, checkWanted) {
      if (wait_s === 0 || rings.size >= MAX_WAITING) return scores.lookUp(customer_id, event_id);
      let ring = (): void => {};
      const wake = (): void => ring();
      rings.add(wake);
      const forget = holds.onDecision((decided) => {
        if (decided === null || (decided.customer_id === customer_id && decided.event_id === event_id)) wake();
      });
      try {
        const end = performance.now() + wait_s * 1_000;
        for (;;) {
          // Before the look, so that no decision is lost in between.
          const rung = new Promise<void>((resolve) => (ring = resolve));
          const found = await scores.lookUp(customer_id, event_id);
          const left_ms = end - performance.now();
          if (!isOpen(found) || left_ms <= 0 || is_released) return found;
          const timer = setTimeout(wake, Math.min(left_ms, POLL_MS));
          await rung;
          clearTimeout(timer);
          checkWanted();
        }
      } finally {
        forget();
        rings.delete(wake);
      }
    },
    release() {
      is_released = true;
      for (const wake of rings) wake();
    },
  };
}

/** The state can still change in a way that the caller waits for. */
function isOpen(found: LookedUp): boolean {
  return found === 'queued' || (found !== null && found.hold?.state === 'held');
}
