/** Webhooks over HTTP, as an operator and a receiver see them: a real `weir serve` and a real receiver. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { compileValidator } from '../../src/platform/http/validate.ts';
import { eventTypes, messageSchema } from '../../src/webhooks/event-types.ts';
import { call, problem, type Reply } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';
import { answers, type Receiver, startReceiver, until } from './receiver.ts';

const VECTORS = new URL('../../../shared/vectors/ssrf-urls.json', import.meta.url);

interface Delivery {
  delivery_id: number;
  message_id: string;
  type: string;
  state: string;
  attempts: number;
  next_attempt_at: string | null;
  last_status: number | null;
  last_reason: string | null;
  attempt_log: { status: number | null; reason: string | null }[];
}

describe('webhooks that may go to this machine', () => {
  let weir: HostedWeir;
  let receiver: Receiver;
  before(async () => {
    [weir, receiver] = await Promise.all([
      startHostedWeir({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }),
      startReceiver(),
    ]);
  });
  after(async () => {
    await weir.stop();
    await receiver.close();
  });

  const register = async (path: string, parts: object = {}) => {
    const customer_id = randomUUID();
    const body = { customer_id, endpoint_url: receiver.url + path, ...parts };
    const reply = await call(`${weir.auth}/webhooks/register`, { body });
    assert.equal(reply.status, 201, reply.text);
    return reply.json as { webhook_id: string; customer_id: string; secret: string; event_types: string[] };
  };
  type Registered = Awaited<ReturnType<typeof register>>;
  const ask = ({ webhook_id, customer_id }: Registered, what: string, more: object = {}): Promise<Reply> =>
    call(`${weir.auth}/webhooks/${webhook_id}/${what}`, { body: { customer_id, ...more } });
  const testFire = async (webhook: Registered): Promise<string> => {
    const reply = await ask(webhook, 'test');
    assert.equal(reply.status, 202, reply.text);
    return String(reply.json['message_id']);
  };
  const deliveriesOf = async ({ webhook_id, customer_id }: Registered, query = ''): Promise<Delivery[]> => {
    const reply = await call(`${weir.auth}/webhooks/${webhook_id}/deliveries?customer_id=${customer_id}${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json['deliveries'] as Delivery[];
  };
  const shown = async ({ webhook_id, customer_id }: Registered): Promise<Record<string, unknown>> => {
    const { json } = await call(`${weir.auth}/webhooks/${customer_id}`);
    return (json['webhooks'] as Record<string, unknown>[]).find((one) => one['webhook_id'] === webhook_id)!;
  };
  const lastAfter = async (webhook: Registered): Promise<Delivery> => {
    await testFire(webhook);
    const [one] = await until(
      () => deliveriesOf(webhook),
      ([first]) => first!.attempt_log.length > 0,
      'no attempt',
    );
    return one!;
  };

  test('registration answers what the contract says, and the secret never again', async () => {
    const made = await register('/a');
    assert.deepEqual(Object.keys(made), [
      'webhook_id',
      'customer_id',
      'endpoint_url',
      'secret',
      'event_types',
      'format',
      'created_at',
    ]);
    assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(made.event_types, ['event.held', 'event.decided', 'token.revoked', 'key.rotated']);
    const listed = await call(`${weir.auth}/webhooks/${made.customer_id}`);
    assert.equal(listed.status, 200);
    assert.doesNotMatch(listed.text, /whsec_|secret/);
    assert.deepEqual((await call(`${weir.auth}/webhooks/${randomUUID()}`)).json, { webhooks: [] });
  });

  test('bodies are strict', async () => {
    const good = { customer_id: randomUUID(), endpoint_url: `${receiver.url}/x` };
    for (const bad of [
      { ...good, customer_id: 'x' },
      { ...good, endpoint_url: undefined },
      { ...good, endpoint_url: 'nonsense' },
      { ...good, endpoint_url: 7 },
      { ...good, event_types: [] },
      { ...good, event_types: ['event.held', 'no.such'] },
      { ...good, event_types: ['webhook.test'] },
      { ...good, secret: 'mine' },
    ]) {
      const reply = await call(`${weir.auth}/webhooks/register`, { body: bad });
      problem(reply, 400);
    }
    for (let n = 0; n < 20; n += 1) await call(`${weir.auth}/webhooks/register`, { body: good });
    problem(await call(`${weir.auth}/webhooks/register`, { body: good }), 409);
  });

  test('a foreign or unknown endpoint is not there', async () => {
    const webhook = await register('/foreign');
    const foreign = { ...webhook, customer_id: randomUUID() };
    const unknown = { ...webhook, webhook_id: randomUUID() };
    for (const one of [foreign, unknown, { ...webhook, webhook_id: 'x' }]) {
      for (const what of ['test', 'rotate-secret', 'disable', 'enable', 'replay']) problem(await ask(one, what), 404);
      problem(await call(`${weir.auth}/webhooks/${one.webhook_id}/deliveries?customer_id=${one.customer_id}`), 404);
    }
    problem(await call(`${weir.auth}/webhooks/${webhook.webhook_id}/deliveries`), 400);
    problem(await ask({ ...webhook, customer_id: 'x' }, 'test'), 400);
    assert.equal((await shown(webhook))['disabled_at'], null);
  });

  test('a receiver verifies a test message with the package, and a revoked token and a rotated key arrive', async () => {
    const webhook = await register('/verify');
    const { customer_id } = webhook;
    const verify = ({ headers, body }: { headers: Record<string, string>; body: string }) =>
      new Webhook(webhook.secret).verify(body, headers) as Record<string, unknown>;
    const message_id = await testFire(webhook);
    const app = await call(`${weir.auth}/tokens/app`, { body: { customer_id, name: 'n' } });
    const jti = String(app.json['jti']);
    assert.equal((await call(`${weir.auth}/tokens/${jti}`, { method: 'DELETE' })).status, 200);
    assert.equal((await call(`${weir.auth}/tokens/${jti}`, { method: 'DELETE' })).status, 200);
    const first = await call(`${weir.auth}/keys/signing`, { body: { customer_id } });
    const rotated = await call(`${weir.auth}/keys/${first.json['key_id']}/rotate`, { body: { customer_id } });
    assert.equal(rotated.status, 201);
    const got = await until(
      () => receiver.at('/verify'),
      (list) => list.length === 3,
      'three messages',
    );
    const bodies = new Map(got.map((one) => [verify(one)['type'], verify(one)]));
    assert.equal(got[0]!.headers['webhook-id'], message_id);
    assert.deepEqual((bodies.get('token.revoked')!['data'] as { jti: string }).jti, jti);
    const data = bodies.get('key.rotated')!['data'] as Record<string, unknown>;
    assert.deepEqual([data['key_id'], data['previous_key_id']], [rotated.json['key_id'], first.json['key_id']]);
    for (const [name, body] of bodies) {
      const row = eventTypes.find((one) => one.name === name)!;
      compileValidator(messageSchema(row), 'the message')(body);
      assert.equal(body['customer_id'], customer_id);
    }
    const delivered = await until(
      () => deliveriesOf(webhook),
      (list) => list.every((one) => one.state === 'delivered'),
      'all delivered',
    );
    assert.equal(delivered.length, 3);
    assert.deepEqual((await deliveriesOf(webhook, '&limit=1')).length, 1);
    const older = await deliveriesOf(webhook, `&before=${delivered[0]!.delivery_id}`);
    assert.deepEqual(older, delivered.slice(1));
    const audit = await call(`${weir.auth}/audit?customer_id=${customer_id}`);
    const actions = (audit.json['entries'] as { action: string }[]).map((one) => one.action);
    for (const action of ['webhook.registered', 'webhook.tested']) assert.ok(actions.includes(action), action);
    assert.doesNotMatch(audit.text, /whsec_/);
  });

  test('a replaced secret signs beside the new one, or no more', async () => {
    const webhook = await register('/rotate');
    const second = String((await ask(webhook, 'rotate-secret')).json['secret']);
    await testFire(webhook);
    const [both] = await until(
      () => receiver.at('/rotate'),
      (list) => list.length === 1,
      'one message',
    );
    for (const secret of [webhook.secret, second]) new Webhook(secret).verify(both!.body, both!.headers);
    const third = String((await ask(webhook, 'rotate-secret', { drop_old: true })).json['secret']);
    await testFire(webhook);
    const [, one] = await until(
      () => receiver.at('/rotate'),
      (list) => list.length === 2,
      'two messages',
    );
    new Webhook(third).verify(one!.body, one!.headers);
    assert.throws(() => new Webhook(second).verify(one!.body, one!.headers));
  });

  test('receivers that answer badly: each as written, and no answer is kept', async () => {
    const cases: Record<string, { behave: Parameters<Receiver['behave']>[1]; status: number | null; reason: RegExp }> =
      {
        '/500': {
          behave: (_, response) => void response.writeHead(500).end('PRIVATE TEXT'),
          status: 500,
          reason: /500/,
        },
        '/redirect': {
          behave: answers(302, { location: `${receiver.url}/inside` }),
          status: 302,
          reason: /redirect, which is not followed/,
        },
        '/reset': { behave: (request) => void request.socket.destroy(), status: null, reason: /connection broke/ },
      };
    for (const [path, { behave, status, reason }] of Object.entries(cases)) {
      receiver.behave(path, behave);
      const one = await lastAfter(await register(path));
      assert.deepEqual([one.state, one.last_status], ['pending', status], path);
      assert.match(one.last_reason!, reason);
      assert.doesNotMatch(JSON.stringify(one), /PRIVATE/);
    }
    assert.equal(receiver.at('/inside').length, 0);
    const gone = await register('/nobody', { endpoint_url: 'http://127.0.0.1:1/x' });
    assert.match((await lastAfter(gone)).last_reason!, /refuses connections/);
  });

  test('a failed message comes again under its id with a new time, and once the receiver is up it is delivered', async () => {
    receiver.behave('/again', answers(503));
    const webhook = await register('/again');
    const message_id = await testFire(webhook);
    await until(
      () => receiver.at('/again'),
      (list) => list.length === 1,
      'a first attempt',
    );
    receiver.behave('/again', answers(204));
    const both = await until(
      () => receiver.at('/again'),
      (list) => list.length === 2,
      'a second attempt',
    );
    assert.deepEqual(
      both.map((one) => one.headers['webhook-id']),
      [message_id, message_id],
    );
    assert.notEqual(both[0]!.headers['webhook-timestamp'], both[1]!.headers['webhook-timestamp']);
    assert.equal(both[0]!.body, both[1]!.body);
    const [one] = await until(
      () => deliveriesOf(webhook),
      ([first]) => first!.state === 'delivered',
      'delivered',
    );
    assert.deepEqual(
      one!.attempt_log.map((attempt) => attempt.status),
      [204, 503],
    );
    assert.equal((await shown(webhook))['failing_since'], null);
  });

  test('410 disables the endpoint; its messages wait until it is enabled', async () => {
    receiver.behave('/gone', answers(410));
    const webhook = await register('/gone');
    await testFire(webhook);
    const state = await until(
      () => shown(webhook),
      (one) => one['disabled_at'] !== null,
      'disabled',
    );
    assert.match(String(state['disabled_reason']), /410/);
    problem(await ask(webhook, 'test'), 409);
    await call(`${weir.auth}/keys/signing`, { body: { customer_id: webhook.customer_id } });
    await call(`${weir.auth}/keys/signing`, { body: { customer_id: webhook.customer_id } });
    receiver.behave('/gone', answers(204));
    assert.equal((await shown(webhook))['pending'], 2);
    assert.equal((await ask(webhook, 'enable')).json['disabled_at'], null);
    await until(
      () => receiver.at('/gone'),
      (list) => list.length === 3,
      'what waited',
    );
  });

  test('Retry-After of a 429 holds for the endpoint, and disabling by hand holds', async () => {
    receiver.behave('/slowly', answers(429, { 'retry-after': '3600' }));
    const webhook = await register('/slowly');
    const one = await lastAfter(webhook);
    const wait_s = (Date.parse(one.next_attempt_at!) - Date.now()) / 1_000;
    assert.ok(wait_s > 3_500 && wait_s <= 3_601, `${wait_s}`);
    await testFire(webhook);
    const other = await register('/other');
    await testFire(other);
    await until(
      () => receiver.at('/other'),
      (list) => list.length === 1,
      'the other endpoint',
    );
    assert.equal(receiver.at('/slowly').length, 1, 'nothing goes to the one that asked for a pause');
    assert.equal((await ask(webhook, 'disable')).json['disabled_reason'], 'by the operator');
    problem(await ask(webhook, 'replay', { message_id: one.message_id }), 409);
    problem(await ask(webhook, 'replay', { message_id: 'msg_x' }), 404);
    assert.deepEqual((await ask(webhook, 'replay')).json, { replayed: 0, left: 0 });
  });

  test('receivers that never answer, drip and send without end hold up nobody', async () => {
    const hanging: (() => void)[] = [];
    receiver.behave('/silent', (_, response) => void hanging.push(() => response.destroy()));
    receiver.behave('/drip', (_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(drip));
      hanging.push(() => response.destroy());
    });
    let sent = 0;
    receiver.behave('/flood', (_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (sent < 100 * 2 ** 20 && !response.destroyed) {
          sent += 65_536;
          if (!response.write('x'.repeat(65_536))) return;
        }
        response.end();
      };
      response.on('drain', more);
      more();
    });
    const [silent, drip] = [await register('/silent'), await register('/drip')];
    for (const one of [silent, silent, drip]) await testFire(one);
    await until(
      () => hanging,
      (list) => list.length === 2,
      'both hang',
    );
    const flood = await lastAfter(await register('/flood'));
    assert.equal(flood.state, 'delivered');
    assert.ok(sent < 50 * 2 ** 20, `${sent}`);
    const quick = await register('/quick', { customer_id: silent.customer_id });
    await testFire(quick);
    await until(
      () => receiver.at('/quick'),
      (list) => list.length === 1,
      'same customer, other endpoint',
    );
    assert.equal(receiver.at('/silent').length, 1, 'one attempt at a time');
    for (const end of hanging) end();
  });

  test('the documentation shows every message with its schema', async () => {
    const { json } = await call(`${weir.auth}/openapi.json`);
    assert.deepEqual(
      Object.keys(json['webhooks'] as object),
      eventTypes.map((one) => one.name),
    );
    assert.match(JSON.stringify(json['webhooks']), /webhook-signature/);
  });
});

describe('webhooks as they come', () => {
  let weir: SharedWeir;
  before(async () => {
    weir = await sharedWeir();
  });

  test('shared vectors: what may be registered, over HTTP', {
    skip: existsSync(VECTORS) ? false : 'SKIPPED: ../shared is not there',
  }, async () => {
    const { tests } = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
      tests: { id: string; endpoint_url: string; expected: string }[];
    };
    assert.ok(tests.length > 50);
    for (const { id, endpoint_url, expected } of tests) {
      const body = { customer_id: randomUUID(), endpoint_url };
      const reply = await call(`${weir.auth}/webhooks/register`, { body });
      if (expected === 'reject') problem(reply, 400);
      else assert.equal(reply.status, 201, `${id}: ${reply.text}`);
    }
  });

  test('private addresses are refused at registration and plain http as well', async () => {
    for (const endpoint_url of ['http://hooks.example.com/', 'https://127.0.0.1/', 'https://localhost/']) {
      problem(await call(`${weir.auth}/webhooks/register`, { body: { customer_id: randomUUID(), endpoint_url } }), 400);
    }
  });
});
