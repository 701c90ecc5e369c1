/** The queue of accepted events. Its rows leave in write-group.ts, with the statement that stores a score. */
import type pg from 'pg';
import type { AcceptOutcome, BuriedEvent, Lane, QueuedEvent, QueueStats, QueueStore, TakenEvent } from '../ports.ts';
import { bulkQuery, type Parameter } from './bulk-query.ts';
import { inTransaction, isoText, query, withClient } from './pool.ts';

/** Channel on which a node says that it accepted something. */
export const CHANNEL = 'weir_queue';

/** Ids, the queue and its lanes in one statement. Lanes are locked in one order, so that two batches never wait in a ring. */
const ACCEPT = {
  name: 'accept-events',
  text: `with offered as (
  select * from unnest($2::text[], $3::text[], $4::json[], $5::smallint[])
    with ordinality as r (event_id, content_hash, event, lane, nr)
), claimed as (
  insert into event_keys (customer_id, event_id, content_hash)
  select $1, event_id, content_hash from offered order by event_id
  on conflict do nothing returning event_id
), queued as (
  insert into queue (customer_id, event_id, lane, content_hash, event)
  select $1, event_id, lane, content_hash, event from offered join claimed using (event_id) order by nr
  returning lane
), woken as (
  insert into queue_lanes as l (customer_id, lane, has_work)
  select distinct $1::uuid, lane, true from queued order by lane
  on conflict (customer_id, lane) do update set has_work = true,
    served_at = case when l.has_work then l.served_at else clock_timestamp() end
)
select array(select event_id from claimed) as event_ids, pg_notify('${CHANNEL}', '')`,
};

const CONFLICT = `select r.nr::int - 1 as index
from unnest($2::text[], $3::text[]) with ordinality as r (event_id, content_hash, nr)
  join event_keys k on k.customer_id = $1 and k.event_id = r.event_id
where k.content_hash <> r.content_hash order by r.nr limit 1`;

const LEASE = `update queue_lanes l set leased_by = $1, leased_until = now() + $2 * interval '1 ms', served_at = clock_timestamp()
from (
  select customer_id, lane from queue_lanes
  where has_work and (leased_until is null or leased_until < now())
    and ($3::uuid is null or (customer_id = $3 and lane = $4))
    and ($5::int is null or served_at < now() - $5 * interval '1 ms')
  order by served_at limit 1 for update skip locked
) as next
where l.customer_id = next.customer_id and l.lane = next.lane
returning l.customer_id, l.lane`;

/** Holds the lane's row, so that between here and the end of the transaction nobody else takes or gives. */
const HOLD = `select slice_to from queue_lanes
where customer_id = $1 and lane = $2 and leased_by = $3 and leased_until >= now() for update`;

const NEXT = `select q.customer_id, q.event_id, q.seq, q.lane, q.content_hash, q.event, q.attempts,
  k.scored_at is not null as is_scored
from queue q join event_keys k using (customer_id, event_id)
where q.customer_id = $1 and q.lane = $2 and q.dead_reason is null order by q.seq limit $3`;

export function queueStore(pool: pg.Pool, onWork: QueueStore['onWork']): QueueStore {
  return {
    accept: (customer_id, events) => accept(pool, customer_id, events),

    async lease(worker, lease_ms, { lane, idle_ms } = {}) {
      // Not through `query`: run twice, it would lease two lanes.
      const values = [worker, lease_ms, lane?.customer_id ?? null, lane?.lane ?? null, idle_ms ?? null];
      const rows = await withClient(pool, async (client) => (await client.query<Lane>(LEASE, values)).rows);
      return rows[0] ?? null;
    },

    take: (lane, worker, limit) => take(pool, lane, worker, limit),

    async renew({ customer_id, lane }, worker, lease_ms) {
      const rows = await query(
        pool,
        `update queue_lanes set leased_until = now() + $4 * interval '1 ms'
         where customer_id = $1 and lane = $2 and leased_by = $3 and leased_until >= now() returning 1`,
        [customer_id, lane, worker, lease_ms],
      );
      return rows.length > 0;
    },

    release: (lane, worker, is_unfinished = false) => release(pool, lane, worker, is_unfinished),

    async bury(customer_id, event_id, reason) {
      await query(pool, 'update queue set dead_reason = $3 where customer_id = $1 and event_id = $2', [
        customer_id,
        event_id,
        reason.slice(0, 1_000).replaceAll('\0', ''),
      ]);
    },

    buried: (customer_id) =>
      query<BuriedEvent>(
        pool,
        `select customer_id, event_id, dead_reason as reason, ${isoText('accepted_at')} as accepted_at from queue
         where dead_reason is not null and ($1::uuid is null or customer_id = $1) order by seq limit 1000`,
        [customer_id ?? null],
      ),

    async revive(customer_id, event_id) {
      const rows = await query(
        pool,
        `with revived as (
           update queue set dead_reason = null, attempts = 0
           where customer_id = $1 and event_id = $2 and dead_reason is not null returning customer_id, lane
         ), woken as (
           update queue_lanes l set has_work = true from revived r where l.customer_id = r.customer_id and l.lane = r.lane
         )
         select 1 from revived`,
        [customer_id, event_id],
      );
      return rows.length > 0;
    },

    stats: (customer_id) => stats(pool, customer_id),
    onWork,
  };
}

