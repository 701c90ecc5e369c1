/**
 * Partitions of `events`: made ahead of time, so that an insert always finds its own, and dropped when they are older
 * than the retention. Events and indexes of a partition go at once, their keys row by row.
 */
import pg from 'pg';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { sqlState } from '../connection/errors.ts';
import { connectionConfig, query, type Target } from '../connection/pool.ts';
import { HOUR } from '../lists/totals.ts';
import { forgetScored } from '../queue/queue-dead.ts';

export type PartitionLength = 'month' | 'day';

/** An arbitrary number that no other program uses on the same database, and not the one of migrations. */
const LOCK_KEY = 0x77656973;

/** How far ahead partitions exist: a node that could not make any for this long still writes. */
const AHEAD: Record<PartitionLength, number> = { month: 2, day: 7 };

/** Read from the server's catalogue and not from `event_partitions`, which does not know what an operator detached. */
const IS_READY = `select exists (
  select from event_partitions p join pg_inherits i on i.inhrelid = to_regclass(p.name)
  where i.inhparent = 'events'::regclass and not i.inhdetachpending and p.from_time <= now() and p.to_time > now()
) as is_ready`;

/** Whether events scored at this time exist, and not in a partition that is being dropped. */
export const isKept = (scored_at: string): string => `${scored_at} >= (select events_kept_from())`;
/** The negation. False for a key that waits to be scored, because that is unknown. */
export const isGone = (scored_at: string): string => `${scored_at} < (select events_kept_from())`;

/**
 * Makes the missing partitions of now and ahead. Safe on many nodes at once. Throws `StoreUnavailable` when the current
 * partition is missing even then: that is not the fault of the event to be written.
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
  if (!found?.is_ready) throw new StoreUnavailable('no partition of `events` covers the current time');
}

/**
 * No partition takes this row: none was made ahead, or the clock jumped. Recognised by where the server found the
 * fault, because the message is in the server's language.
 */
export function isPartitionMissing(error: unknown): boolean {
  return sqlState(error) === '23514' && (error as pg.DatabaseError).routine === 'ExecFindPartition';
}

/**
 * Key by key: for each few of them, the planner would rather read all keys. Nobody is told of the deletion, so no
 * commit waits for the disk; keys that a crash brings back go with the next call.
 */
const DROP_SESSION = '-c enable_hashjoin=off -c enable_mergejoin=off -c synchronous_commit=off';

/**
 * Removes whole partitions in which everything is older than `days`, with their ids and totals, and returns their
 * names; also the remains of events that were set aside before a door scored them. Readers and writers continue
 * meanwhile; the next call finishes an interrupted one. While another node is at it there is nothing to do: waiting
 * would only occupy a connection.
 */
export async function dropExpired(target: Target, days: number): Promise<string[]> {
  // A connection of its own, without time limits: millions of ids may be deleted.
  const client = new pg.Client(connectionConfig(target, { options: DROP_SESSION }));
  client.on('error', () => {});
  await client.connect();
  try {
    const lock = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [LOCK_KEY]);
    if (!lock.rows[0]?.is_ours) return [];
    const { rows } = await client.query<{ name: string }>(
      'select name from event_partitions where is_gone or to_time <= now() - make_interval(days => $1) order by from_time',
      [days],
    );
    for (const { name } of rows) await drop(client, name);
    await forgetScored(client);
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * First the events become invisible in one commit, and then their remains are deleted. Keys are deleted a few at a
 * time, because an event that is sent again with such an id waits for the lock on its key.
 */
async function drop(client: pg.Client, name: string): Promise<void> {
  await client.query(VANISH, [name]);
  await detach(client, name);
  const table = client.escapeIdentifier(name);
  if (await isThere(client, name)) await dropKeys(client, table);
  await client.query('begin');
  await client.query(`drop table if exists ${table}`);
  await client.query('delete from event_partitions where name = $1', [name]);
  await client.query('commit');
}

/**
 * An operator may have dropped it. Its keys are then freed one by one, when their ids are used again (lost-keys.ts).
 */
async function isThere(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>('select to_regclass($1) is not null as is_there', [name]);
  return rows[0]!.is_there;
}

async function dropKeys(client: pg.Client, table: string): Promise<void> {
  const page = dropKeysSql(table);
  let last: LastKey | undefined = {
    customer_id: '00000000-0000-0000-0000-000000000000',
    scored_at: '-infinity',
    event_id: '',
  };
  while (last !== undefined) {
    const { rows }: pg.QueryResult<LastKey> = await client.query<LastKey>(page, [
      last.customer_id,
      last.scored_at,
      last.event_id,
      KEYS_AT_ONCE,
    ]);
    last = rows[0];
  }
}

/** Bounds of a partition are whole days, so no total spans two of them. A total is kept no longer than its events. */
const VANISH = `with gone as (
    update event_partitions set is_gone = true where name = $1 returning from_time, to_time
  ), holds as (
    delete from holds h using gone where h.held_at >= gone.from_time and h.held_at < gone.to_time
  ), totals as (
    delete from event_totals t using gone where t.hour >= gone.from_time and t.hour < gone.to_time
    returning t.customer_id, t.hour
  )
  delete from event_spans s using (select distinct customer_id, hour from totals) as t
  where s.customer_id = t.customer_id and s.start >= t.hour and s.start < t.hour + ${HOUR}`;

async function detach(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ is_pending: boolean }>(
    `select inhdetachpending as is_pending from pg_inherits where inhrelid = to_regclass($1) and inhparent = 'events'::regclass`,
    [name],
  );
  if (rows[0] === undefined) return;
  const how = rows[0].is_pending ? 'finalize' : 'concurrently';
  await client.query(`alter table events detach partition ${client.escapeIdentifier(name)} ${how}`);
}

/** Keys deleted together: in a fraction of the time after which a writer gives up waiting. */
const KEYS_AT_ONCE = 5_000;

interface LastKey {
  customer_id: string;
  /** In PostgreSQL's form, with all digits. */
  scored_at: string;
  event_id: string;
}

/**
 * Deletes the keys of the next events of a table and returns the last of these. Locked in the order in which keys are
 * claimed, so that no deadlock occurs. A key that was used again meanwhile has another time and stays.
 */
const dropKeysSql = (table: string): string => `with page as materialized (
    select customer_id, scored_at, event_id from ${table} where (customer_id, scored_at, event_id) > ($1, $2, $3)
    order by customer_id, scored_at, event_id limit $4
  ), locked as materialized (
    select k.ctid from page p
      join event_keys k on k.customer_id = p.customer_id and k.event_id = p.event_id and k.scored_at = p.scored_at
    order by k.customer_id, k.event_id for update of k
  ), dropped as (
    delete from event_keys k using locked l where k.ctid = l.ctid
  )
  select customer_id, scored_at::text, event_id from page p order by p.customer_id desc, p.scored_at desc, p.event_id desc limit 1`;
