/** Who touched a thing. */
import type pg from 'pg';
import { type Actors, type Bounds, MOST_NAMED } from '../../ports/activity.ts';
import { isoText, query } from '../connection/pool.ts';

const names = (node: string): string => `(select coalesce(json_agg(name order by name collate "C"), '[]') from (
  select n.name from activity_nodes n where n.customer_id = $1 and n.node in (
    select ${node} from activity_touches t
    where t.customer_id = $1 and t.thing = $2 and t.at >= now() - $3 * interval '1 hour' and t.agent is not distinct from p.agent
  ) order by n.name collate "C" limit ${MOST_NAMED}) as named)`;

const ACTORS = {
  name: 'actors',
  text: `with actors as materialized (
  select agent, count(*)::int as events, count(*) filter (where is_in)::int as reads, count(*) filter (where not is_in)::int as writes,
    max(score)::int as highest_score, min(at) as first_at, max(at) as last_at
  from activity_touches
  where customer_id = $1 and thing = $2 and at >= now() - $3 * interval '1 hour'
  group by agent
), page as (
  select * from actors order by highest_score desc, last_at desc, agent limit $4 offset $5
)
select (select count(*)::int from actors) as total,
  (select coalesce(json_agg(json_build_object('agent_id', a.name,
      'delegated_by', (select coalesce(json_agg(name order by name collate "C"), '[]') from (
        select u.name from activity_delegations d join activity_nodes u on u.customer_id = $1 and u.node = d.parent
        where d.customer_id = $1 and d.child = p.agent order by u.name collate "C" limit ${MOST_NAMED}) as up),
      'sessions', ${names('t.session')}, 'users', ${names('t.by_user')},
      'events', p.events, 'reads', p.reads, 'writes', p.writes, 'highest_score', p.highest_score,
      'first_at', ${isoText('p.first_at')}, 'last_at', ${isoText('p.last_at')},
      'last_event_id', (select event_id from activity_touches t where t.customer_id = $1 and t.thing = $2 and t.at = p.last_at
        and t.agent is not distinct from p.agent order by event_id desc limit 1)
    ) order by p.highest_score desc, p.last_at desc, p.agent), '[]')
    from page p left join activity_nodes a on a.customer_id = $1 and a.node = p.agent) as actors`,
};

/** `thing`: the key of its node. */
export async function findActors(
  pool: pg.Pool,
  customer_id: string,
  thing: string,
  { hours, page, per_page }: Bounds,
): Promise<Actors> {
  const [row] = await query<Actors>(pool, ACTORS, [customer_id, thing, hours, per_page, (page - 1) * per_page]);
  return row!;
}
