/** Pages of events that were held, newest first, with an exact total. Holds are few, so they are counted. */
import type pg from 'pg';
import type { ScoreFilter, StoredScore } from '../ports.ts';
import { holdStateSql } from './hold-columns.ts';
import { query } from './pool.ts';
import { SCORE_COLUMNS } from './score-columns.ts';

/** `filter.hold` is set. One statement, so one snapshot, and one time that decides what has expired. */
export async function listHolds(
  pool: pg.Pool,
  customer_id: string,
  { hold, risk_level, from_date, to_date }: ScoreFilter,
  page: number,
  per_page: number,
): Promise<{ records: StoredScore[]; total: number }> {
  const values: unknown[] = [customer_id, (page - 1) * per_page, per_page, hold];
  const bind = (value: unknown) => `$${values.push(value)}`;
  // What may be in the state, for the index; then what is, by the clock.
  const wanted = [
    'h.customer_id = $1',
    `(h.state = $4 or h.state = case when $4 = 'expired' then 'held' else $4 end)`,
    `${holdStateSql('(select now from clock)')} = $4`,
  ];
  if (risk_level !== undefined) wanted.push(`h.risk_level = ${bind(risk_level)}`);
  if (from_date !== undefined) wanted.push(`h.held_at >= ${bind(from_date)}::timestamptz`);
  if (to_date !== undefined) wanted.push(`h.held_at <= ${bind(to_date)}::timestamptz`);
  const where = wanted.join(' and ');

  const rows = await query<StoredScore & { total: number }>(
    pool,
    `with clock as materialized (select auth_now() as now),
     page as (
       select h.customer_id, h.event_id, h.held_at as scored_at from holds h where ${where}
       order by h.held_at desc, h.event_id desc limit $3 offset $2
     )
     select (select count(*) from holds h where ${where}) as total, ${SCORE_COLUMNS}
     from (select) as one left join (
       page join events e using (customer_id, scored_at, event_id) join holds h using (customer_id, event_id)
     ) on true
     order by e.scored_at desc, e.event_id desc`,
    values,
  );
  const records = rows.filter((row) => row.event_id !== null).map(({ total: _, ...record }) => record);
  return { records, total: rows[0]?.total ?? 0 };
}
