/**
 * The queue in chunks: behaviour that shows only inside one database. `test/contract/queue.ts` has what every backend
 * promises.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRecord, newCustomer } from '../../../../test/contract/start.ts';
import { PATIENCE_MS } from '../../../../test/support/patience.ts';
import {
  connectTo,
  makeDatabase,
  makeEmptyDatabase,
  NO_SERVER,
  useNodes,
} from '../../../../test/support/test-database.ts';
import { WIDE_LIMITS } from '../../../../test/support/wide-limits.ts';
import type { QueuedEvent } from '../../ports/queue.ts';
import { openPostgres } from '../index.ts';
import { migrate, readMigrations } from '../migrate.ts';

function makeQueued(customer_id: string, name: string): QueuedEvent {
  const { event_id, content_hash, event } = makeRecord(customer_id, { event_id: name });
  return { event_id, content_hash, event, lane: 0 };
}

describe('the queue in chunks', { skip: NO_SERVER ?? false }, () => {
  const nodes = useNodes();

  test('a chunk whose batch committed after a later one is not suspected', async () => {
    const [node] = nodes.storages;
    const customer_id = newCustomer();
    const slow = await connectTo(nodes.database.url);
    try {
      // As a batch whose transaction takes long: the first in the order of arrival, the last to become visible.
      await slow.query('begin');
      const { content_hash, event } = makeQueued(customer_id, 'late');
      await slow.query(`insert into event_keys (customer_id, event_id, content_hash) values ($1, 'late', $2)`, [
        customer_id,
        content_hash,
      ]);
      await slow.query(
        `insert into queue_chunks (customer_id, lane, size, event_ids, events) values ($1, 0, 1, '["late"]', $2)`,
        [customer_id, JSON.stringify([{ content_hash, event }])],
      );
      await node.queue.accept(customer_id, [makeQueued(customer_id, 'early')]);
      const lane = { customer_id, lane: 0 };
      assert.deepEqual(await node.queue.lease('w', 10_000, { lane }), lane);
      const names = async () =>
        (await node.queue.take(lane, 'w', 10)).map(({ event_id, deaths }) => `${event_id} ${deaths}`);
      assert.deepEqual(await names(), ['early null']);
      await slow.query('commit');
      await node.scores.record(makeRecord(customer_id, { event_id: 'early' }));
      assert.deepEqual(await names(), ['late null']);
      await node.scores.record(makeRecord(customer_id, { event_id: 'late' }));
      assert.deepEqual(await names(), []);
      await node.queue.release(lane, 'w');
    } finally {
      await slow.end();
    }
  });

  test('chunks come in the order of their numbers, also where those get another digit', async () => {
    const [node] = nodes.storages;
    const customer_id = newCustomer();
    await nodes.database.run(`select setval(pg_get_serial_sequence('queue_chunks', 'seq'), 99997)`);
    const names = Array.from({ length: 5 }, (_, n) => `e${n}`);
    for (const name of names) await node.queue.accept(customer_id, [makeQueued(customer_id, name)]);
    const lane = { customer_id, lane: 0 };
    assert.deepEqual(await node.queue.lease('w', 10_000, { lane }), lane);
    const taken = await node.queue.take(lane, 'w', 10);
    assert.deepEqual(
      taken.map(({ event_id }) => event_id),
      names,
    );
  });

  test('a batch and single events with its ids never deadlock, whatever the database’s collation', {
    timeout: PATIENCE_MS,
  }, async () => {
    // `a`, `m`, `Z`, where code points put `Z` first.
    const database = await makeEmptyDatabase(`locale_provider icu icu_locale 'en' template template0`);
    const storage = await openPostgres(database.url, WIDE_LIMITS);
    const blocker = await connectTo(database.url);
    const waiting = async (count: number) => {
      const found = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await database.run(found)).length < count) await sleep(5);
    };
    try {
      for (const is_batch_first of [true, false]) {
        const customer_id = newCustomer();
        const ids = ['a', 'm', 'Z'];
        const accept = () =>
          storage.queue.accept(
            customer_id,
            ids.map((event_id) => makeQueued(customer_id, event_id)),
          );
        const record = () =>
          Promise.all(ids.map((event_id) => storage.scores.record(makeRecord(customer_id, { event_id }))));
        const [first, second] = is_batch_first ? [accept, record] : [record, accept];
        await blocker.query('begin');
        await blocker.query(`insert into event_keys (customer_id, event_id, content_hash) values ($1, 'm', 'h')`, [
          customer_id,
        ]);
        // The first has claimed what precedes `m` in its order when the second begins.
        const begun = [first()];
        await waiting(1);
        begun.push(second());
        await waiting(2);
        await blocker.query('rollback');
        const kinds = (await Promise.all(begun)).flat().map(({ kind }) => kind);
        assert.deepEqual(kinds.toSorted(), ['accepted', 'stored', 'stored', 'stored']);
      }
    } finally {
      await blocker.end();
      await storage.close();
      await database.drop();
    }
  });

  test('concurrent batches are all accepted, whatever the database’s default isolation', async () => {
    const database = await makeDatabase();
    try {
      await database.run(
        `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_isolation = 'serializable'`,
      );
      const storage = await openPostgres(database.url, WIDE_LIMITS);
      try {
        const customer_id = newCustomer();
        const accept = (name: string) => storage.queue.accept(customer_id, [makeQueued(customer_id, name)]);
        const outcomes = await Promise.all(Array.from({ length: 40 }, (_, n) => accept(`e${n}`)));
        assert.ok(outcomes.every(({ kind }) => kind === 'accepted'));
      } finally {
        await storage.close();
      }
    } finally {
      await database.drop();
    }
  });

  test('taking is recorded before reading: a worker that dies of reading a chunk has died over it', async () => {
    const [one, two] = nodes.storages;
    const customer_id = newCustomer();
    const lane = { customer_id, lane: 0 };
    await one.queue.accept(customer_id, [makeQueued(customer_id, 'deadly'), makeQueued(customer_id, 'other')]);
    const events = await nodes.database.run('select events from queue_chunks where customer_id = $1', [customer_id]);
    await nodes.database.run(`update queue_chunks set events = 'unreadable' where customer_id = $1`, [customer_id]);
    await two.queue.lease('dies', 60_000, { lane });
    await assert.rejects(two.queue.take(lane, 'dies', 10), SyntaxError);
    await nodes.database.run('update queue_chunks set events = $2 where customer_id = $1', [
      customer_id,
      events[0]!['events'],
    ]);
    // As if it had died: nobody renews its lease, which runs out.
    await nodes.database.run(`update queue_lanes set leased_until = now() - interval '1 s' where customer_id = $1`, [
      customer_id,
    ]);
    await two.queue.lease('next', 10_000, { lane });
    const next = await two.queue.take(lane, 'next', 10);
    assert.deepEqual(
      next.map(({ event_id, deaths }) => [event_id, deaths]),
      [['deadly', 0]],
    );
    await two.queue.release(lane, 'next', true);
  });

  test('in a chunk that waited longer than the retention, nothing that a door has scored is scored again', async () => {
    const [node, other] = nodes.storages;
    const customer_id = newCustomer();
    const lane = { customer_id, lane: 0 };
    for (const names of [['scored'], ['dropped', 'waits']])
      await node.queue.accept(
        customer_id,
        names.map((name) => makeQueued(customer_id, name)),
      );
    for (const event_id of ['scored', 'dropped']) await other.scores.record(makeRecord(customer_id, { event_id }));
    await nodes.database.run(`update queue_chunks set accepted_at = now() - interval '2 days' where customer_id = $1`, [
      customer_id,
    ]);
    await nodes.database.run(`delete from event_keys where customer_id = $1 and event_id = 'dropped'`, [customer_id]);
    for (const holder of [node, other]) {
      await holder.queue.lease('w', 10_000, { lane });
      const taken = await holder.queue.take(lane, 'w', 10);
      assert.deepEqual(
        taken.map(({ event_id, deaths }) => [event_id, deaths]),
        [['waits', null]],
      );
      await nodes.database.run('update queue_lanes set leased_until = null, taken = null where customer_id = $1', [
        customer_id,
      ]);
    }
    await node.queue.lease('w', 10_000, { lane });
    await node.queue.take(lane, 'w', 10);
    await node.scores.record(makeRecord(customer_id, { event_id: 'waits' }));
    assert.equal(await node.queue.release(lane, 'w'), false);
  });

  test('events that waited one per row before migration 0010 wait in chunks after it, suspected and dead ones included', async () => {
    const database = await makeEmptyDatabase();
    try {
      const customer_id = newCustomer();
      await migrate({ url: database.url }, readMigrations().slice(0, 9));
      for (const [event_id, attempts, dead] of [
        ['first', 0, null],
        ['suspect', 2, null],
        ['dead', 0, 'cannot be scored'],
      ] as const) {
        const { content_hash, event } = makeQueued(customer_id, event_id);
        const values = [customer_id, event_id, content_hash];
        await database.run('insert into event_keys (customer_id, event_id, content_hash) values ($1, $2, $3)', values);
        await database.run(
          `insert into queue (customer_id, event_id, lane, content_hash, event, attempts, dead_reason) values ($1, $2, 0, $3, $4, $5, $6)`,
          [...values, JSON.stringify(event), attempts, dead],
        );
      }
      await database.run('insert into queue_lanes (customer_id, lane, has_work) values ($1, 0, true)', [customer_id]);
      const storage = await openPostgres(database.url, WIDE_LIMITS);
      try {
        const { waiting, dead } = await storage.queue.stats(customer_id);
        assert.deepEqual({ waiting, dead }, { waiting: 2, dead: 1 });
        const lane = (await storage.queue.lease('w', 10_000))!;
        const taken = await storage.queue.take(lane, 'w', 10);
        assert.deepEqual(
          taken,
          ['first', 'suspect'].map((name) => ({ ...makeQueued(customer_id, name), customer_id, deaths: null })),
        );
        for (const { event_id } of taken) await storage.scores.record(makeRecord(customer_id, { event_id }));
        assert.equal(await storage.queue.release(lane, 'w'), false);
        assert.equal(await storage.queue.revive(customer_id, 'dead'), true);
        assert.equal((await storage.queue.stats(customer_id)).waiting, 1);
      } finally {
        await storage.close();
      }
    } finally {
      await database.drop();
    }
  });
});
