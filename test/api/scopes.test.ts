/** What each scope opens: every endpoint that takes an API key, with every scope alone. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Scope, scopes } from '../../src/tokens/api-keys/scopes.ts';
import { callUnary, connect } from '../grpc/client.ts';
import { call, fullEvent, newCustomer, problem } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

interface Door {
  port: 'api' | 'auth';
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** `null`: no API key opens it. */
  scope: Scope | null;
  body?: Record<string, unknown>;
}

const NO_ID = '018f3c1e-0000-7000-8000-00000000abcd';

/** All of them; `ID` stands for the customer. */
const DOORS: readonly Door[] = [
  { port: 'api', method: 'POST', path: '/events', scope: 'events:write', body: { action: 'a:b:c' } },
  {
    port: 'api',
    method: 'POST',
    path: '/events/batch',
    scope: 'events:write',
    body: { events: [{ action: 'a:b:c' }] },
  },
  { port: 'api', method: 'GET', path: '/scores/ID', scope: 'scores:read' },
  { port: 'api', method: 'GET', path: '/scores/ID/summary', scope: 'scores:read' },
  { port: 'api', method: 'GET', path: '/scores/event/none', scope: 'scores:read' },
  { port: 'api', method: 'GET', path: '/events/stream?types=none', scope: 'scores:read' },
  { port: 'api', method: 'GET', path: '/graph/agents/none/reach', scope: 'scores:read' },
  { port: 'api', method: 'GET', path: '/graph/targets/none/none/actors', scope: 'scores:read' },
  { port: 'api', method: 'GET', path: '/graph/path?from=none', scope: 'scores:read' },
  { port: 'api', method: 'GET', path: '/compliance/ID/controls', scope: 'policies:read' },
  { port: 'api', method: 'POST', path: '/compliance/ID/controls', scope: 'policies:write', body: { controls: 0 } },
  { port: 'api', method: 'DELETE', path: '/compliance/ID/controls/none', scope: 'policies:write' },
  { port: 'api', method: 'GET', path: '/justification?event_id=none', scope: 'scores:read' },
  { port: 'api', method: 'GET', path: '/policies/ID', scope: 'policies:read' },
  { port: 'api', method: 'POST', path: '/policies/ID', scope: 'policies:write', body: { blocked_actions: ['a:b:c'] } },
  {
    port: 'auth',
    method: 'POST',
    path: '/tokens/override',
    scope: 'holds:decide',
    body: { customer_id: 'ID', event_id: 'none', allowed_decisions: ['approve'] },
  },
  {
    port: 'auth',
    method: 'POST',
    path: '/overrides/none/decide',
    scope: 'holds:decide',
    body: { override_token: 'none', decision: 'approve' },
  },
  ...['app', 'bearer', 'agent', 'subagent', 'session'].map(
    (kind): Door => ({
      port: 'auth',
      method: 'POST',
      path: `/tokens/${kind}`,
      scope: 'admin',
      body: { customer_id: 'ID' },
    }),
  ),
  { port: 'auth', method: 'POST', path: '/tokens/introspect', scope: 'admin', body: { token: 'none' } },
  { port: 'auth', method: 'GET', path: `/tokens/${NO_ID}/tree`, scope: 'admin' },
  { port: 'auth', method: 'DELETE', path: `/tokens/${NO_ID}`, scope: 'admin' },
  { port: 'auth', method: 'POST', path: `/revoke/cascade/${NO_ID}`, scope: 'admin' },
  { port: 'auth', method: 'POST', path: '/keys/signing', scope: 'admin', body: { customer_id: 'ID' } },
  { port: 'auth', method: 'POST', path: `/keys/${NO_ID}/rotate`, scope: 'admin', body: { customer_id: 'ID' } },
  { port: 'auth', method: 'GET', path: '/keys/public/ID', scope: 'scores:read' },
  { port: 'auth', method: 'GET', path: '/keys/jwks/ID', scope: 'scores:read' },
  { port: 'auth', method: 'POST', path: '/api-keys', scope: 'admin', body: { customer_id: 'ID' } },
  { port: 'auth', method: 'GET', path: '/api-keys/ID', scope: 'admin' },
  { port: 'auth', method: 'DELETE', path: `/api-keys/${NO_ID}`, scope: 'admin' },
  { port: 'auth', method: 'POST', path: '/webhooks/register', scope: 'admin', body: { customer_id: 'ID' } },
  { port: 'auth', method: 'GET', path: '/webhooks/ID', scope: 'admin' },
  { port: 'auth', method: 'GET', path: '/audit?customer_id=ID', scope: 'admin' },
  { port: 'auth', method: 'GET', path: `/holds/ID/${NO_ID}`, scope: 'scores:read' },
  { port: 'auth', method: 'GET', path: '/session', scope: 'scores:read' },
  { port: 'auth', method: 'DELETE', path: '/session', scope: 'scores:read' },
  { port: 'auth', method: 'POST', path: '/people', scope: 'admin', body: { customer_id: 'ID' } },
  { port: 'auth', method: 'GET', path: '/people/ID', scope: 'admin' },
  { port: 'auth', method: 'POST', path: `/people/${NO_ID}/role`, scope: 'admin', body: { role: 'viewer' } },
  { port: 'auth', method: 'POST', path: `/people/${NO_ID}/link`, scope: 'admin' },
  { port: 'auth', method: 'DELETE', path: `/people/${NO_ID}`, scope: 'admin' },
  { port: 'auth', method: 'POST', path: '/delegations', scope: 'holds:decide', body: { customer_id: 'ID' } },
  { port: 'auth', method: 'GET', path: '/delegations/ID', scope: 'holds:decide' },
  { port: 'auth', method: 'DELETE', path: `/delegations/${NO_ID}?customer_id=ID`, scope: 'holds:decide' },
  { port: 'auth', method: 'POST', path: '/bloom/rebuild', scope: null },
  { port: 'auth', method: 'GET', path: '/metrics', scope: null },
];

