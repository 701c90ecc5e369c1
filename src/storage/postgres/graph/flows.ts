/** One step of data: from where they are to where they could go next. */
import type pg from 'pg';
import { nodeKey } from '../../node-key.ts';
import { type DataAt, type FlowStep, MOST_STEPS, type NodeRef } from '../../ports/activity.ts';
import { isoText, query } from '../connection/pool.ts';

/** The earliest events of a node after the data came there; `column` is what the node is in an event. */
const touches = (column: string, is_in: boolean): string => `
  select t.* from activity_touches t
  where t.customer_id = $1 and t.${column} = f.node and t.at >= f.at and t.at >= now() - $4 * interval '1 hour' and t.is_in = ${is_in}
  order by t.at, t.event_id limit ${MOST_STEPS}`;

const step = (to: string, how: string): string =>
  `f.node as source, ${to} as target, '${how}' as how, t.at as at, t.event_id, t.action, t.score::int as score`;

/**
 * From each node the earliest step to each other. What an agent was given by another it may have from the time of the delegation on,
 * and may report back at once: what agents tell each other is not an event.
 */
const FLOWS = {
  name: 'flows',
  text: `with f as materialized (
  select * from unnest($2::uuid[], $3::timestamptz[], $5::text[]) as f (node, at, kind)
), steps as (
  select ${step('t.agent', 'read')} from f cross join lateral (${touches('thing', true)}) as t where f.kind = 'thing' and t.agent is not null
  union all
  select ${step('t.session', 'read')} from f cross join lateral (${touches('thing', true)}) as t where f.kind = 'thing' and t.session is not null
  union all
  select ${step('t.thing', 'sent')} from f cross join lateral (${touches('agent', false)}) as t where f.kind = 'agent'
  union all
  select ${step('t.thing', 'sent')} from f cross join lateral (${touches('session', false)}) as t where f.kind = 'session'
  union all
  select f.node, d.child, 'delegated', greatest(f.at, d.at), null, null, null
  from f join activity_delegations d on d.customer_id = $1 and d.parent = f.node where f.kind = 'agent'
  union all
  select f.node, d.parent, 'reported', greatest(f.at, d.at), null, null, null
  from f join activity_delegations d on d.customer_id = $1 and d.child = f.node where f.kind = 'agent'
), first as (
  select distinct on (source, target) * from steps order by source, target, at, event_id
), bounded as (
  select *, row_number() over (partition by source order by at, target) as place from first
)
select b.source, json_build_object('kind', n.kind, 'type', n.type, 'name', n.name) as "to", b.how, ${isoText('b.at')} as at,
  b.event_id, b.action, b.score
from bounded b join activity_nodes n on n.customer_id = $1 and n.node = b.target
where b.place <= ${MOST_STEPS} order by b.at, b.source, b.target`,
};

interface Row extends Omit<FlowStep, 'from'> {
  source: string;
}

const sideOf = ({ kind }: NodeRef): string => (kind === 'agent' || kind === 'session' ? kind : 'thing');

export async function findFlows(
  pool: pg.Pool,
  customer_id: string,
  from: readonly DataAt[],
  hours: number,
): Promise<FlowStep[]> {
  const by_key = new Map(from.map(({ node }) => [nodeKey(node), node]));
  const rows = await query<Row>(pool, FLOWS, [
    customer_id,
    from.map(({ node }) => nodeKey(node)),
    from.map(({ at }) => at),
    hours,
    from.map(({ node }) => sideOf(node)),
  ]);
  return rows.map(({ source, ...step }) => ({ from: by_key.get(source)!, ...step }));
}
