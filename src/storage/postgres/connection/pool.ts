/**
 * Connections with bounded waits. No request waits longer than a second for a connection, or two for an answer; where the
 * database is frozen, none longer than a second in all (`watch.ts`). STORE_PATIENCE multiplies these limits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { reasonOf } from '../../reason-of.ts';
import { isConnectionLost, toStoreError } from './errors.ts';
import { patiently } from './patience.ts';
import { createWatch, type Watch } from './watch.ts';

/** Where the database is: a URL, or the private socket of the embedded one. */
export type Target = { url: string } | SocketTarget;

export interface SocketTarget {
  socket_dir: string;
  user: string;
  database: string;
  /** Name that distinguishes this process on a shared server; begins with `weir` while it uses the server. */
  application_name: string;
}

/** Waiting for a free connection, or for a new one; a pool counts it in checks. */
const CONNECT_TIMEOUT_MS = 1_000;
/** After this, a pool closes a connection that is still opening: it frees the place of one that never opens. */
const OPENING_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 2_000;
const LOCK_TIMEOUT_MS = 1_000;
/**
 * A session that is idle in a transaction for this long is ended, and its locks are released: its node froze or
 * vanished. Longer than any statement between two others of its transaction.
 */
const STANDSTILL_MS = 5_000;
/** The client's own limit, for a connection on which nothing arrives any more and whose server cannot enforce the limits above. */
const SILENCE_MS = 2_500;
/** Callers waiting for a connection; further ones are refused immediately, so that memory stays bounded. */
const MAX_WAITING = 2_000;

const INT8_OID = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * Whatever the database's defaults are. Some times pass through text, as in the bounds of partitions: other styles
 * write the abbreviation of a time zone, such as `IST`, which is read as that of another one. And a statement that
 * waited for a lock has to see the other transaction's changes: a stricter isolation level would refuse it instead.
 */
const SESSION = '-c datestyle=ISO -c default_transaction_isolation=read\\ committed';

interface SessionOptions {
  connect_timeout_ms?: number;
  /** Settings of the session, as on the server's command line: `-c name=value`. */
  options?: string;
}

/** Settings of one connection, for a pool or alone. */
export function connectionConfig(
  target: Target,
  { connect_timeout_ms = CONNECT_TIMEOUT_MS, options = '' }: SessionOptions = {},
): pg.ClientConfig {
  return {
    ...placeOf(target),
    // The driver reads PGOPTIONS only where no options are set.
    options: [process.env['PGOPTIONS'], SESSION, options].filter(Boolean).join(' '),
    connectionTimeoutMillis: connect_timeout_ms,
    idle_in_transaction_session_timeout: STANDSTILL_MS,
    keepAlive: true,
    types,
  };
}

function placeOf(target: Target): pg.ClientConfig {
  if ('url' in target) return { connectionString: target.url, application_name: 'weir' };
  const { socket_dir, user, database, application_name } = target;
  // Set completely, because the driver fills gaps from PGPORT and the like, which are meant for other servers.
  return { host: socket_dir, port: 5432, user, database, password: '', ssl: false, application_name };
}

const watches = new WeakMap<pg.Pool, Watch>();

/**
 * What notices that the database is frozen; pools of one database share it. Closed with the first of them. `patience` is a factor of
 * the time limits of their calls.
 */
export function watchOf(target: Target, patience = 1): Watch {
  return createWatch(connectionConfig(target), patience);
}

export function createPool(target: Target, max: number, options = '', watch: Watch = watchOf(target)): pg.Pool {
  const { patience } = watch;
  const pool = new pg.Pool({
    ...connectionConfig(target, { options, connect_timeout_ms: OPENING_MS * patience }),
    statement_timeout: STATEMENT_TIMEOUT_MS * patience,
    lock_timeout: LOCK_TIMEOUT_MS * patience,
    idle_in_transaction_session_timeout: STANDSTILL_MS * patience,
    keepAliveInitialDelayMillis: 5_000,
    idleTimeoutMillis: 30_000,
    max,
  });
  // A connection that dies is replaced at the next call. Without listeners, its 'error' event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  watches.set(pool, watch);
  return pool;
}

/** Closes the connections in order; a frozen server does not delay it. */
export async function endPool(pool: pg.Pool): Promise<void> {
  watches.get(pool)?.close();
  await Promise.race([pool.end(), sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
}

async function connect(pool: pg.Pool, watch: Watch): Promise<pg.PoolClient> {
  if (pool.waitingCount >= MAX_WAITING) {
    throw new StoreUnavailable(`\`${MAX_WAITING}\` calls are already waiting for a database connection; try again`);
  }
  let connecting: Promise<pg.PoolClient> | undefined;
  try {
    return await watch.during(() => {
      connecting = pool.connect();
      return patiently(
        connecting,
        CONNECT_TIMEOUT_MS * watch.patience,
        () => new StoreUnavailable('no database connection became free'),
      );
    });
  } catch (error) {
    // One that comes late has no user any more.
    connecting?.then(
      (client) => client.release(),
      () => {},
    );
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable(`the database cannot be reached: ${reasonOf(error)}`, { cause: error });
  }
}

/** Runs `work` on one connection. A connection that failed is discarded; one that answered with an error is kept. */
export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const watch = watches.get(pool)!;
  const client = await connect(pool, watch);
  try {
    const result = await watch.during(() => unlessSilent(client, SILENCE_MS * watch.patience, () => work(client)));
    client.release();
    return result;
  } catch (error) {
    const failure = toStoreError(error);
    client.release(failure instanceof StoreUnavailable);
    throw failure;
  }
}

/** The outcome of the work; rejects when the connection brings no byte for a while. */
function unlessSilent<T>(client: pg.PoolClient, limit_ms: number, work: () => Promise<T>): Promise<T> {
  // Private: the socket, which counts what it has read.
  const { stream } = (client as unknown as { connection: { stream: import('node:net').Socket } }).connection;
  const silent = (): StoreUnavailable => new StoreUnavailable('a database connection brings no answer');
  return patiently(work(), limit_ms, silent, () => stream.bytesRead);
}

/** Runs `work` in a transaction: all of it, or nothing. */
export function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return withClient(pool, async (client) => {
    await client.query('begin');
    try {
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

/**
 * Runs one statement that may safely run twice; once more when an idle connection turns out to be dead. A named
 * statement is planned once per connection.
 */
export async function query<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: string | { name: string; text: string },
  values: unknown[] = [],
): Promise<Row[]> {
  const config = typeof statement === 'string' ? { text: statement } : statement;
  const once = () => withClient(pool, async (client) => (await client.query<Row>({ ...config, values })).rows);
  try {
    return await once();
  } catch (error) {
    if (error instanceof StoreUnavailable && isConnectionLost(error)) return once();
    throw error;
  }
}

/** A timestamp as ISO 8601 text with microseconds, UTC, whatever the session's settings; a Date would lose digits. */
export function isoText(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
