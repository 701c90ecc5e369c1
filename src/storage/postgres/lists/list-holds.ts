/**
 * Pages of events that were held, newest first, with an exact total. Holds are few, so they are scanned, once and in an
 * index only: from the newest to the end of the page; older ones are only counted.
 */
import type pg from 'pg';
import type { HoldState } from '../../../records/hold.ts';
import type { ScoreFilter } from '../../ports/storage.ts';
import { query } from '../connection/pool.ts';
import { conditions } from '../events/place.ts';
import { type ScoreRow, scoreColumns } from '../events/score-columns.ts';

const NOW = '(select now from clock)';

/** Rows of `holds` in the given state, as written and by the clock; separate, so that an index serves each. */
const PARTS: Record<HoldState, string[]> = {
  held: [`state = 'held' and expires_at > ${NOW}`],
  expired: [`state = 'expired'`, `state = 'held' and expires_at <= ${NOW}`],
  approved: [`state = 'approved'`],
  rejected: [`state = 'rejected'`],
};

/** `filter.hold` is set. One statement, so one snapshot, and one time that decides what has expired. */
export async function listHolds(
  pool: pg.Pool,
  customer_id: string,
  hold: HoldState,
  { risk_level, from_date, to_date }: Omit<ScoreFilter, 'hold'>,
  page: number,
  per_page: number,
): Promise<{ records: ScoreRow[]; total: number }> {
  const values: unknown[] = [customer_id, (page - 1) * per_page, per_page];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const level = risk_level && `risk_level = ${bind(risk_level)}`;
  const wanted = conditions(
    'customer_id = $1',
    from_date && `held_at >= ${bind(from_date)}::timestamptz`,
    to_date && `held_at <= ${bind(to_date)}::timestamptz`,
  );
  // First ordered, then filtered by level (`offset 0` enforces it): with both at once, the planner would rather read
  // the few rows of a level from the table and sort them than scan the index.
  const columns = level ? 'held_at, event_id, risk_level' : 'held_at, event_id';
  const inOrder = (part: string, also?: string) => `(
    select ${columns} from holds where ${conditions(wanted, part, also)} order by held_at desc, event_id desc offset 0
  ) as h ${level ? `where ${level}` : ''}`;
  const listed = PARTS[hold].map(
    (part) => `(select held_at, event_id from ${inOrder(part)} order by held_at desc, event_id desc)`,
  );
  const is_older = '(held_at, event_id) < ((select held_at from edge), (select event_id from edge))';
  const older = PARTS[hold].map((part) => `(select count(*) from ${inOrder(part, is_older)})`);

  const rows = await query<ScoreRow & { total: number }>(
    pool,
    `with clock as materialized (select auth_now() as now),
page as materialized (
  select held_at, event_id from (${listed.join(' union all ')}) as listed
  order by held_at desc, event_id desc limit $3 offset $2
),
-- The oldest of the page, and how many rows end with it. For a page beyond the end all are older.
edge as materialized (
  select held_at, event_id, $2::bigint + count(*) over () as n from page
  union all select 'infinity', '', 0
  order by held_at, event_id limit 1
)
select (select n from edge) + ${older.join(' + ')} as total, ${scoreColumns(NOW)}
from (select) as one left join (
  page p join events e on e.customer_id = $1 and e.scored_at = p.held_at and e.event_id = p.event_id
  join holds h on h.customer_id = $1 and h.event_id = p.event_id
) on true
order by e.scored_at desc, e.event_id desc`,
    values,
  );
  const records = rows.filter((row) => row.event_id !== null).map(({ total: _, ...record }) => record);
  return { records, total: rows[0]?.total ?? 0 };
}
