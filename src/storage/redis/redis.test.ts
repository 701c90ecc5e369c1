import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { memoryOf } from '../../scoring/history/memory.ts';
import { makeTrace } from '../contract/start.ts';
import { cacheContract } from '../contract.ts';
import { StoreUnavailable } from '../ports.ts';
import { redisCache } from './cache.ts';

const URL_OF_SERVER = process.env['TEST_REDIS_URL'];
const NO_SERVER = URL_OF_SERVER === undefined ? 'TEST_REDIS_URL is not set: no Redis to test against' : undefined;

cacheContract(
  'redis',
  async () => {
    const prefix = `weir-test-${randomUUID()}:`;
    const cache = redisCache(URL_OF_SERVER!, { prefix });
    const other = redisCache(URL_OF_SERVER!, { prefix });
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

describe('redis: memories that are not ours', { skip: NO_SERVER ?? false }, () => {
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

  test('count as nothing, harm none that is read beside them, and are made again', async () => {
    const prefix = `weir-test-${randomUUID()}:`;
    const redis = new Redis(URL_OF_SERVER!, { keyPrefix: prefix });
    const cache = redisCache(URL_OF_SERVER!, { prefix });
    try {
      await cache.memories.update('ours', () => structuredClone(ours), 60_000);
      for (const text of malformed) {
        await redis.set('foreign', `${'0'.repeat(24)} ${text}`, 'PX', 60_000);
        const reader = redisCache(URL_OF_SERVER!, { prefix });
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
    const cache = redisCache(`redis://127.0.0.1:${port}`, { prefix });

    async function failsWithin(limit_ms: number): Promise<void> {
      const start = performance.now();
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
      assert(performance.now() - start < limit_ms, `took ${performance.now() - start} ms`);
    }

    await cache.set('a', 'before', 60_000);
    mode = 'refuse';
    for (const socket of sockets) socket.destroy();
    await sleep(20);
    await failsWithin(100);
    mode = 'pass';
    const deadline = performance.now() + 5_000;
    while ((await cache.health()).status !== 'ok') {
      assert(performance.now() < deadline, 'no recovery within 5 s');
      await sleep(20);
    }
    assert.equal(await cache.get('a'), 'before');
    mode = 'freeze';
    await failsWithin(1_500);

    await cache.close();
    await assert.rejects(cache.get('a'), StoreUnavailable);
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await removeKeys(prefix);
  });

  test('one that was never there does not keep anyone from starting', async () => {
    const cache = redisCache('redis://127.0.0.1:1');
    await assert.rejects(cache.get('a'), StoreUnavailable);
    assert.equal((await cache.health()).status, 'error');
    await cache.close();
  });
});
