import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openPostgres } from './index.ts';
import { type Migration, migrate, readMigrations } from './migrate.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from './test-database.ts';

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
    database = await makeDatabase();
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

  test('one that fails is rolled back, those before it stay, and the next start goes on from there', async () => {
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

  test('a database of a newer version, or with another history, is left alone', async () => {
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

  test('a database in another encoding is refused', async () => {
    const latin = await makeDatabase(`template template0 encoding 'LATIN1' locale 'C'`);
    try {
      await assert.rejects(openPostgres(latin.url), { name: 'StartError', message: /has the encoding `LATIN1`/ });
    } finally {
      await latin.drop();
    }
  });
});

describe('a server that cannot be used is one line without the password', () => {
  test('nobody listens', async () => {
    await assert.rejects(openPostgres('postgres://u:hunter2@127.0.0.1:1/db', { wait_ms: 0 }), {
      name: 'StartError',
      message:
        /^cannot use PostgreSQL at `127\.0\.0\.1:1\/db`: connect ECONNREFUSED.*; check DATABASE_URL and that the server is up$/,
    });
  });

  test('no such database', { skip: NO_SERVER ?? false }, async () => {
    const url = new URL(process.env['TEST_DATABASE_URL']!);
    url.pathname = '/no_such_database';
    await assert.rejects(openPostgres(url.href), {
      name: 'StartError',
      message: /no_such_database`: database "no_such_database" does not exist; check/,
    });
  });
});
