/**
 * The queue of accepted events, in chunks of one lane. A chunk is deleted when all of its events are scored or set
 * aside, which `event_keys` records. Therefore a node that scores an event, here or at a door, need not know its chunk.
 */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Lane, QueuedEvent, QueueStats, QueueStore, TakenEvent } from '../../ports/queue.ts';
import { inTransaction, query, withClient } from '../connection/pool.ts';
import { accept } from './queue-accept.ts';
import { type Chunk, type ChunkEvent, toQueued } from './queue-chunks.ts';
import { buried, bury, IS_UNSCORED, revive, reviveAll } from './queue-dead.ts';

/** JSON text of the chunks that this process accepted and still has, so that scoring begins without reading them. */
const KEPT_LENGTH = 2 ** 22;
/**
 * JSON text of the chunks that are taken at a time: each of a worker's lanes has as much in memory, and several times
 * that as objects.
 */
const TAKEN_LENGTH = 2 ** 22;

/** Chunks that the previous holder took and did not return are lost: it died over them, or its lease ended. */
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

/** Locks the lane's row, so that no other holder takes or returns anything before the end of the transaction. */
const HOLD = `select taken, lost from queue_lanes
where customer_id = $1 and lane = $2 and leased_by = $3 and leased_until >= now() for update`;

/**
 * Ids of the events of a chunk called `q` that are neither scored nor set aside, with their places from 1 on. Looked up
 * key by key, because the planner, which assumes an empty queue, would rather read all keys. A missing key was scored:
 * it went with its event. Then an event with other content may have the id, and the set-aside one is one of the two;
 * only if it is not the one of the key are the chunk's own texts read, which takes long.
 */
const UNSCORED = `select i.event_id, i.nr from json_array_elements_text(q.event_ids::json) with ordinality as i (event_id, nr)
where (select true from event_keys k where k.customer_id = q.customer_id and k.event_id = i.event_id and k.scored_at is null
  and (select d.content_hash = k.content_hash or d.content_hash = q.events::json -> (i.nr - 1)::int ->> 'content_hash'
    from queue_dead d where d.customer_id = q.customer_id and d.event_id = i.event_id) is not true)`;

/** A chunk leaves only when none of its events is left to score, whatever its holder believes. */
const FINISH = {
  name: 'finish-chunks',
  text: `delete from queue_chunks q
where customer_id = $1 and lane = $2 and seq = any ($3::bigint[]) and not exists (${UNSCORED}) returning seq::text`,
};

/**
 * The first chunks of a lane that together stay within this many events and this much text, or the first one. Ordered
 * by `q.seq`, the number: `seq` would be the returned text, in which `1000` precedes `999`.
 */
const NEXT = {
  name: 'next-chunks',
  text: `select seq::text, accepted_at < now() - interval '1 day' as is_old from (
  select seq, accepted_at, sum(size) over (order by seq) - size as before, sum(size) over (order by seq) as after, sum(length) over (order by seq) as length
  from (
    select seq, accepted_at, size, octet_length(events) as length from queue_chunks where customer_id = $1 and lane = $2 order by seq limit $3
  ) as first
) as q
where before = 0 or (after <= $3 and length <= $4) order by q.seq`,
};

const TEXTS = {
  name: 'chunk-texts',
  text: `select seq::text, events from queue_chunks where customer_id = $1 and lane = $2 and seq = any ($3::bigint[])`,
};

const LEFT = `select q.seq::text, u.event_id from queue_chunks q cross join lateral (${UNSCORED}) as u
where q.customer_id = $1 and q.lane = $2 and q.seq = any ($3::bigint[])`;

/** Only for the holder of the lane, and only the event that is to be tried next. */
const BEGIN = `update queue_chunks q set attempts = attempts + 1 from queue_lanes l
where l.customer_id = $1 and l.lane = $2 and l.leased_by = $4 and l.leased_until >= now()
  and q.customer_id = l.customer_id and q.lane = l.lane and q.seq = l.lost[1] and q.suspect = $3
returning 1`;

/** The first event left of a lost chunk, and how often a worker began it. */
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
    async accept(customer_id, events, session_jti = null) {
      const outcome = await accept(pool, customer_id, events, session_jti);
      if (outcome.kind !== 'accepted') return outcome;
      for (const [seq, chunk] of outcome.chunks) kept.set(seq, chunk);
      return { kind: 'accepted', event_ids: outcome.event_ids };
    },

    async lease(holder, lease_ms, { lane, idle_ms } = {}) {
      // Not `query`: run twice, it would lease two lanes.
      const values = [holder, lease_ms, lane?.customer_id ?? null, lane?.lane ?? null, idle_ms ?? null];
      const rows = await withClient(pool, async (client) => (await client.query<Lane>(LEASE, values)).rows);
      return rows[0] ?? null;
    },

    take: (lane, holder, limit) => take(pool, kept, lane, holder, limit),

    async begin({ customer_id, lane, event_id }, holder) {
      // Not `query`: run twice, it would count two deaths.
      const values = [customer_id, lane, event_id, holder];
      const rows = await withClient(pool, async (client) => (await client.query(BEGIN, values)).rows);
      return rows.length > 0;
    },

    async absolve({ customer_id, lane, event_id, deaths }) {
      await query(
        pool,
        `update queue_chunks set attempts = least(attempts, $4) where customer_id = $1 and lane = $2 and suspect = $3`,
        [customer_id, lane, event_id, deaths],
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

    bury: (event, reason) => bury(pool, event, reason),
    buried: (filter, page, per_page) => buried(pool, filter, page, per_page),
    revive: (customer_id, event_id) => revive(pool, customer_id, event_id),
    reviveAll: (filter, onPart) => reviveAll(pool, filter, onPart ?? (() => {})),
    stats: (customer_id) => stats(pool, customer_id),
    onWork,
  };
}

