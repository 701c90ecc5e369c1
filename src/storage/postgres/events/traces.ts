/** The traces of agents and sessions, from which their memories are rebuilt. */
import type pg from 'pg';
import type { KeptPast } from '../../../records/texts.ts';
import type { StoredTrace } from '../../../scoring/history/trace.ts';
import type { TraceOwner, Traces } from '../../ports/storage.ts';
import { query } from '../connection/pool.ts';
import { isoOf } from '../connection/times.ts';

/** All traces of one owner, oldest first. One row per trace took twice the time, on both sides. */
interface OwnerRow {
  /** Place of the owner in the query, from 1. */
  owner: number;
  /** JSON list of event ids; null when there is nothing, here and below. */
  event_ids: string | null;
  /** Microseconds since 1970, separated by commas. */
  times: string | null;
  /**
   * JSON list of `KeptPast` without `history`, the last part of it (`pastJson`). A list in text, because as a JSON
   * string each quote in it would be escaped.
   */
  pasts: string | null;
  asked_at: number;
}

/**
 * For sessions. The newest traces of an agent with a million events are read from the end of the index; a planner with
 * old statistics would fetch and sort all of them.
 */
export const TRACE_SESSION = '-c enable_bitmapscan=off';

/**
 * The newest traces of one kind of owner, each found from the end of its index. No event is scored in the future; the
 * condition keeps the database from looking into the partitions that were made ahead, which took a third of the query's
 * time.
 */
const newestOf = (kind: TraceOwner['kind']): string => `
  select k.owner::int, e.event_ids, e.times, e.pasts, floor(extract(epoch from now()))::bigint as asked_at
  from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (customer_id, kind, key, owner)
  cross join lateral (
    select json_agg(event_id)::text as event_ids, string_agg((extract(epoch from scored_at) * 1000000)::bigint::text, ',') as times,
      '[' || string_agg(coalesce(left(past, nullif(strpos(past, ',"history":'), 0) - 1) || '}', past), ',') || ']' as pasts
    from (
      select * from (
        select event_id, scored_at, past from events
        where customer_id = k.customer_id and ${kind}_key = k.key and scored_at < now() + interval '1 day'
        order by scored_at desc limit $4
      ) as newest order by scored_at, event_id
    ) as oldest_first
  ) e
  where k.kind = '${kind}'`;

/** Named, because planning it over all partitions takes longer than running it. */
const TRACES = { name: 'newest-traces', text: `${newestOf('agent')} union all ${newestOf('session')}` };

export async function traces(pool: pg.Pool, owners: readonly TraceOwner[], limit: number): Promise<Traces[]> {
  const rows = await query<OwnerRow>(pool, TRACES, [
    owners.map((owner) => owner.customer_id),
    owners.map((owner) => owner.kind),
    owners.map((owner) => owner.key),
    limit,
  ]);
  const found: Traces[] = [];
  for (const row of rows) found[row.owner - 1] = { traces: tracesOf(row), asked_at: row.asked_at };
  return found;
}

function tracesOf({ event_ids, times, pasts }: OwnerRow): StoredTrace[] {
  if (event_ids === null || times === null || pasts === null) return [];
  const ids = JSON.parse(event_ids) as string[];
  const at = times.split(',');
  return (JSON.parse(pasts) as Pick<KeptPast, 'trace'>[]).map(({ trace }, index) => ({
    event_id: ids[index]!,
    scored_at: isoOf(Number(at[index])),
    trace,
  }));
}
