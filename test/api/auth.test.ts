/** The auth service: API keys, and who may ask for them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { call, newCustomer, problem } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';

describe('the auth service', () => {
  let weir: HostedWeir;
  before(async () => {
    weir = await startHostedWeir({ env: { AUTH_SERVICE_NAME: 'weir-auth-test' } });
  });
  after(() => weir.stop());

  const keys = (path = '') => `${weir.auth}/api-keys${path}`;

  test('GET /health', async () => {
    const reply = await call(`${weir.auth}/health`);
    assert.deepEqual([reply.status, reply.json], [200, { status: 'healthy', service: 'weir-auth-test' }]);
  });

  test('a key is issued, listed without its secret, and revoked at once and for good', async () => {
    const customer_id = randomUUID().toUpperCase();
    const issued = await call(keys(), { body: { customer_id, name: 'ci' } });
    assert.equal(issued.status, 201, issued.text);
    assert.deepEqual(Object.keys(issued.json).sort(), [
      'api_key',
      'created_at',
      'customer_id',
      'key_id',
      'name',
      'scopes',
    ]);
    assert.deepEqual(issued.json['scopes'], ['events:write', 'scores:read', 'policies:read']);
    assert.equal(issued.json['customer_id'], customer_id.toLowerCase());
    const key = String(issued.json['api_key']);
    assert.match(key, /^weir_key_[\w-]{49}$/);
    assert.equal((await call(`${weir.api}/events`, { key, body: { action: 'a:b:c' } })).status, 200);

    const listed = await call(keys(`/${customer_id}`));
    assert.ok(!listed.text.includes(key));
    const { api_key: _, ...rest } = issued.json;
    assert.deepEqual(listed.json['api_keys'], [{ ...rest, revoked_at: null }]);

    const revoked = await call(keys(`/${issued.json['key_id']}`), { method: 'DELETE' });
    assert.equal(revoked.status, 200, revoked.text);
    assert.deepEqual([revoked.json['key_id'], revoked.json['status']], [issued.json['key_id'], 'revoked']);
    problem(await call(`${weir.api}/events`, { key, body: { action: 'a:b:c' } }), 401);
    const again = await call(keys(`/${issued.json['key_id']}`), { method: 'DELETE' });
    assert.deepEqual([again.status, again.json], [200, revoked.json]);
    assert.equal(
      ((await call(keys(`/${customer_id}`))).json['api_keys'] as { revoked_at: string }[])[0]!.revoked_at,
      revoked.json['revoked_at'],
    );
  });

  test('refusals', async () => {
    problem(await call(keys(), { body: {} }), 400);
    problem(await call(keys(), { body: { customer_id: 'x', name: 'n' } }), 400);
    problem(await call(keys(), { body: { customer_id: randomUUID(), name: 1 } }), 400);
    problem(await call(keys(), { body: { customer_id: randomUUID(), name: 'x'.repeat(101) } }), 400);
    problem(
      await call(keys(), { body: '{"customer_id":"018f3c1e-0000-7000-8000-000000000001","name":"\\u0000"}' }),
      400,
    );
    problem(await call(keys(), { body: { customer_id: randomUUID(), nmae: 'typo' } }), 400);
    problem(await call(keys('/nobody')), 400);
    problem(await call(keys(`/${randomUUID()}`), { method: 'DELETE' }), 404);
    problem(await call(keys('/nothing'), { method: 'DELETE' }), 404);
    problem(await call(keys(), { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }), 415);
  });

  test('DELETE with a content type and no body works', async () => {
    const { key_id } = await newCustomer(weir);
    const reply = await call(keys(`/${key_id}`), { method: 'DELETE', headers: { 'content-type': 'application/json' } });
    assert.equal(reply.status, 200, reply.text);
  });

  test('a customer without keys has an empty list', async () => {
    assert.deepEqual((await call(keys(`/${randomUUID()}`))).json, { api_keys: [] });
  });

  test('without a credential every endpoint but /health answers 401', async () => {
    const body = { customer_id: randomUUID(), name: 'n' };
    for (const [path, sent] of [
      ['/api-keys', body],
      [`/api-keys/${body.customer_id}`, undefined],
      ['/tokens/override', { ...body, event_id: 'e', allowed_decisions: ['approve'] }],
      [`/audit?customer_id=${body.customer_id}`, undefined],
      ['/metrics', undefined],
    ] as const)
      problem(await call(`${weir.auth}${path}`, { ...(sent && { body: sent }), is_anonymous: true }), 401);
    assert.equal((await call(`${weir.auth}/health`, { is_anonymous: true })).status, 200);
  });

  test('a page that points its own name at this machine is refused', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(weir.auth);
      const path = `/api-keys/${weir.customer_id}`;
      request({ hostname, port, path, headers: { host: 'evil.example' } }, (response) => resolve(response.statusCode!))
        .on('error', reject)
        .end();
    });
    assert.equal(status, 401);
  });

  test('nothing is printed of an API key', () => {
    assert.ok(!weir.stderr().includes('weir_key_'));
  });
});

describe('with AUTH_ADMIN_KEY', () => {
  let weir: HostedWeir;
  before(async () => {
    weir = await startHostedWeir({ env: { AUTH_ADMIN_KEY: 'the-admin-key' } });
  });
  after(() => weir.stop());

  test('every endpoint but /health needs it', async () => {
    const body = { customer_id: randomUUID(), name: 'n' };
    assert.equal((await call(`${weir.auth}/health`)).status, 200);
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'the-admin-key' },
      { authorization: 'Basic dGhlLWFkbWluLWtleQ==' },
    ]) {
      problem(await call(`${weir.auth}/api-keys`, { body, headers: headers as Record<string, string> }), 401);
      problem(
        await call(`${weir.auth}/api-keys/${body.customer_id}`, { headers: headers as Record<string, string> }),
        401,
      );
      problem(
        await call(`${weir.auth}/api-keys/${randomUUID()}`, {
          method: 'DELETE',
          headers: headers as Record<string, string>,
        }),
        401,
      );
    }
    const headers = { authorization: 'Bearer the-admin-key' };
    assert.equal((await call(`${weir.auth}/api-keys`, { body, headers })).status, 201);
    assert.equal((await call(`${weir.auth}/api-keys/${body.customer_id}`, { headers })).status, 200);
  });
});

describe('with RATE_LIMIT_RPM', () => {
  test('the limit is per key, says when to come back, and leaves health alone', async () => {
    const weir = await startHostedWeir({ env: { RATE_LIMIT_RPM: '5' } });
    try {
      const summary = (id: string, key: string) => call(`${weir.api}/scores/${id}/summary`, { key });
      for (let i = 0; i < 5; i++) assert.equal((await summary(weir.customer_id, weir.api_key)).status, 200);
      const limited = await summary(weir.customer_id, weir.api_key);
      problem(limited, 429);
      assert.match(limited.headers.get('retry-after')!, /^[1-9]\d*$/);
      const other = await newCustomer(weir);
      assert.equal((await summary(other.customer_id, other.api_key)).status, 200);
      assert.equal((await call(`${weir.api}/health`)).status, 200);
    } finally {
      await weir.stop();
    }
  });
});
