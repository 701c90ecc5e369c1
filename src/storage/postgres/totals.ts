/** How many events there are, without counting a million: `event_totals` has a sum for each hour and level. */
import type pg from 'pg';
import type { RiskLevel } from '../../scoring/types.ts';
import type { ScoreSummary } from '../ports.ts';
import { query } from './pool.ts';

export const LEVELS: readonly RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical'];

/** Writers at the same time should rarely share a row: then one waits for the other's commit. */
const SLOTS = 16;

/** The second half of an insert: adds the rows of `inserted`, always in the order of the keys. */
export const ADD_TO_TOTALS = `insert into event_totals as t
  select customer_id, date_trunc('hour', scored_at, 'UTC'), pg_backend_pid() % ${SLOTS},
    ${LEVELS.map((level) => `count(*) filter (where risk_level = '${level}')`).join(', ')}, sum(score)
  from inserted group by 1, 2, 3 order by 1, 2, 3
  on conflict (customer_id, hour, slot) do update set
    ${LEVELS.map((level) => `${level}_count = t.${level}_count + excluded.${level}_count`).join(', ')},
    score_sum = t.score_sum + excluded.score_sum`;

export async function summary(pool: pg.Pool, customer_id: string): Promise<ScoreSummary> {
  const rows = await query<ScoreSummary>(
    pool,
    `select ${sumOf(LEVELS)} as total_events,
       coalesce(sum(score_sum)::float8 / nullif(${sumOf(LEVELS)}, 0), 0) as avg_score,
       ${LEVELS.map((level) => `${sumOf([level])} as ${level}_count`).join(', ')}
     from event_totals where customer_id = $1`,
    [customer_id],
  );
  return rows[0]!;
}

/** Over rows of `event_totals`. A sum of bigint is numeric, hence the cast. */
export function sumOf(levels: readonly RiskLevel[]): string {
  return `coalesce(sum(${levels.map((level) => `${level}_count`).join(' + ')}), 0)::bigint`;
}
