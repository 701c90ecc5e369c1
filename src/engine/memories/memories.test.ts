import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, SECOND, storedTrace, WEDNESDAY } from '../../../test/support/history.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { memoryCache } from '../../storage/memory/cache.ts';
import type { MemoryCache } from '../../storage/ports/cache.ts';
import type { TraceOwner, Traces } from '../../storage/ports/storage.ts';
import { createMemories, ownersOf } from './memories.ts';

const ownersFor = (customer_id: string) =>
  ownersOf(customer_id, { agent: { agent_id: 'a' }, session: { session_id: 's' } })!;
const OWNERS = ownersFor('c');

function setUp(cache: MemoryCache, stored: Traces = { traces: [], asked_at: 0 }) {
  const asked: (readonly TraceOwner[])[] = [];
  const clock = { now: () => WEDNESDAY, ticks: () => parts.ticks };
  const scores = {
    traces: async (owners: readonly TraceOwner[]) => {
      asked.push(owners);
      return owners.map(() => stored);
    },
  };
  const storage = { scores } as unknown as Parameters<typeof createMemories>[0]['storage'];
  const parts = { asked, ticks: 0, memories: createMemories({ storage, cache: { memories: cache }, clock }) };
  return parts;
}

test('events that come together cause one query to the cache and one to the database', async () => {
  const { here: _, ...memories } = memoryCache().memories;
  const reads: (readonly string[])[] = [];
  const { asked, memories: known } = setUp({
    ...memories,
    read: (keys) => {
      reads.push(keys);
      return memories.read(keys);
    },
  });
  const together = () =>
    Promise.all(Array.from({ length: 50 }, (_, i) => known.recall(ownersFor(`customer-${i % 2}`))));
  await together();
  // The agent and the session of two customers, and the customers themselves.
  assert.deepEqual([reads.length, reads[0]?.length, asked.length, asked[0]?.length], [1, 6, 1, 6]);
  await together();
  assert.deepEqual([reads.length, asked.length], [2, 1], 'what is new is asked for once');
});

test('a cache that failed is not asked for a second, however many events come', async () => {
  const { memories } = memoryCache();
  let calls = 0;
  let is_away = true;
  const answer = <T>(work: () => Promise<T>): Promise<T> => {
    calls += 1;
    return is_away ? Promise.reject(new StoreUnavailable('away')) : work();
  };
  const parts = setUp({
    read: (keys) => answer(() => memories.read(keys)),
    update: (key, change, ttl_ms) => answer(() => memories.update(key, change, ttl_ms)),
  });
  await parts.memories.recall(OWNERS);
  assert.equal(calls, 1);
  is_away = false;
  for (parts.ticks = 100; parts.ticks < SECOND; parts.ticks += 100) {
    await parts.memories.recall(OWNERS);
    parts.memories.learn(OWNERS, storedTrace(WEDNESDAY));
    await parts.memories.drain();
  }
  assert.equal(calls, 1, 'also changes leave it alone, and do not make the pause longer');
  await parts.memories.recall(OWNERS);
  assert.ok(calls > 1);
});

test('events that a memory was made from count once, also when they are learnt afterwards', async () => {
  const traces = Array.from({ length: 60 }, (_, i) => storedTrace(WEDNESDAY + i * 10, { event_id: `e${i}` }));
  const { memories } = setUp(memoryCache().memories, { traces, asked_at: WEDNESDAY / 1_000 });
  await memories.recall(OWNERS);
  for (const stored of [...traces, storedTrace(WEDNESDAY + SECOND, { event_id: 'new' })])
    memories.learn(OWNERS, stored);
  await memories.drain();
  const { agent } = await memories.recall(OWNERS);
  assert.equal(agent?.n, 61);
  memories.learn(OWNERS, storedTrace(WEDNESDAY + 60 * SECOND, { event_id: 'later' }));
  await memories.drain();
  assert.deepEqual((await memories.recall(OWNERS)).agent?.told, [], 'by then nobody tells of them any more');
});

test('events that a memory was made from count once, also when others have displaced them meanwhile', async () => {
  const at = (name: string, n: number, from: number) =>
    Array.from({ length: n }, (_, i) => storedTrace(WEDNESDAY + from + i, { event_id: `${name}${i}` }));
  const [stored_here, told_first] = [at('late', 8, 0), at('first', 36, 10)];
  const { memories } = setUp(memoryCache().memories, { traces: stored_here, asked_at: WEDNESDAY / 1_000 });
  await memories.recall(OWNERS);
  // Another node tells its events first, more than are kept as the last ones.
  for (const stored of [...told_first, ...stored_here]) memories.learn(OWNERS, stored);
  await memories.drain();
  assert.equal((await memories.recall(OWNERS)).agent?.n, 44);
});

test('`now` follows the clock of the database, not of this machine', async () => {
  const { memories } = setUp(memoryCache().memories);
  memories.learn(OWNERS, storedTrace(WEDNESDAY + HOUR));
  assert.equal(memories.now(), WEDNESDAY + HOUR);
});

test('an owner that an event does not name is not remembered', async () => {
  const { memories } = setUp(memoryCache().memories);
  const { agent, session } = await memories.recall({ ...OWNERS, agent: null });
  assert.deepEqual([agent, session?.n], [null, 0]);
});
