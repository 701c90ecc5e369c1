/**
 * Compares the shared memories with the stored events, a few seconds after these were scored, and removes memories that lack an
 * event, so that they are made again. A node may die between a commit and the cache, and the cache may hang or return from an older
 * copy; the comparison covers all of these without detecting which happened. Events never wait for it.
 */

import { StoreUnavailable } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import type { Storage } from '../../storage/ports/storage.ts';
import { cacheKeyOf } from './memories.ts';

const EVERY_MS = 1_000;
/** When the process whose turn it is has died, another takes over after so many milliseconds. */
const TURN_MS = 3_000;

export interface Comparing {
  stop(): Promise<void>;
}

export interface ComparingParts {
  storage: Pick<Storage, 'scores'>;
  cache: Pick<Cache, 'memories'>;
  log: Log;
}

/** Begins where the last process ended, and runs until it is stopped. Does nothing where memories are not shared. Does not keep the process alive. */
export function compareMemories({ storage: { scores }, cache, log }: ComparingParts): Comparing {
  const { shared } = cache.memories;
  if (shared === undefined) return { stop: async () => {} };
  let is_stopping = false;
  let timer: NodeJS.Timeout;
  let origin: string | undefined;

  async function compare(): Promise<void> {
    origin ??= await scores.origin();
    let turn = await shared!.takeTurn(origin, TURN_MS);
    let from = turn?.compared_to ?? null;
    while (turn !== null && !is_stopping) {
      const { until, is_last, counts } = await scores.countOwners(from);
      const removed = await shared!.removeShort(counts.map((one) => ({ ...one, key: cacheKeyOf(one) })));
      if (removed > 0)
        log.info({ removed }, 'memories lacked events and were removed; they are made again when they are needed');
      await shared!.moveOn(origin, from, until);
      if (is_last) return;
      from = until;
      turn = await shared!.takeTurn(origin, TURN_MS);
    }
  }

  async function run(): Promise<void> {
    try {
      await compare();
    } catch (error) {
      // While a store is unavailable nothing is compared; the comparison goes on where it ended when the store is back.
      if (!(error instanceof StoreUnavailable)) log.warn({ err: error }, 'memories cannot be compared; trying again');
    }
    if (!is_stopping) schedule();
  }

  let running = Promise.resolve();
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = run();
    }, EVERY_MS).unref();
  };
  schedule();
  return {
    async stop() {
      is_stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
