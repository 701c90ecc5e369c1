/** Questions to the graph of activity in FalkorDB. */
import { nodeKey } from '../node-key.ts';
import {
  type Actor,
  type Actors,
  type Bounds,
  type DataAt,
  type FlowStep,
  MOST_AGENTS,
  MOST_NAMED,
  MOST_STEPS,
  type NodeRef,
  type Reach,
  type ReachedAgent,
  type Thing,
} from '../ports/activity.ts';
import type { FalkorConnection, Row } from './connection.ts';
import { toIso, toMicros } from './times.ts';

const MICROS_PER_HOUR = 3_600_000_000;
const sinceOf = (hours: number): number => Date.now() * 1_000 - hours * MICROS_PER_HOUR;
const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const agentKey = (name: string): string => nodeKey({ kind: 'agent', type: '', name });
const refOf = (row: Row): NodeRef => ({
  kind: row['node_kind'] as NodeRef['kind'],
  type: String(row['node_type']),
  name: String(row['node_name']),
});
const NODE = (node: string): string =>
  `${node}.kind AS node_kind, ${node}.type AS node_type, ${node}.name AS node_name`;

/** Level by level, so that many ways to one agent, and cycles, cost nothing. */
async function descendants(db: FalkorConnection, graph: string, agent_id: string, depth: number) {
  const [known] = await db.read(graph, 'MATCH (n:Node {key: $key}) RETURN n.key AS key', { key: agentKey(agent_id) });
  const found = new Map<string, ReachedAgent>();
  if (known === undefined) return { agents: [], is_cut: false };
  found.set(agent_id, { agent_id, depth: 0, delegated_by: null, delegated_at: null, jti: null });
  let level = [agent_id];
  for (let n = 1; n <= depth && level.length > 0 && found.size <= MOST_AGENTS; n += 1) {
    const rows = await db.read(
      graph,
      `UNWIND $keys AS k MATCH (p:Node {key: k})-[d:DELEGATED]->(c:Node)
       RETURN p.name AS parent, c.name AS child, d.at AS at, d.jti AS jti ORDER BY d.at, p.key`,
      { keys: level.map(agentKey) },
    );
    level = [];
    for (const { parent, child, at, jti } of rows) {
      const name = String(child);
      if (found.has(name)) continue;
      level.push(name);
      found.set(name, {
        agent_id: name,
        depth: n,
        delegated_by: String(parent),
        delegated_at: toIso(Number(at)),
        jti: jti as string | null,
      });
    }
  }
  const agents = [...found.values()].sort(
    (one, other) => one.depth - other.depth || byText(one.agent_id, other.agent_id),
  );
  return { agents: agents.slice(0, MOST_AGENTS), is_cut: agents.length > MOST_AGENTS };
}

export async function findReach(
  db: FalkorConnection,
  graph: string,
  agent_id: string,
  depth: number,
  { hours, page, per_page }: Bounds,
): Promise<Reach> {
  const { agents, is_cut } = await descendants(db, graph, agent_id, depth);
  if (agents.length === 0) return { agents, touched: [], total: 0, is_cut };
  const given = { agents: agents.map((one) => one.agent_id), since: sinceOf(hours) };
  const touched = 'MATCH (e:Event)-[:TOUCHED]->(n:Node) WHERE e.agent_id IN $agents AND e.at >= $since';
  const rows = await db.read(
    graph,
    `${touched} WITH n, count(e) AS events, max(e.score) AS highest, max(e.at) AS last
     RETURN n.key AS key, ${NODE('n')}, events, highest, last ORDER BY highest DESC, last DESC, key SKIP $skip LIMIT $most`,
    { ...given, skip: (page - 1) * per_page, most: per_page },
  );
  const [[counted], details] = await Promise.all([
    db.read(graph, `${touched} RETURN count(DISTINCT n) AS total`, given),
    db.read(
      graph,
      `MATCH (n:Node) WHERE n.key IN $keys MATCH (e:Event)-[:TOUCHED]->(n) WHERE e.agent_id IN $agents AND e.at >= $since
       WITH n, e ORDER BY e.at DESC, e.event_id DESC
       RETURN n.key AS key, head(collect(e.event_id)) AS last_event_id, collect(DISTINCT e.agent_id) AS agents`,
      { ...given, keys: rows.map(({ key }) => key as string) },
    ),
  ]);
  const by_key = new Map(details.map((row) => [row['key'], row]));
  return {
    agents,
    is_cut,
    total: Number(counted?.['total'] ?? 0),
    touched: rows.map((row) => ({
      thing: refOf(row) as Thing,
      events: Number(row['events']),
      highest_score: Number(row['highest']),
      last_at: toIso(Number(row['last'])),
      last_event_id: String(by_key.get(row['key'])?.['last_event_id']),
      agents: namesOf(by_key.get(row['key'])?.['agents']),
    })),
  };
}

const namesOf = (names: unknown): string[] =>
  (names as string[])
    .filter((name) => name !== '')
    .sort(byText)
    .slice(0, MOST_NAMED);

