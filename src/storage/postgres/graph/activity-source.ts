/** Reads stored events in the order of their times, for projections. */
import type pg from 'pg';
import type { ActivityCursor, ActivityEvent, ActivitySource, Thing } from '../../ports/activity.ts';
import { isoText, query } from '../connection/pool.ts';
import { SPAN } from '../lists/totals.ts';

/** Longer than an insert may take (`STATEMENT_TIMEOUT_MS`): see owner-counts.ts. */
const INSERT = `interval '3 seconds'`;
const LONGEST = `interval '1 minute'`;
/** Time that one question looks at. Time without events is skipped. */
const STRETCH = `interval '1 hour'`;
/** As long as an id of an agent may be (event-schema.ts). */
const MAX_ID = 256;
const FIRST = { customer_id: '00000000-0000-0000-0000-000000000000', event_id: '' };

/**
 * The keys of the next events come from an index alone; only those that are answered are read whole, as text: one event that the
 * database cannot read as JSON must not stop the projection.
 */
const NEXT = {
  name: 'next-activity',
  text: `with edge as materialized (
  select greatest(least(now() - ${INSERT}, (
    select min(xact_start) from pg_stat_activity where datname = current_database() and backend_xid is not null
  )), now() - ${LONGEST}) as at
), stretch as materialized (
  select since, at as edge, least(since + ${STRETCH}, at) as until from (
    select at, least(at, greatest(
      coalesce($1::timestamptz, '-infinity'),
      coalesce((select min(start) from event_spans where start > coalesce($1::timestamptz, '-infinity') - ${SPAN}), at)
    )) as since from edge
  ) as s
), keys as materialized (
  select k.* from (
    select distinct customer_id from event_spans, stretch where start > since - ${SPAN} and start < until
  ) as c cross join stretch s cross join lateral (
    select e.customer_id, e.scored_at, e.event_id from events e
    where e.customer_id = c.customer_id and e.scored_at >= s.since and e.scored_at < s.until
      and (e.scored_at, e.customer_id, e.event_id) > (coalesce($1::timestamptz, '-infinity'), $2::uuid, $3::text)
    order by e.scored_at, e.event_id limit $4
  ) as k
  order by k.scored_at, k.customer_id, k.event_id limit $4
), found as (
  select k.scored_at, k.customer_id, k.event_id, json_build_object(
    'customer_id', k.customer_id, 'event_id', k.event_id, 'scored_at', ${isoText('k.scored_at')}, 'score', e.score,
    'event', e.event, 'past', e.past
  ) as event
  from keys k
  join events e on e.customer_id = k.customer_id and e.scored_at = k.scored_at and e.event_id = k.event_id
)
select ${isoText('s.until')} as until, s.until = s.edge as is_last, (select count(*)::int from keys) as n,
  (select json_build_object('at', ${isoText('scored_at')}, 'customer_id', customer_id, 'event_id', event_id) from keys
    order by keys.scored_at desc, customer_id desc, event_id desc limit 1) as last,
  (select coalesce(json_agg(event order by scored_at, customer_id, event_id), '[]') from found) as events
from stretch s`,
};

/** Who delegated to these agents, by subagent tokens. */
const DELEGATIONS = {
  name: 'delegations',
  text: `select t.customer_id, k.agent_id as child, p.details ->> 'agent_id' as agent_id, t.jti, ${isoText('t.issued_at')} as at
  from unnest($1::uuid[], $2::text[]) as k (customer_id, agent_id)
  join tokens t on t.kind = 'subagent' and t.customer_id = k.customer_id and t.details ->> 'agent_id' = k.agent_id
  join tokens p on p.jti = t.parent_jti
  order by t.issued_at`,
};

interface Row {
  until: string;
  is_last: boolean;
  /** Events that were found, and the last of them. */
  n: number;
  last: ActivityCursor | null;
  events: StoredEvent[];
}

/** JSON texts as they were stored. */
interface StoredEvent extends Pick<ActivityEvent, 'customer_id' | 'event_id' | 'scored_at' | 'score'> {
  event: string;
  /** Null for an event without agent and session. */
  past: string | null;
}

/** What of an event was sent. The door checked it, but for `delegated_by`, which is not a field of an event. */
interface SentEvent {
  action: string;
  agent?: { agent_id?: string; delegated_by?: unknown };
  session?: { session_id?: string; user_id?: string };
  target?: { resource_type?: string; resource_id?: string };
}

type Delegations = ActivityEvent['delegated_by'];

