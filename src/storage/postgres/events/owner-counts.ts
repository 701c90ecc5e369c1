/**
 * Counts the events of agents and sessions per second, to compare their memories with
 * (engine/memories/compare-memories.ts).
 */
import type pg from 'pg';
import { type OwnerCount, type OwnerCounts, SHARED_KEY } from '../../ports/storage.ts';
import { query } from '../connection/pool.ts';
import { SPAN } from '../lists/totals.ts';

/** Longer than an insert may take (`STATEMENT_TIMEOUT_MS`). */
const INSERT = `interval '3 seconds'`;
/** The longest that a transaction that does not end, as when its commit waits for a standby, delays the others. */
const LONGEST = `interval '1 minute'`;
/** Seconds at a time: at ten thousand events per second, well within the statement time-out. */
const STRETCH_S = 2;

const epoch = (time: string): string => `floor(extract(epoch from ${time}))::bigint`;
const spansFrom = (second: string): string => `start > to_timestamp(${second}) - ${SPAN}`;

/**
 * An event gets its time within its transaction, so nothing can be added before the start of the oldest transaction.
 * Time without a row in `event_spans` is skipped: the last count may be hours ago. Named for the reason given in
 * traces.ts.
 */
const COUNT_OWNERS = {
  name: 'count-owners',
  text: `with edge as materialized (
  select ${epoch(`greatest(least(now() - ${INSERT}, (
    select min(xact_start) from pg_stat_activity where datname = current_database() and backend_xid is not null
  )), now() - ${LONGEST})`)} as at
), wanted as materialized (
  select at, coalesce($1, at - ${epoch(LONGEST)}) as since from edge
), stretch as materialized (
  select at, since, least(since + ${STRETCH_S}, at) as until from (
    select at, least(at, greatest(since, (select coalesce(${epoch('min(start)')}, at) from event_spans where ${spansFrom('since')}))) as since
    from wanted
  ) as w
), found as (
  select w.customer_id, string_agg(concat(${epoch('e.scored_at')}, ',', e.agent_key, ',', e.session_key, ',', e.is_marked), ' ') as events from stretch s
  cross join lateral (
    select distinct customer_id from event_spans where ${spansFrom('s.since')} and start < to_timestamp(s.until)
  ) as w
  cross join lateral (
    select scored_at, agent_key, session_key, case when strpos(past, '"mark":{') > 0 then 1 end as is_marked from events
    where customer_id = w.customer_id and scored_at >= to_timestamp(s.since) and scored_at < to_timestamp(s.until)
  ) as e
  group by 1
)
select until, until = at as is_last, (select json_agg(json_build_array(customer_id, events)) from found) as found from stretch`,
};

interface Row {
  until: number;
  is_last: boolean;
  /**
   * For each customer `second,agent_key,session_key,is_marked` of its events; the database would take several times as long to
   * count them.
   */
  found: [customer_id: string, events: string][] | null;
}

export async function countOwners(pool: pg.Pool, since: number | null): Promise<OwnerCounts> {
  const [row] = await query<Row>(pool, COUNT_OWNERS, [since]);
  const { until, is_last, found } = row!;
  return { until, is_last, counts: (found ?? []).flatMap(([customer_id, events]) => countsOf(customer_id, events)) };
}

function countsOf(customer_id: string, events: string): OwnerCount[] {
  const counts = new Map<string, OwnerCount>();
  const add = (kind: OwnerCount['kind'], uuid: string, second: string): void => {
    const name = `${kind} ${uuid} ${second}`;
    const count = counts.get(name);
    if (count !== undefined) count.n += 1;
    else counts.set(name, { customer_id, kind, key: uuid.replaceAll('-', ''), second: Number(second), n: 1 });
  };
  for (const event of events.split(' ')) {
    const [second, agent_key, session_key, is_marked] = event.split(',');
    if (agent_key !== '') add('agent', agent_key!, second!);
    if (session_key !== '') add('session', session_key!, second!);
    if (is_marked !== '') add('shared', SHARED_KEY, second!);
  }
  return [...counts.values()];
}

/** When its first table was made, to the microsecond. */
export async function origin(pool: pg.Pool): Promise<string> {
  const [row] = await query<{ origin: string }>(
    pool,
    `select (extract(epoch from min(applied_at)) * 1000000)::bigint::text as origin from schema_migrations`,
  );
  return row!.origin;
}
