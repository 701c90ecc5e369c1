/** Every answer of the scoring API has every field that the specification names, with its type. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { call, fullEvent } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

type Check = (value: unknown) => boolean;

const string: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const integer: Check = Number.isInteger;
const boolean: Check = (value) => typeof value === 'boolean';
const points: Check = (value) => integer(value) && (value as number) >= 0 && (value as number) <= 100;
const unit: Check = (value) => number(value) && (value as number) >= 0 && (value as number) <= 1;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const dateTime: Check = (value) => string(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value as string);
const object =
  (fields: Record<string, Check>): Check =>
  (value) => {
    assert.equal(typeof value, 'object');
    has(value as Record<string, unknown>, fields);
    return true;
  };

/** Asserts that exactly these fields are there, each with its type. */
function has(value: Record<string, unknown>, fields: Record<string, Check>): void {
  assert.deepEqual(Object.keys(value).sort(), Object.keys(fields).sort());
  for (const [name, check] of Object.entries(fields))
    assert.ok(check(value[name]), `${name}: ${JSON.stringify(value[name])}`);
}

const level = oneOf('none', 'low', 'medium', 'high', 'critical');
const weights = object({ graph_weight: unit, llm_weight: unit, gnn_weight: unit, final: points });
const components = listOf(object({ rule: string, contribution: integer }));

const hold = {
  state: oneOf('held', 'approved', 'rejected', 'expired'),
  expires_at: dateTime,
  decided_at: orNull(dateTime),
  reason: orNull(string),
  decided_by: orNull(listOf(object({ kind: string, signed_in: string }))),
};

const result = {
  event_id: string,
  status: oneOf('scored'),
  score: points,
  risk_level: level,
  reasoning: string,
  violations: listOf(string),
  scoring_source: oneOf('graph', 'llm', 'hybrid'),
  compliance_refs: listOf(string),
  mitigations: listOf(string),
  score_components: components,
  behavioral_flags: listOf(string),
  graph_score: points,
  llm_score: orNull(points),
  llm_fallback: boolean,
  score_decomposition: weights,
  gnn_score: orNull(number),
  confidence: unit,
  rule_score: points,
  hold: orNull(object(hold)),
  would_have_held: boolean,
};

/** Of the event, in lists. */
const outline = {
  action: string,
  agent_id: orNull(string),
  session_id: orNull(string),
  user_id: orNull(string),
  target: orNull(object({ resource_type: orNull(string), resource_id: orNull(string) })),
  first_reason: orNull(object({ rule: string, text: string })),
};

const record = {
  event_id: string,
  final_score: points,
  risk_level: level,
  reasoning: string,
  violations: listOf(string),
  scoring_source: oneOf('graph_reasoner', 'graph_reasoner+llm'),
  compliance_refs: listOf(string),
  mitigations: listOf(string),
  graph_score: points,
  llm_score: orNull(points),
  llm_fallback: boolean,
  confidence: unit,
  gnn_score: orNull(number),
  cache_hit: boolean,
  scored_at: dateTime,
  rule_score: points,
  hold: orNull(object(hold)),
  would_have_held: boolean,
};

const layers = object({
  intrinsic_score: number,
  gnn_score: orNull(number),
  policy_score: number,
  temporal_modifier: (value) => number(value) && (value as number) >= 0.5 && (value as number) <= 2,
  raw_weighted: number,
  w1: unit,
  w2: unit,
  w3: unit,
  gnn_confidence: orNull(unit),
  overall_confidence: unit,
});

