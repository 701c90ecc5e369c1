/** The token endpoints over HTTP: every kind, every refusal, and what is left of a token once it is revoked. */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { call, problem, type Reply } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

const RBAC = { allowed_actions: ['GitHub:*'], allowed_resources: ['repository:*'], max_sensitivity_level: 3 };
const FULL = {
  allowed_actions: ['github:*:*'],
  denied_actions: [],
  allowed_resources: ['repository:*'],
  denied_resources: [],
  max_sensitivity_level: 3,
};

type Json = Record<string, unknown>;

describe('tokens over HTTP', () => {
  let weir: SharedWeir;
  before(async () => {
    weir = await sharedWeir();
  });

  const post = (path: string, body: unknown): Promise<Reply> => call(`${weir.auth}${path}`, { body, method: 'POST' });
  async function made(kind: string, body: Json): Promise<Json> {
    const reply = await post(`/tokens/${kind}`, body);
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  }
  async function family() {
    const customer_id = randomUUID();
    const app = await made('app', { customer_id, name: 'ci', scopes: ['*'], ttl_days: 30 });
    const bearer = await made('bearer', { customer_id, app_token_hash: app['token_hash'], environment: 'production' });
    const agent = await made('agent', { customer_id, bearer_jti: bearer['jti'], agent_id: 'a-1', rbac: RBAC });
    return { customer_id, app, bearer, agent };
  }
  const parts = (token: unknown): { header: Json; claims: Json; signed: string; signature: Buffer } => {
    const [header, claims, signature] = String(token).split('_').slice(2).join('_').split('.') as [
      string,
      string,
      string,
    ];
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Json;
    return {
      header: read(header),
      claims: read(claims),
      signed: `${header}.${claims}`,
      signature: Buffer.from(signature, 'base64url'),
    };
  };

  test('each kind answers what was asked for, and the token says the same', async () => {
    const { customer_id, app, bearer, agent } = await family();
    assert.match(String(app['token']), /^weir_app_[\w-]{49}$/);
    assert.equal(app['token_hash'], createHash('sha256').update(String(app['token'])).digest('hex'));
    assert.deepEqual([app['name'], app['scopes'], bearer['environment']], ['ci', ['*'], 'production']);
    assert.deepEqual([agent['agent_id'], agent['rbac'], agent['delegation_depth']], ['a-1', FULL, 0]);

    const subagent = await made('subagent', {
      customer_id,
      parent_agent_jti: agent['jti'],
      agent_id: 's-1',
      rbac: { max_sensitivity_level: 1 },
    });
    const session = await made('session', {
      customer_id,
      parent_jti: subagent['jti'],
      parent_type: 'subagent',
      session_id: 'x',
      max_events: 2,
      ttl_minutes: 5,
    });
    assert.deepEqual([subagent['agent_id'], subagent['delegation_depth']], ['s-1', 1]);
    assert.deepEqual([session['session_id'], session['max_events'], session['agent_id']], ['x', 2, 's-1']);

    const keys = (await call(`${weir.auth}/keys/jwks/${customer_id}`)).json['keys'] as Json[];
    for (const [kind, token, ancestors] of [
      ['bearer', bearer, [app]],
      ['agent', agent, [app, bearer]],
      ['subagent', subagent, [app, bearer, agent]],
      ['session', session, [app, bearer, agent, subagent]],
    ] as const) {
      assert.ok(String(token['token']).startsWith(`weir_${kind}_`));
      const { header, claims, signed, signature } = parts(token['token']);
      assert.deepEqual([header['alg'], header['typ'], claims['typ']], ['ES256', `${kind}+jwt`, `${kind}+jwt`]);
      assert.deepEqual([claims['iss'], claims['jti'], claims['customer_id']], ['weir-auth', token['jti'], customer_id]);
      assert.deepEqual(
        claims['anc'],
        ancestors.map((one) => one['jti']),
      );
      assert.equal(claims['parent_jti'], ancestors.at(-1)!['jti']);
      assert.equal(new Date(Number(claims['exp']) * 1_000).toISOString(), token['expires_at']);
      assert.equal(claims['nbf'], claims['iat']);
      const jwk = keys.find((key) => key['kid'] === header['kid'])!;
      const key = createPublicKey({ key: jwk as never, format: 'jwk' });
      assert.ok(verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature));
    }
    assert.deepEqual(parts(session['token']).claims['rbac'], { ...FULL, max_sensitivity_level: 1 });
  });

  test('defaults, and a life that is cut to the parent’s', async () => {
    const customer_id = randomUUID();
    const app = await made('app', { customer_id });
    assert.deepEqual([app['name'], app['scopes']], ['', ['*']]);
    const days = (token: Json): number => (Date.parse(String(token['expires_at'])) - Date.now()) / 86_400_000;
    assert.ok(Math.abs(days(app) - 365) < 0.01);
    const bearer = await made('bearer', { customer_id, app_token_hash: String(app['token_hash']).toUpperCase() });
    assert.ok(Math.abs(days(bearer) - 90) < 0.01);
    const agent = await made('agent', {
      customer_id,
      bearer_jti: bearer['jti'],
      agent_id: 'a',
      rbac: RBAC,
      ttl_hours: 1,
    });
    const subagent = await made('subagent', {
      customer_id,
      parent_agent_jti: agent['jti'],
      agent_id: 's',
      ttl_hours: 48,
    });
    assert.equal(subagent['expires_at'], agent['expires_at']);
    assert.deepEqual(subagent['rbac'], agent['rbac'], 'no rbac is the parent’s');
  });

  test('escalation is refused with a request that shows it', async () => {
    const { customer_id, agent } = await family();
    const reply = await post('/tokens/subagent', {
      customer_id,
      parent_agent_jti: agent['jti'],
      agent_id: 's',
      rbac: { allowed_actions: ['*'] },
    });
    const { witness, detail } = problem(reply, 400);
    assert.deepEqual(witness, {
      action: 'other-1:other-1:other-1',
      resource_type: 'repository',
      resource_id: 'other-1',
      sensitivity_level: 0,
    });
    assert.match(String(detail), /`other-1:other-1:other-1` on `repository:other-1`/);
  });

  test('depth is bounded', async () => {
    const { customer_id, agent } = await family();
    let parent = agent;
    for (const depth of [1, 2, 3]) {
      parent = await made('subagent', { customer_id, parent_agent_jti: parent['jti'], agent_id: `s-${depth}` });
      assert.equal(parent['delegation_depth'], depth);
    }
    problem(await post('/tokens/subagent', { customer_id, parent_agent_jti: parent['jti'], agent_id: 's-4' }), 400);
    await made('session', { customer_id, parent_jti: parent['jti'], session_id: 'x' });
  });

  test('refusals: bodies', async () => {
    const { customer_id, app, bearer, agent } = await family();
    const good: Record<string, Json> = {
      app: { customer_id },
      bearer: { customer_id, app_token_hash: app['token_hash'] },
      agent: { customer_id, bearer_jti: bearer['jti'], agent_id: 'a', rbac: RBAC },
      subagent: { customer_id, parent_agent_jti: agent['jti'], agent_id: 's' },
      session: { customer_id, parent_jti: agent['jti'], session_id: 'x' },
    };
    for (const [kind, body] of Object.entries(good)) {
      await made(kind, body);
      for (const name of Object.keys(body)) {
        const { [name]: _, ...without } = body;
        problem(await post(`/tokens/${kind}`, without), 400);
        problem(await post(`/tokens/${kind}`, { ...body, [name]: null }), 400);
      }
      problem(await post(`/tokens/${kind}`, { ...body, misspelt: 1 }), 400);
      problem(await post(`/tokens/${kind}`, { ...body, customer_id: 'nobody' }), 400);
      const ttl = { app: 'ttl_days', bearer: 'ttl_days', session: 'ttl_minutes' }[kind] ?? 'ttl_hours';
      for (const life of [0, -1, 1.5, '5', null, 1e12])
        problem(await post(`/tokens/${kind}`, { ...body, [ttl]: life }), 400);
    }
    problem(await post('/tokens/agent', { ...good['agent'], agent_id: '' }), 400);
    problem(await post('/tokens/agent', { ...good['agent'], agent_id: 'x'.repeat(257) }), 400);
    problem(await post('/tokens/agent', { ...good['agent'], agent_id: 'a\0b' }), 400);
    problem(await post('/tokens/agent', { ...good['agent'], rbac: { allowed_actions: ['a:b:c'] } }), 400);
    problem(await post('/tokens/session', { ...good['session'], max_events: 0 }), 400);
    problem(await post('/tokens/session', { ...good['session'], parent_type: 'subagent' }), 400);
    problem(await call(`${weir.auth}/tokens/app`, { body: 'x', headers: { 'content-type': 'text/plain' } }), 415);
    problem(await post('/tokens/app', `{"customer_id":"${customer_id}","customer_id":"${customer_id}"}`), 400);
    problem(await post('/tokens/app', { customer_id, name: 'x'.repeat(2_000_000) }), 413);
  });

  test('refusals: unknown, foreign, wrong and dead parents', async () => {
    const { customer_id, app, bearer, agent } = await family();
    const other = await family();
    const subagent = (parent_agent_jti: unknown, owner = customer_id) =>
      post('/tokens/subagent', { customer_id: owner, parent_agent_jti, agent_id: 's' });
    const unknown = problem(await subagent(randomUUID()), 404);
    const foreign = problem(await subagent(other.agent['jti']), 404);
    assert.equal(unknown['detail'], foreign['detail']);
    problem(await subagent('no-jti'), 404);
    problem(await subagent(app['jti']), 400);
    problem(await subagent(bearer['jti']), 400);
    const hash = createHash('sha256').update(String(agent['token'])).digest('hex');
    problem(await post('/tokens/bearer', { customer_id, app_token_hash: hash }), 400);
    problem(await post('/tokens/bearer', { customer_id, app_token_hash: 'f'.repeat(64) }), 404);
    await call(`${weir.auth}/tokens/${agent['jti']}`, { method: 'DELETE' });
    problem(await subagent(agent['jti']), 401);
    // The victim of the foreign attempts is as it was.
    assert.equal((await subagent(other.agent['jti'], other.customer_id)).status, 201);
  });

  test('revoking one, and a whole tree', async () => {
    const { customer_id, app, bearer, agent } = await family();
    const child = await made('subagent', { customer_id, parent_agent_jti: agent['jti'], agent_id: 's' });
    const is_active = async (token: Json) =>
      (await post('/tokens/introspect', { token: token['token'] })).json['active'];
    const one = await call(`${weir.auth}/tokens/${agent['jti']}`, { method: 'DELETE' });
    assert.deepEqual([one.status, one.json['jti'], one.json['status']], [200, agent['jti'], 'revoked']);
    assert.deepEqual([await is_active(agent), await is_active(child)], [false, true]);
    assert.deepEqual((await call(`${weir.auth}/tokens/${agent['jti']}`, { method: 'DELETE' })).json, one.json);
    const tree = await post(`/revoke/cascade/${bearer['jti']}`, undefined);
    const { revoked_jtis, ...rest } = tree.json;
    assert.deepEqual(rest, { root_jti: bearer['jti'], revoked_count: 2 });
    assert.deepEqual((revoked_jtis as string[]).sort(), [bearer['jti'], child['jti']].sort());
    assert.deepEqual([await is_active(app), await is_active(bearer), await is_active(child)], [true, false, false]);
    const again = await post(`/revoke/cascade/${bearer['jti']}`, undefined);
    assert.deepEqual([again.status, again.json['revoked_count'], again.json['revoked_jtis']], [200, 0, []]);
    for (const path of [`/revoke/cascade/${randomUUID()}`, '/revoke/cascade/nothing'])
      problem(await post(path, undefined), 404);
    problem(await call(`${weir.auth}/tokens/${randomUUID()}`, { method: 'DELETE' }), 404);

    const shown = await call(`${weir.auth}/tokens/${agent['jti']}/tree`);
    assert.deepEqual(
      (shown.json['tokens'] as Json[]).map(({ jti, state }) => [jti, state]),
      [
        [app['jti'], 'active'],
        [bearer['jti'], 'revoked'],
        [agent['jti'], 'revoked'],
        [child['jti'], 'revoked'],
      ],
    );
    problem(await call(`${weir.auth}/tokens/${randomUUID()}/tree`), 404);
    const rebuilt = await post('/bloom/rebuild', undefined);
    assert.deepEqual(Object.keys(rebuilt.json).sort(), ['entries', 'rebuilt']);
    assert.ok(Number(rebuilt.json['entries']) >= 2);
  });

  test('introspection tells nothing of what is not good', async () => {
    const { agent, app } = await family();
    const ask = async (token: unknown) => (await post('/tokens/introspect', { token })).json;
    const told = await ask(agent['token']);
    assert.deepEqual([told['active'], told['token_type'], told['sub'], told['rbac']], [true, 'agent', 'a-1', FULL]);
    assert.equal((await ask(app['token']))['scope'], '*');
    const text = String(agent['token']);
    for (const bad of [
      'x',
      'weir_app_x',
      text.slice(0, -1),
      `${text}x`,
      text.replace('weir_agent_', 'weir_session_'),
      text.slice(11),
    ]) {
      assert.deepEqual(await ask(bad), { active: false }, bad);
    }
  });

  test('keys: made on first use, rotated, disabled', async () => {
    const customer_id = randomUUID();
    problem(await call(`${weir.auth}/keys/public/${customer_id}`), 404);
    const { bearer, agent, ...rest } = await family();
    const first = (await call(`${weir.auth}/keys/public/${rest.customer_id}`)).json;
    assert.match(String(first['public_key']), /^-----BEGIN PUBLIC KEY-----\n[\s\S]+-----END PUBLIC KEY-----\n$/);
    const rotate = (key_id: unknown, body: Json = {}) =>
      post(`/keys/${key_id}/rotate`, { customer_id: rest.customer_id, ...body });
    const second = await rotate(first['key_id']);
    assert.deepEqual([second.status, second.json['algorithm']], [201, 'ES256']);
    problem(await rotate(first['key_id']), 409);
    problem(await rotate(randomUUID()), 404);
    problem(await post(`/keys/${first['key_id']}/rotate`, { customer_id: randomUUID() }), 404);
    const is_active = async (token: Json) =>
      (await post('/tokens/introspect', { token: token['token'] })).json['active'];
    assert.equal(await is_active(agent), true, 'rotation ends no token');
    const later = await made('agent', {
      customer_id: rest.customer_id,
      bearer_jti: bearer['jti'],
      agent_id: 'a',
      rbac: RBAC,
    });
    assert.equal(parts(later['token']).header['kid'], second.json['key_id']);
    const kids = async () =>
      ((await call(`${weir.auth}/keys/jwks/${rest.customer_id}`)).json['keys'] as Json[]).map((key) => key['kid']);
    assert.deepEqual(await kids(), [second.json['key_id'], first['key_id']]);
    assert.equal((await rotate(first['key_id'], { revoke_existing: true })).status, 201);
    assert.deepEqual([await is_active(agent), await is_active(later)], [false, true]);
    assert.deepEqual(await kids(), [second.json['key_id']]);
    const third = await post('/keys/signing', { customer_id: rest.customer_id });
    assert.equal(third.status, 201);
    assert.equal((await call(`${weir.auth}/keys/public/${rest.customer_id}`)).json['key_id'], third.json['key_id']);
    assert.equal(await is_active(later), true);
  });

  test('everything is in the audit log, and no secret is', async () => {
    const { customer_id, app, agent } = await family();
    await post('/tokens/subagent', {
      customer_id,
      parent_agent_jti: agent['jti'],
      agent_id: 's',
      rbac: { allowed_actions: ['*'] },
    });
    await call(`${weir.auth}/tokens/${agent['jti']}`, { method: 'DELETE' });
    const reply = await call(`${weir.auth}/audit?customer_id=${customer_id}`);
    const entries = reply.json['entries'] as Json[];
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['token.revoked', 'token.refused', 'token.issued', 'token.issued', 'key.created', 'token.issued'],
    );
    for (const entry of entries) {
      assert.match(String(entry['actor']), /^operator@/);
      assert.match(String(entry['request_id']), /^[0-9a-f]{8}-\w+$/);
    }
    for (const secret of [app['token'], app['token_hash'], agent['token']])
      assert.ok(!reply.text.includes(String(secret)));
    const page = await call(`${weir.auth}/audit?customer_id=${customer_id}&limit=2&before=${entries[1]!['audit_id']}`);
    assert.deepEqual(page.json['entries'], entries.slice(2, 4));
    problem(await call(`${weir.auth}/audit`), 400);
    problem(await call(`${weir.auth}/audit?customer_id=x`), 400);
  });
});
