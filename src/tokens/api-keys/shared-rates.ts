/**
 * Limits that all nodes share: each node has its own token buckets, tells the cache what it took, and takes from its buckets what the
 * others took. A request waits for nothing, so that together the nodes let through at most what they take between two messages
 * (`EVERY_MS`) beyond the limit. While the cache is away each node keeps to its own buckets.
 */
import type { Clock } from '../../platform/clock.ts';
import { createRates, type Rates } from '../../platform/http/rates.ts';
import type { Cache } from '../../storage/ports/cache.ts';

/** Milliseconds between two messages about one name. */
const EVERY_MS = 50;
/** A counter covers this long; what others took in the last message before its end is forgotten. */
const WINDOW_MS = 60_000;
/** Names with an unsent message; beyond, a name keeps to its own bucket until some are sent. */
const MAX_NAMES = 10_000;

interface Shared {
  window: number;
  /** Taken here and not told yet. */
  untold: number;
  /** What the counter said last, everyone's. */
  seen: number;
  is_telling: boolean;
  told_at: number;
}

/** As `createRates`; `key` is the prefix of the counters. */
export function createSharedRates(
  key: string,
  capacity: number,
  per_second: number,
  clock: Clock,
  cache: Pick<Cache, 'increment'>,
): Rates {
  const own = createRates(capacity, per_second, clock);
  const names = new Map<string, Shared>();

  const tell = async (name: string, one: Shared): Promise<void> => {
    const { window, untold } = one;
    one.is_telling = true;
    one.untold = 0;
    try {
      const all = await cache.increment(`${key}:${name}:${window}`, untold, 2 * WINDOW_MS);
      const of_others = all - one.seen - untold;
      if (one.window === window) one.seen = all;
      if (of_others > 0) own.spend(name, of_others);
    } catch {
      // The cache is away, and says so elsewhere.
    } finally {
      one.is_telling = false;
      one.told_at = clock.ticks();
    }
  };

  const count = (name: string): void => {
    const window = Math.floor(clock.now() / WINDOW_MS);
    let one = names.get(name);
    if (one === undefined || one.window !== window) {
      if (one === undefined && names.size >= MAX_NAMES) forgetOld(window);
      if (one === undefined && names.size >= MAX_NAMES) return;
      one = { window, untold: 0, seen: 0, is_telling: false, told_at: Number.NEGATIVE_INFINITY };
      names.set(name, one);
    }
    one.untold += 1;
    if (!one.is_telling && clock.ticks() - one.told_at >= EVERY_MS) void tell(name, one);
  };

  const forgetOld = (window: number): void => {
    for (const [name, one] of names) if (one.window !== window) names.delete(name);
  };

  return {
    take: (name) => {
      const wait_s = own.take(name);
      if (wait_s === 0) count(name);
      return wait_s;
    },
    has: own.has,
    spend: own.spend,
  };
}
