/** What the events of agents and sessions left behind, to make their memories again. */
import type pg from 'pg';
import type { StoredTrace } from '../../scoring/history/trace.ts';
import type { TraceOwner } from '../ports.ts';
import { isoText, query } from './pool.ts';

interface TraceRow extends StoredTrace {
  /** Place of the owner in the question, from 1. */
  owner: number;
}

/**
 * For the sessions that ask. Of an agent with a million events the newest are read from the end of the index; a planner
 * whose statistics are old would fetch and sort them all.
 */
export const TRACE_SESSION = '-c enable_bitmapscan=off';

/**
 * The newest of one kind of owner, each found in its index from the end. Nothing was scored after today: so said, it is
 * not looked for in the partitions that were made ahead, which took a third of the time of a question.
 */
const newestOf = (kind: TraceOwner['kind']): string => `
  select k.owner, e.event_id, e.scored_at, e.past::json -> 'trace' as trace
  from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (customer_id, kind, key, owner)
  cross join lateral (
    select event_id, scored_at, past from events
    where customer_id = k.customer_id and ${kind}_key = k.key and scored_at < now() + interval '1 day'
    order by scored_at desc limit $4
  ) e
  where k.kind = '${kind}'`;

/** Named, because planning it over all partitions takes longer than running it. */
const TRACES = {
  name: 'traces',
  text: `select owner::int, event_id, ${isoText('scored_at')} as scored_at, trace
from (${newestOf('agent')} union all ${newestOf('session')}) t order by owner, t.scored_at, event_id`,
};

export async function traces(pool: pg.Pool, owners: readonly TraceOwner[], limit: number): Promise<StoredTrace[][]> {
  const rows = await query<TraceRow>(pool, TRACES, [
    owners.map((owner) => owner.customer_id),
    owners.map((owner) => owner.kind),
    owners.map((owner) => owner.key),
    limit,
  ]);
  const found = owners.map((): StoredTrace[] => []);
  for (const { owner, ...trace } of rows) found[owner - 1]!.push(trace);
  return found;
}