describe('scopes of API keys', () => {
  let weir: SharedWeir;
  before(async () => {
    weir = await sharedWeir();
  });

  const knock = ({ port, method, path, body }: Door, customer_id: string, key: string) =>
    call(`${weir[port]}${path.replace('ID', customer_id)}`, {
      method,
      key,
      ...(body && { body: JSON.parse(JSON.stringify(body).replaceAll('"ID"', `"${customer_id}"`)) as object }),
    });

  for (const scope of scopes) {
    test(`\`${scope}\` alone opens its own endpoints; the others answer 403 and name the scope that is missing`, async () => {
      const { customer_id, api_key } = await newCustomer(weir, [scope]);
      for (const door of DOORS) {
        const reply = await knock(door, customer_id, api_key);
        const at = `${door.method} ${door.path} with ${scope}: ${reply.text}`;
        if (door.scope !== null && (door.scope === scope || scope === 'admin')) {
          assert.equal(reply.json['missing_scope'], undefined, at);
          assert.ok(![403, 500].includes(reply.status), at);
          // Only the forged override token is not a valid credential.
          assert.ok(reply.status !== 401 || door.path.startsWith('/overrides'), at);
        } else {
          problem(reply, 403);
          if (door.scope !== null) {
            assert.equal(reply.json['missing_scope'], door.scope, at);
            assert.match(String(reply.json['detail']), new RegExp(`needs the scope \`${door.scope}\``));
          } else assert.match(String(reply.json['detail']), /only the operator/);
        }
      }
    });
  }

  test('the table above has every endpoint that an API key opens', async () => {
    const shape = (path: string) =>
      path.replace(/\?.*/, '').replaceAll(/\{\w+\}|\bID\b|none(?=\/|$)|[0-9a-f-]{36}/g, '{}');
    const known = new Set(DOORS.map(({ port, method, path }) => `${port} ${method} ${shape(path)}`));
    const WEBHOOKS = /\/webhooks\/\{\}\//;
    for (const port of ['api', 'auth'] as const) {
      const { json } = await call(`${weir[port]}/openapi.json`);
      for (const [path, methods] of Object.entries(
        json['paths'] as Record<string, Record<string, { security?: object[] }>>,
      ))
        for (const [method, { security = [] }] of Object.entries(methods)) {
          const name = `${port} ${method.toUpperCase()} ${shape(path)}`;
          const takes_key = security.some((one) => 'api_key' in one);
          if (takes_key && !WEBHOOKS.test(name)) assert.ok(known.has(name), name);
        }
    }
  });

  test('an owner’s key reaches its own customer only, also by an object’s id', async () => {
    const [one, other] = await Promise.all([newCustomer(weir), newCustomer(weir)]);
    const key = one.api_key;
    const app = await call(`${weir.auth}/tokens/app`, { key: other.api_key, body: { customer_id: other.customer_id } });
    assert.equal(app.status, 201, app.text);
    const jti = String(app.json['jti']);
    for (const [method, path, body] of [
      ['GET', `/api-keys/${other.customer_id}`],
      ['POST', '/api-keys', { customer_id: other.customer_id }],
      ['POST', '/tokens/app', { customer_id: other.customer_id.toUpperCase() }],
      ['GET', `/audit?customer_id=${other.customer_id}`],
      ['POST', '/webhooks/register', { customer_id: other.customer_id, endpoint_url: 'https://example.com/' }],
    ] as const)
      problem(await call(weir.auth + path, { method, key, ...(body && { body }) }), 403);
    for (const [method, path] of [
      ['DELETE', `/api-keys/${other.key_id}`],
      ['DELETE', `/tokens/${jti}`],
      ['GET', `/tokens/${jti}/tree`],
      ['POST', `/revoke/cascade/${jti}`],
    ] as const) {
      problem(await call(weir.auth + path, { method, key }), 404);
    }
    const asked = await call(`${weir.auth}/tokens/introspect`, { key, body: { token: app.json['token'] } });
    assert.deepEqual(asked.json, { active: false });
    const own = await call(`${weir.auth}/tokens/introspect`, {
      key: other.api_key,
      body: { token: app.json['token'] },
    });
    assert.equal(own.json['active'], true, own.text);
  });

  test('gRPC: a key without `events:write` is refused by name', async () => {
    const reader = await newCustomer(weir, ['scores:read']);
    const writer = await newCustomer(weir, ['events:write']);
    const client = connect(weir.grpc);
    const send = (key: string) =>
      callUnary(client, 'EvaluateRisk', { context: { action: 'github:pulls:merge' } }, { key });
    assert.equal((await send(writer.api_key)).code, 0);
    const { code, message } = await send(reader.api_key);
    assert.deepEqual([code, /scope `events:write`/.test(message)], [7, true], message);
    client.close();
  });

  test('the first start makes a key for gates and one for the owner', async () => {
    const { customer_id, api_key: owner, gate_key: gate } = weir.first;
    assert.equal((await call(`${weir.api}/events`, { key: gate, body: fullEvent() })).status, 200);
    assert.equal((await call(`${weir.api}/scores/${customer_id}/summary`, { key: gate })).status, 200);
    const policy = { blocked_actions: ['db:prod:drop'] };
    problem(await call(`${weir.api}/policies/${customer_id}`, { key: gate, body: policy }), 403);
    assert.equal((await call(`${weir.api}/policies/${customer_id}`, { key: owner, body: policy })).status, 201);
    const listed = await call(`${weir.auth}/api-keys/${customer_id}`, { key: owner });
    assert.deepEqual((listed.json['api_keys'] as { scopes: string[] }[]).map((key) => key.scopes.length).sort(), [
      3,
      scopes.length,
    ]);
    const made = await call(`${weir.auth}/api-keys`, { key: owner, body: { customer_id, scopes: ['scores:read'] } });
    assert.deepEqual([made.status, made.json['scopes']], [201, ['scores:read']]);
    problem(await call(`${weir.auth}/api-keys`, { key: owner, body: { customer_id, scopes: ['everything'] } }), 400);
    problem(await call(`${weir.auth}/api-keys`, { key: owner, body: { customer_id, scopes: [] } }), 400);
    const { entries } = (await call(`${weir.auth}/audit?customer_id=${customer_id}`, { key: owner })).json as {
      entries: { actor: string; action: string }[];
    };
    assert.match(entries[0]!.actor, /^api_key [0-9a-f-]{36}@/);
  });
});