function accept(pool: pg.Pool, customer_id: string, events: readonly QueuedEvent[]): Promise<AcceptOutcome> {
  const ids = events.map((event) => event.event_id);
  const hashes = events.map((event) => event.content_hash);
  const values: Parameter[] = [
    customer_id,
    { type: 'text', items: ids },
    { type: 'text', items: hashes },
    { type: 'json', items: events.map(({ event, event_json }) => event_json ?? JSON.stringify(event)) },
    { type: 'int2', items: events.map(({ lane }) => lane) },
  ];
  return withClient(pool, async (client): Promise<AcceptOutcome> => {
    await client.query('begin');
    try {
      const [accepted] = await bulkQuery<{ event_ids: string[] }>(client, ACCEPT, values);
      const { event_ids } = accepted!;
      if (event_ids.length < events.length) {
        const known = await client.query<{ index: number }>(CONFLICT, [customer_id, ids, hashes]);
        const conflict = known.rows[0];
        if (conflict !== undefined) {
          await client.query('rollback');
          return { kind: 'conflict', index: conflict.index };
        }
      }
      await client.query('commit');
      return { kind: 'accepted', event_ids };
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

type Row = TakenEvent & { seq: number; is_scored: boolean };

function take(pool: pg.Pool, { customer_id, lane }: Lane, worker: string, limit: number): Promise<TakenEvent[]> {
  return inTransaction(pool, async (client) => {
    const held = await client.query<{ slice_to: number | null }>(HOLD, [customer_id, lane, worker]);
    if (held.rows.length === 0) return [];
    const slice = toSlice(await next(client, { customer_id, lane }, limit), held.rows[0]!.slice_to);
    await client.query('update queue_lanes set slice_to = $3 where customer_id = $1 and lane = $2', [
      customer_id,
      lane,
      slice.slice_to,
    ]);
    if (slice.is_suspect) {
      await client.query('update queue set attempts = attempts + 1 where customer_id = $1 and event_id = $2', [
        customer_id,
        slice.rows[0]!.event_id,
      ]);
    }
    const deaths = slice.is_suspect ? 1 : 0;
    return slice.rows.map(({ seq: _, is_scored: __, ...event }) => ({ ...event, attempts: event.attempts + deaths }));
  });
}

/**
 * The next rows of a lane. One that was scored at the door while it was being accepted is removed: the statement that
 * scored it could not see its row here yet.
 */
async function next(client: pg.PoolClient, { customer_id, lane }: Lane, limit: number): Promise<Row[]> {
  for (;;) {
    const { rows } = await client.query<Row>(NEXT, [customer_id, lane, limit]);
    const scored = rows.filter((row) => row.is_scored).map((row) => row.event_id);
    if (scored.length === 0) return rows;
    await client.query('delete from queue where customer_id = $1 and event_id = any ($2)', [customer_id, scored]);
    if (scored.length < rows.length) return rows.filter((row) => !row.is_scored);
  }
}

interface Slice {
  rows: Row[];
  slice_to: number | null;
  /** Its one event is among those that a worker died over. */
  is_suspect: boolean;
}

/**
 * What to hand out. `slice_to` is what the last slice went up to: a row up to there that is still in the queue was not
 * finished, because its worker died over one of them. Those are handed out one at a time until they are gone.
 */
function toSlice(rows: Row[], slice_to: number | null): Slice {
  const first = rows[0];
  if (first === undefined) return { rows: [], slice_to: null, is_suspect: false };
  if (slice_to !== null && first.seq <= slice_to) return { rows: [first], slice_to, is_suspect: true };
  return { rows, slice_to: rows.at(-1)!.seq, is_suspect: false };
}

function release(pool: pg.Pool, { customer_id, lane }: Lane, worker: string, is_unfinished: boolean): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const held = await client.query(HOLD, [customer_id, lane, worker]);
    if (held.rows.length === 0) return false;
    // A statement of its own, so that it sees what was accepted before the row was ours.
    const { rows } = await client.query<{ has_work: boolean }>(
      `update queue_lanes set leased_by = null, leased_until = null, slice_to = case when $3 then null else slice_to end,
         has_work = exists (select from queue where customer_id = $1 and lane = $2 and dead_reason is null)
       where customer_id = $1 and lane = $2 returning has_work`,
      [customer_id, lane, is_unfinished],
    );
    return rows[0]!.has_work;
  });
}

async function stats(pool: pg.Pool, customer_id: string | undefined): Promise<QueueStats> {
  const rows = await query<QueueStats>(
    pool,
    `select count(*) filter (where dead_reason is null) as waiting,
       coalesce(extract(epoch from clock_timestamp() - min(accepted_at) filter (where dead_reason is null)), 0)::float8 as oldest_s,
       count(*) filter (where dead_reason is not null) as dead,
       (select count(*) from queue_lanes where leased_until >= now() and ($1::uuid is null or customer_id = $1)) as leased_lanes
     from queue where $1::uuid is null or customer_id = $1`,
    [customer_id ?? null],
  );
  return rows[0]!;
}
