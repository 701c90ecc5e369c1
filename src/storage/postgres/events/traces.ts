/** The traces of agents and sessions, from which their memories are rebuilt. */
import type pg from 'pg';
import type { KeptPast } from '../../../records/texts.ts';
import type { Verdict } from '../../../scoring/history/notes.ts';
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
  /** JSON list of what a person decided about each event; null for agents and sessions. */
  verdicts: string | null;
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
const newestOf = (kind: 'agent' | 'session'): string => `
  select k.owner::int, e.event_ids, e.times, e.pasts, null as verdicts, floor(extract(epoch from now()))::bigint as asked_at
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

/**
 * The newest traces of a customer that have a mark, with what a person decided about their events. The condition is that of the
 * index `events_with_mark`.
 */
const WITH_MARK = `
  select k.owner::int, e.event_ids, e.times, e.pasts, e.verdicts, floor(extract(epoch from now()))::bigint as asked_at
  from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (customer_id, kind, key, owner)
  cross join lateral (
    select json_agg(event_id)::text as event_ids, string_agg((extract(epoch from scored_at) * 1000000)::bigint::text, ',') as times,
      '[' || string_agg(coalesce(left(past, nullif(strpos(past, ',"history":'), 0) - 1) || '}', past), ',') || ']' as pasts,
      json_agg(verdict)::text as verdicts
    from (
      select * from (
        select n.event_id, n.scored_at, n.past, (
          select state from holds h where h.customer_id = k.customer_id and h.event_id = n.event_id
            and state in ('approved', 'rejected')) as verdict
        from events n
        where n.customer_id = k.customer_id and strpos(n.past, '"mark":{') > 0
          and n.scored_at > now() - interval '1 day' and n.scored_at < now() + interval '1 day'
        order by n.scored_at desc limit $4
      ) as newest order by scored_at, event_id
    ) as oldest_first
  ) e
  where k.kind = 'shared'`;

/** Named, because planning it over all partitions takes longer than running it. */
const TRACES = {
  name: 'newest-traces',
  text: `${newestOf('agent')} union all ${newestOf('session')} union all ${WITH_MARK}`,
};

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

function tracesOf({ event_ids, times, pasts, verdicts }: OwnerRow): StoredTrace[] {
  if (event_ids === null || times === null || pasts === null) return [];
  const decided = verdicts === null ? [] : (JSON.parse(verdicts) as (Verdict | null)[]);
  const ids = JSON.parse(event_ids) as string[];
  const at = times.split(',');
  return (JSON.parse(pasts) as Pick<KeptPast, 'trace'>[]).map(({ trace }, index) => ({
    event_id: ids[index]!,
    scored_at: isoOf(Number(at[index])),
    trace,
    ...(decided[index] == null ? {} : { verdict: decided[index] }),
  }));
}
