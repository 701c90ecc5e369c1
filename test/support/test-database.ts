/**
 * A database of its own for each test, on the server at TEST_DATABASE_URL. For tests only. A database is a clone of a migrated
 * template, which costs about a tenth of the migrations.
 */

import { randomBytes } from 'node:crypto';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LEVELS } from '../../src/scoring/level.ts';
import type { Storage } from '../../src/storage/ports/storage.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { hourOf, spanOf } from '../../src/storage/postgres/lists/totals.ts';
import { schemaKey } from './embedded-template.ts';
import { PATIENCE_MS } from './patience.ts';
import { WIDE_LIMITS } from './wide-limits.ts';

const TOO_MANY_CONNECTIONS = '53300';

const SERVER = process.env['TEST_DATABASE_URL'];

/** Why tests of a real server are skipped; `undefined` when they can run. */
export const NO_SERVER =
  SERVER === undefined ? 'TEST_DATABASE_URL is not set: no PostgreSQL server to test against' : undefined;

/**
 * Counts the events of customer $1 into the totals, for events that a test put there by itself; in two slots, as if two nodes
 * had written them.
 */
export const COUNT_INTO_TOTALS = `with counted as materialized (
  select customer_id, ${spanOf('scored_at')} as start, hashtext(event_id) & 1 as slot,
    ${LEVELS.map((level) => `count(*) filter (where risk_level = '${level}') as ${level}_count`).join(', ')},
    sum(score) as score_sum
  from events where customer_id = $1 group by 1, 2, 3
), spanned as (
  insert into event_spans
  select customer_id, start, slot, ${LEVELS.map((level) => `${level}_count`).join(', ')} from counted
)
insert into event_totals
select customer_id, ${hourOf('start')}, slot, ${LEVELS.map((level) => `sum(${level}_count)`).join(', ')}, sum(score_sum)
from counted group by 1, 2, 3`;

export interface TestDatabase {
  url: string;
  run(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Ends every connection of Weir's to it. */
  cutConnections(): Promise<void>;
  drop(): Promise<void>;
}

/** A migrated database without rows. */
export async function makeDatabase(): Promise<TestDatabase> {
  const name = newName();
  while (!(await cloneTemplate(name))) await makeTemplate();
  return testDatabase(name);
}

/** A database without tables. `options` are those of `create database`. */
export async function makeEmptyDatabase(options = ''): Promise<TestDatabase> {
  const name = newName();
  await onServer(SERVER!, `create database ${name} ${options}`);
  return testDatabase(name);
}

const newName = (): string => `weir_test_${randomBytes(6).toString('hex')}`;

const TEMPLATE = 'weir_test_template';
/** Key of the advisory lock on the template: shared while it is cloned, exclusive while it is made. */
const TEMPLATE_LOCK = 0x77656974;

/** Clones the template; false when there is none with the migrations of this checkout. */
async function cloneTemplate(name: string): Promise<boolean> {
  return withClient(SERVER!, async (client) => {
    await client.query('select pg_advisory_lock_shared($1)', [TEMPLATE_LOCK]);
    if (!(await isTemplateCurrent(client))) return false;
    await client.query(`create database ${name} template ${TEMPLATE}`);
    return true;
  });
}

/** Makes the template, unless another process has just made it. The lock ends with the connection. */
export async function makeTemplate(): Promise<void> {
  await withClient(SERVER!, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (await isTemplateCurrent(client)) return;
    await client.query(`drop database if exists ${TEMPLATE} with (force)`);
    await client.query(`create database ${TEMPLATE}`);
    // Opened once, so that the partitions are there as well.
    await (await openPostgres(urlOf(TEMPLATE), WIDE_LIMITS)).close();
    await client.query(`alter database ${TEMPLATE} with allow_connections false`);
    // Last: a template without this comment was not finished.
    await client.query(`comment on database ${TEMPLATE} is '${schemaKey()}'`);
  });
}

async function isTemplateCurrent(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ key: string | null }>(
    `select shobj_description(oid, 'pg_database') as key from pg_database where datname = $1`,
    [TEMPLATE],
  );
  return rows[0]?.key === schemaKey();
}

function urlOf(name: string): string {
  const url = new URL(SERVER!);
  url.pathname = `/${name}`;
  return url.href;
}

function testDatabase(name: string): TestDatabase {
  const url = urlOf(name);
  return {
    url,
    run: (sql, values) => onServer(url, sql, values),
    async cutConnections() {
      await onServer(
        SERVER!,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'weir%'`,
        [name],
      );
    },
    async drop() {
      await onServer(SERVER!, `drop database ${name} with (force)`);
    },
  };
}

export interface Node {
  database: TestDatabase;
  storage: Storage;
}

/** One node on a new database for the whole suite; the fields are there once tests run. */
export function useNode(): Node {
  const node = {} as Node;
  useDatabase(node, async (url) => {
    node.storage = await openPostgres(url, WIDE_LIMITS);
    return [node.storage];
  });
  return node;
}

export interface Nodes {
  database: TestDatabase;
  /** Two nodes on that database. */
  storages: [Storage, Storage];
}

/** The same with two nodes. */
export function useNodes(): Nodes {
  const nodes = {} as Nodes;
  useDatabase(nodes, async (url) => {
    nodes.storages = [await openPostgres(url, WIDE_LIMITS), await openPostgres(url, WIDE_LIMITS)];
    return nodes.storages;
  });
  return nodes;
}

function useDatabase(made: { database: TestDatabase }, open: (url: string) => Promise<Storage[]>): void {
  let storages: Storage[] = [];
  before(async () => {
    made.database = await makeDatabase();
    storages = await open(made.database.url);
  });
  after(async () => {
    for (const storage of storages) await storage.close();
    await made.database?.drop();
  });
}

async function onServer(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query<Record<string, unknown>>(sql, values)).rows);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectTo(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A connection to the database at `url`. Test files run at the same time, so it waits while the server has none left. */
export async function connectTo(url: string): Promise<pg.Client> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if ((error as { code?: string }).code !== TOO_MANY_CONNECTIONS || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}
