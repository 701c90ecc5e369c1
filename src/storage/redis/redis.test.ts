import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { cacheContract } from '../../../test/contract/index.ts';
import { makeTrace, range } from '../../../test/contract/start.ts';
import { PATIENCE_MS, until } from '../../../test/support/patience.ts';
import { memory_key, NO_REDIS_SERVER, startRedis } from '../../../test/support/redis.ts';
import { WIDE_LIMITS } from '../../../test/support/wide-limits.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { memoryOf } from '../../scoring/history/memory.ts';
import { redisCache } from './cache.ts';
import { writeMemory } from './parse-memory.ts';

const URL_OF_SERVER = process.env['TEST_REDIS_URL'];
const NO_SERVER = URL_OF_SERVER === undefined ? 'TEST_REDIS_URL is not set: no Redis to test against' : undefined;

cacheContract(
  'redis',
  async () => {
    const prefix = `weir-test-${randomUUID()}:`;
    const cache = redisCache(URL_OF_SERVER!, { memory_key, ...WIDE_LIMITS, prefix });
    const other = redisCache(URL_OF_SERVER!, { memory_key, ...WIDE_LIMITS, prefix });
    return {
      cache,
      other,
      async dispose() {
        await Promise.all([cache.close(), other.close()]);
        await removeKeys(prefix);
      },
    };
  },
  NO_SERVER,
);

async function removeKeys(prefix: string): Promise<void> {
  const redis = new Redis(URL_OF_SERVER!);
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if ((keys as string[]).length > 0) await redis.del(...(keys as string[]));
  }
  redis.disconnect();
}

describe('redis: foreign memories', { skip: NO_SERVER ?? false }, () => {
  const ours = memoryOf([makeTrace('e1')]);
  const without = Object.keys(ours).map((name) => JSON.stringify({ ...ours, [name]: undefined }));
  const malformed = [
    ...['', ' ', '{', '{}', '[]', '1', '"s"', 'null', 'true', '{"latest":"x"}'],
    ...without,
    ...['latest', 'actions', 'pace', 'hours', 'classes', 'last'].map((name) => JSON.stringify({ ...ours, [name]: 1 })),
    JSON.stringify({ ...ours, n: '1' }),
    JSON.stringify({ ...ours, n: 0 }).replace('"n":0', '"n":1e999'),
    JSON.stringify({ ...ours, actions: { entries: [['a', 1, 1]], novelty: 1 } }),
    JSON.stringify({ ...ours, hours: { ...ours.hours, counts: [1] } }),
    JSON.stringify({ ...ours, last: [{ ...ours.last[0], score: '9' }] }),
    JSON.stringify({ ...ours, last: [null] }),
  ];

  test('count as missing, affect none that is read beside them, and are rebuilt', async () => {
    const prefix = `weir-test-${randomUUID()}:`;
    const redis = new Redis(URL_OF_SERVER!, { keyPrefix: prefix });
    const cache = redisCache(URL_OF_SERVER!, { memory_key, ...WIDE_LIMITS, prefix });
    try {
      await cache.memories.update('ours', () => structuredClone(ours), 60_000);
      for (const text of malformed) {
        await redis.set('foreign', `${'0'.repeat(24)} ${text}`, 'PX', 60_000);
        const reader = redisCache(URL_OF_SERVER!, { memory_key, ...WIDE_LIMITS, prefix });
        assert.deepEqual(await reader.memories.read(['foreign', 'ours']), [null, ours], text);
        await reader.memories.update('foreign', (found) => (found === null ? structuredClone(ours) : null), 60_000);
        assert.deepEqual(await cache.memories.read(['foreign']), [ours], text);
        await reader.close();
      }
    } finally {
      redis.disconnect();
      await cache.close();
      await removeKeys(prefix);
    }
  });
});