export function activitySource(pool: pg.Pool): ActivitySource {
  return {
    async next(after, limit) {
      const { customer_id, event_id } = after ?? FIRST;
      const [row] = await query<Row>(pool, NEXT, [after?.at ?? null, customer_id, event_id, limit]);
      const { until, is_last, n, last, events } = row!;
      const is_full = n === limit && last !== null;
      return {
        events: await withDelegations(pool, events.map(activityOf)),
        cursor: is_full ? last : { at: until, ...FIRST },
        is_last: is_last && !is_full,
      };
    },

    async takeTurn(graph, holder, lease_ms) {
      const rows = await query(
        pool,
        `insert into activity_turns as t (graph, holder, until) values ($1, $2, now() + $3 * interval '1 millisecond')
         on conflict (graph) do update set holder = excluded.holder, until = excluded.until
           where t.holder = excluded.holder or t.until < now()
         returning graph`,
        [graph, holder, lease_ms],
      );
      return rows.length > 0;
    },

    async keptFrom() {
      const [row] = await query<{ kept_from: string | null }>(
        pool,
        `select case when events_kept_from() > '-infinity' then ${isoText('events_kept_from()')} end as kept_from`,
      );
      return row!.kept_from;
    },
  };
}

/** The database takes neither U+0000 nor half of a pair in a text. */
const clean = (text: string): string => text.replaceAll('\0', '\\u0000').toWellFormed();
const nameOf = (text: string | undefined): string | null => (text === undefined || text === '' ? null : clean(text));

function activityOf({ event, past, ...kept }: StoredEvent): ActivityEvent {
  const { action, agent, session, target } = JSON.parse(event) as SentEvent;
  // A part of the trace; rows of older versions may lack any of it.
  const { trace = {} } = (past === null ? {} : JSON.parse(past)) as {
    trace?: { is_change?: boolean; places?: string[] };
  };
  const { is_change = true, places = [] } = trace;
  return {
    ...kept,
    action: clean(action),
    agent_id: nameOf(agent?.agent_id),
    session_id: nameOf(session?.session_id),
    user_id: nameOf(session?.user_id),
    things: thingsOf(action, target, places),
    flow: is_change ? 'out' : 'in',
    delegated_by: namedBy(agent?.delegated_by, kept.scored_at),
  };
}

function thingsOf(action: string, target: SentEvent['target'], places: readonly string[]): Thing[] {
  const things: Thing[] = [];
  const { resource_id: name = '', resource_type: type = '' } = target ?? {};
  if (name !== '') things.push({ kind: 'target', type: clean(type), name: clean(name) });
  for (const place of places) things.push({ kind: 'destination', type: '', name: clean(place) });
  return things.length > 0 ? things : [{ kind: 'action', type: '', name: clean(action) }];
}

/** What the event says; the nearest of those that it names, because each of them acts by itself, too. */
function namedBy(named: unknown, at: string): Delegations {
  const nearest: unknown = Array.isArray(named) ? named[0] : named;
  if (typeof nearest !== 'string' || nearest === '' || nearest.length > MAX_ID) return [];
  return [{ agent_id: clean(nearest), at, jti: null }];
}

/** The same events with the delegations of tokens first. */
async function withDelegations(pool: pg.Pool, events: readonly ActivityEvent[]): Promise<ActivityEvent[]> {
  const keyOf = (customer_id: string, agent_id: string): string => `${customer_id} ${agent_id}`;
  const agents = new Map(
    events.flatMap(({ customer_id, agent_id }) =>
      agent_id === null ? [] : [[keyOf(customer_id, agent_id), { customer_id, agent_id }]],
    ),
  );
  if (agents.size === 0) return [...events];
  const asked = [...agents.values()];
  const rows = await query<{ customer_id: string; child: string } & Delegations[number]>(pool, DELEGATIONS, [
    asked.map(({ customer_id }) => customer_id),
    asked.map(({ agent_id }) => agent_id),
  ]);
  const by_agent = Map.groupBy(rows, ({ customer_id, child }) => keyOf(customer_id, child));
  return events.map((event) => {
    const found = by_agent.get(keyOf(event.customer_id, event.agent_id ?? '')) ?? [];
    const by_token = found.map(({ agent_id, at, jti }) => ({ agent_id, at, jti }));
    const others = event.delegated_by.filter((one) => !by_token.some(({ agent_id }) => agent_id === one.agent_id));
    return { ...event, delegated_by: [...by_token, ...others] };
  });
}
