/**
 * Questions to the graph of activity over 100,000 events: `node tools/bench/graph.ts` with TEST_DATABASE_URL, and with
 * TEST_GRAPH_DB_URL for FalkorDB beside it. Prints percentiles of each question in milliseconds.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { createFindPath } from '../../src/engine/activity/path.ts';
import { seededNumbers } from '../../src/lang/seeded.ts';
import { falkorGraph } from '../../src/storage/falkordb/index.ts';
import { createGraphs } from '../../src/storage/graphs.ts';
import type { ActivityEvent, NodeRef } from '../../src/storage/ports/activity.ts';
import type { GraphStore } from '../../src/storage/ports/graph.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { makeDatabase } from '../../test/support/test-database.ts';

const EVENTS = 100_000;
const AGENTS = 200;
const THINGS = 2_000;
const HOURS = 24;
const ASKED = 300;
const AT_ONCE = 1_000;

const customer_id = randomUUID();
/** Each run has the same graph. */
const next = seededNumbers(26);
const below = (n: number): number => Math.floor(next() * n);
const agentName = (n: number): string => `agent-${n}`;

/** Agents form a tree in which each delegates to three. */
function makeEvent(n: number): ActivityEvent {
  const agent = below(AGENTS);
  const at = new Date(Date.now() - (1 - n / EVENTS) * HOURS * 3_600_000 + 60_000).toISOString().replace('Z', '000Z');
  const is_out = next() < 0.3;
  const parent = Math.floor((agent - 1) / 3);
  return {
    customer_id,
    event_id: `e${n}`,
    scored_at: at,
    action: 'db:table:read',
    score: below(101),
    agent_id: agentName(agent),
    session_id: `s${agent}-${below(20)}`,
    user_id: null,
    things: [{ kind: is_out ? 'destination' : 'target', type: is_out ? '' : 'table', name: `t${below(THINGS)}` }],
    flow: is_out ? 'out' : 'in',
    delegated_by: agent === 0 ? [] : [{ agent_id: agentName(parent), at, jti: null }],
  };
}

async function measure(name: string, ask: () => Promise<unknown>): Promise<void> {
  await ask();
  const times: number[] = [];
  for (let n = 0; n < ASKED; n += 1) {
    const started = performance.now();
    await ask();
    times.push(performance.now() - started);
  }
  times.sort((one, other) => one - other);
  const at = (share: number): string => times[Math.min(ASKED - 1, Math.floor(share * ASKED))]!.toFixed(1);
  process.stdout.write(`  ${name.padEnd(34)} p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)}\n`);
}

/** @param settle what the server does by itself within a minute of such a load */
async function run(
  graph: GraphStore,
  events: readonly ActivityEvent[],
  settle: () => Promise<unknown> = async () => {},
): Promise<void> {
  const started = performance.now();
  for (let at = 0; at < events.length; at += AT_ONCE) await graph.activity.append(events.slice(at, at + AT_ONCE));
  await settle();
  const took_ms = (performance.now() - started) / (events.length / 100);
  process.stdout.write(`${graph.source}: ${EVENTS} events, appended at ${took_ms.toFixed(1)} ms for 100\n`);
  const bounds = { hours: HOURS, page: 1, per_page: 50 };
  const thing = () => ({ kind: 'target', type: 'table', name: `t${below(THINGS)}` }) as const;
  // Each agent has as many below it as its place in the tree says: the first has all of them.
  await measure('reach of any agent, depth 3', () =>
    graph.activity.reach(customer_id, agentName(below(AGENTS)), 3, bounds),
  );
  await measure('reach of the first agent, depth 8', () => graph.activity.reach(customer_id, agentName(0), 8, bounds));
  await measure('actors of a target', () => graph.activity.actors(customer_id, thing(), bounds));
  const findPath = createFindPath(createGraphs({ enabled: true, external: null, local: graph }));
  const place = (): NodeRef => ({ kind: 'destination', type: '', name: `t${below(THINGS)}` });
  await measure('path, at most 3 steps', () => findPath(customer_id, thing(), place(), { hours: HOURS, depth: 3 }));
}

const events = Array.from({ length: EVENTS }, (_, n) => makeEvent(n));
const database = await makeDatabase();
const storage = await openPostgres(database.url);
try {
  await run(storage.graph, events, () => database.run('vacuum analyze'));
  const url = process.env['TEST_GRAPH_DB_URL'];
  if (url !== undefined) {
    const graph = falkorGraph(url, { prefix: `weir-bench-${randomUUID()}` });
    await run(graph, events);
    await graph.activity.clear();
    await graph.close();
  }
} finally {
  await storage.close();
  await database.drop();
}
