import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRecord, newCustomer, range } from '../../../../test/contract/start.ts';
import { PATIENCE_MS } from '../../../../test/support/patience.ts';
import {
  COUNT_INTO_TOTALS,
  connectTo,
  makeEmptyDatabase,
  NO_SERVER,
  useNode,
} from '../../../../test/support/test-database.ts';
import { WIDE_LIMITS, widePool } from '../../../../test/support/wide-limits.ts';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { endPool } from '../connection/pool.ts';
import { openPostgres } from '../index.ts';
import { dropExpired, isPartitionMissing, makePartitions } from './partitions.ts';

describe('partitions of the events', { skip: NO_SERVER ?? false }, () => {
  const own = useNode();
  const names = async () =>
    (await own.database.run('select name from event_partitions order by from_time')).map((row) => String(row['name']));
  const count = async (table: string) => (await own.database.run(`select count(*)::int as n from ${table}`))[0]!['n'];

  test('are made ahead, once, by ten nodes at the same time, whatever their length', async () => {
    const pool = widePool(own.database.url, 10);
    const made = await names();
    assert.equal(made.length, 3, 'this month and two more');
    await Promise.all(range(10).map(() => makePartitions(pool, 'month')));
    await Promise.all(range(10).map(() => makePartitions(pool, 'day')));
    assert.deepEqual(await names(), made, 'a month that is there has room for its days');
    await endPool(pool);
  });

  test('a row without a partition makes its own', async () => {
    for (const name of await names()) await own.database.run(`drop table ${name}`);
    await own.database.run('delete from event_partitions');
    const customer_id = newCustomer();
    const outcomes = await Promise.all(range(20).map(() => own.storage.scores.record(makeRecord(customer_id))));
    assert.ok(outcomes.every(({ kind }) => kind === 'stored'));
    assert.equal((await own.storage.scores.list(customer_id, {}, 1, 100)).total, 20);
    assert.equal((await names()).length, 3);
  });

  test('a missing partition is recognised in any language of the server, and told from another constraint', async () => {
    const failureOf = async (sql: string) => {
      const error = await own.database.run(sql).then(
        () => assert.fail(sql),
        (error: Error) => error,
      );
      error.message = 'keine Partition von Relation »events« für die Zeile gefunden';
      return error;
    };
    const insert = (scored_at: string) =>
      failureOf(`insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version,
        content_hash, event, assessment) values (gen_random_uuid(), 'e', ${scored_at}, 0, 0, false, 'none', 'v', 'h', '{}', '{}')`);
    assert.equal(isPartitionMissing(await insert(`'1999-01-01Z'`)), true);
    await own.database.run(`alter table events add constraint broken check (event_id <> 'e') not valid`);
    assert.equal(isPartitionMissing(await insert('now()')), false);
    await own.database.run('alter table events drop constraint broken');
  });

  test('all gaps between partitions are filled, and existing partitions are not changed', async () => {
    const made = async (from: string, to: string) =>
      (await own.database.run('select make_event_partition($1, $2) as made', [from, to]))[0]?.['made'];
    const between = async (from: string, to: string) =>
      (
        await own.database.run(
          `select to_char(from_time at time zone 'UTC', 'MM-DD') || ' ' || to_char(to_time at time zone 'UTC', 'MM-DD') as times
           from event_partitions where from_time < $2 and to_time > $1 order by from_time`,
          [from, to],
        )
      ).map((row) => row['times']);
    // As after a change from `day` to `month` on the 22nd: days to the 29th, and a month that existed already.
    await made('2023-11-22Z', '2023-11-23Z');
    await made('2023-11-23Z', '2023-11-30Z');
    await made('2023-12-01Z', '2024-01-01Z');
    assert.equal(await made('2023-11-01Z', '2023-12-01Z'), true);
    const november = ['11-01 11-22', '11-22 11-23', '11-23 11-30', '11-30 12-01'];
    assert.deepEqual(await between('2023-11-01Z', '2023-12-01Z'), november);
    assert.equal(await made('2023-11-01Z', '2024-01-01Z'), false, 'nothing is left to make');

    await made('2023-06-28Z', '2023-07-03Z');
    await made('2023-07-05Z', '2023-07-06Z');
    await made('2023-07-06Z', '2023-07-09Z');
    await made('2023-07-20Z', '2023-07-21Z');
    assert.equal(await made('2023-07-01Z', '2023-08-01Z'), true);
    assert.deepEqual(await between('2023-07-01Z', '2023-08-01Z'), [
      '06-28 07-03',
      '07-03 07-05',
      '07-05 07-06',
      '07-06 07-09',
      '07-09 07-20',
      '07-20 07-21',
      '07-21 08-01',
    ]);
  });

  test('have the requested bounds in any date style of the database', async () => {
    const database = await makeEmptyDatabase();
    try {
      const name = new URL(database.url).pathname.slice(1);
      // `01/02/2026 05:30:00 IST`, which is read as Israel's time zone.
      await database.run(`alter database ${name} set datestyle = 'SQL, DMY'`);
      await database.run(`alter database ${name} set timezone = 'Asia/Kolkata'`);
      await (await openPostgres(database.url, { ...WIDE_LIMITS, partition: 'day' })).close();
      await database.run(`alter database ${name} set datestyle = 'ISO'`);
      const bounds = await database.run(
        `select pg_get_expr(c.relpartbound, c.oid) as bounds, format('FOR VALUES FROM (%L) TO (%L)', from_time, to_time) as wanted
         from event_partitions p join pg_class c on c.relname = p.name`,
      );
      assert.ok(bounds.length > 0);
      for (const { bounds: found, wanted } of bounds) assert.equal(found, wanted);
    } finally {
      await database.drop();
    }
  });

  test('a node that changes from days to months continues when the days are used up', async () => {
    for (const name of await names()) await own.database.run(`drop table ${name}`);
    await own.database.run('delete from event_partitions');
    const pool = widePool(own.database.url, 1);
    // The day before and the day after exist, and so does an earlier one: today is a gap among others.
    await own.database.run(
      `select make_event_partition(day at time zone 'UTC', (day + interval '1 day') at time zone 'UTC')
       from (select date_trunc('day', now() at time zone 'UTC') + n * interval '1 day' as day
         from unnest(array[-3, -1, 1, 2]) as n) as days`,
    );
    await makePartitions(pool, 'month');
    await endPool(pool);
    assert.equal((await own.storage.scores.record(makeRecord(newCustomer()))).kind, 'stored');
    const gaps = await own.database.run(
      `select from (select from_time, lag(to_time) over (order by from_time) as before from event_partitions) as p
       where before <> from_time and before >= date_trunc('month', now(), 'UTC')`,
    );
    assert.equal(gaps.length, 0);
  });

  test('while no partition takes events of now, the store is unavailable and no event is at fault', async () => {
    const [current] = await own.database.run(
      'select name, from_time::text, to_time::text from event_partitions where from_time <= now() and to_time > now()',
    );
    const { name, from_time, to_time } = current!;
    await own.database.run(`alter table events detach partition ${name}`);
    await assert.rejects(own.storage.scores.record(makeRecord(newCustomer())), StoreUnavailable);
    await own.database.run(
      `alter table events attach partition ${name} for values from ('${from_time}') to ('${to_time}')`,
    );
    assert.equal((await own.storage.scores.record(makeRecord(newCustomer()))).kind, 'stored');
  });

  test('partitions older than the retention are dropped whole, with their ids and totals, and only those', async () => {
    const customer_id = newCustomer();
    const kept = makeRecord(customer_id, { hold: { ttl_minutes: 10, action_hash: 'h' } });
    await own.database.run(`select make_event_partition('2025-01-01Z', '2025-02-01Z')`);
    const old = range(50).map((n) => `old-${n}`);
    await own.database.run(
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
    await own.database.run(COUNT_INTO_TOTALS, [customer_id]);
    await own.storage.scores.record(kept);
    assert.equal((await own.storage.scores.summary(customer_id)).total_events, 51);
    const days = Math.floor((Date.now() - Date.UTC(2025, 1, 1)) / 86_400_000);
    assert.deepEqual(await dropExpired({ url: own.database.url }, days + 1), [], 'its last moment is not that old yet');
    const both = await Promise.all(range(2).map(() => dropExpired({ url: own.database.url }, days)));
    assert.deepEqual(both.flat(), ['events_20250101'], 'two nodes at once drop it once');
    assert.equal((await own.storage.scores.summary(customer_id)).total_events, 1);
    assert.equal((await own.storage.scores.list(customer_id, {}, 1, 10)).total, 1);
    assert.equal(await count(`event_spans where start < '2025-02-01Z'`), 0);
    assert.equal(await own.storage.scores.find(customer_id, 'old-7'), null);
    assert.notEqual(await own.storage.scores.find(customer_id, kept.event_id), null);
    assert.equal(await count('holds'), 1, 'holds go with their events');
    assert.equal(await count(`event_keys where event_id like 'old-%'`), 0);
    assert.equal(await count(`pg_class where relname like 'events_20250101%'`), 0);
  });

  test('no node waits while another one drops', { timeout: PATIENCE_MS }, async () => {
    await own.database.run(`select make_event_partition('2022-01-01Z', '2022-02-01Z')`);
    const reader = await connectTo(own.database.url);
    // A reader of the partition blocks the drop.
    await reader.query('begin; select from events_20220101');
    const dropping = dropExpired({ url: own.database.url }, 1_000);
    const isDropping = async () =>
      (await count(`pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = ${0x77656973}
          and database = (select oid from pg_database where datname = current_database())`)) !== 0;
    while (!(await isDropping())) await sleep(10);
    assert.deepEqual(await dropExpired({ url: own.database.url }, 1_000), []);
    assert.notEqual(await count(`pg_class where relname = 'events_20220101'`), 0, 'and the other one is at it still');
    await reader.query('commit');
    await reader.end();
    assert.ok((await dropping).includes('events_20220101'));
  });

  test('an event whose partition is being dropped is unknown, and one that waits in the queue is not', async () => {
    const customer_id = newCustomer();
    await own.database.run(`select make_event_partition('2022-03-01Z', '2022-04-01Z')`);
    await own.database.run(
      `with keys as (
         insert into event_keys (customer_id, event_id, content_hash, scored_at)
         values ($1, 'old', 'h', '2022-03-15Z'), ($1, 'waits', 'h', null) returning *
       )
       insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version,
         content_hash, event, assessment)
       select customer_id, event_id, scored_at, 0, 0, false, 'none', 'v', 'h', '{}', '{}' from keys where event_id = 'old'`,
      [customer_id],
    );
    const lookUp = async (event_id: string) => {
      const found = await own.storage.scores.lookUp(customer_id, event_id);
      return typeof found === 'object' ? found?.event_id : found;
    };
    assert.deepEqual([await lookUp('old'), await lookUp('waits')], ['old', 'queued']);
    await own.database.run('alter table events detach partition events_20220301 concurrently');
    assert.equal(await count(`event_keys where event_id = 'old'`), 1, 'its key is still there');
    assert.deepEqual([await lookUp('old'), await lookUp('waits')], [undefined, 'queued']);
    assert.equal((await own.storage.scores.record(makeRecord(customer_id, { event_id: 'old' }))).kind, 'stored');
    assert.deepEqual(await dropExpired({ url: own.database.url }, 1_000), ['events_20220301']);
    assert.equal(await lookUp('old'), 'old', 'the key of the new event stays');
  });

  /** One event of May 2023 for each id, all of them held once. */
  async function fillMay(customer_id: string, ids: string[]): Promise<void> {
    await own.database.run(`select make_event_partition('2023-05-01Z', '2023-06-01Z')`);
    await own.database.run(
      `with keys as (
         insert into event_keys (customer_id, event_id, content_hash, scored_at)
         select $1, id, 'h', '2023-05-15T12:00:03Z' from unnest($2::text[]) as id returning *
       ), held as (
         insert into holds (customer_id, event_id, held_at, risk_level, expires_at, action_hash)
         select customer_id, event_id, scored_at, 'high', now() + interval '1 hour', 'h' from keys
       )
       insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version,
         content_hash, event, assessment)
       select customer_id, event_id, scored_at, 0, 70, false, 'high', 'v', 'h', '{}', '{}' from keys`,
      [customer_id, ids],
    );
    await own.database.run(COUNT_INTO_TOTALS, [customer_id]);
  }

  /** How many events of May 2023 each reading door shows. */
  async function shownOfMay(customer_id: string, ids: string[]): Promise<Record<string, number>> {
    const { scores, holds } = own.storage;
    const sum = async (all: Promise<unknown>[]) => (await Promise.all(all)).filter((one) => one !== null).length;
    const shown: Record<string, number> = {
      found: await sum(ids.map((id) => scores.find(customer_id, id))),
      'looked up': await sum(ids.map((id) => scores.lookUp(customer_id, id))),
      'found by holds': await sum(ids.map((id) => holds.find(customer_id, id))),
      summed: (await scores.summary(customer_id)).high_count,
    };
    const [from_date, to_date] = ['2023-05-15T12:00:01Z', '2023-05-15T12:00:04Z'];
    for (const filter of [{}, { from_date }, { to_date }, { from_date, to_date }, { hold: 'held' as const }]) {
      for (const risk_level of [undefined, 'high' as const]) {
        const list = await scores.list(customer_id, { ...filter, ...(risk_level && { risk_level }) }, 1, 50);
        const door = `list ${Object.keys(filter).join(' ')} ${risk_level ?? ''}`;
        const ofMay = list.records.filter(({ scored_at }) => scored_at.startsWith('2023-05'));
        shown[door] = ofMay.length;
        shown[`total of ${door}`] = list.total - (list.records.length - ofMay.length);
      }
    }
    return shown;
  }

  test('at any moment of a drop an event is there at every door or at none', { timeout: PATIENCE_MS }, async () => {
    const customer_id = newCustomer();
    const ids = range(12).map((n) => `may-${n}`);
    await fillMay(customer_id, ids);
    await own.storage.scores.record(makeRecord(customer_id, { event_id: 'of today' }));
    const cleaner = await connectTo(own.database.url);
    const decider = await connectTo(own.database.url);
    const writer = await connectTo(own.database.url);
    const others = [cleaner, decider, writer];
    const until = async (condition: string) => {
      while ((await own.database.run(`select where ${condition}`)).length === 0) await sleep(10);
    };
    const accept = async (event_id: string) => {
      const { content_hash, event } = makeRecord(customer_id, { event_id });
      return own.storage.queue.accept(customer_id, [{ event_id, content_hash, event, lane: 0 }]);
    };
    try {
      // Each blocks the drop at another place: a decision, a vacuum, and an event that is sent again with its id.
      await decider.query(`begin; select from holds where event_id = 'may-3' for update`);
      await cleaner.query('begin; lock table events in share update exclusive mode');
      await writer.query(`begin; select from event_keys where event_id = 'may-5' for update`);
      const dropping = dropExpired({ url: own.database.url }, 1_000);
      await until(
        `exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`,
      );
      const before = await shownOfMay(customer_id, ids);
      assert.deepEqual([...new Set(Object.values(before))], [ids.length], `begun, not done: ${JSON.stringify(before)}`);
      assert.equal((await accept('may-0')).kind, 'conflict');

      await decider.query('rollback');
      await until(`exists (select from event_partitions where is_gone)`);
      const attached = await shownOfMay(customer_id, ids);
      assert.deepEqual([...new Set(Object.values(attached))], [0], `still in the table: ${JSON.stringify(attached)}`);
      const hold = { ttl_minutes: 10, action_hash: 'h' };
      assert.equal(
        (await own.storage.scores.record(makeRecord(customer_id, { event_id: 'may-1', hold }))).kind,
        'stored',
      );
      assert.deepEqual(await accept('may-2'), { kind: 'accepted', event_ids: ['may-2'] });
      assert.equal(await own.storage.scores.lookUp(customer_id, 'may-2'), 'queued');

      await cleaner.query('rollback');
      await until(`not exists (select from pg_inherits where inhrelid = 'events_20230501'::regclass)`);
      const detached = await shownOfMay(customer_id, ids.slice(3));
      assert.deepEqual([...new Set(Object.values(detached))], [0], `out of the table: ${JSON.stringify(detached)}`);
      assert.deepEqual(await accept('may-9'), { kind: 'accepted', event_ids: ['may-9'] });

      await writer.query('rollback');
      assert.deepEqual(await dropping, ['events_20230501']);
      assert.equal(await own.storage.scores.lookUp(customer_id, 'may-2'), 'queued');
      assert.equal(await own.storage.scores.lookUp(customer_id, 'may-9'), 'queued');
      assert.equal((await own.storage.holds.find(customer_id, 'may-1'))?.hold?.state, 'held');
      const left = await own.database.run('select event_id from event_keys where customer_id = $1 order by 1', [
        customer_id,
      ]);
      assert.deepEqual(
        left.map((row) => row['event_id']),
        ['may-1', 'may-2', 'may-9', 'of today'],
      );
    } finally {
      for (const client of others) await client.end();
    }
  });

  test('a drop that was interrupted after the partition was detached is finished by the next one', async () => {
    await own.database.run(`select make_event_partition('2024-01-01Z', '2024-02-01Z')`);
    await own.database.run('alter table events detach partition events_20240101 concurrently');
    assert.deepEqual(await dropExpired({ url: own.database.url }, 300), ['events_20240101']);
    assert.equal(await count(`pg_class where relname like 'events_20240101%'`), 0);
  });

  test('a partition that an operator dropped is forgotten, blocks no other, and frees its ids', async () => {
    const customer_id = newCustomer();
    await fillMay(customer_id, ['may']);
    await own.database.run(`select make_event_partition('2023-06-01Z', '2023-07-01Z')`);
    await own.database.run('drop table events_20230501');
    assert.deepEqual(await dropExpired({ url: own.database.url }, 800), ['events_20230501', 'events_20230601']);
    assert.equal((await own.storage.scores.summary(customer_id)).total_events, 0);
    assert.equal((await own.storage.scores.record(makeRecord(customer_id, { event_id: 'may' }))).kind, 'stored');
  });
});
