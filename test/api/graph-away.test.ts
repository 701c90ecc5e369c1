/** An external graph is used while it answers; without it PostgreSQL answers and says so, and scores know nothing of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { call } from '../support/client.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { startWeir, type Weir } from '../support/weir.ts';

const SERVER = process.env['TEST_GRAPH_DB_URL'];
const NO_GRAPH =
  SERVER === undefined ? 'SKIPPED: TEST_GRAPH_DB_URL is not set: no FalkorDB to test against' : undefined;

const DROP = {
  action: 'db:prod:drop',
  target: { resource_type: 'table', resource_id: 'customers', sensitivity_level: 4 },
};

/** `[status of all, status of the graph, enabled, backend, external]`. */
async function healthOf(weir: Weir): Promise<unknown[]> {
  const { json } = await call(`${weir.api}/health/detailed`);
  const { graph_db } = json['dependencies'] as { graph_db: Record<string, unknown> };
  return [json['status'], graph_db['status'], graph_db['enabled'], graph_db['backend'], graph_db['external']];
}

interface Answers {
  source: string;
  score: number;
  /** What a justification says, without the event's own ids. */
  said: string;
}

async function ask(weir: Weir): Promise<Answers> {
  const { api_key: key } = weir;
  // A new agent each time, so that no past differs.
  const agent = { agent_id: randomUUID() };
  const scored = await call(`${weir.api}/events`, { key, body: { ...DROP, agent } });
  assert.equal(scored.status, 200, scored.text);
  const reply = await call(`${weir.api}/justification?event_id=${scored.json['event_id']}`, { key });
  assert.equal(reply.status, 200, reply.text);
  const { event_id: _, compliance_context: context, ...said } = reply.json;
  const { source, ...rest } = context as { source: string };
  return { source, score: scored.json['score'] as number, said: JSON.stringify({ ...said, rest }) };
}

describe('an external graph', { timeout: 2 * PATIENCE_MS }, () => {
  test('switched off: no graph answers, justifications rest on the ontology', async () => {
    const weir = await startWeir({ env: { GRAPH_ENABLED: 'false', GRAPH_DB_URL: 'falkor://127.0.0.1:1' } });
    assert.deepEqual(await healthOf(weir), ['ok', 'disabled', false, null, undefined]);
    assert.equal((await ask(weir)).source, 'built_in');
    const reach = await call(`${weir.api}/graph/agents/a/reach`, { key: weir.api_key });
    assert.equal(reach.status, 503, reach.text);
    await weir.stop();
  });

  test('nobody listens: PostgreSQL answers, the log says so, and no word of the password', async () => {
    const weir = await startWeir({ env: { GRAPH_DB_URL: 'falkor://:hunter2@127.0.0.1:1' } });
    assert.equal((await ask(weir)).source, 'postgres');
    assert.deepEqual(await healthOf(weir), ['degraded', 'ok', true, 'postgres', 'error']);
    const reach = await call(`${weir.api}/graph/agents/a/reach`, { key: weir.api_key });
    assert.deepEqual([reach.status, reach.json['source']], [200, 'postgres']);
    assert.equal((await weir.stop()).code, 0, weir.stderr());
    assert.match(weir.stderr(), /FalkorDB at `127\.0\.0\.1:1` cannot be used/);
    assert.doesNotMatch(weir.stderr(), /hunter2/);
  });

  test('up, frozen, gone and up again: the same scores and the same justification', {
    skip: NO_GRAPH ?? false,
  }, async () => {
    const { hostname, port } = new URL(SERVER!);
    const proxy = await startTcpProxy(hostname, Number(port));
    const weir = await startWeir({ env: { GRAPH_DB_URL: `falkor://127.0.0.1:${proxy.port}` } });
    try {
      await until(async () => (await ask(weir)).source === 'falkordb', 'the external graph answers');
      const up = await ask(weir);
      assert.deepEqual(await healthOf(weir), ['ok', 'ok', true, 'falkordb', 'ok']);
      for (const mode of ['frozen', 'gone'] as const) {
        proxy.mode = mode;
        for (let n = 0; n < 3; n += 1) assert.deepEqual(await ask(weir), { ...up, source: 'postgres' }, mode);
        assert.deepEqual(await healthOf(weir), ['degraded', 'ok', true, 'postgres', 'error'], mode);
        proxy.mode = 'pass';
        await until(async () => (await healthOf(weir))[4] === 'ok', 'the external graph is healthy');
        assert.deepEqual(await ask(weir), up);
      }
      // What was scored meanwhile comes into the external graph, too.
      const path = '/graph/targets/table/customers/actors';
      const of = async () => (await call(weir.api + path, { key: weir.api_key })).json;
      await until(async () => ((await of())['total'] as number) >= 10, 'the external graph has the new events');
      assert.equal((await of())['source'], 'falkordb');
    } finally {
      await weir.stop();
      await proxy.close();
    }
  });
});
