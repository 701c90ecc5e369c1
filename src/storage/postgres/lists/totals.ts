/**
 * Counts events without counting a million: `event_totals` has a sum per hour and level, and `event_spans` one per five
 * seconds, for times inside an hour.
 */

import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { LEVELS } from '../../../scoring/level.ts';
import type { RiskLevel } from '../../../scoring/types.ts';
import type { ScoreSummary } from '../../ports/storage.ts';
import { query } from '../connection/pool.ts';

/**
 * Nodes that write at the same time should not share a row, or one would wait for the other's commit. Each node has its
 * own slot for as long as it runs, not one per connection, because a sum over years reads all slots.
 */
const SLOT = randomInt(2 ** 15);

const COUNTS = LEVELS.map((level) => `${level}_count`);

export const HOUR = `interval '1 hour'`;
/**
 * Short enough to scan at the rate of incoming events, long enough that an hour has few. Migration 0009 has the same
 * value.
 */
export const SPAN = `interval '5 seconds'`;
export const hourOf = (time: string): string => `date_trunc('hour', ${time}, 'UTC')`;
export const spanOf = (time: string): string => `date_bin(${SPAN}, ${time}, timestamptz '2000-01-01Z')`;

/** The time, or the last one before it from which this many microseconds are in one span. */
export const withinSpan = (time: string, microseconds: string): string =>
  `least(${time}, ${spanOf(time)} + ${SPAN} - ${microseconds} * interval '1 microsecond')`;

/**
 * The end of an insert: common table expressions that add up the rows of `inserted`, whose times are all in the span of
 * `now` of `clock`, and then add the sums to both tables, always in the order of the keys. Added up once for both,
 * because that takes as long as a table does.
 */
export const ADD_TO_TOTALS = `sums as materialized (
  select customer_id, (select now from clock) as at, ${SLOT}::smallint as slot,
    ${LEVELS.map((level) => `count(*) filter (where risk_level = '${level}') as ${level}_count`).join(', ')},
    sum(score) as score_sum, count(*) filter (where would_hold) as would_hold_count
  from inserted group by customer_id order by customer_id
), totalled as (
  ${addTo('event_totals', 'hour', hourOf('at'), [...COUNTS, 'score_sum', 'would_hold_count'])}
), spanned as (
  ${addTo('event_spans', 'start', spanOf('at'), COUNTS)}
)`;

function addTo(table: string, bucket: string, value: string, columns: readonly string[]): string {
  return `insert into ${table} as t (customer_id, ${bucket}, slot, ${columns.join(', ')})
  select customer_id, ${value}, slot, ${columns.join(', ')} from sums
  on conflict (customer_id, ${bucket}, slot) do update set
    ${columns.map((column) => `${column} = t.${column} + excluded.${column}`).join(', ')}`;
}

export async function summary(pool: pg.Pool, customer_id: string): Promise<ScoreSummary> {
  const rows = await query<ScoreSummary>(
    pool,
    `select ${sumOf(LEVELS)} as total_events,
       coalesce(sum(score_sum)::float8 / nullif(${sumOf(LEVELS)}, 0), 0) as avg_score,
       ${LEVELS.map((level) => `${sumOf([level])} as ${level}_count`).join(', ')},
       coalesce(sum(would_hold_count), 0)::bigint as would_hold_count
     from event_totals where customer_id = $1`,
    [customer_id],
  );
  return rows[0]!;
}

/** Over rows of `event_totals` or `event_spans`. A sum of bigint is numeric, hence the cast. */
export function sumOf(levels: readonly RiskLevel[]): string {
  return `coalesce(sum(${levels.map((level) => `${level}_count`).join(' + ')}), 0)::bigint`;
}
