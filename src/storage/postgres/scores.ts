/** Reading scored events. Writing them is in group-commit.ts and write-group.ts. */
import type pg from 'pg';
import type { ScoreFilter, ScoreStore, StoredScore } from '../ports.ts';
import { isStorable } from './errors.ts';
import { isoText, query } from './pool.ts';
import { countMatching, type FilterParameters, summary } from './totals.ts';

/** Every column of a `StoredScore`, from the row called `e`. */
export const SCORE_COLUMNS = `e.customer_id, e.event_id, e.content_hash, e.event, e.assessment, e.risk_level, e.cache_hit,
  ${isoText('e.scored_at')} as scored_at`;

type Reads = Pick<ScoreStore, 'find' | 'list' | 'summary'>;

export function scoreReads(pool: pg.Pool): Reads {
  return {
    async find(customer_id, event_id) {
      if (!isStorable(event_id)) return null;
      const rows = await query<StoredScore>(
        pool,
        `select ${SCORE_COLUMNS} from events e where e.customer_id = $1 and e.event_id = $2`,
        [customer_id, event_id],
      );
      return rows[0] ?? null;
    },

    list: (customer_id, filter, page, per_page) => list(pool, customer_id, filter, page, per_page),

    summary: (customer_id) => summary(pool, customer_id),
  };
}

/**
 * The page is found in an index alone, then its rows are fetched. The total is of the same statement, so of the same
 * snapshot; the outer join keeps it when the page is empty.
 */
async function list(pool: pg.Pool, customer_id: string, filter: ScoreFilter, page: number, per_page: number) {
  const values: unknown[] = [customer_id];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const wanted = ['customer_id = $1'];
  const parameters: FilterParameters = {};
  if (filter.risk_level !== undefined) {
    parameters.level = bind(filter.risk_level);
    wanted.push(`risk_level = ${parameters.level}`);
  }
  if (filter.from_date !== undefined) {
    parameters.from = bind(filter.from_date);
    wanted.push(`scored_at >= ${parameters.from}::timestamptz`);
  }
  if (filter.to_date !== undefined) {
    parameters.to = bind(filter.to_date);
    wanted.push(`scored_at <= ${parameters.to}::timestamptz`);
  }
  const rows = await query<StoredScore & { total: number }>(
    pool,
    `with counted as (select ${countMatching(filter.risk_level, parameters)} as total),
     page as (
       select customer_id, event_id from events where ${wanted.join(' and ')}
       order by scored_at desc, event_id desc limit ${bind(per_page)} offset ${bind((page - 1) * per_page)}
     )
     select counted.total, ${SCORE_COLUMNS}
     from counted left join (page join events e using (customer_id, event_id)) on true
     order by e.scored_at desc, e.event_id desc`,
    values,
  );
  const records = rows.filter((row) => row.event_id !== null).map(({ total: _, ...record }) => record);
  return { records, total: rows[0]?.total ?? 0 };
}
