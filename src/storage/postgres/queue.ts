/**
 * The queue of accepted events, in chunks of one lane. A chunk is deleted when all of its events are scored or set aside;
 * which those are, `event_keys` says. So whoever scores an event, here or at a door, the chunk need not know.
 */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { AgentEvent } from '../../scoring/types.ts';
import type {
  AcceptOutcome,
  BuriedEvent,
  BuriedFilter,
  Lane,
  QueuedEvent,
  QueueStats,
  QueueStore,
  TakenEvent,
} from '../ports.ts';
import { bulkQuery, type Parameter } from './bulk-query.ts';
import { isGone } from './partitions.ts';
import { inTransaction, isoText, query, withClient } from './pool.ts';

/** Channel on which a node says that it accepted something. */
export const CHANNEL = 'weir_queue';

/** Events of one chunk: as many as one group of the store (`GroupLimits.rows`). */
const CHUNK_EVENTS = 256;
/** JSON text of one chunk; a single larger event is a chunk alone. */
const CHUNK_LENGTH = 2 ** 20;
/** JSON text of the chunks that this process accepted and still has, so that scoring them begins without reading them. */
const KEPT_LENGTH = 2 ** 22;

/**
 * In the order of the keys: two batches with the same events then wait for each other in turn, never in a ring. A key whose
 * event is gone is used again.
 */
const CLAIM = {
  name: 'claim-events',
  text: `with claimed as (
  insert into event_keys as k (customer_id, event_id, content_hash)
  select $1, event_id, content_hash from unnest($2::text[], $3::text[]) as r (event_id, content_hash) order by event_id collate "C"
  on conflict (customer_id, event_id) do update set content_hash = excluded.content_hash, scored_at = null
    where ${isGone('k.scored_at')}
  returning event_id
)
select case when (select count(*) from claimed) < cardinality($2::text[]) then array(select event_id from claimed) end as event_ids`,
};

/** Lanes are locked in one order as well. */
const ENQUEUE = {
  name: 'enqueue-chunks',
  text: `with queued as (
  insert into queue_chunks (customer_id, lane, size, event_ids, events)
  select $1, * from unnest($2::smallint[], $3::int[], $4::text[], $5::text[])
  returning lane, seq
), woken as (
  insert into queue_lanes as l (customer_id, lane, has_work)
  select distinct $1::uuid, lane, true from queued order by lane
  on conflict (customer_id, lane) do update set has_work = true,
    served_at = case when l.has_work then l.served_at else clock_timestamp() end
)
select array(select seq from queued order by seq)::text[] as seqs, pg_notify('${CHANNEL}', '')`,
};

const CONFLICT = `select r.nr::int - 1 as index
from unnest($2::text[], $3::text[]) with ordinality as r (event_id, content_hash, nr)
  join event_keys k on k.customer_id = $1 and k.event_id = r.event_id
where k.content_hash <> r.content_hash order by r.nr limit 1`;

/** What the holder before took and did not give back is lost: it died over it, or its lease ended. */
const LEASE = `update queue_lanes l set leased_by = $1, leased_until = now() + $2 * interval '1 ms', served_at = clock_timestamp(),
  taken = null, lost = nullif(coalesce(lost, '{}') || coalesce(taken, '{}'), '{}')
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
const HOLD = `select taken, lost from queue_lanes
where customer_id = $1 and lane = $2 and leased_by = $3 and leased_until >= now() for update`;

/**
 * Ids of the events of a chunk called `q` that are neither scored nor set aside, with their places from 1 on. Asked key by
 * key, because the planner, who takes the queue for empty, would rather read all keys.
 */
const UNSCORED = `select i.event_id, i.nr from json_array_elements_text(q.event_ids::json) with ordinality as i (event_id, nr)
where (select k.scored_at from event_keys k where k.customer_id = q.customer_id and k.event_id = i.event_id) is null
  and (select true from queue_dead d where d.customer_id = q.customer_id and d.event_id = i.event_id) is null`;

/** A chunk leaves only when nothing of it is left to score, whatever its holder believes. */
const FINISH = {
  name: 'finish-chunks',
  text: `delete from queue_chunks q
where customer_id = $1 and lane = $2 and seq = any ($3::bigint[]) and not exists (${UNSCORED}) returning seq::text`,
};

/** The first chunks of a lane that have no more than so many events together, or the first one. Without the text of those that are at hand. */
const NEXT = {
  name: 'next-chunks',
  text: `select seq::text, case when seq = any ($4::bigint[]) then null else events end as events
