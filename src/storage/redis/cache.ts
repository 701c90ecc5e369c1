/**
 * Short-lived state shared by processes, in Redis. A call answers within half a second, times the patience, or rejects with
 * `StoreUnavailable`; while Redis is away calls reject immediately, and the connection recovers by itself.
 */
import { Redis } from 'ioredis';
import { StoreUnavailable } from '../../platform/errors.ts';
import type { Cache } from '../ports/cache.ts';
import { measureHealth } from '../ports/health.ts';
import { redisMemories } from './memories.ts';
import { watchRedis } from './watch.ts';

export interface RedisCacheOptions {
  /** The key that authenticates memories: the same on every node, and unknown to Redis. */
  memory_key: () => Promise<Buffer>;
  /** Prefix of every key, so that a Redis may be shared; `weir:` by default. */
  prefix?: string;
  /** Factor of the time limits; 1 by default. */
  patience?: number;
  /** Called while Redis cannot be used, and when it can be used again; discarded by default. */
  notice?: (text: string) => void;
}

/** A slower cache is of no use: its callers can do without. */
const ANSWER_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
const MAX_RECONNECT_DELAY_MS = 2_000;

/** Connects in the background: a Redis that is away must not prevent a start. */
export function redisCache(url: string, options: RedisCacheOptions): Cache {
  const { patience = 1 } = options;
  const redis = new Redis(url, {
    keyPrefix: options.prefix ?? 'weir:',
    connectionName: 'weir',
    connectTimeout: CONNECT_TIMEOUT_MS * patience,
    // Closing must not wait for a server that is away.
    disconnectTimeout: 200,
    commandTimeout: ANSWER_TIMEOUT_MS * patience,
    // A command is sent on a live connection or not at all: one that was sent must not be counted twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), MAX_RECONNECT_DELAY_MS),
  });
  const ready = firstConnection(redis, CONNECT_TIMEOUT_MS * patience);
  const watch = watchRedis(redis, ready, options.notice ?? (() => {}));

  async function ask<T>(command: () => Promise<T>): Promise<T> {
    await ready;
    try {
      return await command();
    } catch (error) {
      watch.look();
      throw new StoreUnavailable(`the cache did not answer: ${watch.reasonOf(error)}`, { cause: error });
    }
  }

  return {
    get: (key) => ask(() => redis.get(key)),
    set: (key, value, ttl_ms) => ask(async () => void (await redis.set(key, value, 'PX', wholeMs(ttl_ms)))),
    memories: redisMemories(redis, ask, options.memory_key),
    delete: (key) => ask(async () => void (await redis.del(key))),
    increment: (key, by, ttl_ms) =>
      ask(async () => {
        // Both or neither: a counter without expiry would never reset.
        const answers = await redis.multi().set(key, 0, 'PX', wholeMs(ttl_ms), 'NX').incrby(key, by).exec();
        const [error, value] = answers?.[1] ?? [new Error('no answer'), null];
        if (error !== null) throw error;
        return Number(value);
      }),
    health: () => measureHealth(watch.use, patience),
    async close() {
      watch.stop();
      redis.disconnect();
    },
  };
}

/**
 * Settles when the first attempt to connect is over, with or without success, so that calls right after the start
 * succeed.
 */
function firstConnection(redis: Redis, limit_ms: number): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['ready', 'close', 'end'] as const) redis.once(event, resolve);
    setTimeout(resolve, limit_ms).unref();
  });
}

function wholeMs(ttl_ms: number): number {
  return Math.max(1, Math.ceil(ttl_ms));
}
