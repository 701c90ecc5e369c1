/** How many calls of a language model each customer has in an hour. */
import type { Clock } from '../../platform/clock.ts';
import type { Cache } from '../../storage/ports/cache.ts';

export interface Budget {
  /** Takes one call; false when the hour's calls are used up. */
  take(customer_id: string): Promise<boolean>;
  /** Gives back a call that was not made. */
  giveBack(customer_id: string): Promise<void>;
}

const HOUR_MS = 3_600_000;

/**
 * Counted in the cache, so that the processes that share one share the budget. While it is away, each process counts for itself.
 *
 * @param calls_per_hour 0: no limit
 */
export function createBudget(calls_per_hour: number, cache: Pick<Cache, 'increment'>, clock: Clock): Budget {
  let own = { hour: -1, counts: new Map<string, number>() };

  async function add(customer_id: string, by: number): Promise<number> {
    const hour = Math.floor(clock.now() / HOUR_MS);
    try {
      return await cache.increment(`llm-calls:${customer_id}:${hour}`, by, HOUR_MS);
    } catch {
      if (own.hour !== hour) own = { hour, counts: new Map() };
      const count = (own.counts.get(customer_id) ?? 0) + by;
      own.counts.set(customer_id, count);
      return count;
    }
  }

  return {
    take: async (customer_id) => calls_per_hour === 0 || (await add(customer_id, 1)) <= calls_per_hour,
    giveBack: async (customer_id) => {
      if (calls_per_hour > 0) await add(customer_id, -1);
    },
  };
}
