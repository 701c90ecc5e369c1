/**
 * Writes the end of holds that nobody decided, so that it is told like a decision. Nobody waits for this: a hold is expired
 * from the moment its time ran out, by the database's clock, and what is late here is only the message.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import type { HoldStore } from '../storage/ports/holds.ts';

export interface ExpiryWorker {
  /** Looks no more; resolves when the look under way is done. */
  stop(): Promise<void>;
}

export interface ExpiryParts {
  holds: Pick<HoldStore, 'expire'>;
  log: Log;
}

const POLL_MS = 1_000;
/** Holds that one statement ends, so that no transaction is long after a night without workers. */
const AT_ONCE = 500;

/** Starts a worker; run as many as you like. It says what went wrong in the log, and never rejects. */
export function startExpiryWorker({ holds, log }: ExpiryParts): ExpiryWorker {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const ended = await holds.expire(AT_ONCE).catch((error: unknown) => {
        log.warn({ err: error }, 'holds that expired cannot be written; trying again');
        return 0;
      });
      if (ended < AT_ONCE) await sleep(POLL_MS, null, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
