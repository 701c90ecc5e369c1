/**
 * Whether Redis can be used: answering is not enough, it has to accept writes. Checked after any failure, in the
 * background, and then each second until it can be used; the log is told.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { StoreUnavailable } from '../../platform/errors.ts';
import { reasonOf } from '../reason-of.ts';
import { tellUsage } from '../usage.ts';

export interface RedisWatch {
  /** Rejects unless Redis takes a small key. */
  use(): Promise<void>;
  /** Call it after a failure. Determines in the background whether Redis as a whole is unusable. */
  look(): void;
  /** Why a command failed, in words for an operator. */
  reasonOf(error: unknown): string;
  stop(): void;
}

const RETRY_MS = 1_000;
const KEY = 'in-use';
const KEY_TTL_MS = 10_000;
/** A script, as memories are written by one: a full Redis, a replica, and one that forbids scripts refuse it. */
const WRITE = `return redis.call('set', KEYS[1], '1', 'px', ARGV[1])`;

/** `ready` settles when the first attempt to connect is over. */
export function watchRedis(redis: Redis, ready: Promise<void>, notice: (text: string) => void): RedisWatch {
  const { host, port } = redis.options;
  const words = {
    name: `Redis at \`${host}:${port}\``,
    advice: 'scoring continues with the database alone; check REDIS_URL and the server',
  };
  const usage = tellUsage(words, notice);
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Why there is no connection, when there is none: a command that finds none does not know. */
  let lost = 'there is no connection yet';
  let is_looking = false;

  redis.on('error', (error) => {
    lost = reasonOf(error);
    look();
  });
  redis.on('ready', () => {
    lost = 'the connection was lost';
  });
  redis.on('close', look);

  const whyOf = (error: unknown): string => (redis.status === 'ready' ? withoutScript(reasonOf(error)) : lost);

  async function use(): Promise<void> {
    await ready;
    try {
      await redis.eval(WRITE, 1, KEY, KEY_TTL_MS);
    } catch (error) {
      const reason = whyOf(error);
      if (!signal.aborted) usage.away(reason);
      look();
      throw new StoreUnavailable(reason, { cause: error });
    }
    if (!signal.aborted) usage.up();
  }

  async function lookUntilUsed(): Promise<void> {
    for (let is_used = false; !is_used && !signal.aborted; ) {
      is_used = await use().then(
        () => true,
        () => false,
      );
      if (!is_used) await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  function look(): void {
    if (is_looking) return;
    is_looking = true;
    void lookUntilUsed().finally(() => {
      is_looking = false;
    });
  }

  // A Redis that is full from the start is reported before it is needed.
  look();
  return { use, look, reasonOf: whyOf, stop: () => stopping.abort() };
}

/** Redis appends which script and which line was refused, which an operator cannot look up. */
function withoutScript(reason: string): string {
  return reason.replace(/ script: [0-9a-f]{40}\b.*/s, '');
}
