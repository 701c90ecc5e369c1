import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeRecord, newCustomer, range } from '../contract/start.ts';
import type { Storage } from '../ports.ts';
import { openPostgres } from './index.ts';
import { dropExpired, makePartitions } from './partitions.ts';
import { createPool, endPool } from './pool.ts';
import { COUNT_INTO_TOTALS, makeDatabase, NO_SERVER, type TestDatabase } from './test-database.ts';

describe('partitions of the events', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  let storage: Storage;
  before(async () => {
    database = await makeDatabase();
    storage = await openPostgres(database.url);
  });
  after(async () => {
    await storage?.close();
    await database?.drop();
  });
  const names = async () =>
    (await database.run('select name from event_partitions order by from_time')).map((row) => String(row['name']));
  const count = async (table: string) => (await database.run(`select count(*)::int as n from ${table}`))[0]!['n'];

  test('are made ahead, once, by ten nodes at the same time, whatever their length', async () => {
    const pool = createPool({ url: database.url }, 10);
    const made = await names();
    assert.equal(made.length, 3, 'this month and two more');
    await Promise.all(range(10).map(() => makePartitions(pool, 'month')));
    await Promise.all(range(10).map(() => makePartitions(pool, 'day')));
    assert.deepEqual(await names(), made, 'a month that is there has room for its days');
    await endPool(pool);
  });

  test('a row that no partition takes makes its own', async () => {
    for (const name of await names()) await database.run(`drop table ${name}`);
    await database.run('delete from event_partitions');
    const customer_id = newCustomer();
    const outcomes = await Promise.all(range(20).map(() => storage.scores.record(makeRecord(customer_id))));
    assert.ok(outcomes.every(({ kind }) => kind === 'stored'));
    assert.equal((await storage.scores.list(customer_id, {}, 1, 100)).total, 20);
    assert.equal((await names()).length, 3);
  });

  test('what is older than the days that are kept goes whole, with its ids and totals, and only that', async () => {
    const customer_id = newCustomer();
    const kept = makeRecord(customer_id, { hold: { ttl_minutes: 10, action_hash: 'h' } });
    await database.run(`select make_event_partition('2025-01-01Z', '2025-02-01Z')`);
    const old = range(50).map((n) => `old-${n}`);
    await database.run(
      `with keys as (
         insert into event_keys (customer_id, event_id, content_hash, scored_at)
         select $1, id, 'h', '2025-01-31T23:59:59.999Z' from unnest($2::text[]) as id returning *
       ), held as (
         insert into holds (customer_id, event_id, held_at, risk_level, expires_at, action_hash)
         select customer_id, event_id, scored_at, 'high', scored_at, 'h' from keys
       )
       insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version,
         content_hash, event, assessment)
       select customer_id, event_id, scored_at, 0, 0, false, 'none', 'v', 'h', '{}', '{}' from keys`,
      [customer_id, old],
    );
    await database.run(COUNT_INTO_TOTALS, [customer_id]);
    await storage.scores.record(kept);
    assert.equal((await storage.scores.summary(customer_id)).total_events, 51);
    const days = Math.floor((Date.now() - Date.UTC(2025, 1, 1)) / 86_400_000);
    assert.deepEqual(await dropExpired({ url: database.url }, days + 1), [], 'its last moment is not that old yet');
    const both = await Promise.all(range(2).map(() => dropExpired({ url: database.url }, days)));
    assert.deepEqual(both.flat(), ['events_20250101'], 'two nodes at once drop it once');
    assert.equal((await storage.scores.summary(customer_id)).total_events, 1);
    assert.equal((await storage.scores.list(customer_id, {}, 1, 10)).total, 1);
    assert.equal(await count(`event_spans where start < '2025-02-01Z'`), 0);
    assert.equal(await storage.scores.find(customer_id, 'old-7'), null);
    assert.notEqual(await storage.scores.find(customer_id, kept.event_id), null);
    assert.equal(await count('holds'), 1, 'holds go with their events');
    assert.equal(await count(`event_keys where event_id like 'old-%'`), 0);
    assert.equal(await count(`pg_class where relname like 'events_20250101%'`), 0);
  });

  test('a drop that was broken off after the partition was taken out is ended by the next', async () => {
    await database.run(`select make_event_partition('2024-01-01Z', '2024-02-01Z')`);
    await database.run('alter table events detach partition events_20240101 concurrently');
    assert.deepEqual(await dropExpired({ url: database.url }, 300), ['events_20240101']);
    assert.equal(await count(`pg_class where relname like 'events_20240101%'`), 0);
  });
});
