/** The graph of activity in FalkorDB: a graph for each customer, with nodes for events between actors and what they touched. */
import { nodeKey } from '../node-key.ts';
import type { ActivityCursor, ActivityEvent, ActivityGraph, NodeRef } from '../ports/activity.ts';
import type { FalkorConnection } from './connection.ts';
import { toMicros } from './times.ts';
import type { Given } from './values.ts';
import { findActors, findFlows, findReach } from './walks.ts';

const FORGET_AT_ONCE = 5_000;

export function activityGraph(db: FalkorConnection, prefix: string): ActivityGraph {
  const all = `${prefix}:activity:`;
  const graphOf = (customer_id: string): string => `${all}${customer_id}`;
  const progress = `${prefix}:activity-progress`;
  /** Graphs that have their indexes, as far as this process knows. */
  const indexed = new Set<string>();

  async function prepare(graph: string): Promise<void> {
    if (indexed.has(graph)) return;
    for (const [label, property] of INDEXES) await db.index(graph, label, property);
    indexed.add(graph);
  }

  return {
    async append(events) {
      for (const [customer_id, own] of Map.groupBy(events, (event) => event.customer_id)) {
        const graph = graphOf(customer_id);
        await prepare(graph);
        await appendTo(db, graph, own);
      }
    },

    async cursor() {
      const [row] = await db.read(progress, 'MATCH (c:Cursor {id: 0}) RETURN c.value AS value');
      const value = row?.['value'];
      return typeof value === 'string' && value !== '' ? (JSON.parse(value) as ActivityCursor) : null;
    },

    async move(from, to) {
      await db.write(
        progress,
        `MERGE (c:Cursor {id: 0}) ON CREATE SET c.value = '' WITH c WHERE c.value = $before SET c.value = $after`,
        { before: from === null ? '' : cursorText(from), after: cursorText(to) },
      );
    },

    async clear() {
      await db.drop(progress);
      for (const graph of await db.graphs(all)) await db.drop(graph);
      indexed.clear();
    },

    async forgetBefore(time) {
      for (const graph of await db.graphs(all)) {
        for (let is_done = false; !is_done; ) {
          const [row] = await db.write(
            graph,
            `MATCH (e:Event) WHERE e.at < $at WITH e LIMIT ${FORGET_AT_ONCE} DELETE e RETURN count(e) AS gone`,
            { at: toMicros(time) },
          );
          is_done = Number(row?.['gone'] ?? 0) < FORGET_AT_ONCE;
        }
      }
    },

    reach: (customer_id, agent_id, depth, bounds) => findReach(db, graphOf(customer_id), agent_id, depth, bounds),
    actors: (customer_id, thing, bounds) => findActors(db, graphOf(customer_id), nodeKey(thing), bounds),
    flows: (customer_id, from, hours) => findFlows(db, graphOf(customer_id), from, hours),
  };
}

const INDEXES = [
  ['Node', 'key'],
  ['Event', 'event_id'],
  ['Event', 'agent_id'],
  ['Event', 'session_id'],
  ['Event', 'at'],
] as const;

/** Members in one order, because texts are compared. */
const cursorText = ({ at, customer_id, event_id }: ActivityCursor): string =>
  JSON.stringify({ at, customer_id, event_id });

/** Absent names are empty, because an index knows no null. */
async function appendTo(db: FalkorConnection, graph: string, events: readonly ActivityEvent[]): Promise<void> {
  const nodes = new Map<string, Given>();
  const node = ({ kind, type, name }: NodeRef): string => {
    const key = nodeKey({ kind, type, name });
    nodes.set(key, { key, kind, type, name });
    return key;
  };
  const touches: Given[] = [];
  const delegations: Delegation[] = [];
  for (const { event_id, agent_id, things, delegated_by } of events) {
    for (const thing of things) touches.push({ event_id, thing: node(thing) });
    if (agent_id === null) continue;
    const child = node({ kind: 'agent', type: '', name: agent_id });
    for (const { agent_id: name, at, jti } of delegated_by) {
      const parent = node({ kind: 'agent', type: '', name });
      if (parent !== child) delegations.push({ parent, child, at: toMicros(at), jti });
    }
  }
  const rows = events.map(
    ({ event_id, scored_at, action, score, agent_id, session_id, user_id, flow }): Given => ({
      event_id,
      at: toMicros(scored_at),
      action,
      score,
      agent_id: agent_id ?? '',
      session_id: session_id ?? '',
      user_id: user_id ?? '',
      is_in: flow === 'in',
    }),
  );
  await db.write(
    graph,
    'UNWIND $rows AS r MERGE (n:Node {key: r.key}) ON CREATE SET n.kind = r.kind, n.type = r.type, n.name = r.name',
    { rows: [...nodes.values()] },
  );
  await db.write(
    graph,
    `UNWIND $rows AS r MERGE (e:Event {event_id: r.event_id}) ON CREATE SET e.at = r.at, e.action = r.action, e.score = r.score,
       e.agent_id = r.agent_id, e.session_id = r.session_id, e.user_id = r.user_id, e.is_in = r.is_in`,
    { rows },
  );
  await db.write(
    graph,
    'UNWIND $rows AS r MATCH (e:Event {event_id: r.event_id}), (n:Node {key: r.thing}) MERGE (e)-[:TOUCHED]->(n)',
    { rows: touches },
  );
  // In two queries: with `ON MATCH SET`, rows that name one edge twice crash version 4.16 of the server.
  const rows_of_delegations = { rows: earliestOf(delegations) };
  await db.write(
    graph,
    `UNWIND $rows AS r MATCH (p:Node {key: r.parent}), (c:Node {key: r.child}) MERGE (p)-[d:DELEGATED]->(c)
     ON CREATE SET d.at = r.at`,
    rows_of_delegations,
  );
  await db.write(
    graph,
    `UNWIND $rows AS r MATCH (p:Node {key: r.parent})-[d:DELEGATED]->(c:Node {key: r.child})
     SET d.at = CASE WHEN r.at < d.at THEN r.at ELSE d.at END, d.jti = coalesce(r.jti, d.jti)`,
    rows_of_delegations,
  );
}

type Delegation = { parent: string; child: string; at: number; jti: string | null };

/** One row for each pair. */
function earliestOf(delegations: readonly Delegation[]): Delegation[] {
  const first = new Map<string, Delegation>();
  for (const one of delegations) {
    const key = `${one.parent} ${one.child}`;
    const known = first.get(key);
    const at = Math.min(one.at, known?.at ?? one.at);
    first.set(key, { ...one, at, jti: one.jti ?? known?.jti ?? null });
  }
  return [...first.values()];
}