describe('fields', () => {
  let weir: SharedWeir;
  const event = fullEvent();
  before(async () => {
    weir = await sharedWeir();
  });

  const get = async (path: string) => {
    const reply = await call(weir.api + path, { key: weir.api_key });
    assert.equal(reply.status, 200, reply.text);
    assert.match(reply.headers.get('content-type')!, /^application\/json/);
    return reply.json;
  };

  test('POST /events', async () => {
    const reply = await call(`${weir.api}/events`, { key: weir.api_key, body: event });
    assert.equal(reply.status, 200, reply.text);
    has(reply.json, result);
    assert.equal(reply.json['event_id'], event.event_id);
    assert.equal(reply.headers.get('weir-ignored-fields'), null);
    const {
      score,
      score_components,
      score_decomposition: shares,
    } = reply.json as {
      score: number;
      score_components: { contribution: number }[];
      score_decomposition: Record<string, number>;
    };
    assert.equal(
      score_components.reduce((sum, { contribution }) => sum + contribution, 0),
      score,
    );
    assert.equal(shares['final'], score);
    assert.ok(Math.abs(shares['graph_weight']! + shares['llm_weight']! + shares['gnn_weight']! - 1) < 1e-9);
    for (const ref of reply.json['compliance_refs'] as string[]) assert.match(ref, /^[^:]+:.+/);
  });

  test('POST /events with nothing but an action', async () => {
    const reply = await call(`${weir.api}/events`, { key: weir.api_key, body: { action: 'GitHub:Pulls:Read' } });
    assert.equal(reply.status, 200, reply.text);
    has(reply.json, result);
    assert.match(reply.json['event_id'] as string, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const detail = await get(`/scores/event/${reply.json['event_id']}`);
    assert.equal(detail['action'], 'github:pulls:read');
    assert.ok(Math.abs(Date.parse(detail['timestamp'] as string) - Date.now()) < 60_000);
  });

  test('GET /scores/event/{event_id}: the detail, with the event as it was sent', async () => {
    const detail = await get(`/scores/event/${event.event_id}`);
    has(detail, {
      ...record,
      hold: orNull(object({ ...hold, action_hash: string, cosignature: orNull(string) })),
      score_decomposition: layers,
      customer_id: oneOf(weir.customer_id),
      timestamp: oneOf(event.timestamp),
      action: oneOf(event.action),
      score_components: components,
      behavioral_flags: listOf(string),
      doubts: listOf(string),
      llm: oneOf(null),
      policy_version: integer,
      rule_set_version: string,
      event: (value) => typeof value === 'object',
    });
    assert.deepEqual(detail['event'], event);
    const { w1, w2, w3 } = detail['score_decomposition'] as Record<string, number>;
    assert.ok(Math.abs(w1! + w2! + w3! - 1) < 1e-9);
  });

  test('GET /scores/{customer_id}', async () => {
    const list = await get(`/scores/${weir.customer_id}`);
    has(list, {
      scores: listOf(object({ ...record, ...outline, score_decomposition: weights })),
      page: oneOf(1),
      per_page: oneOf(50),
      total: oneOf(2),
      next_cursor: oneOf(null),
    });
    const [newest, oldest] = list['scores'] as { scored_at: string; event_id: string }[];
    assert.ok(newest!.scored_at > oldest!.scored_at);
    assert.equal(oldest!.event_id, event.event_id);
  });

  test('GET /scores/{customer_id}: pages and filters agree with the summary', async () => {
    const base = `/scores/${weir.customer_id}`;
    const second = await get(`${base}?page=2&per_page=1`);
    assert.equal((second['scores'] as { event_id: string }[])[0]!.event_id, event.event_id);
    assert.deepEqual([second['page'], second['per_page'], second['total']], [2, 1, 2]);
    const { scored_at } = (second['scores'] as { scored_at: string }[])[0]!;
    assert.equal((await get(`${base}?from_date=${scored_at}`))['total'], 2);
    assert.equal((await get(`${base}?to_date=${scored_at}`))['total'], 1);
    assert.equal((await get(`${base}?from_date=${scored_at}&to_date=${scored_at}`))['total'], 1);
    assert.equal((await get(`${base}?from_date=2999-01-01T00:00:00Z`))['total'], 0);

    const summary = await get(`${base}/summary`);
    has(summary, {
      customer_id: oneOf(weir.customer_id),
      total_events: oneOf(2),
      avg_score: number,
      none_count: integer,
      low_count: integer,
      medium_count: integer,
      high_count: integer,
      critical_count: integer,
      would_have_held_count: integer,
    });
    let sum = 0;
    for (const name of ['none', 'low', 'medium', 'high', 'critical']) {
      const { total } = await get(`${base}?risk_level=${name}`);
      assert.equal(summary[`${name}_count`], total);
      sum += total as number;
    }
    assert.equal(sum, 2);
    const all = (await get(base))['scores'] as { final_score: number }[];
    const mean = all.reduce((total, { final_score }) => total + final_score, 0) / 2;
    assert.ok(Math.abs((summary['avg_score'] as number) - mean) < 0.01);
  });

  test('GET /justification', async () => {
    const justification = await get(`/justification?event_id=${event.event_id}`);
    has(justification, {
      event_id: oneOf(event.event_id),
      score: points,
      risk_level: level,
      summary: string,
      score_justification: string,
      violations: listOf(string),
      violation_details: listOf(
        object({ violation: string, article: string, framework: string, explanation: string, consequence: string }),
      ),
      remediation_steps: listOf(string),
      frameworks_impacted: listOf(string),
      counterfactuals: listOf(
        object({ change: string, score: points, decided_by: oneOf('agent', 'user', 'policy_owner') }),
      ),
      compliance_context: object({
        source: oneOf('postgres'),
        rule_set_version: string,
        mappings: listOf(object({ theme: string, articles: listOf(string) })),
        controls: (value) => isDeepStrictEqual(value, []),
      }),
      rule_set_version: string,
      policy_version: integer,
      generated_by: oneOf('rules'),
      analysis: listOf(object({ text: string, cites: listOf(string) })),
      llm: oneOf(null),
    });
  });

  test('POST and GET /policies/{customer_id}', async () => {
    const path = `${weir.api}/policies/${weir.customer_id}`;
    const policies = {
      sensitive_fields: ['ssn'],
      allowed_tools: ['merge_pull'],
      blocked_actions: ['github:repos:delete'],
      custom_rules: { big: { condition: 'batch_size > 100', score_impact: 20, description: 'too many' } },
      allowed_action_patterns: ['github:*:*'],
      blocked_action_patterns: ['*:*:destroy'],
      sensitive_classifications: ['PHI'],
    };
    const envelope = {
      customer_id: oneOf(weir.customer_id),
      policies: (value: unknown) => isDeepStrictEqual(value, policies),
      updated_at: dateTime,
    };
    const created = await call(path, { key: weir.api_key, body: policies });
    assert.equal(created.status, 201, created.text);
    has(created.json, envelope);
    assert.deepEqual(await get(`/policies/${weir.customer_id}`), created.json);
    const replaced = await call(path, { key: weir.api_key, body: {} });
    assert.equal(replaced.status, 200);
    assert.deepEqual(replaced.json['policies'], {});
    const scored = await call(`${weir.api}/events`, { key: weir.api_key, body: { action: 'a:b:c' } });
    assert.equal((await get(`/scores/event/${scored.json['event_id']}`))['policy_version'], 2);
  });

  test('a customer id in upper case is the same customer', async () => {
    const list = await get(`/scores/${weir.customer_id.toUpperCase()}/summary`);
    assert.equal(list['customer_id'], weir.customer_id);
  });

  test('GET /health and /health/detailed, without a key', async () => {
    const health = await call(`${weir.api}/health`);
    assert.deepEqual([health.status, health.json], [200, { status: 'ok' }]);
    const detailed = await call(`${weir.api}/health/detailed`);
    assert.equal(detailed.status, 200);
    has(detailed.json, {
      status: oneOf('ok', 'degraded'),
      dependencies: object({
        relational_db: object({
          status: oneOf('ok'),
          latency_ms: number,
          migration: (value) => integer(value) && (value as number) >= 1,
        }),
        cache: object({ status: oneOf('ok'), latency_ms: number }),
        // How much is left is the machine's.
        disk: object({
          status: oneOf('ok', 'degraded'),
          free_bytes: (value) => integer(value) && (value as number) > 0,
        }),
        graph_db: object({
          status: oneOf('ok'),
          enabled: oneOf(true),
          backend: oneOf('postgres'),
          latency_ms: number,
        }),
        llm_provider: object({ status: oneOf('disabled'), model: oneOf(null) }),
      }),
      graph_reasoner: object({
        enabled: oneOf(true),
        rules_loaded: (value) => integer(value) && (value as number) > 0,
        ontology_nodes: (value) => integer(value) && (value as number) > 0,
      }),
    });
  });

  test('nothing that a caller sent is in the log', () => {
    for (const secret of [weir.api_key, 'gründlich', 'core/payments', 'Merge it'])
      assert.ok(!weir.stderr().includes(secret));
  });
});
