/**
 * Writing to the revocation log: ids become visible in their order, because a writer holds the end of the log until its
 * commit.
 */
import type pg from 'pg';
import type { LogRow } from '../../ports/auth.ts';
import { isoText } from '../connection/pool.ts';

type NewRow = Omit<LogRow, 'log_id' | 'stamp'> & { reason: string | null };

export interface WrittenRow {
  log_id: number;
  revoked_at: string;
  is_new: boolean;
}

/**
 * Excludes other writers until the end of the transaction. The next statement has a newer snapshot, so it sees
 * everything before.
 */
export async function holdLogEnd(client: pg.PoolClient): Promise<void> {
  await client.query('select from revocation_state for update');
}

/** A token that was revoked in this mode before keeps its first row, which is returned then. */
const APPEND = `with before as (
    select log_id, revoked_at from revocation_log where subject = $2 and mode = $3 and $3 <> 'key'
  ), log_end as (
    update revocation_state
    set last_log_id = last_log_id + 1, entries = entries + case when $3 = 'key' then 0 else 1 end
    where not exists (select from before)
    returning last_log_id
  ), written as (
    insert into revocation_log (log_id, customer_id, subject, mode, reason)
    select last_log_id, $1, $2, $3, $4 from log_end
    returning log_id, revoked_at
  )
  select log_id, ${isoText('revoked_at')} as revoked_at, is_new
  from (select *, true as is_new from written union all select *, false from before) as row`;

/** Appends a row in the caller's transaction, which holds the end of the log. */
export async function appendToLog(client: pg.PoolClient, row: NewRow): Promise<WrittenRow> {
  const { rows } = await client.query<WrittenRow>(APPEND, [row.customer_id, row.subject, row.mode, row.reason]);
  return rows[0]!;
}
