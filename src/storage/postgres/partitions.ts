/**
 * Partitions of `events`: made ahead of time, so that an insert always finds its own, and dropped when they are older
 * than what is kept. Events and indexes of a partition go at once, their keys row by row.
 */
import pg from 'pg';
import { StoreUnavailable } from '../ports.ts';
import { sqlState } from './errors.ts';
import { connectionConfig, query, type Target } from './pool.ts';
import { HOUR, hourOf } from './totals.ts';

export type PartitionLength = 'month' | 'day';

/** Any number that no other program takes on the same database, and not the one of migrations. */
const LOCK_KEY = 0x77656973;

/** How far ahead partitions are there: a node that could not make any for so long still writes. */
const AHEAD: Record<PartitionLength, number> = { month: 2, day: 7 };

/** Asked of the server and not of `event_partitions`, which does not know what somebody took out by hand. */
const IS_READY = `select exists (
  select from event_partitions p join pg_inherits i on i.inhrelid = to_regclass(p.name)
  where i.inhparent = 'events'::regclass and not i.inhdetachpending and p.from_time <= now() and p.to_time > now()
) as is_ready`;

/**
 * Makes the partition of now and those ahead, where they are missing. Safe on many nodes at once. Throws `StoreUnavailable`
 * when events of now have none even then: that is no fault of the event that is to be written.
 */
export async function makePartitions(pool: pg.Pool, length: PartitionLength): Promise<void> {
  await query(
    pool,
    `select make_event_partition(start, (start at time zone 'UTC' + $2::interval) at time zone 'UTC')
     from (
       select (date_trunc($1, now() at time zone 'UTC') + n * $2::interval) at time zone 'UTC' as start
       from generate_series(0, $3::int) as n
     ) as wanted
     where not exists (
       select from event_partitions where from_time <= start and to_time >= (start at time zone 'UTC' + $2::interval) at time zone 'UTC'
     )`,
    [length, `1 ${length}`, AHEAD[length]],
  );
  const [found] = await query<{ is_ready: boolean }>(pool, IS_READY);
  if (!found?.is_ready) throw new StoreUnavailable('no partition of `events` takes what is scored now');
}

/** No partition takes this row: nobody made them ahead, or the clock jumped. */
export function isPartitionMissing(error: unknown): boolean {
  return sqlState(error) === '23514' && /no partition of relation/.test((error as Error).message);
}

/**
 * Removes whole partitions in which everything is older than `days`, with their ids and totals, and answers their names.
 * Readers and writers go on meanwhile; what was begun and broken off is ended by the next call. While another node is at
 * it there is nothing to do: to wait for it would only hold a connection.
 */
export async function dropExpired(target: Target, days: number): Promise<string[]> {
  // A connection of its own, without time limits: millions of ids may go.
  const client = new pg.Client(connectionConfig(target));
  client.on('error', () => {});
  await client.connect();
  try {
    const lock = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [LOCK_KEY]);
    if (!lock.rows[0]?.is_ours) return [];
    const { rows } = await client.query<{ name: string }>(
      'select name from event_partitions where to_time <= now() - make_interval(days => $1) order by from_time',
      [days],
    );
    for (const { name } of rows) await drop(client, name);
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function drop(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ is_pending: boolean }>(
    `select inhdetachpending as is_pending from pg_inherits where inhrelid = to_regclass($1) and inhparent = 'events'::regclass`,
    [name],
  );
  if (rows[0] !== undefined) {
    const how = rows[0].is_pending ? 'finalize' : 'concurrently';
    await client.query(`alter table events detach partition ${client.escapeIdentifier(name)} ${how}`);
  }
  const table = client.escapeIdentifier(name);
  await client.query('begin');
  await client.query(
    `delete from event_keys k using ${table} e where k.customer_id = e.customer_id and k.event_id = e.event_id`,
  );
  await client.query(
    `delete from holds h using ${table} e where h.customer_id = e.customer_id and h.event_id = e.event_id`,
  );
  await client.query(
    `with gone as materialized (
       select distinct customer_id, ${hourOf('scored_at')} as hour from ${table}
     ), spans as (
       delete from event_spans s using gone
       where s.customer_id = gone.customer_id and s.start >= gone.hour and s.start < gone.hour + ${HOUR}
     )
     delete from event_totals t using gone where t.customer_id = gone.customer_id and t.hour = gone.hour`,
  );
  await client.query(`drop table ${table}`);
  await client.query('delete from event_partitions where name = $1', [name]);
  await client.query('commit');
}