/** What a lane's holder gets of it; bigints as text. */
interface Held {
  taken: string[] | null;
  lost: string[] | null;
}

/**
 * Taking is recorded and committed before the chunk is read: a worker that dies of reading it has then died over it.
 */
async function take(
  pool: pg.Pool,
  kept: LRUCache<string, Chunk>,
  lane: Lane,
  holder: string,
  limit: number,
): Promise<TakenEvent[]> {
  const next = await inTransaction(pool, async (client) => {
    const held = await hold(client, lane, holder);
    if (held === null) return [];
    const lost = [...(held.lost ?? []), ...(await finish(client, lane, held.taken))];
    for (;;) {
      const seq = lost[0];
      if (seq === undefined) break;
      const suspect = await nextSuspect(client, lane, seq);
      if (suspect !== null) {
        await setHeld(client, lane, { taken: null, lost });
        return suspect;
      }
      await finish(client, lane, [seq]);
      lost.shift();
    }
    const values = [lane.customer_id, lane.lane, limit, TAKEN_LENGTH];
    const { rows } = await client.query<NextChunk>({ ...NEXT, values });
    await setHeld(client, lane, { taken: rows.map(({ seq }) => seq), lost: [] });
    return rows;
  });
  return Array.isArray(next) ? readNext(pool, kept, lane, next) : [next];
}

interface NextChunk {
  seq: string;
  /**
   * Older than the shortest retention: an event of it that a door has scored since may be gone already, and with it its
   * key.
   */
  is_old: boolean;
}

/**
 * Scoring an event finds by its key that it was scored elsewhere. Of chunks so old that keys may be gone, only the
 * remaining events are returned.
 */
async function readNext(
  pool: pg.Pool,
  kept: LRUCache<string, Chunk>,
  lane: Lane,
  next: readonly NextChunk[],
): Promise<TakenEvent[]> {
  const chunks = await readChunks(
    pool,
    kept,
    lane,
    next.map(({ seq }) => seq),
  );
  const old = next.filter(({ is_old }) => is_old).map(({ seq }) => seq);
  if (old.length === 0) return [...chunks.values()].flat();
  const values = [lane.customer_id, lane.lane, old];
  const left = new Set((await query<LeftEvent>(pool, LEFT, values)).map(({ seq, event_id }) => `${seq} ${event_id}`));
  return next.flatMap(({ seq, is_old }) =>
    (chunks.get(seq) ?? []).filter(({ event_id }) => !is_old || left.has(`${seq} ${event_id}`)),
  );
}

interface LeftEvent {
  seq: string;
  event_id: string;
}

/** In order, by number. Cached ones are dropped, because they are requested once; the others are read. */
async function readChunks(
  pool: pg.Pool,
  kept: LRUCache<string, Chunk>,
  { customer_id, lane }: Lane,
  seqs: readonly string[],
): Promise<Map<string, TakenEvent[]>> {
  const found = new Map<string, QueuedEvent[]>();
  for (const seq of seqs) {
    const chunk = kept.get(seq);
    if (chunk !== undefined) found.set(seq, chunk.events);
    kept.delete(seq);
  }
  const others = seqs.filter((seq) => !found.has(seq));
  if (others.length > 0) {
    const rows = await query<{ seq: string; events: string }>(pool, TEXTS, [customer_id, lane, others]);
    for (const { seq, events } of rows) found.set(seq, (JSON.parse(events) as ChunkEvent[]).map(toQueued(lane)));
  }
  // A missing chunk is done: another worker had the lane after the lease ended.
  const taken = (event: QueuedEvent): TakenEvent => ({ ...event, customer_id, deaths: null });
  return new Map(seqs.map((seq) => [seq, (found.get(seq) ?? []).map(taken)]));
}

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

/** Deletes the finished ones of the chunks, and returns the others. */
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
    // A separate statement, so that it sees what was accepted before the row was locked.
    const { rows } = await client.query<{ has_work: boolean }>(
      `update queue_lanes set leased_by = null, leased_until = null,
         has_work = exists (select from queue_chunks where customer_id = $1 and lane = $2)
       where customer_id = $1 and lane = $2 returning has_work`,
      [lane.customer_id, lane.lane],
    );
    return rows[0]!.has_work;
  });
}

/** Chunks that no worker took yet are counted whole, the others event by event: they are few. */
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
       (select count(*) from queue_dead d where ($1::uuid is null or customer_id = $1) and ${IS_UNSCORED}) as dead,
       (select count(*) from queue_lanes where leased_until >= now() and ($1::uuid is null or customer_id = $1)) as leased_lanes
     from chunks`,
    [customer_id ?? null],
  );
  return rows[0]!;
}
