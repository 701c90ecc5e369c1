/** What callers of the store see while the way to the database misbehaves: an answer that is true, in bounded time. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { StoreUnavailable } from '../../src/platform/errors.ts';
import { prepareCluster } from '../../src/storage/embedded/cluster.ts';
import { openEmbedded } from '../../src/storage/embedded/index.ts';
import { targetOf } from '../../src/storage/embedded/server.ts';
import type { Storage } from '../../src/storage/ports/storage.ts';
import { openTarget } from '../../src/storage/postgres/index.ts';
import { makeRecord, newCustomer, range, tally } from '../contract/start.ts';
import { until } from '../support/patience.ts';
import { type SocketProxy, startProxy } from './proxy.ts';

describe('a bad network', () => {
  let data_dir: string;
  let direct: Storage;
  let proxy: SocketProxy;
  let storage: Storage;

  before(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'weir-net-'));
    direct = await openEmbedded(data_dir);
    const cluster = await prepareCluster(data_dir);
    proxy = await startProxy(cluster.socket_dir);
    storage = await openTarget({ ...targetOf(cluster, 'weir-proxied'), socket_dir: proxy.socket_dir }, 'the proxy');
  });
  afterEach(async () => {
    proxy.mode = 'pass';
    await untilOk();
  });
  after(async () => {
    await storage.close();
    await proxy.close();
    await direct.close();
    rmSync(data_dir, { recursive: true, force: true });
  });

  async function untilOk(): Promise<void> {
    await until(async () => (await storage.health()).status === 'ok', 'the store recovers');
  }

  /** Every call fails, though the network does not come back meanwhile. */
  async function failAll(): Promise<void> {
    const customer_id = newCustomer();
    const calls = [
      storage.scores.record(makeRecord(customer_id)),
      storage.scores.find(customer_id, 'e'),
      storage.scores.list(customer_id, {}, 1, 10),
      storage.scores.summary(customer_id),
      storage.policies.put(customer_id, {}),
      storage.policies.current(customer_id),
      storage.api_keys.findByHash('0'.repeat(64)),
    ];
    for (const result of await Promise.allSettled(calls)) {
      assert(result.status === 'rejected' && result.reason instanceof StoreUnavailable, JSON.stringify(result));
    }
  }

  test('the answer to a commit is lost: the group is written once, and each caller gets the true outcome', async () => {
    for (const _ of range(10)) {
      const customer_id = newCustomer();
      const known = makeRecord(customer_id, { event_id: 'known' });
      await storage.scores.record(known);
      const fresh = range(40).map(() => makeRecord(customer_id));
      const records = [...fresh, known, makeRecord(customer_id, { event_id: 'known', text: 'other' })];
      proxy.mode = 'lose answer';
      const outcomes = await Promise.all(records.map((record) => storage.scores.record(record)));
      assert.equal(proxy.mode, 'pass', 'an answer was lost');
      assert.deepEqual(tally(outcomes.slice(0, 40)), { stored: 40, exists: 0, policy_changed: 0 });
      assert.equal(outcomes[41]?.kind, 'exists');
      for (const [index, record] of fresh.entries()) {
        const outcome = outcomes[index];
        const found = await direct.scores.find(customer_id, record.event_id);
        assert(outcome?.kind === 'stored' && outcome.scored_at === found?.scored_at);
      }
      assert.equal((await direct.scores.summary(customer_id)).total_events, 41);
    }
  });

  test('packets that come late or are sent again: each caller gets the true outcome, once', async () => {
    const customer_id = newCustomer();
    const records = range(40).map(() => makeRecord(customer_id));
    proxy.mode = 'jitter';
    const outcomes = await Promise.all([...records, ...records].map((record) => storage.scores.record(record)));
    assert.deepEqual(tally(outcomes), { stored: 40, exists: 40, policy_changed: 0 });
    const found = await Promise.all(records.map(({ event_id }) => storage.scores.find(customer_id, event_id)));
    assert.deepEqual(
      found.map((score) => score?.event_id),
      records.map(({ event_id }) => event_id),
    );
    assert.equal((await storage.scores.summary(customer_id)).total_events, 40);
  });

  test('a database that refuses connections: every call fails', async () => {
    proxy.mode = 'refuse';
    await failAll();
    assert.equal((await storage.health()).status, 'error');
  });

  test('a database that is frozen: every call fails while it is, and so do later ones', async () => {
    proxy.mode = 'freeze';
    await failAll();
    await failAll();
    assert.equal((await storage.health()).status, 'error');
  });

  test('more writes than may wait are turned away before those that wait are given up', async () => {
    proxy.mode = 'freeze';
    const customer_id = newCustomer();
    const WRITES = 10_000;
    const fails = range(WRITES).map((n) =>
      storage.scores.record(makeRecord(customer_id)).then(
        () => assert.fail('recorded while the database is frozen'),
        (reason: unknown) => {
          assert(reason instanceof StoreUnavailable);
          return n;
        },
      ),
    );
    const order: number[] = [];
    for (const fail of fails) void fail.then((n) => order.push(n));
    await Promise.all(fails);
    assert.equal(order.length, WRITES);
    // The first writes wait, the last find no room.
    assert(!order.slice(0, WRITES / 2).includes(0), 'half are turned away while the first waits');
    assert(order.indexOf(WRITES - 1) < order.indexOf(0), 'the last write is turned away before the first is given up');
  });
});
