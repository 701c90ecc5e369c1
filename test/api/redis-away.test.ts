/** Redis only saves the database work: without it a node starts, works and says what is wrong, and when it is in use again. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { call, fullEvent } from '../support/client.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { NO_REDIS_SERVER, startRedis } from '../support/redis.ts';
import { startWeir, type Weir } from '../support/weir.ts';

interface Health {
  status: string;
  dependencies: { cache: { status: string } };
}

async function healthOf(weir: Weir): Promise<[status: string, cache: string]> {
  const { json } = await call(`${weir.api}/health/detailed`);
  const { status, dependencies } = json as unknown as Health;
  return [status, dependencies.cache.status];
}

async function untilSaid(weir: Weir, words: RegExp): Promise<void> {
  while (!words.test(weir.stderr())) {
    assert.equal(weir.child.exitCode, null, weir.stderr());
    await sleep(50);
  }
}

async function score(weir: Weir): Promise<void> {
  const scored = await call(`${weir.api}/events`, { key: weir.api_key, body: fullEvent() });
  assert.equal(scored.status, 200, scored.text);
}

describe('Redis that cannot be used', { timeout: 2 * PATIENCE_MS }, () => {
  test('because nobody listens: a start, work, a line in the log, and no word of the password', async () => {
    const weir = await startWeir({ env: { REDIS_URL: 'redis://:hunter2@127.0.0.1:1', METRICS_PORT: '0' } });
    await score(weir);
    await untilSaid(weir, /Redis at `127\.0\.0\.1:1` cannot be used: connect ECONNREFUSED/);
    assert.deepEqual(await healthOf(weir), ['degraded', 'error']);
    const metrics = await (await fetch(`${weir.metrics}/metrics`)).text();
    assert.match(metrics, /weir_store_up\{store="cache"\} 0/);
    assert.equal((await weir.stop()).code, 0, weir.stderr());
    assert.doesNotMatch(weir.stderr(), /hunter2/);
  });

  test('because it is full: the same, and it is used when it has room', {
    skip: NO_REDIS_SERVER ?? false,
  }, async () => {
    const redis = await startRedis();
    const admin = new Redis(redis.url);
    const weir = await startWeir({ env: { REDIS_URL: redis.url } });
    try {
      assert.deepEqual(await healthOf(weir), ['ok', 'ok']);
      assert.doesNotMatch(weir.stderr(), /Redis/);
      await admin.config('SET', 'maxmemory', 1);
      await score(weir);
      await untilSaid(weir, /cannot be used: OOM/);
      assert.deepEqual(await healthOf(weir), ['degraded', 'error']);
      await admin.config('SET', 'maxmemory', 0);
      await untilSaid(weir, /is in use/);
      assert.deepEqual(await healthOf(weir), ['ok', 'ok']);
    } finally {
      admin.disconnect();
      await weir.stop();
      await redis.stop();
    }
  });
});
