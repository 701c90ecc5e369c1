/**
 * Records the expiry of holds that nobody decided, so that it is announced like a decision. Nothing depends on its
 * timing: a hold is expired from the moment its time runs out, by the database's clock; only the message can be late.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import type { HoldStore } from '../storage/ports/holds.ts';

export interface ExpiryWorker {
  /** Stops looking; resolves when the look in progress is done. */
  stop(): Promise<void>;
}

export interface ExpiryParts {
  holds: Pick<HoldStore, 'expire'>;
  log: Log;
}

const POLL_MS = 1_000;
/** Holds that one statement ends, so that no transaction is long after hours without a worker. */
const AT_ONCE = 500;

/** Starts a worker; any number may run. It logs failures and never rejects. */
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
