/** Events that no worker could score: set aside, listed, put back. */
import type pg from 'pg';
import type { BuriedEvent, BuriedFilter, TakenEvent } from '../../ports/queue.ts';
import { inTransaction, isoText, query } from '../connection/pool.ts';
import { type ChunkEvent, enqueue, toChunks, toQueued } from './queue-chunks.ts';

/** Replaces an event with other content that had the id before. */
export async function bury(
  pool: pg.Pool,
  { customer_id, event_id, lane, content_hash, event }: TakenEvent,
  reason: string,
): Promise<void> {
  await query(
    pool,
    `insert into queue_dead as d (customer_id, event_id, lane, content_hash, event, reason, accepted_at, seq, place)
     select $1, $2, $3, $4, $5, $6, accepted_at, seq,
       (select i.nr from json_array_elements_text(event_ids::json) with ordinality as i (event_id, nr) where i.event_id = $2 limit 1)
     from queue_chunks
     where customer_id = $1 and lane = $3 and event_ids::jsonb ? $2 order by seq desc limit 1
     on conflict (customer_id, event_id) do update set lane = excluded.lane, content_hash = excluded.content_hash,
       event = excluded.event, reason = excluded.reason, accepted_at = excluded.accepted_at, seq = excluded.seq, place = excluded.place
       where d.content_hash <> excluded.content_hash`,
    [customer_id, event_id, lane, content_hash, JSON.stringify(event), reason.slice(0, 1_000).replaceAll('\0', '')],
  );
}

/**
 * Those of the rows of `queue_dead` called `d` that no door has scored since. A missing key went with its event, which
 * was scored; one with another hash belongs to a new event.
 */
export const IS_UNSCORED = `(select true from event_keys k where k.customer_id = d.customer_id and k.event_id = d.event_id
  and k.scored_at is null and k.content_hash = d.content_hash) is not null`;
/** Those of the same rows that match the filter, the first two parameters. */
const IS_OF_FILTER = `($1::uuid is null or d.customer_id = $1) and ($2::text is null or strpos(d.reason, $2) > 0)`;
/** In order of arrival, so that events of a session keep theirs. */
const BY_ARRIVAL = 'accepted_at, seq, place, customer_id, event_id';

const valuesOf = ({ customer_id, reason }: BuriedFilter): (string | null)[] => [customer_id ?? null, reason ?? null];

/** One statement, so one snapshot. */
export async function buried(pool: pg.Pool, filter: BuriedFilter, page: number, per_page: number) {
  const rows = await query<BuriedEvent & { total: number }>(
    pool,
    `with page as (
       select * from queue_dead d where ${IS_OF_FILTER} and ${IS_UNSCORED} order by ${BY_ARRIVAL} limit $3 offset $4
     )
     select (select count(*) from queue_dead d where ${IS_OF_FILTER} and ${IS_UNSCORED}) as total,
       customer_id, event_id, reason, ${isoText('accepted_at')} as accepted_at
     from (select) as one left join page on true order by page.accepted_at, seq, place, customer_id, event_id`,
    [...valuesOf(filter), per_page, (page - 1) * per_page],
  );
  const events = rows.filter((row) => row.event_id !== null).map(({ total: _, ...event }) => event);
  return { events, total: rows[0]!.total };
}

/** An arbitrary number: only one caller puts events back at a time, because two would mix up the order of a session. */
const REVIVE_LOCK = 0x77656974;

/** Runs `work` in a transaction that excludes other callers that put events back. */
function reviving<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    // A separate statement, so that the next one sees what this one has put back.
    await client.query('select pg_advisory_xact_lock($1)', [REVIVE_LOCK]);
    return work(client);
  });
}

type DeadEvent = ChunkEvent & { customer_id: string; lane: number; is_unscored: boolean };

export function revive(pool: pg.Pool, customer_id: string, event_id: string): Promise<boolean> {
  return reviving(pool, async (client) => {
    const { rows } = await client.query<DeadEvent>(
      `delete from queue_dead d where customer_id = $1 and event_id = $2
       returning customer_id, lane, content_hash, event::json as event, ${IS_UNSCORED} as is_unscored`,
      [customer_id, event_id],
    );
    return (await enqueueDead(client, rows)) > 0;
  });
}

/** Events of one transaction, and their JSON text; a single larger event goes alone. */
const REVIVED_EVENTS = 1_000;
const REVIVED_LENGTH = 8 * 2 ** 20;

/**
 * Skips locked rows, so that no deadlock occurs: a batch that brings ids of which only these rows are left deletes
 * them, in an order of its own.
 */
const REVIVE = `with free as materialized (
    select customer_id, event_id, accepted_at, seq, place, octet_length(event) as size
    from queue_dead d where ${IS_OF_FILTER} and accepted_at < $3::timestamptz order by ${BY_ARRIVAL} limit ${REVIVED_EVENTS}
    for update skip locked
  ), first as (
    select customer_id, event_id, size, row_number() over (order by ${BY_ARRIVAL}) as nr from free
  ), wanted as (
    select customer_id, event_id, nr from (select *, sum(size) over (order by nr) as length from first) as f
    where nr = 1 or length <= ${REVIVED_LENGTH}
  ), revived as (
    delete from queue_dead d using wanted w where d.customer_id = w.customer_id and d.event_id = w.event_id
    returning w.nr, d.customer_id, d.lane, d.content_hash, d.event, ${IS_UNSCORED} as is_unscored
  )
  select customer_id, lane, content_hash, event::json as event, is_unscored from revived order by nr`;

export async function reviveAll(pool: pg.Pool, filter: BuriedFilter, onPart: (count: number) => void): Promise<number> {
  // Also one that cannot be scored again gets a later time of arrival, or this would never end.
  const [start] = await query<{ now: string }>(pool, 'select clock_timestamp()::text as now');
  let count = 0;
  for (;;) {
    const { found, revived } = await reviving(pool, async (client) => {
      const { rows } = await client.query<DeadEvent>(REVIVE, [...valuesOf(filter), start!.now]);
      return { found: rows.length, revived: await enqueueDead(client, rows) };
    });
    if (found === 0) return count;
    count += revived;
    onPart(count);
  }
}

/**
 * Queues those that are still to be scored; returns how many. Customers in one order, and within each its lanes, as
 * every transaction locks them.
 */
async function enqueueDead(client: pg.PoolClient, dead: readonly DeadEvent[]): Promise<number> {
  const unscored = dead.filter(({ is_unscored }) => is_unscored);
  const by_customer = Map.groupBy(unscored, ({ customer_id }) => customer_id);
  for (const customer_id of [...by_customer.keys()].sort()) {
    const events = by_customer.get(customer_id)!.map((event) => toQueued(event.lane)(event));
    await enqueue(client, toChunks(customer_id, events));
  }
  return unscored.length;
}

/**
 * Removes those that a door has scored, a few at a time: a new event may get the id some day. Skips locked rows, so
 * that no deadlock occurs.
 */
export async function forgetScored(client: pg.Client): Promise<void> {
  for (let count = FORGOTTEN_AT_ONCE; count === FORGOTTEN_AT_ONCE; ) {
    count = (await client.query(FORGET, [FORGOTTEN_AT_ONCE])).rowCount ?? 0;
  }
}

const FORGOTTEN_AT_ONCE = 5_000;

const FORGET = `delete from queue_dead
where ctid = any (array(select ctid from queue_dead d where not (${IS_UNSCORED}) limit $1 for update skip locked))`;