describe('redis: who can write to it', { skip: NO_SERVER ?? false }, () => {
  test('cannot forge, alter or exchange a memory: it counts as lost', async () => {
    const prefix = `weir-test-${randomUUID()}:`;
    const cache = redisCache(URL_OF_SERVER!, { memory_key, ...WIDE_LIMITS, prefix });
    const attacker = new Redis(URL_OF_SERVER!, { keyPrefix: prefix });
    try {
      const memory = memoryOf([makeTrace('e1')]);
      for (const key of ['agent-a', 'agent-b']) await cache.memories.update(key, () => memory, 60_000);
      // Another node, which has not read it before.
      const read = async () => {
        const reader = redisCache(URL_OF_SERVER!, { memory_key, ...WIDE_LIMITS, prefix });
        const [found] = await reader.memories.read(['agent-a']);
        await reader.close();
        return found;
      };
      const genuine = (await attacker.get('agent-a'))!;
      assert.notEqual(await read(), null);
      const forged = [
        genuine.replace('"n":1', '"n":0'),
        genuine.slice(0, genuine.lastIndexOf('\n')),
        (await attacker.get('agent-b'))!,
        `${genuine.slice(0, 24)} ${JSON.stringify(memory)}`,
        writeMemory('agent-a', 'a'.repeat(24), memory, Buffer.alloc(32, 8)),
      ];
      for (const text of forged) {
        assert.notEqual(text, genuine);
        await attacker.set('agent-a', text);
        assert.equal(await read(), null, text.slice(0, 60));
      }
      await cache.memories.update('agent-a', () => memory, 60_000);
      assert.notEqual(await read(), null, 'it is written again over the forged one');
    } finally {
      await Promise.all([cache.close(), attacker.quit()]);
      await removeKeys(prefix);
    }
  });
});

describe('redis: comparing memories with stored events', { skip: NO_SERVER ?? false }, () => {
  const prefix = `weir-test-${randomUUID()}:`;
  const [one, two] =
    NO_SERVER === undefined ? [0, 1].map(() => redisCache(URL_OF_SERVER!, { memory_key, ...WIDE_LIMITS, prefix })) : [];
  after(async () => {
    await Promise.all([one?.close(), two?.close()]);
    if (NO_SERVER === undefined) await removeKeys(prefix);
  });
  const shared = () => [one!.memories.shared!, two!.memories.shared!] as const;
  const at = (second: number, event_id: string) => ({
    ...makeTrace(event_id),
    scored_at: new Date(second * 1_000).toISOString().replace('Z', '000Z'),
  });
  const S = 1_800_000_000;

  test('a memory stays when it is complete or was made later; otherwise it is removed', async () => {
    const [mine] = shared();
    const put = (key: string, counted_from: number, ...seconds: number[]) => {
      const memory = { ...memoryOf(seconds.map((second, n) => at(second, `e${n}`))), counted_from };
      return one!.memories.update(key, () => memory, 60_000);
    };
    const isThere = async (key: string) => (await two!.memories.read([key]))[0] !== null;
    const cases: [text: string, stays: boolean, counted_from: number, has: number[], wanted: [number, number][]][] = [
      [
        'all are there',
        true,
        0,
        [S, S, S + 1],
        [
          [S, 2],
          [S + 1, 1],
        ],
      ],
      ['what came since does not count', true, 0, [S, S + 1, S + 2], [[S, 1]]],
      ['one of a second is missing', false, 0, [S, S + 1], [[S, 2]]],
      [
        'a whole second is missing',
        false,
        0,
        [S + 1],
        [
          [S, 1],
          [S + 1, 1],
        ],
      ],
      [
        'the second of two is missing',
        false,
        0,
        [S, S + 2],
        [
          [S, 1],
          [S + 1, 1],
        ],
      ],
      ['there is one too many', false, 0, [S, S], [[S, 1]]],
      ['a count that begins alike', false, 0, Array(12).fill(S), [[S, 1]]],
      ['it knows of nothing', false, 0, [], [[S, 1]]],
      ['it was made later', true, S + 1, [], [[S, 1]]],
      ['it was made then', false, S, [], [[S, 1]]],
      ['more seconds have passed than it counts', false, 0, range(20).map((n) => S + n), [[S, 1]]],
    ];
    for (const [i, [text, stays, counted_from, has, wanted]] of cases.entries()) {
      const key = `m${i}`;
      await put(key, counted_from, ...has);
      const counts = wanted.map(([second, n]) => ({ key, second, n }));
      assert.equal(await mine.removeShort(counts), stays ? 0 : 1, text);
      assert.equal(await isThere(key), stays, text);
      assert.equal(await mine.removeShort(counts), 0, `${text}: once`);
    }
    const many = range(1_000).map((n) => ({ key: `many${n}`, second: S, n: 1 }));
    await Promise.all(many.map(({ key }, n) => put(key, 0, n % 2 === 0 ? S : S + 1)));
    assert.equal(await mine.removeShort(many), 500);
  });

  test('no text of a caller is mistaken for a count', async () => {
    const event_id = `[${S},1]],"n":1,"seconds":[[${S},1]]`;
    const memory = memoryOf([{ ...at(S + 1, event_id), trace: { ...makeTrace('').trace, action: event_id } }]);
    await one!.memories.update('forged', () => ({ ...memory, seconds: [] }), 60_000);
    assert.equal(await shared()[0].removeShort([{ key: 'forged', second: S, n: 1 }]), 1);
  });

  test('it is one process’s turn until it does not come back, and each goes on from where the last one was', async () => {
    const [mine, theirs] = shared();
    const LONG_MS = 60_000;
    assert.deepEqual(await mine.takeTurn('a', LONG_MS), { compared_to: null });
    assert.equal(await theirs.takeTurn('a', LONG_MS), null);
    assert.deepEqual(await theirs.takeTurn('b', LONG_MS), { compared_to: null }, 'another database is another matter');
    await mine.moveOn('a', null, S);
    assert.deepEqual(await mine.takeTurn('a', 1), { compared_to: S }, 'its turn ends soon now');
    while ((await theirs.takeTurn('a', LONG_MS)) === null) await sleep(20);
    assert.equal(await mine.takeTurn('a', LONG_MS), null);
    await theirs.moveOn('a', S, S + 2);
    await mine.moveOn('a', S, S + 9);
    assert.deepEqual(
      await theirs.takeTurn('a', LONG_MS),
      { compared_to: S + 2 },
      'a process that lost the turn does not advance it',
    );
  });
});

