/**
 * A prepared data directory of the embedded database, copied for each test server: a copy takes a fraction of the time of
 * `initdb` and the migrations. It is kept between runs, under a name made from the migrations and the version of PostgreSQL.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { POSTGRES_VERSION } from '../../src/storage/embedded/binaries.ts';
import { prepareCluster } from '../../src/storage/embedded/cluster.ts';
import { openEmbedded } from '../../src/storage/embedded/index.ts';
import { targetOf } from '../../src/storage/embedded/server.ts';
import { connectionConfig } from '../../src/storage/postgres/connection/pool.ts';
import { readMigrations } from '../../src/storage/postgres/migrate.ts';
import { WIDE_LIMITS } from './wide-limits.ts';

const run = promisify(execFile);
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/weir-test');

/** Changes when the databases of a prepared directory do. */
const LAYOUT = 'one database';

/** Changes with the migrations, the server's version and the month, because a start makes partitions from the current month on. */
export function schemaKey(): string {
  const parts = [
    POSTGRES_VERSION,
    LAYOUT,
    new Date().toISOString().slice(0, 7),
    ...readMigrations().map((one) => one.checksum),
  ];
  return createHash('sha256').update(parts.join()).digest('hex').slice(0, 16);
}

/** Fills an empty data directory with a migrated database that holds no rows. Leaves a directory with a database as it is. */
export async function fillDataDir(data_dir: string): Promise<void> {
  if (existsSync(join(data_dir, 'postgres'))) return;
  const template = await embeddedTemplate();
  mkdirSync(data_dir, { recursive: true });
  // `-a` keeps the owner: under root the database belongs to an account without rights.
  await run('cp', ['-a', join(template, 'postgres'), join(template, 'postgres.log'), data_dir]);
}

/** Weir has one database and makes no other: without those that new ones are copied from, half of the files need not be copied. */
async function dropUnusedDatabases(data_dir: string): Promise<void> {
  const client = new pg.Client(connectionConfig(targetOf(await prepareCluster(data_dir), 'weir-test')));
  await client.connect();
  for (const name of ['template0', 'template1']) {
    await client.query(`alter database ${name} is_template false`);
    await client.query(`drop database ${name}`);
  }
  await client.end();
}

/** Path of the prepared directory. Several processes may make it at once; the first to finish provides it. */
export async function embeddedTemplate(): Promise<string> {
  const template = join(CACHE, `embedded-${schemaKey()}`);
  if (existsSync(template)) return template;
  const made = mkdtempSync(join(tmpdir(), 'weir-template-'));
  const copy = `${template}.new-${process.pid}`;
  try {
    const storage = await openEmbedded(made, WIDE_LIMITS);
    await dropUnusedDatabases(made);
    await storage.close();
    mkdirSync(CACHE, { recursive: true });
    await run('cp', ['-a', made, copy]);
    renameSync(copy, template);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    for (const path of [made, copy]) rmSync(path, { recursive: true, force: true });
  }
  return template;
}