export async function findActors(
  db: FalkorConnection,
  graph: string,
  thing: string,
  { hours, page, per_page }: Bounds,
): Promise<Actors> {
  const rows = await db.read(
    graph,
    `MATCH (e:Event)-[:TOUCHED]->(n:Node {key: $key}) WHERE e.at >= $since WITH e ORDER BY e.at DESC, e.event_id DESC
     RETURN e.agent_id AS agent_id, count(e) AS events, sum(CASE WHEN e.is_in THEN 1 ELSE 0 END) AS reads, max(e.score) AS highest,
       min(e.at) AS first, max(e.at) AS last, head(collect(e.event_id)) AS last_event_id,
       collect(DISTINCT e.session_id) AS sessions, collect(DISTINCT e.user_id) AS users`,
    { key: thing, since: sinceOf(hours) },
  );
  const order = (row: Row): string => (row['agent_id'] === '' ? '~' : agentKey(String(row['agent_id'])));
  const sorted = rows.sort(
    (one, other) =>
      Number(other['highest']) - Number(one['highest']) ||
      Number(other['last']) - Number(one['last']) ||
      byText(order(one), order(other)),
  );
  const shown = sorted.slice((page - 1) * per_page, page * per_page);
  const parents = await db.read(
    graph,
    'UNWIND $keys AS k MATCH (p:Node)-[:DELEGATED]->(c:Node {key: k}) RETURN c.name AS child, collect(p.name) AS parents',
    { keys: shown.map(({ agent_id }) => agentKey(String(agent_id))) },
  );
  const parents_of = new Map(parents.map(({ child, parents: names }) => [child, names]));
  const actors = shown.map((row): Actor => {
    const [events, reads] = [Number(row['events']), Number(row['reads'])];
    return {
      agent_id: row['agent_id'] === '' ? null : String(row['agent_id']),
      delegated_by: namesOf(parents_of.get(row['agent_id']!) ?? []),
      sessions: namesOf(row['sessions']),
      users: namesOf(row['users']),
      events,
      reads,
      writes: events - reads,
      highest_score: Number(row['highest']),
      first_at: toIso(Number(row['first'])),
      last_at: toIso(Number(row['last'])),
      last_event_id: String(row['last_event_id']),
    };
  });
  return { actors, total: sorted.length };
}

/** Events of one kind at a node, the earliest first, with what data reach through them. */
const EARLIEST = `WITH e ORDER BY e.at, e.event_id LIMIT ${MOST_STEPS}`;
const EVENT = 'e.at AS at, e.event_id AS event_id, e.action AS action, e.score AS score';
const LATER = 'e.at >= $at AND e.at >= $since';

export async function findFlows(
  db: FalkorConnection,
  graph: string,
  from: readonly DataAt[],
  hours: number,
): Promise<FlowStep[]> {
  const since = sinceOf(hours);
  const steps = await Promise.all(from.map((one) => flowsFrom(db, graph, one, since)));
  return steps
    .flat()
    .sort(
      (one, other) =>
        byText(one.at, other.at) ||
        byText(nodeKey(one.from), nodeKey(other.from)) ||
        byText(nodeKey(one.to), nodeKey(other.to)),
    );
}

async function flowsFrom(
  db: FalkorConnection,
  graph: string,
  { node, at }: DataAt,
  since: number,
): Promise<FlowStep[]> {
  const given = { at: toMicros(at), since, name: node.name, key: nodeKey(node) };
  const step = (to: NodeRef, how: FlowStep['how'], row: Row): FlowStep => ({
    from: node,
    to,
    how,
    at: toIso(Number(row['at'])),
    event_id: (row['event_id'] ?? null) as string | null,
    action: (row['action'] ?? null) as string | null,
    score: (row['score'] ?? null) as number | null,
  });
  const steps: FlowStep[] = [];
  if (node.kind === 'agent' || node.kind === 'session') {
    const rows = await db.read(
      graph,
      `MATCH (e:Event {${node.kind}_id: $name}) WHERE NOT e.is_in AND ${LATER} ${EARLIEST} MATCH (e)-[:TOUCHED]->(n:Node)
       RETURN ${NODE('n')}, ${EVENT}`,
      given,
    );
    for (const row of rows) steps.push(step(refOf(row), 'sent', row));
  } else {
    const rows = await db.read(
      graph,
      `MATCH (e:Event)-[:TOUCHED]->(n:Node {key: $key}) WHERE e.is_in AND ${LATER} ${EARLIEST}
       RETURN e.agent_id AS agent, e.session_id AS session, ${EVENT}`,
      given,
    );
    for (const row of rows)
      for (const kind of ['agent', 'session'] as const)
        if (row[kind] !== '') steps.push(step({ kind, type: '', name: String(row[kind]) }, 'read', row));
  }
  if (node.kind === 'agent') {
    const ways = [
      ['delegated', '(a:Node {key: $key})-[d:DELEGATED]->(n:Node)'],
      ['reported', '(n:Node)-[d:DELEGATED]->(a:Node {key: $key})'],
    ] as const;
    for (const [how, pattern] of ways) {
      const later = 'CASE WHEN d.at > $at THEN d.at ELSE $at END AS at';
      for (const row of await db.read(graph, `MATCH ${pattern} RETURN ${NODE('n')}, ${later}`, given))
        steps.push(step(refOf(row), how, row));
    }
  }
  return earliestOfEach(steps).slice(0, MOST_STEPS);
}

function earliestOfEach(steps: readonly FlowStep[]): FlowStep[] {
  const first = new Map<string, FlowStep>();
  for (const step of steps) {
    const key = nodeKey(step.to);
    const known = first.get(key);
    const is_earlier =
      known === undefined ||
      step.at < known.at ||
      (step.at === known.at && (step.event_id ?? '~') < (known.event_id ?? '~'));
    if (is_earlier) first.set(key, step);
  }
  return [...first.values()].sort((one, other) => byText(one.at, other.at));
}