from (
  select *, sum(size) over (order by seq) - size as before, sum(size) over (order by seq) as after
  from (select * from queue_chunks where customer_id = $1 and lane = $2 order by seq limit $3) as first
) as q
where before = 0 or after <= $3 order by q.seq`,
};

/** Only for who holds the lane, and only the event that is to be tried next. */
const BEGIN = `update queue_chunks q set attempts = attempts + 1 from queue_lanes l
where l.customer_id = $1 and l.lane = $2 and l.leased_by = $4 and l.leased_until >= now()
  and q.customer_id = l.customer_id and q.lane = l.lane and q.seq = l.lost[1] and q.suspect = $3
returning 1`;

/** The first event that is left of a chunk that was lost, and how often a worker began it. */
const SUSPECT = `update queue_chunks q set suspect = u.event_id, attempts = case when q.suspect = u.event_id then q.attempts else 0 end
from (
  select q.customer_id, q.lane, q.seq, u.event_id, u.nr from queue_chunks q cross join lateral (${UNSCORED}) as u
  where q.customer_id = $1 and q.lane = $2 and q.seq = $3 order by u.nr limit 1
) as u
where q.customer_id = u.customer_id and q.lane = u.lane and q.seq = u.seq
returning q.attempts, (q.events::json -> (u.nr - 1)::int)::text as event`;

export function queueStore(pool: pg.Pool, onWork: QueueStore['onWork']): QueueStore {
  const kept = new LRUCache<string, Chunk>({ maxSize: KEPT_LENGTH, sizeCalculation: ({ text }) => text.length });
  return {
    async accept(customer_id, events) {
      const outcome = await accept(pool, customer_id, events);
      if (outcome.kind === 'conflict') return outcome;
      for (const [seq, chunk] of outcome.chunks) kept.set(seq, chunk);
      return { kind: 'accepted', event_ids: outcome.event_ids };
    },

    async lease(holder, lease_ms, { lane, idle_ms } = {}) {
      // Not through `query`: run twice, it would lease two lanes.
      const values = [holder, lease_ms, lane?.customer_id ?? null, lane?.lane ?? null, idle_ms ?? null];
      const rows = await withClient(pool, async (client) => (await client.query<Lane>(LEASE, values)).rows);
      return rows[0] ?? null;
    },

    take: (lane, holder, limit) => take(pool, kept, lane, holder, limit),

    async begin({ customer_id, lane, event_id }, holder) {
      // Not through `query`: run twice, it would count two deaths.
      const values = [customer_id, lane, event_id, holder];
      const rows = await withClient(pool, async (client) => (await client.query(BEGIN, values)).rows);
      return rows.length > 0;
    },

    async absolve({ customer_id, lane, event_id }) {
      await query(
        pool,
        `update queue_chunks set attempts = greatest(attempts - 1, 0) where customer_id = $1 and lane = $2 and suspect = $3`,
        [customer_id, lane, event_id],
      );
    },

    async renew({ customer_id, lane }, holder, lease_ms) {
      const rows = await query(
        pool,
        `update queue_lanes set leased_until = now() + $4 * interval '1 ms'
         where customer_id = $1 and lane = $2 and leased_by = $3 and leased_until >= now() returning 1`,
        [customer_id, lane, holder, lease_ms],
      );
      return rows.length > 0;
    },

    release: (lane, holder, is_unfinished = false) => release(pool, lane, holder, is_unfinished),

    async bury({ customer_id, event_id, lane, content_hash, event }, reason) {
      await query(
        pool,
        `insert into queue_dead (customer_id, event_id, lane, content_hash, event, reason, accepted_at, seq, place)
         select $1, $2, $3, $4, $5, $6, accepted_at, seq,
           (select i.nr from json_array_elements_text(event_ids::json) with ordinality as i (event_id, nr) where i.event_id = $2 limit 1)
         from queue_chunks
         where customer_id = $1 and lane = $3 and event_ids::jsonb ? $2 order by seq desc limit 1 on conflict do nothing`,
        [customer_id, event_id, lane, content_hash, JSON.stringify(event), reason.slice(0, 1_000).replaceAll('\0', '')],
      );
    },

    buried: (filter, page, per_page) => buried(pool, filter, page, per_page),
    revive: (customer_id, event_id) => revive(pool, customer_id, event_id),
    reviveAll: (filter, onPart) => reviveAll(pool, filter, onPart ?? (() => {})),
    stats: (customer_id) => stats(pool, customer_id),
    onWork,
  };
}

/** Events of one lane that were accepted together. */
interface Chunk {
  customer_id: string;
  lane: number;
  events: QueuedEvent[];
  /** JSON of the events with their hashes, as it stands in the row. */
  text: string;
}

type Accepted =
  | Exclude<AcceptOutcome, { kind: 'accepted' }>
  | { kind: 'accepted'; event_ids: string[]; chunks: Map<string, Chunk> };

function accept(pool: pg.Pool, customer_id: string, events: readonly QueuedEvent[]): Promise<Accepted> {
  return withClient(pool, async (client): Promise<Accepted> => {
    await client.query('begin');
    try {
      const claimed = await claim(client, customer_id, events);
      if (typeof claimed === 'number') {
        await client.query('rollback');
        return { kind: 'conflict', index: claimed };
      }
      const chunks = await enqueue(client, toChunks(customer_id, claimed));
      await client.query('commit');
      return { kind: 'accepted', event_ids: claimed.map(({ event_id }) => event_id), chunks };
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

/** Makes the ids known: the events that are new, or the index of the first whose id was used for other content. */
async function claim(
  client: pg.PoolClient,
  customer_id: string,
  events: readonly QueuedEvent[],
): Promise<readonly QueuedEvent[] | number> {
  const ids = events.map((event) => event.event_id);
  const hashes = events.map((event) => event.content_hash);
  const columns: Parameter[] = [customer_id, { type: 'text', items: ids }, { type: 'text', items: hashes }];
  const [claimed] = await bulkQuery<{ event_ids: string[] | null }>(client, CLAIM, columns);
  const { event_ids } = claimed!;
  if (event_ids === null) return events;
  const known = await client.query<{ index: number }>(CONFLICT, [customer_id, ids, hashes]);
  if (known.rows[0] !== undefined) return known.rows[0].index;
  const is_new = new Set(event_ids);
  return events.filter(({ event_id }) => is_new.has(event_id));
}

function toChunks(customer_id: string, events: readonly QueuedEvent[]): Chunk[] {
  const chunks: Chunk[] = [];
  const open = new Map<number, { events: QueuedEvent[]; texts: string[]; length: number }>();
  const close = (lane: number): void => {
    const { events, texts } = open.get(lane)!;
    chunks.push({ customer_id, lane, events, text: `[${texts.join()}]` });
    open.delete(lane);
  };
  for (const event of events) {
    const { lane, content_hash } = event;
    const text = `{"content_hash":${JSON.stringify(content_hash)},"event":${event.json ?? JSON.stringify(event.event)}}`;
    const chunk = open.get(lane);
    if (chunk !== undefined && (chunk.events.length === CHUNK_EVENTS || chunk.length + text.length > CHUNK_LENGTH)) {
      close(lane);
    }
    const { events, texts, length } = open.get(lane) ?? { events: [], texts: [], length: 0 };
    events.push(event);
    texts.push(text);
    open.set(lane, { events, texts, length: length + text.length });
  }
  for (const lane of [...open.keys()]) close(lane);
  return chunks;
}

/** Answers each by its `seq`, and rings on every node. */
async function enqueue(client: pg.PoolClient, chunks: readonly Chunk[]): Promise<Map<string, Chunk>> {
  if (chunks.length === 0) return new Map();
  const idsOf = ({ events }: Chunk): string => JSON.stringify(events.map(({ event_id }) => event_id));
  const [queued] = await bulkQuery<{ seqs: string[] }>(client, ENQUEUE, [
    chunks[0]!.customer_id,
    { type: 'int2', items: chunks.map(({ lane }) => lane) },
    { type: 'int4', items: chunks.map(({ events }) => events.length) },
    { type: 'text', items: chunks.map(idsOf) },
    { type: 'text', items: chunks.map(({ text }) => text) },
  ]);
  return new Map(queued!.seqs.map((seq, index) => [seq, chunks[index]!]));
}

/** What a lane's holder has of it; bigints as text. */
interface Held {
  taken: string[] | null;
  lost: string[] | null;
}

function take(
  pool: pg.Pool,
  kept: LRUCache<string, Chunk>,
  lane: Lane,
  holder: string,
  limit: number,
): Promise<TakenEvent[]> {
  return inTransaction(pool, async (client) => {
    const held = await hold(client, lane, holder);
    if (held === null) return [];
    const lost = [...(held.lost ?? []), ...(await finish(client, lane, held.taken))];
    for (;;) {
      const seq = lost[0];
      if (seq === undefined) break;
      const suspect = await nextSuspect(client, lane, seq);
      if (suspect !== null) {
        await setHeld(client, lane, { taken: null, lost });
        return [suspect];
      }
      await finish(client, lane, [seq]);
      lost.shift();
    }
    return takeNext(client, keptOf(kept, lane), lane, limit);
  });
}

/** The chunks of a lane that are at hand; they are let go, because they are asked for once. */
function keptOf(kept: LRUCache<string, Chunk>, { customer_id, lane }: Lane): Map<string, Chunk> {
  const own = [...kept].filter(([, chunk]) => chunk.customer_id === customer_id && chunk.lane === lane);
  for (const [seq] of own) kept.delete(seq);
  return new Map(own);
}

async function takeNext(
  client: pg.PoolClient,
  at_hand: Map<string, Chunk>,
  { customer_id, lane }: Lane,
  limit: number,
): Promise<TakenEvent[]> {
  const values = [customer_id, lane, limit, [...at_hand.keys()]];
  const { rows } = await client.query<{ seq: string; events: string | null }>({ ...NEXT, values });
  await setHeld(client, { customer_id, lane }, { taken: rows.map(({ seq }) => seq), lost: [] });
  return rows.flatMap(({ seq, events }) => {
    const queued =
      events === null ? at_hand.get(seq)!.events : (JSON.parse(events) as ChunkEvent[]).map(toQueued(lane));
    return queued.map((event) => ({ ...event, customer_id, deaths: null }));
  });
}

/** One event in the text of a chunk. */
interface ChunkEvent {
  content_hash: string;
  event: AgentEvent;
}

const toQueued =
  (lane: number) =>
  ({ content_hash, event }: ChunkEvent): QueuedEvent => ({ event_id: event.event_id, content_hash, event, lane });

async function hold(client: pg.PoolClient, { customer_id, lane }: Lane, holder: string): Promise<Held | null> {
  return (await client.query<Held>(HOLD, [customer_id, lane, holder])).rows[0] ?? null;
}

async function setHeld(
  client: pg.PoolClient,
  { customer_id, lane }: Lane,
  { taken, lost }: { taken: string[] | null; lost: string[] },
): Promise<void> {
  await client.query('update queue_lanes set taken = $3, lost = $4 where customer_id = $1 and lane = $2', [
    customer_id,
    lane,
    taken,
    lost.length === 0 ? null : lost,
  ]);
}

/** Deletes those of the chunks that nothing is left of, and answers the others. */
async function finish(
  client: pg.PoolClient,
  { customer_id, lane }: Lane,
  seqs: readonly string[] | null,
): Promise<string[]> {
  if (seqs === null || seqs.length === 0) return [];
  const { rows } = await client.query<{ seq: string }>({ ...FINISH, values: [customer_id, lane, seqs] });
  const finished = new Set(rows.map(({ seq }) => seq));
  return seqs.filter((seq) => !finished.has(seq));
}

async function nextSuspect(
  client: pg.PoolClient,
  { customer_id, lane }: Lane,
  seq: string,
): Promise<TakenEvent | null> {
  const { rows } = await client.query<{ attempts: number; event: string }>(SUSPECT, [customer_id, lane, seq]);
  if (rows[0] === undefined) return null;
  const { attempts, event } = rows[0];
  return { ...toQueued(lane)(JSON.parse(event) as ChunkEvent), customer_id, deaths: attempts };
}

function release(pool: pg.Pool, lane: Lane, holder: string, is_unfinished: boolean): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const held = await hold(client, lane, holder);
    if (held === null) return false;
    const left = await finish(client, lane, held.taken);
    const lost = [...(held.lost ?? []), ...(is_unfinished ? [] : left)];
    await setHeld(client, lane, { taken: null, lost });
    // A statement of its own, so that it sees what was accepted before the row was ours.
    const { rows } = await client.query<{ has_work: boolean }>(
      `update queue_lanes set leased_by = null, leased_until = null,
         has_work = exists (select from queue_chunks where customer_id = $1 and lane = $2)
       where customer_id = $1 and lane = $2 returning has_work`,
      [lane.customer_id, lane.lane],
    );
    return rows[0]!.has_work;
  });
}

/** Of the rows of `queue_dead`, those of the filter, the first two parameters. */
const IS_OF_FILTER = '($1::uuid is null or customer_id = $1) and ($2::text is null or strpos(reason, $2) > 0)';
/** In the order in which they arrived, so that those of a session stay in theirs. */
const BY_ARRIVAL = 'accepted_at, seq, place, customer_id, event_id';

const valuesOf = ({ customer_id, reason }: BuriedFilter): (string | null)[] => [customer_id ?? null, reason ?? null];

/** One statement, so one snapshot. */
async function buried(pool: pg.Pool, filter: BuriedFilter, page: number, per_page: number) {
  const rows = await query<BuriedEvent & { total: number }>(
    pool,
    `with page as (
       select * from queue_dead where ${IS_OF_FILTER} order by ${BY_ARRIVAL} limit $3 offset $4
     )
     select (select count(*) from queue_dead where ${IS_OF_FILTER}) as total,
       customer_id, event_id, reason, ${isoText('accepted_at')} as accepted_at
     from (select) as one left join page on true order by page.accepted_at, seq, place, customer_id, event_id`,
    [...valuesOf(filter), per_page, (page - 1) * per_page],
  );
  const events = rows.filter((row) => row.event_id !== null).map(({ total: _, ...event }) => event);
  return { events, total: rows[0]!.total };
}

/** Any number: who puts events back does so alone, because two would mix up the order of a session. */
const REVIVE_LOCK = 0x77656974;

/** Runs `work` in a transaction in which nobody else puts events back. */
function reviving<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    // A statement of its own, so that the next sees what the one before has put back.
    await client.query('select pg_advisory_xact_lock($1)', [REVIVE_LOCK]);
    return work(client);
  });
}

type DeadEvent = ChunkEvent & { customer_id: string; lane: number };

function revive(pool: pg.Pool, customer_id: string, event_id: string): Promise<boolean> {
  return reviving(pool, async (client) => {
    const { rows } = await client.query<DeadEvent>(
      `delete from queue_dead where customer_id = $1 and event_id = $2
       returning customer_id, lane, content_hash, event::json as event`,
      [customer_id, event_id],
    );
    await enqueueDead(client, rows);
    return rows.length > 0;
  });
}

/** Events of one transaction, and their JSON text; a single larger event goes alone. */
const REVIVED_EVENTS = 1_000;
const REVIVED_LENGTH = 8 * 2 ** 20;

const REVIVE = `with first as (
    select customer_id, event_id, octet_length(event) as size, row_number() over (order by ${BY_ARRIVAL}) as nr
    from queue_dead where ${IS_OF_FILTER} and accepted_at < $3::timestamptz order by ${BY_ARRIVAL} limit ${REVIVED_EVENTS}
  ), wanted as (
    select customer_id, event_id, nr from (select *, sum(size) over (order by nr) as length from first) as f
    where nr = 1 or length <= ${REVIVED_LENGTH}
  ), revived as (
    delete from queue_dead d using wanted w where d.customer_id = w.customer_id and d.event_id = w.event_id
    returning w.nr, d.customer_id, d.lane, d.content_hash, d.event
  )
  select customer_id, lane, content_hash, event::json as event from revived order by nr`;

async function reviveAll(pool: pg.Pool, filter: BuriedFilter, onPart: (count: number) => void): Promise<number> {
  // One that cannot be scored still comes back with a later time of arrival, or this would never end.
  const [start] = await query<{ now: string }>(pool, 'select clock_timestamp()::text as now');
  let count = 0;
  for (;;) {
    const revived = await reviving(pool, async (client) => {
      const { rows } = await client.query<DeadEvent>(REVIVE, [...valuesOf(filter), start!.now]);
      await enqueueDead(client, rows);
      return rows.length;
    });
    if (revived === 0) return count;
    count += revived;
    onPart(count);
  }
}

/** Customers in one order, and within each its lanes, as everybody locks them. */
async function enqueueDead(client: pg.PoolClient, dead: readonly DeadEvent[]): Promise<void> {
  const by_customer = Map.groupBy(dead, ({ customer_id }) => customer_id);
  for (const customer_id of [...by_customer.keys()].sort()) {
    const events = by_customer.get(customer_id)!.map((event) => toQueued(event.lane)(event));
    await enqueue(client, toChunks(customer_id, events));
  }
}

/** Chunks that nobody took yet are counted as they are, the others event by event: they are few. */
async function stats(pool: pg.Pool, customer_id: string | undefined): Promise<QueueStats> {
  const rows = await query<QueueStats>(
    pool,
    `with chunks as (
       select q.accepted_at, case when q.seq = any (l.taken || l.lost) then (select count(*) from (${UNSCORED}) as u) else q.size end as waiting
       from queue_chunks q left join queue_lanes l using (customer_id, lane)
       where $1::uuid is null or q.customer_id = $1
     )
     select coalesce(sum(waiting), 0)::bigint as waiting,
       coalesce(extract(epoch from clock_timestamp() - min(accepted_at) filter (where waiting > 0)), 0)::float8 as oldest_s,
       (select count(*) from queue_dead where $1::uuid is null or customer_id = $1) as dead,
       (select count(*) from queue_lanes where leased_until >= now() and ($1::uuid is null or customer_id = $1)) as leased_lanes
     from chunks`,
    [customer_id ?? null],
  );
  return rows[0]!;
}
