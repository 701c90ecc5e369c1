/** Brings a database to the schema of this version of Weir. Two nodes may start at the same time. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { reasonOf } from '../reason-of.ts';
import { StartError } from '../start-error.ts';
import { connectionConfig, type Target } from './connection/pool.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
}

/** An arbitrary number that no other program uses on the same database: the letters `weir`. */
const LOCK_KEY = 0x77656972;
const OLDEST_SERVER = 150_000;
/** No client waits for an answer yet, and where many nodes start together, both sides are slow. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The other node may be busy with a long migration. */
const LOCK_WAIT = '60s';

/** The files of `migrations/`, in order. */
export function readMigrations(directory = join(import.meta.dirname, 'migrations')): Migration[] {
  const names = readdirSync(directory).filter((name) => /^\d{4}-.*\.sql$/.test(name));
  return names.sort().map((name) => {
    const sql = readFileSync(join(directory, name), 'utf8');
    return { number: Number(name.slice(0, 4)), name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/** Applies the missing files, each in its own transaction, and returns the number of the last one. */
export async function migrate(target: Target, migrations = readMigrations()): Promise<number> {
  const client = new pg.Client(connectionConfig(target, { connect_timeout_ms: CONNECT_TIMEOUT_MS }));
  client.on('error', () => {});
  await client.connect();
  try {
    await checkServer(client);
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    const applied = await readApplied(client);
    checkApplied(applied, migrations);
    for (const migration of migrations.slice(applied.length)) await apply(client, migration);
    return migrations.at(-1)?.number ?? 0;
  } finally {
    await client.end();
  }
}

type Applied = Pick<Migration, 'number' | 'name' | 'checksum'>;

/** The SQL assumes these settings; in another encoding some text could not be stored. */
async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number; encoding: string }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
       current_setting('server_encoding') as encoding`,
  );
  const { version, number, encoding } = rows[0]!;
  if (number < OLDEST_SERVER) {
    throw new StartError(`PostgreSQL \`${version}\` is too old: Weir needs 15 or newer`);
  }
  if (encoding !== 'UTF8') {
    throw new StartError(`the database has the encoding \`${encoding}\`: make one with encoding 'UTF8'`);
  }
}

async function readApplied(client: pg.Client): Promise<Applied[]> {
  // Checked first, because a user without the right to create tables may still use a database that is up to date.
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  );
  if (rows[0]?.found) return listApplied(client);
  await client.query(`create table schema_migrations (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`);
  return [];
}

async function listApplied(client: pg.Client): Promise<Applied[]> {
  return (await client.query<Applied>('select number, name, checksum from schema_migrations order by number')).rows;
}

function checkApplied(applied: Applied[], known: Migration[]): void {
  const newest = applied.at(-1)?.number ?? 0;
  const last = known.at(-1)?.number ?? 0;
  if (newest > last) {
    throw new StartError(
      `the database is at migration \`${newest}\` and this version of Weir knows up to \`${last}\`: start a version at least as new as the one that migrated it`,
    );
  }
  for (const [index, row] of applied.entries()) {
    if (known[index]?.number !== row.number || known[index]?.checksum !== row.checksum) {
      throw new StartError(
        `migration \`${row.name}\` in the database differs from the file of this version: restore the file; a migration that was applied is never edited`,
      );
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new StartError(`migration \`${migration.name}\` failed and was rolled back: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
