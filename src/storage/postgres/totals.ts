/**
 * How many events there are, without counting a million: `event_totals` has a sum for each day and level, kept by the
 * statement that inserts events. A range of dates is the sums of its whole days and a count in its first and last.
 */
import type pg from 'pg';
import type { RiskLevel } from '../../scoring/types.ts';
import type { ScoreSummary } from '../ports.ts';
import { query } from './pool.ts';

const LEVELS: readonly RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical'];

/** Writers at the same time should rarely share a row: then one waits for the other's commit. */
const SLOTS = 16;

/** The second half of an insert: adds the rows of `inserted`, always in the order of the keys. */
export const ADD_TO_TOTALS = `insert into event_totals as t
  select customer_id, (scored_at at time zone 'UTC')::date, pg_backend_pid() % ${SLOTS},
    ${LEVELS.map((level) => `count(*) filter (where risk_level = '${level}')`).join(', ')}, sum(score)
  from inserted group by 1, 2, 3 order by 1, 2, 3
  on conflict (customer_id, day, slot) do update set
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

/** What a list filters by, as the parameters (`$2`) of the statement that hold it. `$1` is the customer. */
export interface FilterParameters {
  level?: string;
  from?: string;
  to?: string;
}

/** An SQL expression for the exact number of events that match. */
export function countMatching(risk_level: RiskLevel | undefined, { level, from, to }: FilterParameters): string {
  const days = ['customer_id = $1'];
  if (from !== undefined) days.push(`day > (${from}::timestamptz at time zone 'UTC')::date`);
  if (to !== undefined) days.push(`day < (${to}::timestamptz at time zone 'UTC')::date`);
  const sum = sumOf(LEVELS.filter((each) => risk_level === undefined || each === risk_level));
  const parts = [`(select ${sum} from event_totals where ${days.join(' and ')})`];

  const events = ['customer_id = $1', ...(level === undefined ? [] : [`risk_level = ${level}`])];
  const until = to === undefined ? [] : [`scored_at <= ${to}::timestamptz`];
  const count = (...conditions: string[]) => {
    parts.push(`(select count(*) from events where ${[...events, ...conditions, ...until].join(' and ')})`);
  };
  if (from !== undefined) count(`scored_at >= ${from}::timestamptz`, `scored_at < ${dayAfter(from)}`);
  // On one day with `from`, the first day is the last and is counted already.
  if (to !== undefined)
    count(`scored_at >= ${from === undefined ? dayOf(to) : `greatest(${dayOf(to)}, ${dayAfter(from)})`}`);
  return parts.join(' + ');
}

/** Over rows of `event_totals`. A sum of bigint is numeric, hence the cast. */
function sumOf(levels: readonly RiskLevel[]): string {
  return `coalesce(sum(${levels.map((level) => `${level}_count`).join(' + ')}), 0)::bigint`;
}

function dayOf(parameter: string): string {
  return `date_trunc('day', ${parameter}::timestamptz, 'UTC')`;
}

function dayAfter(parameter: string): string {
  return `(${dayOf(parameter)} + interval '24 hours')`;
}
