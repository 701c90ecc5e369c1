/** The graph of activity in tables: appended in bulk, walked by recursive queries over indexes. */
import type pg from 'pg';
import { nodeKey } from '../../node-key.ts';
import {
  type ActivityCursor,
  type ActivityEvent,
  type ActivityGraph,
  MOST_AGENTS,
  type NodeRef,
} from '../../ports/activity.ts';
import { inTransaction, isoText, query } from '../connection/pool.ts';
import { findActors } from './actors.ts';
import { findFlows } from './flows.ts';
import { findReach } from './reach.ts';

const FORGET_AT_ONCE = 5_000;

const agentNode = (name: string): NodeRef => ({ kind: 'agent', type: '', name });

export function activityGraph(pool: pg.Pool): ActivityGraph {
  return {
    append: (events) => append(pool, events),

    async cursor() {
      const [row] = await query<ActivityCursor>(
        pool,
        `select ${isoText('at')} as at, customer_id, event_id from activity_cursor`,
      );
      return row ?? null;
    },

    async move(from, { at, customer_id, event_id }) {
      const to = [at, customer_id, event_id];
      if (from === null) {
        await query(
          pool,
          'insert into activity_cursor (at, customer_id, event_id) values ($1, $2, $3) on conflict do nothing',
          to,
        );
      } else {
        await query(
          pool,
          `update activity_cursor set at = $1, customer_id = $2, event_id = $3
           where at = $4 and customer_id = $5 and event_id = $6`,
          [...to, from.at, from.customer_id, from.event_id],
        );
      }
    },

    clear: () =>
      inTransaction(pool, async (client) => {
        await client.query('truncate activity_nodes, activity_touches, activity_delegations, activity_cursor');
      }),

    async forgetBefore(time) {
      // In pieces, each well within the time of a statement.
      for (let is_done = false; !is_done; ) {
        const gone = await query(
          pool,
          `delete from activity_touches where ctid = any (array(
             select ctid from activity_touches where at < $1 limit ${FORGET_AT_ONCE})) returning 1`,
          [time],
        );
        is_done = gone.length < FORGET_AT_ONCE;
      }
    },

    reach: (customer_id, agent_id, depth, bounds) =>
      findReach(pool, customer_id, nodeKey(agentNode(agent_id)), Math.min(depth, MOST_AGENTS), bounds),
    actors: (customer_id, thing, bounds) => findActors(pool, customer_id, nodeKey(thing), bounds),
    flows: (customer_id, from, hours) => findFlows(pool, customer_id, from, hours),
  };
}

interface NodeRow extends NodeRef {
  customer_id: string;
  node: string;
}

/** Rows of each table in one order, so that two writers of the same events never wait for each other in a circle. */
async function append(pool: pg.Pool, events: readonly ActivityEvent[]): Promise<void> {
  const nodes = new Map<string, NodeRow>();
  const node = (customer_id: string, ref: NodeRef): string => {
    const key = nodeKey(ref);
    nodes.set(`${customer_id} ${key}`, { customer_id, node: key, kind: ref.kind, type: ref.type, name: ref.name });
    return key;
  };
  const named = (customer_id: string, kind: NodeRef['kind'], name: string | null): string | null =>
    name === null ? null : node(customer_id, { kind, type: '', name });
  const touches = new Map<string, object>();
  const delegations = new Map<string, object>();
  for (const { customer_id, event_id, scored_at: at, score, action, flow, ...event } of events) {
    const agent = named(customer_id, 'agent', event.agent_id);
    const actor = {
      agent,
      session: named(customer_id, 'session', event.session_id),
      by_user: named(customer_id, 'user', event.user_id),
    };
    for (const one of event.things) {
      const thing = node(customer_id, one);
      const touch = { customer_id, event_id, thing, at, ...actor, score, is_in: flow === 'in', action };
      touches.set(`${customer_id} ${event_id} ${thing}`, touch);
    }
    if (agent === null) continue;
    for (const { agent_id, at: since, jti } of event.delegated_by) {
      const parent = node(customer_id, agentNode(agent_id));
      if (parent !== agent)
        delegations.set(`${customer_id} ${parent} ${agent}`, { customer_id, parent, child: agent, at: since, jti });
    }
  }
  const inOrder = (rows: ReadonlyMap<string, object>): string =>
    JSON.stringify([...rows.keys()].sort().map((key) => rows.get(key)));
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into activity_nodes (customer_id, node, kind, type, name)
       select * from json_to_recordset($1::json) as n (customer_id uuid, node uuid, kind text, type text, name text)
       on conflict do nothing`,
      [inOrder(nodes)],
    );
    await client.query(
      `insert into activity_touches (customer_id, event_id, thing, at, agent, session, by_user, score, is_in, action)
       select * from json_to_recordset($1::json) as t (customer_id uuid, event_id text, thing uuid, at timestamptz, agent uuid,
         session uuid, by_user uuid, score smallint, is_in boolean, action text)
       on conflict do nothing`,
      [inOrder(touches)],
    );
    await client.query(
      `insert into activity_delegations as d (customer_id, parent, child, at, jti)
       select * from json_to_recordset($1::json) as d (customer_id uuid, parent uuid, child uuid, at timestamptz, jti uuid)
       on conflict (customer_id, parent, child) do update set at = excluded.at, jti = coalesce(excluded.jti, d.jti)
         where excluded.at < d.at or (d.jti is null and excluded.jti is not null)`,
      [inOrder(delegations)],
    );
  });
}
