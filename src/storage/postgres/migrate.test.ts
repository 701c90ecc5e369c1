import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { makeRecord, makeTrace, newCustomer } from '../../../test/contract/start.ts';
import { makeEmptyDatabase, NO_SERVER, type TestDatabase } from '../../../test/support/test-database.ts';
import { WIDE_LIMITS } from '../../../test/support/wide-limits.ts';
import { parseActionPattern } from '../../lang/patterns.ts';
import { openPostgres } from './index.ts';
import { type Migration, migrate, readMigrations } from './migrate.ts';

const make = (number: number, sql: string): Migration => ({
  number,
  name: `${String(number).padStart(4, '0')}-test.sql`,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
});

test('the files are numbered from 1 without gaps', () => {
  assert.deepEqual(
    readMigrations().map((migration) => migration.number),
    readMigrations().map((_, index) => index + 1),
  );
});

describe('migrations', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await makeEmptyDatabase();
  });
  afterEach(() => database.drop());
  const rows = (sql: string) => database.run(sql);

  test('ten nodes that start at once apply each once, in order', async () => {
    const migrations = [
      make(1, 'create table a (x int)'),
      make(2, 'alter table a add y int'),
      make(3, 'create table b ()'),
    ];
    const target = { url: database.url };
    assert.deepEqual(
      await Promise.all(Array.from({ length: 10 }, () => migrate(target, migrations))),
      Array(10).fill(3),
    );
    const applied = await rows('select number, name, checksum from schema_migrations order by number');
    assert.deepEqual(
      applied,
      migrations.map(({ number, name, checksum }) => ({ number, name, checksum })),
    );
  });

  test('a failed migration is rolled back, those before it stay, and the next start continues from there', async () => {
    const target = { url: database.url };
    const first = make(1, 'create table a (x int)');
    const broken = make(2, 'create table b (x int); insert into a values (1); select no_such_function()');
    await assert.rejects(migrate(target, [first, broken]), {
      name: 'StartError',
      message: /^migration `0002-test.sql` failed and was rolled back: function no_such_function\(\) does not exist$/,
    });
    assert.deepEqual(await rows(`select to_regclass('b') as b, (select count(*)::int from a) as n`), [
      { b: null, n: 0 },
    ]);
    assert.equal(await migrate(target, [first, make(2, 'create table b (x int)')]), 2);
  });

  test('a database of a newer version, or with another history, is refused and not changed', async () => {
    const target = { url: database.url };
    const [one, two] = [make(1, 'create table a (x int)'), make(2, 'create table b (x int)')];
    await migrate(target, [one, two]);
    await assert.rejects(migrate(target, [one]), {
      name: 'StartError',
      message:
        /^the database is at migration `2` and this version of Weir knows up to `1`: start a version at least as new/,
    });
    await assert.rejects(migrate(target, [make(1, 'create table edited (x int)'), two]), {
      name: 'StartError',
      message: /^migration `0001-test.sql` in the database differs from the file of this version/,
    });
    assert.equal(await migrate(target, [one, two]), 2);
  });

  test('events stored as `json` are read unchanged, in old and new partitions', async () => {
    const [customer_id, agent_key] = [newCustomer(), 'a'.repeat(32)];
    const record = makeRecord(customer_id, {
      text: 'half a pair \ud83d',
      event: { session: { user_id: 'ann' } },
      past: { agent_key, session_key: null, trace: makeTrace('').trace, history: null },
    });
    const { event, assessment, past, content_hash } = record;
    await migrate({ url: database.url }, readMigrations().slice(0, 7));
    await rows(`select make_event_partition('2026-01-01Z', '2026-02-01Z')`);
    await database.run(
      `with keys as (
         insert into event_keys values ($1, $2, $3, '2026-01-15T12:00:00Z') returning *
       ), totals as (
         insert into event_totals values ($1, '2026-01-15T12:00:00Z', 0, 0, 0, 1, 0, 0, 42)
       )
       insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version,
         content_hash, event, assessment, past, agent_key)
       select customer_id, event_id, scored_at, 0, 42, false, 'medium', 'v', content_hash, $4, $5, $6, $7 from keys`,
      [
        customer_id,
        record.event_id,
        content_hash,
        ...[event, assessment, past].map((part) => JSON.stringify(part)),
        agent_key,
      ],
    );
    const storage = await openPostgres(database.url, WIDE_LIMITS);
    try {
      const found = await storage.scores.find(customer_id, record.event_id);
      assert.deepEqual(found && [found.event, found.assessment, found.past], [event, assessment, past]);
      const listed = await storage.scores.list(customer_id, {}, 1, 10);
      assert.deepEqual(listed.records, [found]);
      const action = parseActionPattern('database:*:read')!;
      const search = { order: 'newest' as const, from: { page: 1 }, limit: 10 };
      for (const filter of [{ action }, { user_id: 'ann' }, { rule: record.assessment.violations[0]! }])
        assert.deepEqual((await storage.scores.search(customer_id, { ...search, filter })).records, [found]);
      const [of_agent] = await storage.scores.traces([{ customer_id, kind: 'agent', key: agent_key }], 10);
      assert.deepEqual(
        of_agent?.traces.map(({ trace }) => trace),
        [past?.trace],
      );
    } finally {
      await storage.close();
    }
    const types = await rows(`select distinct format_type(atttypid, null) as type, attcompression as compression
      from pg_attribute join pg_partition_tree('events') on relid = attrelid where attname in ('event', 'assessment', 'past')`);
    const [server] = await rows(
      `select 'lz4' = any (enumvals) as has_lz4 from pg_settings where name = 'default_toast_compression'`,
    );
    assert.deepEqual(types, [{ type: 'text', compression: server?.['has_lz4'] ? 'l' : '' }]);
  });

  test('spans of hours with many events are counted, and lists are the same with and without', async () => {
    const customer_id = newCustomer();
    await migrate({ url: database.url }, readMigrations().slice(0, 8));
    await rows(`select make_event_partition('2026-01-01Z', '2026-02-01Z')`);
    await database.run(
      `with inserted as (
         insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version,
           content_hash, event, assessment)
         select $1, n::text, timestamptz '2026-01-15T12:00:00Z' + n * interval '0.7 seconds', 0, 42, false, 'medium', 'v', 'h', '{}', '{}'
         from generate_series(0, 5999) as n returning *
       )
       insert into event_totals
       select customer_id, date_trunc('hour', scored_at, 'UTC'), 0, 0, 0, count(*), 0, 0, sum(score) from inserted group by 1, 2`,
      [customer_id],
    );
    const storage = await openPostgres(database.url, WIDE_LIMITS);
    try {
      const spans = await rows(`select date_trunc('hour', start, 'UTC') = '2026-01-15T12:00:00Z' as is_first,
        count(*)::int as spans, sum(medium_count)::int as events from event_spans group by 1`);
      assert.deepEqual(spans, [{ is_first: true, spans: 720, events: 5143 }]);
      for (const [page, first] of [
        [1, '5999'],
        [3, '3999'],
        [6, '999'],
      ] as const) {
        const { records, total } = await storage.scores.list(customer_id, {}, page, 1_000);
        assert.deepEqual([total, records.length, records[0]?.event_id], [6_000, 1_000, first]);
      }
    } finally {
      await storage.close();
    }
  });

  test('a migration that the server interrupts is retried by the start that waits for the server', async () => {
    const database = await makeEmptyDatabase();
    try {
      await migrate({ url: database.url }, readMigrations().slice(0, -1));
      // A sequence counts the tries, because it keeps its value when a statement fails.
      await database.run('create sequence tries');
      await database.run(`create function fail() returns event_trigger language plpgsql as $$ begin
        if nextval('tries') < 3 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      end $$`);
      await database.run('create event trigger fail on ddl_command_start execute function fail()');
      const notices: string[] = [];
      const storage = await openPostgres(database.url, { ...WIDE_LIMITS, notice: (text) => notices.push(text) });
      assert.equal((await storage.health()).migration, readMigrations().length);
      await storage.close();
      assert.equal(notices.length, 1);
      assert.match(notices[0]!, /: migration `.*` failed and was rolled back: deadlock detected$/);
    } finally {
      await database.drop();
    }
  });

  test('a database in another encoding is refused', async () => {
    const latin = await makeEmptyDatabase(`template template0 encoding 'LATIN1' locale 'C'`);
    try {
      await assert.rejects(openPostgres(latin.url, WIDE_LIMITS), {
        name: 'StartError',
        message: /has the encoding `LATIN1`/,
      });
    } finally {
      await latin.drop();
    }
  });
});

describe('a server that cannot be used is one line without the password', () => {
  test('nobody listens', async () => {
    await assert.rejects(openPostgres('postgres://u:hunter2@127.0.0.1:1/db', { ...WIDE_LIMITS, wait_ms: 0 }), {
      name: 'StartError',
      message:
        /^cannot use PostgreSQL at `127\.0\.0\.1:1\/db`: connect ECONNREFUSED.*; check DATABASE_URL and that the server is up$/,
    });
  });

  test('no such database', { skip: NO_SERVER ?? false }, async () => {
    const url = new URL(process.env['TEST_DATABASE_URL']!);
    url.pathname = '/no_such_database';
    await assert.rejects(openPostgres(url.href, WIDE_LIMITS), {
      name: 'StartError',
      message: /no_such_database`: database "no_such_database" does not exist; check/,
    });
  });
});
