/**
 * Pages of scores, newest first, with an exact total, as fast at the end of a million as at their beginning. Totals by
 * hour say how many events there are and in which hour a page begins; only that hour is walked through, from its nearer
 * end. One statement, so one snapshot.
 */
import type pg from 'pg';
import type { ScoreFilter, StoredScore } from '../ports.ts';
import { listHolds } from './list-holds.ts';
import { query } from './pool.ts';
import { SCORE_COLUMNS } from './score-columns.ts';
import { LEVELS, sumOf } from './totals.ts';

export async function list(
  pool: pg.Pool,
  customer_id: string,
  filter: ScoreFilter,
  page: number,
  per_page: number,
): Promise<{ records: StoredScore[]; total: number }> {
  if (filter.hold !== undefined) return listHolds(pool, customer_id, filter, page, per_page);
  const values: unknown[] = [customer_id, (page - 1) * per_page, per_page];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const from = filter.from_date && `${bind(filter.from_date)}::timestamptz`;
  const to = filter.to_date && `${bind(filter.to_date)}::timestamptz`;
  const level = filter.risk_level && `risk_level = ${bind(filter.risk_level)}`;
  const wanted = conditions('customer_id = $1', level, from && `scored_at >= ${from}`, to && `scored_at <= ${to}`);

  const statement = `with hours as materialized (${hoursWith(filter, { from, to, level })}),
start as (
  select hour, n, $2::bigint - before as skip
  from (select hour, n, sum(n) over (order by hour desc) - n as before from hours) as placed
  where before <= $2 and $2 < before + n
),
-- From the newest event of that hour on.
near_newest as (
  select customer_id, scored_at, event_id from events
  where ${wanted} and scored_at < (select hour + interval '1 hour' from start where skip <= n / 2)
  order by scored_at desc, event_id desc limit $3::bigint offset (select skip from start)
),
-- From its oldest event back; what the page lacks then is in the hours before.
near_oldest as (
  select customer_id, scored_at, event_id from events
  where ${wanted} and scored_at >= (select hour from start where skip > n / 2)
    and scored_at < (select hour + interval '1 hour' from start where skip > n / 2)
  order by scored_at, event_id
  limit (select least($3::bigint, n - skip) from start) offset (select greatest(n - skip - $3::bigint, 0) from start)
),
older as (
  select customer_id, scored_at, event_id from events
  where ${wanted} and scored_at < (select hour from start where skip > n / 2)
  order by scored_at desc, event_id desc limit (select greatest($3::bigint - (n - skip), 0) from start)
),
page as (
  select * from near_newest union all select * from near_oldest union all select * from older
)
select (select coalesce(sum(n), 0)::bigint from hours) as total, ${SCORE_COLUMNS}
from (select) as one left join (
  page join events e using (customer_id, scored_at, event_id) left join holds h using (customer_id, event_id)
) on true
order by e.scored_at desc, e.event_id desc`;
  const rows = await query<StoredScore & { total: number }>(pool, statement, values);
  const records = rows.filter((row) => row.event_id !== null).map(({ total: _, ...record }) => record);
  return { records, total: rows[0]?.total ?? 0 };
}

interface Limits {
  from: string | undefined;
  to: string | undefined;
  level: string | undefined;
}

/** Rows of an hour and how many events of it match: whole hours from the totals, the first and the last counted. */
function hoursWith({ risk_level }: ScoreFilter, { from, to, level }: Limits): string {
  const sum = sumOf(LEVELS.filter((each) => risk_level === undefined || each === risk_level));
  const whole = conditions('customer_id = $1', from && `hour > ${hourOf(from)}`, to && `hour < ${hourOf(to)}`);
  const parts = [`select hour, ${sum} as n from event_totals where ${whole} group by hour having ${sum} > 0`];
  const count = (hour: string, ...more: (string | undefined)[]): void => {
    const all = conditions('customer_id = $1', level, to && `scored_at <= ${to}`, ...more);
    parts.push(`select ${hour} as hour, count(*) as n from events where ${all} having count(*) > 0`);
  };
  if (from) count(hourOf(from), `scored_at >= ${from}`, `scored_at < ${hourOf(from)} + interval '1 hour'`);
  // In one hour with `from`, the last hour is the first and is counted already.
  if (to)
    count(
      hourOf(to),
      `scored_at >= ${from ? `greatest(${hourOf(to)}, ${hourOf(from)} + interval '1 hour')` : hourOf(to)}`,
    );
  return parts.join(' union all ');
}

function hourOf(parameter: string): string {
  return `date_trunc('hour', ${parameter}, 'UTC')`;
}

function conditions(...all: (string | undefined)[]): string {
  return all.filter((condition) => condition !== undefined).join(' and ');
}
