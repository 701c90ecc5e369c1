/** Which graph answers, in each state of the two. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../platform/errors.ts';
import { createGraphs } from './graphs.ts';
import type { GraphStore } from './ports/graph.ts';

type State = 'up' | 'down' | 'frozen';

/** A graph that is in this state, and counts how often it was asked. */
function graphIn(source: GraphStore['source'], state: State) {
  const asked = { state, times: 0 };
  const act = async (): Promise<string> => {
    asked.times += 1;
    if (asked.state === 'down') throw new StoreUnavailable('away');
    if (asked.state === 'frozen') await sleep(60_000, undefined, { ref: false });
    return source;
  };
  const health = async () => ({ status: asked.state === 'up' ? ('ok' as const) : ('error' as const), latency_ms: 1 });
  const graph = { source, compliance: { act }, health, close: async () => {} } as unknown as GraphStore;
  return { graph, asked };
}

const act = (graph: GraphStore) => (graph.compliance as unknown as { act(): Promise<string> }).act();

/** One row for each combination: who answers, and what health says. */
const COMBINATIONS: [external: State | null, local: 'up' | 'down', answers: string | null, status: string][] = [
  [null, 'up', 'postgres', 'ok'],
  [null, 'down', null, 'unavailable'],
  ['up', 'up', 'falkordb', 'ok'],
  ['up', 'down', 'falkordb', 'ok'],
  ['down', 'up', 'postgres', 'ok'],
  ['down', 'down', null, 'unavailable'],
  ['frozen', 'up', 'postgres', 'ok'],
  ['frozen', 'down', null, 'unavailable'],
];

for (const [external, local, answers, status] of COMBINATIONS) {
  test(`external ${external ?? 'not set'}, PostgreSQL ${local}: ${answers ?? 'nobody'} answers`, async () => {
    const graphs = createGraphs({
      enabled: true,
      external: external === null ? null : graphIn('falkordb', external).graph,
      local: graphIn('postgres', local).graph,
    });
    const asked = graphs.ask(act, 20);
    if (answers === null) await assert.rejects(asked, StoreUnavailable);
    else assert.deepEqual(await asked, { source: answers, answer: answers });
    const health = await graphs.health();
    assert.deepEqual(
      [health.status, health.enabled, health.backend, health.external],
      [status, true, answers, external === null ? undefined : external === 'up' ? 'ok' : 'error'],
    );
  });
}

test('switched off, none is asked and health says so', async () => {
  const { graph, asked } = graphIn('postgres', 'up');
  const graphs = createGraphs({ enabled: false, external: graph, local: graph });
  await assert.rejects(graphs.ask(act, 20), StoreUnavailable);
  assert.deepEqual(await graphs.health(), { status: 'disabled', enabled: false, backend: null, latency_ms: 0 });
  assert.equal(asked.times, 0);
  assert.deepEqual(graphs.all, []);
});

test('a frozen one is asked once, and again as soon as its health is good', async () => {
  const external = graphIn('falkordb', 'frozen');
  const graphs = createGraphs({ enabled: true, external: external.graph, local: graphIn('postgres', 'up').graph });
  for (let n = 0; n < 5; n += 1) assert.equal((await graphs.ask(act, 20)).source, 'postgres');
  assert.equal(external.asked.times, 1);
  external.asked.state = 'up';
  await graphs.health();
  assert.equal((await graphs.ask(act, 20)).source, 'falkordb');
});

test('a bug of a backend is not an outage', async () => {
  const { graph } = graphIn('falkordb', 'up');
  const graphs = createGraphs({ enabled: true, external: graph, local: graphIn('postgres', 'up').graph });
  await assert.rejects(
    graphs.ask(async () => {
      throw new TypeError('a bug');
    }, 20),
    TypeError,
  );
});
