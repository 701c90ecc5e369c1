/** What is measured is what happened, is documented, and tells nothing about anybody. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { VERSION } from '../../src/platform/version.ts';
import { callUnary, connect } from '../grpc/client.ts';
import { type Customer, call, fullEvent, newCustomer } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';

const ROOT = join(import.meta.dirname, '../..');
const SECRET = 'hunter2-of-a-caller';

/** Samples by name and labels, as Prometheus would read them. Throws on a line that it would not. */
function readSamples(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const match = /^([a-z0-9_]+(?:\{(?:[a-z_]+="[^"\\]*",?)*\})?) (\S+)$/.exec(line);
    // The event loop's lag has no mean when it was asked for a moment ago.
    const is_empty = match?.[2] === 'Nan' && match[1]!.startsWith('nodejs_eventloop_lag_');
    assert.ok(match !== null && (is_empty || !Number.isNaN(Number(match[2]?.replace('Inf', 'Infinity')))), line);
    samples.set(match[1]!, Number(match[2]));
  }
  return samples;
}

describe('metrics', () => {
  let weir: HostedWeir;
  let customer: Customer;
  let text: string;
  let samples: Map<string, number>;

  before(async () => {
    weir = await startHostedWeir({ env: { METRICS_PORT: '0' } });
    customer = await newCustomer(weir);
    const key = customer.api_key;
    const event = { ...fullEvent('event-of-a-caller'), parameters: { password: SECRET } };
    for (let i = 0; i < 2; i += 1) assert.equal((await call(`${weir.api}/events`, { key, body: event })).status, 200);
    const client = connect(weir.grpc);
    const context = { event_id: 'message-of-a-caller', action: 'db:table:drop' };
    assert.equal((await callUnary(client, 'EvaluateRisk', { context }, { key })).code, 0);
    assert.notEqual((await callUnary(client, 'EvaluateRisk', { context: { action: SECRET } }, { key })).code, 0);
    client.close();
    await call(`${weir.api}/scores/${customer.customer_id}`, { key });
    await call(`${weir.api}/${SECRET}/${customer.customer_id}?token=${SECRET}`);
    text = (await call(`${weir.metrics}/metrics`)).text;
    samples = readSamples(text);
  });
  after(() => weir.stop());

  test('requests, messages, events and stores are counted', () => {
    const count = (name: string) => samples.get(name);
    const http = 'weir_http_request_duration_seconds_count';
    assert.equal(count(`${http}{server="api",method="POST",route="/events",status="200"}`), 2);
    assert.equal(count(`${http}{server="api",method="GET",route="/scores/:customer_id",status="200"}`), 1);
    assert.equal(count(`${http}{server="api",method="GET",route="none",status="404"}`), 1);
    assert.equal(count('weir_grpc_message_duration_seconds_count{method="EvaluateRisk",code="0"}'), 1);
    assert.equal(count('weir_grpc_message_duration_seconds_count{method="EvaluateRisk",code="3"}'), 1);
    assert.equal(count('weir_events_replayed_total'), 1);
    const scored = [...samples].filter(([name]) => name.startsWith('weir_events_scored_total'));
    assert.equal(
      scored.reduce((sum, [, value]) => sum + value, 0),
      2,
    );
    assert.equal(count('weir_queue_waiting_events'), 0);
    assert.equal(count('weir_queue_oldest_seconds'), 0);
    assert.equal(count('weir_webhook_pending_deliveries'), 0);
    assert.equal(count('weir_store_up{store="database"}'), 1);
    assert.equal(count('weir_store_up{store="cache"}'), 1);
    assert.ok(count('weir_database_connections{state="idle"}')! >= 1);
    assert.equal(count('weir_turns{state="in_work"}'), 0);
    assert.ok(count('nodejs_eventloop_lag_p99_seconds')! >= 0);
    assert.ok([...samples.keys()].some((name) => name.startsWith('weir_rule_set_info{rule_set_version="')));
  });

  test('nothing of a customer or of what it sent is in them', () => {
    for (const own of [
      customer.customer_id,
      customer.key_id,
      customer.api_key,
      SECRET,
      'of-a-caller',
      'a-1',
      's-1',
      'github:pulls',
    ])
      assert.ok(!text.includes(own), own);
  });

  test('every measure is documented, and nothing else is', () => {
    const page = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(weir_\w+)` \|/gm)].map(([, name]) => name!);
    const measured = [...text.matchAll(/^# TYPE (weir_\w+)/gm)].map(([, name]) => name!);
    assert.deepEqual(documented.toSorted(), measured.toSorted());
  });

  test('they are for operators: not on the scoring API, on the auth service like the rest of it', async () => {
    assert.equal((await call(`${weir.api}/metrics`)).status, 404);
    const reply = await call(`${weir.auth}/metrics`);
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
    readSamples(reply.text);
  });

  test('a worker tells that it lives', async () => {
    const worker = await startHostedWeir({ roles: 'worker', env: { METRICS_PORT: '0' } });
    try {
      assert.deepEqual((await call(`${worker.metrics}/health`)).json, { status: 'ok' });
      assert.match((await call(`${worker.metrics}/metrics`)).text, /^weir_queue_oldest_seconds 0$/m);
      assert.equal((await call(`${worker.metrics}/events`, { body: {} })).status, 404);
      assert.doesNotMatch(worker.stdout() + worker.stderr(), /Server listening/);
    } finally {
      await worker.stop();
    }
  });

  test('with AUTH_ADMIN_KEY the auth service asks for it', async () => {
    const guarded = await startHostedWeir({ roles: 'auth', env: { AUTH_ADMIN_KEY: 'k'.repeat(32) } });
    try {
      assert.equal((await call(`${guarded.auth}/metrics`)).status, 401);
      const headers = { authorization: `Bearer ${'k'.repeat(32)}` };
      assert.equal((await call(`${guarded.auth}/metrics`, { headers })).status, 200);
    } finally {
      await guarded.stop();
    }
  });
});

test('the version is that of the package', () => {
  assert.equal(VERSION, (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version);
});
