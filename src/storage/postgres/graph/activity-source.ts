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
 * The keys of the next events come from an index alone; only those that are answered are read whole. Delegations are those that the
 * event names and those of subagent tokens with its agent's id.
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
    'action', v.action, 'agent', v.agent, 'session', v.session, 'target', v.target, 'past', e.past,
    'delegations', (
      select json_agg(json_build_object('agent_id', p.details ->> 'agent_id', 'jti', t.jti, 'at', ${isoText('t.issued_at')}) order by t.issued_at)
      from tokens t join tokens p on p.jti = t.parent_jti
      where t.kind = 'subagent' and t.customer_id = k.customer_id and t.details ->> 'agent_id' = v.agent ->> 'agent_id'
    )
  ) as event
  from keys k
  join events e on e.customer_id = k.customer_id and e.scored_at = k.scored_at and e.event_id = k.event_id
  cross join lateral json_to_record(e.event::json) as v (action text, agent json, session json, target json)
)
select ${isoText('s.until')} as until, s.until = s.edge as is_last, (select count(*)::int from keys) as n,
  (select json_build_object('at', ${isoText('scored_at')}, 'customer_id', customer_id, 'event_id', event_id) from keys
    order by keys.scored_at desc, customer_id desc, event_id desc limit 1) as last,
  (select coalesce(json_agg(event order by scored_at, customer_id, event_id), '[]') from found) as events
from stretch s`,
};

interface Row {
  until: string;
  is_last: boolean;
  /** Events that were found, and the last of them. */
  n: number;
  last: ActivityCursor | null;
  events: StoredEvent[];
}

/** Parts of a stored event. What callers sent was checked at the door. */
interface StoredEvent extends Pick<ActivityEvent, 'customer_id' | 'event_id' | 'scored_at' | 'score' | 'action'> {
  /** `delegated_by` is no field that the door checks. */
  agent: { agent_id?: string; delegated_by?: unknown } | null;
  session: { session_id?: string; user_id?: string } | null;
  target: { resource_type?: string; resource_id?: string } | null;
  /** JSON; null for an event without agent and session. */
  past: string | null;
  delegations: { agent_id: string; jti: string; at: string }[] | null;
}

export function activitySource(pool: pg.Pool): ActivitySource {
  return {
    async next(after, limit) {
      const { customer_id, event_id } = after ?? FIRST;
      const [row] = await query<Row>(pool, NEXT, [after?.at ?? null, customer_id, event_id, limit]);
      const { until, is_last, n, last, events } = row!;
      const is_full = n === limit && last !== null;
      return {
        events: events.map(activityOf),
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

function activityOf(stored: StoredEvent): ActivityEvent {
  const { customer_id, event_id, scored_at, score, action, agent, session, target, past } = stored;
  // A part of the trace; rows of older versions may lack any of it.
  const { trace = {} } = (past === null ? {} : JSON.parse(past)) as {
    trace?: { is_change?: boolean; places?: string[] };
  };
  const { is_change = true, places = [] } = trace;
  return {
    customer_id,
    event_id,
    scored_at,
    score,
    action,
    agent_id: agent?.agent_id || null,
    session_id: session?.session_id || null,
    user_id: session?.user_id || null,
    things: thingsOf(action, target, places),
    flow: is_change ? 'out' : 'in',
    delegated_by: delegationsOf(stored),
  };
}

function thingsOf(action: string, target: StoredEvent['target'], places: readonly string[]): Thing[] {
  const things: Thing[] = [];
  const { resource_id: name = '', resource_type: type = '' } = target ?? {};
  if (name !== '') things.push({ kind: 'target', type, name });
  for (const place of places) things.push({ kind: 'destination', type: '', name: place });
  return things.length > 0 ? things : [{ kind: 'action', type: '', name: action }];
}

/** By tokens, and what the event says; the nearest of those that it names, because each of them acts by itself, too. */
function delegationsOf({ agent, scored_at, delegations }: StoredEvent): ActivityEvent['delegated_by'] {
  const by_token = delegations ?? [];
  const named = agent?.delegated_by;
  const nearest: unknown = Array.isArray(named) ? named[0] : named;
  if (typeof nearest !== 'string' || nearest === '' || nearest.length > MAX_ID) return by_token;
  if (by_token.some(({ agent_id }) => agent_id === nearest)) return by_token;
  return [...by_token, { agent_id: nearest, at: scored_at, jti: null }];
}
