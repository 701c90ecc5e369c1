/**
 * Token buckets: a steady rate with room for bursts, one bucket per name, bounded memory. Each process keeps its own; `tokens/api-keys/shared-rates.ts` shares them.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

export interface Rates {
  /** Takes one token. Returns 0 when there was one, otherwise the whole seconds (at least 1) until there is one. */
  take(name: string): number;
  /** Whether there is a token, without taking it. */
  has(name: string): boolean;
  /** Takes tokens that were spent elsewhere; there may then be fewer than none, by at most the capacity. */
  spend(name: string, tokens: number): void;
}

interface Bucket {
  tokens: number;
  filled_at: number;
}

/** Buckets kept at once. The least recently used one is dropped, and starts full when its name returns. */
const MAX_BUCKETS = 50_000;

/** At most `capacity` tokens; `per_second` are added each second. */
export function createRates(capacity: number, per_second: number, clock: Clock): Rates {
  // With `max`, it would take the room for all of them when it is made: 10 ms of a start.
  const buckets = new LRUCache<string, Bucket>({ maxSize: MAX_BUCKETS, sizeCalculation: () => 1 });

  const refill = (name: string): Bucket => {
    const now = clock.ticks();
    const bucket = buckets.get(name);
    if (bucket === undefined) {
      const full = { tokens: capacity, filled_at: now };
      buckets.set(name, full);
      return full;
    }
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.filled_at) / 1000) * per_second);
    bucket.filled_at = now;
    return bucket;
  };

  return {
    take: (name) => {
      const bucket = refill(name);
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / per_second));
      bucket.tokens -= 1;
      return 0;
    },
    has: (name) => refill(name).tokens >= 1,
    spend: (name, tokens) => {
      const bucket = refill(name);
      bucket.tokens = Math.max(-capacity, bucket.tokens - tokens);
    },
  };
}
