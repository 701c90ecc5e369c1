import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cache } from '../../src/storage/ports/cache.ts';
import { until } from '../support/patience.ts';
import { memoryTests } from './memories.ts';
import { range } from './start.ts';

export interface CacheUnderTest {
  cache: Cache;
  /** A second node on the same state; the same cache where there is only one. */
  other: Cache;
  /** Removes everything and closes it. */
  dispose(): Promise<void>;
}

/** Runs the suite for caches. `skip` says loudly why it cannot run here. */
export function cacheContract(name: string, start: () => Promise<CacheUnderTest>, skip?: string): void {
  describe(`${name}: cache contract`, { skip: skip ?? false }, () => {
    let under_test: CacheUnderTest;
    let cache: Cache;
    before(async () => {
      under_test = await start();
      cache = under_test.cache;
    });
    after(() => under_test?.dispose());

    test('what was set is there until deleted', async () => {
      assert.equal(await cache.get('a'), null);
      await cache.set('a', 'text "\\ \u{1f600}', 60_000);
      assert.equal(await cache.get('a'), 'text "\\ \u{1f600}');
      await cache.set('a', '', 60_000);
      assert.equal(await cache.get('a'), '');
      await cache.delete('a');
      await cache.delete('a');
      assert.equal(await cache.get('a'), null);
    });

    test('it ends after its time', async () => {
      await cache.set('short', 'x', 30);
      await cache.set('fraction', 'x', 0.4);
      await cache.set('long', 'x', 60_000);
      await sleep(60);
      assert.deepEqual(await Promise.all(['short', 'fraction', 'long'].map((key) => cache.get(key))), [
        null,
        null,
        'x',
      ]);
    });

    test('a counter counts each of 200 at once, and ends after the time of its first', async () => {
      const values = await Promise.all(range(200).map(() => cache.increment('n', 2, 60_000)));
      const expected = range(200).map((n) => (n + 1) * 2);
      assert.deepEqual(
        values.sort((a, b) => a - b),
        expected,
      );
      assert.equal(await cache.increment('n', -1, 60_000), 399);
      // On a busy machine its time may be over before the second call.
      let key = '';
      for (let n = 0; key === ''; n += 1) {
        await cache.increment(`short-${n}`, 1, 1_000);
        if ((await cache.increment(`short-${n}`, 1, 600_000)) === 2) key = `short-${n}`;
      }
      await until(async () => (await cache.increment(key, 1, 600_000)) === 1, 'the second did not make it live longer');
    });

    test('keys are taken as they are', async () => {
      const keys = ['', ' ', 'a b', 'a:b', 'A', 'ä', '\n', '*', '__proto__', 'x'.repeat(2_000)];
      await Promise.all(keys.map((key) => cache.set(key, `<${key}>`, 60_000)));
      assert.deepEqual(
        await Promise.all(keys.map((key) => cache.get(key))),
        keys.map((key) => `<${key}>`),
      );
    });

    describe('memories', () => memoryTests(() => [cache.memories, under_test.other.memories]));

    test('health is ok', async () => {
      const health = await cache.health();
      assert.equal(health.status, 'ok');
      assert(health.latency_ms >= 0);
    });
  });
}
