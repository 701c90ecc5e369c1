/**
 * Pages of scores, newest first, with an exact total, as fast at the end of a million as at their beginning. Totals
 * give the number of events, and the five seconds in which a page begins; only the events of these are scanned, from
 * the nearer end. One statement, so one snapshot.
 */

import type pg from 'pg';
import { LEVELS } from '../../../scoring/level.ts';
import type { RiskLevel } from '../../../scoring/types.ts';
import type { ScoreFilter } from '../../ports/storage.ts';
import { query } from '../connection/pool.ts';
import { conditions, placeOf } from '../events/place.ts';
import { type ScoreRow, scoreColumns } from '../events/score-columns.ts';
import { isKept } from '../partitions/partitions.ts';
import { listHolds } from './list-holds.ts';
import { sumOf } from './totals.ts';

export async function list(
  pool: pg.Pool,
  customer_id: string,
  filter: ScoreFilter,
  page: number,
  per_page: number,
): Promise<{ records: ScoreRow[]; total: number }> {
  if (filter.hold !== undefined) return listHolds(pool, customer_id, filter.hold, filter, page, per_page);
  const values: unknown[] = [customer_id, (page - 1) * per_page, per_page];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const from = filter.from_date && `${bind(filter.from_date)}::timestamptz`;
  const to = filter.to_date && `${bind(filter.to_date)}::timestamptz`;
  const level = filter.risk_level && `risk_level = ${bind(filter.risk_level)}`;
  const wanted = conditions('customer_id = $1', level, from && `scored_at >= ${from}`, to && `scored_at <= ${to}`);

  const statement = `with ${placeOf({ from, to, wanted, sum: sumOf(levelsOf(filter)) })},
-- From the newest event of the piece on.
near_newest as (
  select scored_at, event_id from events
  where ${wanted} and scored_at < (select until from start where skip <= n / 2)
  order by scored_at desc, event_id desc limit $3::bigint offset (select skip from start)
),
-- From its oldest event back; what the page lacks then is in the pieces before.
near_oldest as (
  select scored_at, event_id from events
  where ${wanted} and scored_at >= (select since from start where skip > n / 2)
    and scored_at < (select until from start where skip > n / 2)
  order by scored_at, event_id
  limit (select least($3::bigint, n - skip) from start) offset (select greatest(n - skip - $3::bigint, 0) from start)
),
older as (
  select scored_at, event_id from events
  where ${wanted} and scored_at < (select since from start where skip > n / 2)
  order by scored_at desc, event_id desc limit (select greatest($3::bigint - (n - skip), 0) from start)
),
-- Never more than the limit says, which is there for the planner. What is gone comes last, where it is still in the table,
-- and is left out below: totals know nothing of it.
page as (
  select * from (select * from near_newest union all select * from near_oldest union all select * from older) as parts limit $3
)
select (select coalesce(sum(n), 0)::bigint from pieces) as total, ${scoreColumns()}
from (select) as one left join (
  page p join events e on e.customer_id = $1 and e.scored_at = p.scored_at and e.event_id = p.event_id and ${isKept('p.scored_at')}
  left join holds h on h.customer_id = $1 and h.event_id = p.event_id
) on true
order by e.scored_at desc, e.event_id desc`;
  const rows = await query<ScoreRow & { total: number }>(pool, statement, values);
  const records = rows.filter((row) => row.event_id !== null).map(({ total: _, ...record }) => record);
  return { records, total: rows[0]?.total ?? 0 };
}

function levelsOf({ risk_level }: ScoreFilter): RiskLevel[] {
  return LEVELS.filter((each) => risk_level === undefined || each === risk_level);
}
