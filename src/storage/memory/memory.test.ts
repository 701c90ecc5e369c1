import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheContract } from '../../../test/contract/index.ts';
import { emptyMemory } from '../../scoring/history/memory.ts';
import { memoryCache } from './cache.ts';
import { memoryMemories } from './memories.ts';

cacheContract('memory', async () => {
  const cache = memoryCache();
  return { cache, other: cache, dispose: () => cache.close() };
});

test('memories stay within their bytes for any number of agents', async () => {
  const memories = memoryMemories(1_000_000);
  for (let n = 0; n < 5_000; n += 1) await memories.update(`agent ${n}`, () => emptyMemory(), 60_000);
  const kept = await memories.read(Array.from({ length: 5_000 }, (_, n) => `agent ${n}`));
  const count = kept.filter((memory) => memory !== null).length;
  assert.ok(count > 100 && count <= 400, `${count} are kept`);
  assert.notEqual(kept.at(-1), null);
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
