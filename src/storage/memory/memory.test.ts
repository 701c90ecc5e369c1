import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheContract } from '../contract.ts';
import { memoryCache } from './cache.ts';

cacheContract('memory', async () => {
  const cache = memoryCache();
  return { cache, dispose: () => cache.close() };
});

test('it never holds more entries or characters than it was given', async () => {
  const cache = memoryCache({ max_entries: 10, max_size: 1_000 });
  for (let n = 0; n < 20; n += 1) await cache.set(`key ${n}`, 'x', 60_000);
  assert.equal(await cache.get('key 9'), null);
  assert.equal(await cache.get('key 19'), 'x');
  await cache.set('large', 'x'.repeat(900), 60_000);
  assert.equal(await cache.get('key 10'), null, 'the oldest makes room');
  await cache.set('too large', 'x'.repeat(2_000), 60_000);
  assert.equal(await cache.get('too large'), null);
});
