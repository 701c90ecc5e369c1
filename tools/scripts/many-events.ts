/** A million events of one customer, with their totals and holds, made by the database itself: for measuring lists. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectionConfig, type Target } from '../../src/storage/postgres/connection/pool.ts';
import { COUNT_INTO_TOTALS } from '../../test/support/test-database.ts';

/** When the first of them is scored. */
const START = Date.UTC(2023, 0, 1);

/** In groups of ten, as events that are written at the same time. */
const FILL = `insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level,
    rule_set_version, content_hash, event, assessment)
  select $1::uuid, gen_random_uuid()::text, to_timestamp($4::float8 / 1000) + n / 10 * $3::float8 * interval '10 seconds', 0, score, false,
    (array['none','low','medium','high','critical'])[1 + width_bucket(score, array[11, 31, 61, 81])], 'v', md5(n::text),
    json_build_object('text', repeat('word ', 100)), json_build_object('score', score, 'reasoning', repeat('why ', 120))
  from (select n, (random() * random() * 100)::int as score from generate_series(1, $2::int) as n) as g`;

/** Of 120,000 events in a million, in three parts: held, held no longer by the clock, and written as expired. */
const FILL_HOLDS = `insert into holds (customer_id, event_id, state, held_at, risk_level, expires_at, action_hash)
  select customer_id, event_id, case when n % 3 = 2 then 'expired' else 'held' end, scored_at, risk_level,
    case when n % 3 = 0 then now() + interval '10 days' else scored_at end, repeat('h', 64)
  from (select *, row_number() over (order by scored_at, event_id) as n from events where customer_id = $1) as e where n % 25 < 3`;

export interface ManyEvents {
  customer_id: string;
  /** ISO 8601, between the older and the newer half. */
  middle: string;
}

/** `count` events of a new customer that are `seconds` apart. */
export async function makeEvents(target: Target, count: number, seconds: number): Promise<ManyEvents> {
  const customer_id = randomUUID();
  const client = new pg.Client(connectionConfig(target));
  await client.connect();
  await client.query(`select make_event_partition('2023-01-01Z', '2026-01-01Z')`);
  await client.query(FILL, [customer_id, count, seconds, START]);
  // Read as it is, without the vacuum that would let it be read from indexes alone.
  await client.query(COUNT_INTO_TOTALS, [customer_id]);
  await client.query(FILL_HOLDS, [customer_id]);
  // Lists of these rely on it.
  await client.query('vacuum analyze holds');
  await client.end();
  return { customer_id, middle: new Date(START + (count / 2) * seconds * 1_000).toISOString() };
}