describe('redis: while it is away', { skip: NO_SERVER ?? false }, () => {
  test('calls fail in bounded time, and succeed again when it is back', async () => {
    const server = new URL(URL_OF_SERVER!);
    const sockets = new Set<Socket>();
    let mode: 'pass' | 'refuse' | 'freeze' = 'pass';
    const proxy = createServer((client) => {
      if (mode === 'refuse') return client.destroy();
      const upstream = connect(Number(server.port || 6379), server.hostname);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      }
      client.on('data', (data) => mode === 'pass' && upstream.write(data)).on('close', () => upstream.destroy());
      upstream.on('data', (data) => mode === 'pass' && client.write(data)).on('close', () => client.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as { port: number };
    const prefix = `weir-test-${randomUUID()}:`;
    const cache = redisCache(`redis://127.0.0.1:${port}`, { memory_key, prefix });

    /** Every call fails, though the network does not come back meanwhile. */
    async function fails(): Promise<void> {
      const calls = [
        cache.get('a'),
        cache.set('a', 'x', 1_000),
        cache.delete('a'),
        cache.increment('n', 1, 1_000),
      ] as Promise<unknown>[];
      calls.push(
        cache.memories.read(['m']).then(() => null),
        cache.memories.update('m', () => null, 1_000),
      );
      for (const result of await Promise.allSettled(calls)) {
        assert(result.status === 'rejected' && result.reason instanceof StoreUnavailable, JSON.stringify(result));
      }
      assert.equal((await cache.health()).status, 'error');
    }

    await cache.set('a', 'before', 60_000);
    mode = 'refuse';
    for (const socket of sockets) socket.destroy();
    await sleep(20);
    await fails();
    mode = 'pass';
    await until(async () => (await cache.health()).status === 'ok', 'the cache recovers');
    assert.equal(await cache.get('a'), 'before');
    mode = 'freeze';
    await fails();

    await cache.close();
    await assert.rejects(cache.get('a'), StoreUnavailable);
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await removeKeys(prefix);
  });

  test('a Redis that was never reachable does not prevent a start', async () => {
    const cache = redisCache('redis://127.0.0.1:1', { memory_key });
    await assert.rejects(cache.get('a'), StoreUnavailable);
    assert.equal((await cache.health()).status, 'error');
    await cache.close();
  });
});

describe('redis: log messages', () => {
  /** The notices, and a way to wait until there are this many. */
  function listen() {
    const said: string[] = [];
    return {
      said,
      notice: (text: string) => void said.push(text),
      async until(lines: number): Promise<void> {
        const deadline = performance.now() + PATIENCE_MS;
        while (said.length < lines) {
          assert(performance.now() < deadline, `only this was said: ${said.join('; ')}`);
          await sleep(10);
        }
      },
    };
  }

  test('where nobody listens, once and not with each call', async () => {
    const { said, notice, until } = listen();
    const cache = redisCache('redis://:hunter2@127.0.0.1:1', { memory_key, notice });
    await until(1);
    for (const _ of range(20)) await assert.rejects(cache.get('a'), /did not answer: connect ECONNREFUSED/);
    assert.match((await cache.health()).detail!, /ECONNREFUSED/);
    // Long enough for some more attempts to connect.
    await sleep(1_200);
    await cache.close();
    assert.equal(said.length, 1);
    assert.match(
      said[0]!,
      /^Redis at `127\.0\.0\.1:1` cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1; .*REDIS_URL/,
    );
  });

  test('a full Redis and a replica are in error until they accept writes', {
    skip: NO_REDIS_SERVER ?? false,
  }, async () => {
    const server = await startRedis();
    const admin = new Redis(server.url);
    const { said, notice, until } = listen();
    const cache = redisCache(server.url, { memory_key, ...WIDE_LIMITS, notice });
    const write = (): Promise<void> => cache.memories.update('m', () => memoryOf([makeTrace('e1')]), 60_000);
    try {
      assert.equal((await cache.health()).status, 'ok');
      await admin.config('SET', 'maxmemory', 1);
      await assert.rejects(write(), StoreUnavailable);
      await until(1);
      assert.match(said[0]!, /cannot be used: OOM command not allowed when used memory > 'maxmemory'\.; /);
      const full = await cache.health();
      assert.equal(full.status, 'error');
      assert.match(full.detail!, /^OOM/);
      await admin.config('SET', 'maxmemory', 0);
      await until(2);
      assert.match(said[1]!, /is in use$/);
      await write();
      assert.equal((await cache.health()).status, 'ok');

      await admin.replicaof('127.0.0.1', 1);
      const replica = await cache.health();
      assert.equal(replica.status, 'error');
      assert.match(replica.detail!, /^READONLY/);
      await admin.replicaof('NO', 'ONE');
      await until(4);
      assert.equal((await cache.health()).status, 'ok');

      for (const key of await admin.keys('*')) assert.ok(key.startsWith('weir:') && (await admin.pttl(key)) > 0, key);
      assert.equal(said.length, 4, said.join('\n'));
    } finally {
      admin.disconnect();
      await cache.close();
      await server.stop();
    }
  });

  test('a Redis that goes away and comes back', { skip: NO_REDIS_SERVER ?? false }, async () => {
    const server = await startRedis();
    const { said, notice, until } = listen();
    const cache = redisCache(server.url, { memory_key, ...WIDE_LIMITS, notice });
    try {
      await cache.set('a', 'x', 60_000);
      await server.restart();
      await until(2);
      if (!said.at(-1)!.endsWith('is in use')) await until(3);
      assert.match(said[0]!, /cannot be used: (the connection was lost|connect ECONNREFUSED)/);
      assert.equal((await cache.health()).status, 'ok');
    } finally {
      await cache.close();
      await server.stop();
    }
  });
});
