/** Counts the events of session tokens, each once: `session_events` lists what a count holds. */
import type pg from 'pg';
import { sha256 } from '../../../platform/ids.ts';
import type { CountedEvent, CountOutcome, NoRoom, TokenStore } from '../../ports/auth.ts';
import { query } from '../connection/pool.ts';
import { freeLost } from '../events/lost-keys.ts';
import { isGone } from '../partitions/partitions.ts';

/** An event with a known id adds no record, so it needs no count. Looked up key by key, as everywhere (queue.ts). */
const COUNT = {
  name: 'count-session-events',
  text: `select counted, room, wanted from count_session_events($1, array(
  select s.event_key from unnest($3::text[], $4::uuid[]) as s (event_id, event_key)
  where (select true from event_keys k
    where k.customer_id = $2 and k.event_id = s.event_id and ${isGone('k.scored_at')} is not true) is null))`,
};

const COUNT_CLAIMED = {
  name: 'count-claimed-events',
  text: 'select counted, room, wanted from count_session_events($1, $2)',
};

/** The next tokens that have rows, found by a loose scan of the primary key. */
const HELD = `with recursive held (jti) as (
  (select jti from session_events where jti > $1 order by jti limit 1)
  union all
  select (select s.jti from session_events s where s.jti > held.jti order by s.jti limit 1) from held where held.jti is not null
)
select jti, (select t.expires_at <= auth_now() from tokens t where t.jti = held.jti) as is_over
from held where jti is not null limit $2`;

const FORGET = `delete from session_events
where ctid = any (array(select ctid from session_events where jti = any ($1) limit $2)) returning 1`;

const TOKENS_AT_ONCE = 1_000;
const EVENTS_AT_ONCE = 5_000;
const FIRST_JTI = '00000000-0000-0000-0000-000000000000';

interface Counted {
  /** Null when there is no room. */
  counted: string[] | null;
  room: number;
  wanted: number;
}

export function sessionCounts(pool: pg.Pool): Pick<TokenStore, 'countEvents' | 'uncountEvents'> {
  const count = async (jti: string, customer_id: string, events: readonly CountedEvent[]): Promise<CountOutcome> => {
    const keys = events.map(keyOf);
    const ids = events.map(({ event_id }) => event_id);
    // A second run finds its own rows.
    const [answer] = await query<Counted>(pool, COUNT, [jti, customer_id, ids, keys]);
    return toOutcome(answer!, keys);
  };
  const uncount = async (jti: string, events: readonly CountedEvent[]): Promise<void> => {
    await query(pool, 'select uncount_session_events($1, $2)', [jti, events.map(keyOf)]);
  };
  return {
    async countEvents(jti, customer_id, events) {
      const outcome = await count(jti, customer_id, events);
      if (outcome.kind === 'no_room') return outcome;
      const { is_new } = outcome;
      const known = events.filter((_, index) => !is_new[index]);
      const freed = await freeLost(
        pool,
        known.map(({ event_id }) => ({ customer_id, event_id })),
      );
      if (freed.length === 0) return outcome;
      // All or none, in one statement.
      const counted = events.filter((_, index) => is_new[index]);
      if (counted.length > 0) await uncount(jti, counted);
      return count(jti, customer_id, events);
    },

    uncountEvents: uncount,
  };
}

/** Counts events whose keys this transaction claimed; returns the shortage of room, `null` when all are counted. */
export async function countClaimed(
  client: pg.PoolClient,
  jti: string,
  events: readonly CountedEvent[],
): Promise<NoRoom | null> {
  const keys = events.map(keyOf);
  const { rows } = await client.query<Counted>({ ...COUNT_CLAIMED, values: [jti, keys] });
  const outcome = toOutcome(rows[0]!, keys);
  return outcome.kind === 'no_room' ? outcome : null;
}

/** Removes the counted events of expired tokens, a few rows at a time; returns how many events. */
export async function forgetExpired(pool: pg.Pool): Promise<number> {
  let sum = 0;
  for (let after = FIRST_JTI; ; ) {
    const held = await query<{ jti: string; is_over: boolean }>(pool, HELD, [after, TOKENS_AT_ONCE]);
    const over = held.filter(({ is_over }) => is_over).map(({ jti }) => jti);
    for (let count = EVENTS_AT_ONCE; over.length > 0 && count === EVENTS_AT_ONCE; sum += count) {
      count = (await query(pool, FORGET, [over, EVENTS_AT_ONCE])).length;
    }
    if (held.length < TOKENS_AT_ONCE) return sum;
    after = held.at(-1)!.jti;
  }
}

function toOutcome({ counted, room, wanted }: Counted, keys: readonly string[]): CountOutcome {
  if (counted === null) return { kind: 'no_room', room, wanted };
  const left = new Set(counted);
  return { kind: 'counted', is_new: keys.map((key) => left.delete(key)) };
}

/** In the canonical form of a uuid, so that it compares equal to the database's. */
function keyOf({ event_id, content_hash }: CountedEvent): string {
  const hex = sha256(`${content_hash} ${event_id}`);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
