/** Scores with a language model, over HTTP and against servers that speak the formats of the providers. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { callUnary, connect } from '../grpc/client.ts';
import { always, honest, talkative } from '../kits/llm/behaviours.ts';
import { TOKENS } from '../kits/llm/formats.ts';
import { type LlmServer, startLlmServer } from '../kits/llm/server.ts';
import { type Customer, call, newCustomer } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';

const KEY = 'key-of-the-provider-0123456789';

/** Nothing in it is known to the rules, so that they are unsure. */
const unsure = (note: string = randomUUID()) => ({
  action: 'zorg:blip:frobnicate',
  parameters: { note },
  user_context: 'Frobnicate the blip.',
});
/** A plain look at a page. */
const sure = () => ({ action: 'web:page:read', user_context: 'Read the page.', target: { resource_type: 'web_page' } });

const env = (server: LlmServer, more: Record<string, string> = {}) => ({
  LLM_PROVIDER: 'anthropic',
  LLM_MODEL: 'claude-stand-in',
  LLM_API_KEY: KEY,
  LLM_BASE_URL: server.url,
  LLM_PRICE_INPUT: '3',
  LLM_PRICE_OUTPUT: '15',
  METRICS_PORT: '0',
  ...more,
});

describe('a score with a language model', () => {
  let server: LlmServer;
  let weir: HostedWeir;
  let customer: Customer;
  before(async () => {
    server = await startLlmServer(honest);
    // High scores are asked about too, because nothing is held.
    const more = { LLM_TIMEOUT_MS: '10000', LLM_CALLS_PER_HOUR: '60', HOLD_THRESHOLD: 'none' };
    weir = await startHostedWeir({ env: env(server, more) });
    customer = await newCustomer(weir);
  });
  after(async () => {
    await weir.stop();
    await server.stop();
  });

  const score = async (event: object, key = customer.api_key) => {
    const reply = await call(`${weir.api}/events`, { key, body: event });
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const detail = async (event_id: unknown) =>
    (await call(`${weir.api}/scores/event/${String(event_id)}`, { key: customer.api_key })).json;
  const metric = async (name: string) => {
    const { text } = await call(`${weir.metrics}/metrics`);
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.split(' ')[1]);
  };

  test('asks where the rules are unsure, and nowhere else', async () => {
    const before = server.asked.length;
    const read = await score(sure());
    assert.ok((read['confidence'] as number) >= 0.8);
    assert.deepEqual([read['llm_score'], read['llm_fallback'], read['scoring_source']], [null, false, 'graph']);
    assert.equal(server.asked.length, before);
    const asked = await score(unsure());
    assert.ok((asked['confidence'] as number) < 0.8);
    assert.equal(server.asked.length, before + 1);
    assert.deepEqual([asked['llm_score'], asked['llm_fallback'], asked['scoring_source']], [55, true, 'hybrid']);
    const graph_score = asked['graph_score'] as number;
    assert.equal(asked['score'], Math.round(graph_score + 0.75 * 0.9 * (55 - graph_score)));
    const components = asked['score_components'] as { rule: string; contribution: number }[];
    assert.equal(
      components.reduce((sum, { contribution }) => sum + contribution, 0),
      asked['score'],
    );
    assert.ok(components.some(({ rule }) => rule === 'language_model'));
    const shares = asked['score_decomposition'] as Record<string, number>;
    assert.ok(shares['llm_weight']! > 0.6 && shares['llm_weight']! < 0.75, JSON.stringify(shares));
    assert.ok((asked['behavioral_flags'] as string[]).includes('llm_raised'));
    assert.match(String(asked['reasoning']), /claude-stand-in gives it 55.*“The action is worth 55 points\.”/);
  });

  test('keeps model, confidence, tokens and cost with the score, and says what the rules could not see', async () => {
    const { event_id } = await score(unsure());
    const { llm, doubts, scoring_source } = await detail(event_id);
    assert.deepEqual(llm, {
      model: 'claude-stand-in',
      trouble: null,
      was_cached: false,
      confidence: 0.9,
      reasons: ['The action is worth 55 points.'],
      input_tokens: TOKENS.input,
      output_tokens: TOKENS.output,
      cost_usd: (3 * TOKENS.input + 15 * TOKENS.output) / 1e6,
    });
    assert.equal(scoring_source, 'graph_reasoner+llm');
    assert.ok((doubts as string[]).includes('the action is not in the ontology'), JSON.stringify(doubts));
    assert.ok((await metric('weir_llm_tokens_total{purpose="score",kind="input"}')) >= TOKENS.input);
    assert.ok((await metric('weir_llm_cost_dollars_total{purpose="score"}')) > 0);
  });

  test('asks once for equal events, never twice for one event, and shares no answer between customers', async () => {
    const event = unsure();
    const before = server.asked.length;
    const first = await score({ ...event, event_id: 'once' });
    const second = await score({ ...event, event_id: 'twice', metadata: { any: 'thing' } });
    assert.equal(second['score'], first['score']);
    const replay = await score({ ...event, event_id: 'once' });
    assert.deepEqual(replay, first);
    assert.equal(server.asked.length, before + 1);
    assert.deepEqual(
      ((({ was_cached, input_tokens }) => [was_cached, input_tokens]) as (llm: Record<string, unknown>) => unknown)(
        (await detail('twice'))['llm'] as Record<string, unknown>,
      ),
      [true, 0],
    );
    const other = await newCustomer(weir);
    await score(event, other.api_key);
    assert.equal(server.asked.length, before + 2);
  });

  test('tells the model the event and the open question, and nothing of customer, ids, metadata and secrets', async () => {
    const secret = 'AKIAZQ3DRZ7XNSLTB4PW';
    const event = {
      ...unsure(),
      agent: { agent_id: 'agent-id-7', agent_type: 'support' },
      session: { session_id: 'session-id-7', user_id: 'person@example.com' },
      metadata: { note: 'metadata-of-7' },
      parameters: { aws_key: secret, hidden: 'a\u200bb<b>', long: `head${'x'.repeat(20_000)}tail` },
    };
    await score(event);
    const { data, instructions, has_tools, key } = server.asked.at(-1)!;
    assert.deepEqual([has_tools, key], [false, KEY]);
    for (const unsaid of [
      customer.customer_id,
      customer.api_key,
      'agent-id-7',
      'session-id-7',
      'person@example',
      'metadata-of-7',
      secret,
      '\u200b',
      '<b>',
    ])
      assert.ok(!data.includes(unsaid) && !instructions.includes(unsaid), unsaid);
    for (const said of [
      'frobnicate',
      'Frobnicate the blip.',
      'not_seen',
      'not in the ontology',
      'characters left out',
      'tail',
      'support',
    ])
      assert.ok(data.includes(said), said);
    const [, mark, json, end] = data.split('\n');
    assert.match(mark!, /^[0-9a-f]{32}$/);
    assert.equal(mark, end);
    assert.equal(typeof JSON.parse(json!), 'object');
    assert.ok(data.length < 30_000);
  });

  test('is not asked where the event is held already, and would be decided the same at any higher level', async () => {
    const own = await newCustomer(weir);
    const before = server.asked.length;
    assert.equal((await score(unsure(), own.api_key))['llm_fallback'], true);
    const path = `${weir.api}/policies/${own.customer_id}`;
    const put = await call(path, { key: own.api_key, body: { hold_threshold: 'low' } });
    assert.ok(put.status < 300, put.text);
    const held = await score(unsure(), own.api_key);
    assert.deepEqual([held['llm_score'], held['llm_fallback'], server.asked.length], [null, false, before + 1]);
    assert.ok((held['confidence'] as number) < 0.8);
  });

  test('over gRPC and in a batch as over HTTP', async () => {
    const client = connect(weir.grpc);
    const context = { action: 'zorg:blip:frobnicate', user_context: 'over gRPC' };
    const { code, answer } = await callUnary(client, 'EvaluateRisk', { context }, { key: customer.api_key });
    client.close();
    assert.equal(code, 0);
    assert.equal((answer['assessment'] as Record<string, unknown>)['scoring_source'], 'graph_reasoner+llm');
    const event_ids = ['batch-1', 'batch-2'];
    const events = event_ids.map((event_id) => ({ ...unsure(), event_id, session: { session_id: 'batch' } }));
    const reply = await call(`${weir.api}/events/batch`, { key: customer.api_key, body: { events } });
    assert.equal(reply.status, 202, reply.text);
    for (const event_id of event_ids) {
      let found = await detail(event_id);
      while (found['status'] === 'pending') found = await detail(event_id);
      assert.equal(found['llm_score'], 55);
    }
  });

  test('a model that says everything it was told is not shown', async () => {
    server.behaviour = talkative;
    const answered = await score(unsure('do as I say'));
    server.behaviour = honest;
    assert.deepEqual([answered['llm_score'], answered['llm_fallback']], [null, true]);
    assert.ok((answered['behavioral_flags'] as string[]).includes('llm_unavailable:malformed'));
    assert.equal(answered['score'], answered['graph_score']);
  });

  test('links and markup of the model are left out', async () => {
    server.behaviour = always(99, 1, 'Bad. ![x](https://evil.example/a?b) <img src=x> see www.evil.example');
    const answered = await score(unsure());
    server.behaviour = honest;
    assert.match(String(answered['reasoning']), /“Bad\. x img src=x see \[link\]”/);
    assert.doesNotMatch(JSON.stringify(answered), /evil/);
  });

  test('only a policy that says so lets it lower a score, within a level', async () => {
    const other = await newCustomer(weir);
    server.behaviour = always(0);
    const event = () => ({ action: 'zorg:blip:deploy', parameters: { note: randomUUID() } });
    const strict = await score(event(), other.api_key);
    assert.equal(strict['score'], strict['graph_score']);
    assert.equal(strict['llm_score'], 0);
    const url = `${weir.api}/policies/${other.customer_id}`;
    const refused = await call(url, { key: other.api_key, body: { llm_relief: 11 } });
    assert.equal(refused.status, 400, refused.text);
    assert.equal((await call(url, { key: other.api_key, body: { llm_relief: 10 } })).status, 201);
    const relieved = await score(event(), other.api_key);
    const sensitive = await score({ ...event(), target: { sensitivity_level: 3 } }, other.api_key);
    server.behaviour = honest;
    const graph_score = relieved['graph_score'] as number;
    assert.equal(relieved['risk_level'], strict['risk_level']);
    if ((relieved['violations'] as string[]).length === 0) assert.ok((relieved['score'] as number) < graph_score);
    assert.ok((relieved['score'] as number) >= graph_score - 10);
    assert.equal(sensitive['score'], sensitive['graph_score']);
  });

  test('the budget of an hour ends the calls of one customer', async () => {
    // A new hour has a new budget: all of the calls stand in one.
    const left_ms = 3_600_000 - (Date.now() % 3_600_000);
    if (left_ms < 60_000) await sleep(left_ms + 1_000);
    const other = await newCustomer(weir);
    const flags = new Set<string>();
    for (let i = 0; i < 61; i += 1) {
      const answered = await score(unsure(), other.api_key);
      for (const flag of answered['behavioral_flags'] as string[]) flags.add(flag);
      if (i < 60) assert.equal(answered['llm_score'], 55);
      else assert.deepEqual([answered['llm_score'], answered['llm_fallback']], [null, false]);
    }
    assert.ok(flags.has('llm_unavailable:over_budget'));
    assert.equal((await score(unsure(), (await newCustomer(weir)).api_key))['llm_score'], 55);
  });

  test('health names the model', async () => {
    const { dependencies } = (await call(`${weir.api}/health/detailed`)).json as {
      dependencies: Record<string, unknown>;
    };
    assert.deepEqual(dependencies['llm_provider'], { status: 'ok', model: 'claude-stand-in' });
  });

  test('the key is in no output', async () => {
    const { text } = await call(`${weir.metrics}/metrics`);
    for (const output of [weir.stdout(), weir.stderr(), text]) assert.ok(!output.includes(KEY));
    assert.ok(!weir.stderr().includes('frobnicate'));
  });
});
