/** What goes wrong around revocations: the cache is flushed, stopped, restored from an old dump; the process is killed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import type { Cache } from '../../src/storage/ports/cache.ts';
import type { Storage } from '../../src/storage/ports/storage.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { redisCache } from '../../src/storage/redis/cache.ts';
import { call } from '../support/client.ts';
import { memory_key } from '../support/redis.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { startWeir, temporaryDirectory } from '../support/weir.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';
import { assertBad, assertGood, by, makeAuth, makeFamily, steppedClock, subagentOf } from './support.ts';

const NO_REDIS =
  spawnSync('redis-server', ['--version']).error === undefined ? undefined : 'redis-server is not installed';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** A Redis of our own, because it is stopped and flushed. */
async function startRedis(port: number, dir: string): Promise<ChildProcess> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const chunk of child.stdout!) if (String(chunk).includes('Ready to accept')) break;
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

describe('faults of the cache', { skip: NO_SERVER ?? NO_REDIS ?? false }, () => {
  let database: TestDatabase;
  let storage: Storage;
  let redis: ChildProcess;
  let admin: Redis;
  let cache: Cache;
  let port: number;
  const dir = mkdtempSync(join(tmpdir(), 'weir-redis-'));
  before(async () => {
    database = await makeDatabase();
    storage = await openPostgres(database.url, WIDE_LIMITS);
    port = await freePort();
    redis = await startRedis(port, dir);
    admin = new Redis(port, { retryStrategy: () => 50 });
    admin.on('error', () => {});
    cache = redisCache(`redis://127.0.0.1:${port}`, { memory_key });
  });
  after(async () => {
    admin?.disconnect();
    await cache?.close();
    if (redis !== undefined) await stop(redis);
    await storage?.close();
    await database?.drop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** A live and a revoked token, and another revoked after the filter was put into the cache. */
  async function scene() {
    const near = makeAuth(storage, { cache });
    const { customer_id, agent } = await makeFamily(near);
    const [early, late, live] = await Promise.all([1, 2, 3].map(() => subagentOf(near, customer_id, agent.jti)));
    await near.revoke.cascade(early!.jti, null, by);
    await near.view.rebuild();
    return { near, early: early!, late: late!, live: live! };
  }

  /** As a node that just started, and as one that was there before. */
  async function assertRight(
    { early, late, live }: Awaited<ReturnType<typeof scene>>,
    old: ReturnType<typeof makeAuth>,
  ) {
    for (const auth of [makeAuth(storage, { cache }), old]) {
      await assertBad(auth, early, /revoked/);
      await assertBad(auth, late, /revoked/);
      await assertGood(auth, live);
    }
  }

  const KEY = 'weir:revocations:filter';

  test('flushed between the revocation and the check', async () => {
    const clock = steppedClock();
    const old = makeAuth(storage, { cache, clock });
    for (let n = 0; n < 5; n += 1) {
      const set = await scene();
      await assertGood(old, set.live);
      await set.near.revoke.one(set.late.jti, null, by);
      await admin.flushall();
      clock.step(1_000);
      await assertRight(set, old);
    }
  });

  test('restored from an old dump, cut off, or holding something else', async () => {
    const clock = steppedClock();
    const old = makeAuth(storage, { cache, clock });
    const set = await scene();
    const dump = (await admin.getBuffer(KEY))!;
    assert.ok(dump.length > 100_000);
    await set.near.revoke.one(set.late.jti, null, by);
    await set.near.view.rebuild();
    for (const value of [dump, dump.subarray(0, dump.length / 2), Buffer.from('nonsense'), Buffer.from('')]) {
      await admin.set(KEY, value);
      clock.step(1_000);
      await assertRight(set, old);
    }
  });

  test('stopped, and back empty', async () => {
    const clock = steppedClock();
    const old = makeAuth(storage, { cache, clock });
    const set = await scene();
    await assertGood(old, set.live);
    await stop(redis, 'SIGKILL');
    await set.near.revoke.one(set.late.jti, null, by);
    clock.step(1_000);
    await assertRight(set, old);
    redis = await startRedis(port, dir);
    clock.step(1_000);
    await assertRight(set, old);
  });
});

describe('killed after the answer', () => {
  test('what was revoked is revoked, what was not is not, and keys can still be read', async () => {
    const data_dir = temporaryDirectory();
    try {
      let weir = await startWeir({ data_dir });
      const post = async (path: string, body?: object) =>
        (await call(`${weir.auth}${path}`, { method: 'POST', body })).json;
      const customer_id = crypto.randomUUID();
      const app = await post('/tokens/app', { customer_id });
      const bearer = await post('/tokens/bearer', { customer_id, app_token_hash: app['token_hash'] });
      const rbac = { allowed_actions: ['*'], allowed_resources: ['*'], max_sensitivity_level: 4 };
      const agent = () => post('/tokens/agent', { customer_id, bearer_jti: bearer['jti'], agent_id: 'a', rbac });
      const agents = await Promise.all([1, 2, 3, 4, 5, 6].map(agent));
      const is_active = async (token: Record<string, unknown>) =>
        (await post('/tokens/introspect', { token: token['token'] }))['active'];
      for (const [n, path] of [
        [0, '/revoke/cascade'],
        [1, '/tokens'],
      ] as const) {
        const url = `${weir.auth}${path}/${agents[n]!['jti']}`;
        const reply = await call(url, { method: path === '/tokens' ? 'DELETE' : 'POST' });
        await stop(weir.child, 'SIGKILL');
        assert.equal(reply.status, 200);
        weir = await startWeir({ data_dir });
        for (const [at, token] of agents.entries()) assert.equal(await is_active(token), at > n, `${at} after ${path}`);
      }
      assert.equal(await is_active(await agent()), true);
      await weir.stop();
    } finally {
      rmSync(data_dir, { recursive: true, force: true });
    }
  });
});
