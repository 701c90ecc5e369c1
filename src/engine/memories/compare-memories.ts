/**
 * Compares the memories that nodes share with what is stored, a few seconds after it was scored, and removes those that lack
 * an event, so that they are made again. A node may die between a commit and the cache, the cache may have stood still, or
 * be back from an older copy: nothing has to notice which. Nothing of it is on the way of an event.
 */

import { StoreUnavailable } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import type { Storage } from '../../storage/ports/storage.ts';
import { cacheKeyOf } from './memories.ts';

const EVERY_MS = 1_000;
/** When the process whose turn it is died, another's comes so much later. */
const TURN_MS = 3_000;

export interface Comparing {
  stop(): Promise<void>;
}

export interface ComparingParts {
  storage: Pick<Storage, 'scores'>;
  cache: Pick<Cache, 'memories'>;
  log: Log;
}

/** Begins where the last process ended, and goes on until it is stopped. Does nothing where memories are not shared. Keeps no process alive. */
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
      if (removed > 0) log.info({ removed }, 'memories lacked events; they are made again when they are asked for');
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
      // A store that is away: what was not compared is compared when it is back.
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
