/** Waiting for a person: a record again as soon as something was decided about it. */

import type { StoredScore } from '../records/record.ts';
import type { HoldStore } from '../storage/ports/holds.ts';
import type { ScoreStore } from '../storage/ports/storage.ts';

/** What is known of an event: its record, that it waits to be scored, or nothing. */
export type LookedUp = StoredScore | 'queued' | null;

export interface Waiting {
  /**
   * The record as soon as nothing is left to wait for, and after `wait_s` seconds as it is then. An event that is not
   * scored yet is waited for as well, and on to the decision when its score holds it. 0 does not wait, nor does anybody
   * while too many wait already. `checkWanted` throws when the caller has left: then its place is free within two seconds.
   */
  lookUp(customer_id: string, event_id: string, wait_s: number, checkWanted: () => void): Promise<LookedUp>;
  /** Lets go of everybody who waits, now and from now on: the process is about to stop. */
  release(): void;
}

export interface WaitingParts {
  scores: Pick<ScoreStore, 'lookUp'>;
  holds: Pick<HoldStore, 'onDecision'>;
}

/** Who waits at a time in one process; whoever comes beyond is answered as it is now, so that looking stays cheap. */
const MAX_WAITING = 1_000;
/** How often one looks who was not told: a notice was lost, the hold expired, the event was scored. */
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
          // Before the look, so that no decision falls in between.
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

/** Something may still happen that the caller waits for. */
function isOpen(found: LookedUp): boolean {
  return found === 'queued' || (found !== null && found.hold?.state === 'held');
}
