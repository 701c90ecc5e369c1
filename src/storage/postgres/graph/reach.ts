/** What an agent and those below it touched. */
import type pg from 'pg';
import { type Bounds, MOST_AGENTS, MOST_NAMED, type Reach, type Thing } from '../../ports/activity.ts';
import { isoText, query } from '../connection/pool.ts';

/**
 * `tree` has each agent once for each depth at which it is met, so that a cycle ends with the depth and many ways to one agent count
 * once. What each agent touched comes from an index alone; names are read for one page.
 */
const REACH = {
  name: 'reach',
  text: `with recursive tree (agent, depth) as (
  select $2::uuid, 0
  union
  select d.child, t.depth + 1 from tree t
  join activity_delegations d on d.customer_id = $1 and d.parent = t.agent
  where t.depth < $3
), nearest as materialized (
  select agent, min(depth) as depth from tree group by agent order by depth, agent limit ${MOST_AGENTS}
), touched as materialized (
  select t.thing, count(*)::int as events, max(t.score)::int as highest_score, max(t.at) as last_at
  from nearest n join activity_touches t on t.customer_id = $1 and t.agent = n.agent and t.at >= now() - $4 * interval '1 hour'
  group by t.thing
), page as materialized (
  select * from touched order by highest_score desc, last_at desc, thing limit $5 offset $6
)
select (select count(*)::int from touched) as total,
  (select count(distinct agent) from tree) > ${MOST_AGENTS} as is_cut,
  (select coalesce(json_agg(json_build_object('agent_id', a.name, 'depth', n.depth, 'delegated_by', p.name,
      'delegated_at', ${isoText('d.at')}, 'jti', d.jti) order by n.depth, a.name collate "C"), '[]')
    from nearest n
    left join activity_nodes a on a.customer_id = $1 and a.node = n.agent
    left join lateral (
      select d.* from activity_delegations d join nearest up on up.agent = d.parent and up.depth = n.depth - 1
      where d.customer_id = $1 and d.child = n.agent order by d.at, d.parent limit 1
    ) as d on true
    left join activity_nodes p on p.customer_id = $1 and p.node = d.parent) as agents,
  (select coalesce(json_agg(json_build_object(
      'thing', json_build_object('kind', k.kind, 'type', k.type, 'name', k.name),
      'events', p.events, 'highest_score', p.highest_score, 'last_at', ${isoText('p.last_at')},
      'last_event_id', (select event_id from activity_touches t join nearest n on n.agent = t.agent
        where t.customer_id = $1 and t.thing = p.thing and t.at = p.last_at order by event_id desc limit 1),
      'agents', (select json_agg(name order by name collate "C") from (
        select a.name from activity_nodes a where a.customer_id = $1 and a.node in (
          select t.agent from activity_touches t join nearest n on n.agent = t.agent
          where t.customer_id = $1 and t.thing = p.thing and t.at >= now() - $4 * interval '1 hour'
        ) order by a.name collate "C" limit ${MOST_NAMED}) as named)
    ) order by p.highest_score desc, p.last_at desc, p.thing), '[]')
    from page p join activity_nodes k on k.customer_id = $1 and k.node = p.thing) as touched`,
};

interface Row {
  total: number;
  is_cut: boolean;
  agents: (Omit<Reach['agents'][number], 'agent_id'> & { agent_id: string | null })[];
  touched: (Omit<Reach['touched'][number], 'thing' | 'agents'> & { thing: Thing; agents: string[] | null })[];
}

/** `agent`: the key of its node. */
export async function findReach(
  pool: pg.Pool,
  customer_id: string,
  agent: string,
  depth: number,
  { hours, page, per_page }: Bounds,
): Promise<Reach> {
  const values = [customer_id, agent, depth, hours, per_page, (page - 1) * per_page];
  const [row] = await query<Row>(pool, REACH, values);
  const { total, is_cut, agents, touched } = row!;
  return {
    // An agent that no event named has no node.
    agents: agents.flatMap(({ agent_id, ...one }) => (agent_id === null ? [] : [{ agent_id, ...one }])),
    touched: touched.map((one) => ({ ...one, agents: one.agents ?? [] })),
    total,
    is_cut,
  };
}
