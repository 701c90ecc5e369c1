/** Tokens beside the API key on the scoring API: rights, counts, identity, and what is seen of denied attempts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { before, describe, test } from 'node:test';
import { type Customer, call, newCustomer, problem, type Reply } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

type Json = Record<string, unknown>;

const RBAC = {
  allowed_actions: ['github:*'],
  denied_actions: ['github:*:delete'],
  allowed_resources: ['repository:*'],
  denied_resources: ['*:prod'],
  max_sensitivity_level: 2,
};

describe('tokens on the scoring API', () => {
  let weir: SharedWeir;
  let customer: Customer;
  let bearer: Json;
  let agent: Json;
  before(async () => {
    weir = await sharedWeir();
    customer = await newCustomer(weir);
    const { customer_id } = customer;
    const app = await made('app', { customer_id });
    bearer = await made('bearer', { customer_id, app_token_hash: app['token_hash'] });
    agent = await made('agent', { customer_id, bearer_jti: bearer['jti'], agent_id: 'real', rbac: RBAC });
  });

  async function made(kind: string, body: Json): Promise<Json> {
    const reply = await call(`${weir.auth}/tokens/${kind}`, { body });
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  }
  const send = (token: unknown, event: Json = {}, key = customer.api_key): Promise<Reply> =>
    call(`${weir.api}/events`, {
      key,
      headers: { authorization: `Bearer ${token}` },
      body: {
        action: 'github:pulls:read',
        target: { resource_type: 'repository', resource_id: 'core', sensitivity_level: 1 },
        ...event,
      },
    });
  const usedBy = async (session: Json): Promise<unknown> => {
    const tree = await call(`${weir.auth}/tokens/${session['jti']}/tree`);
    return (tree.json['tokens'] as Json[]).at(-1)!['used_events'];
  };
  const detail = async (event_id: unknown): Promise<Json> =>
    (await call(`${weir.api}/scores/event/${event_id}`, { key: customer.api_key })).json;

  test('who acts is what the token says', async () => {
    const child = await made('subagent', {
      customer_id: customer.customer_id,
      parent_agent_jti: agent['jti'],
      agent_id: 'child',
    });
    const session = await made('session', {
      customer_id: customer.customer_id,
      parent_jti: child['jti'],
      session_id: 'true one',
    });
    const claimed = { agent: { agent_id: 'liar', model: 'm' }, session: { session_id: 'false', user_id: 'u' } };
    for (const [token, agent_id, session_id] of [
      [agent, 'real', 'false'],
      [child, 'child', 'false'],
      [session, 'child', 'true one'],
    ] as const) {
      const reply = await send(token['token'], claimed);
      assert.equal(reply.status, 200, reply.text);
      const event = (await detail(reply.json['event_id']))['event'] as Json;
      assert.deepEqual(event['agent'], { agent_id, model: 'm' });
      assert.deepEqual(event['session'], { session_id, user_id: 'u' });
    }
  });

  test('rights are enforced, and denied attempts can be seen', async () => {
    const event_id = randomUUID();
    const denied: [Json, string][] = [
      [{ action: 'slack:channels:post', event_id }, 'action_is_not_allowed'],
      [{ action: 'GitHub:Pulls:Delete' }, 'action_is_denied'],
      [{ target: { resource_type: 'table', resource_id: 'x', sensitivity_level: 0 } }, 'resource_is_not_allowed'],
      [{ target: undefined }, 'resource_is_not_allowed'],
      [{ target: { resource_type: 'repository', resource_id: 'prod', sensitivity_level: 0 } }, 'resource_is_denied'],
      [{ target: { resource_type: 'repository', sensitivity_level: 0 } }, 'resource_is_denied'],
      [{ target: { resource_type: 'repository', resource_id: '', sensitivity_level: 0 } }, 'resource_is_denied'],
      [{ target: { resource_type: 'repository', resource_id: 'x', sensitivity_level: 3 } }, 'sensitivity_is_too_high'],
    ];
    for (const [event, reason] of denied) {
      const reply = await send(agent['token'], event);
      assert.equal(problem(reply, 403)['reason'], reason, reply.text);
    }
    problem(await call(`${weir.api}/scores/event/${event_id}`, { key: customer.api_key }), 404);
    const audit = await call(`${weir.auth}/audit?customer_id=${customer.customer_id}`);
    const entries = (audit.json['entries'] as Json[]).filter(({ action }) => action === 'event.denied').reverse();
    assert.deepEqual(
      entries.map((entry) => (entry['details'] as Json)['reason']),
      denied.map(([, reason]) => reason),
    );
    assert.equal(entries[0]!['subject'], event_id);
    assert.deepEqual(
      { ...(entries[0]!['details'] as Json), jti: '' },
      {
        reason: 'action_is_not_allowed',
        jti: '',
        kind: 'agent',
        agent_id: 'real',
        session_id: null,
        action: 'slack:channels:post',
        resource_type: 'repository',
        resource_id: 'core',
        sensitivity_level: 2,
      },
    );
  });

  test('two tokens are no token, whatever the first line says', async () => {
    const good = `Bearer ${agent['token']}`;
    const event = JSON.stringify({ action: 'slack:channels:post' });
    for (const [path, body] of [
      ['/events', event],
      ['/events/batch', `{"events":[${event}]}`],
    ] as const) {
      for (const lines of [
        ['', good],
        [good, ''],
        [good, good],
        ['Basic x', good],
      ]) {
        const sent = request(`${weir.api}${path}`, {
          method: 'POST',
          headers: [
            ...['host', 'weir', 'x-api-key', customer.api_key, 'content-type', 'application/json'],
            ...['content-length', String(Buffer.byteLength(body))],
            ...lines.flatMap((line) => ['authorization', line]),
          ],
        });
        sent.end(body);
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        answer.resume();
        assert.equal(answer.statusCode, 401, `${path} ${JSON.stringify(lines).slice(0, 20)}`);
      }
    }
  });

  test('a level that is not said is what is known, not none', async () => {
    const low = await made('agent', {
      customer_id: customer.customer_id,
      bearer_jti: bearer['jti'],
      agent_id: 'low',
      rbac: { ...RBAC, denied_resources: [], max_sensitivity_level: 0 },
    });
    const refused = async (event: Json) =>
      assert.equal(problem(await send(low['token'], event), 403)['reason'], 'sensitivity_is_too_high');
    const target = { resource_type: 'repository', resource_id: 'x' };
    await refused({ target });
    // A claim below what is known changes nothing.
    await refused({ target: { ...target, sensitivity_level: 0 } });
  });

  test('a level that is declared too low opens no place that is known to be sensitive', async () => {
    const some = await made('agent', {
      customer_id: customer.customer_id,
      bearer_jti: bearer['jti'],
      agent_id: 'some',
      rbac: { allowed_actions: ['*'], allowed_resources: ['*'], max_sensitivity_level: 2 },
    });
    const statusOf = async (event: Json) => (await send(some['token'], event)).status;
    const declared = { resource_type: 'zzz', sensitivity_level: 0 };
    assert.equal(await statusOf({ action: 'zzz:qqq:read', target: { ...declared, resource_id: 'x' } }), 200);
    const places = ['/etc/shadow', '/home/u/.aws/credentials', 'C:\\Users\\u\\.ssh\\id_rsa', '/home/u/x/../.netrc'];
    for (const resource_id of places) {
      assert.equal(await statusOf({ action: 'zzz:qqq:read', target: { ...declared, resource_id } }), 403, resource_id);
      const parameters = { command: `cat ${resource_id.replaceAll('\\', '/')}` };
      const event = { action: 'shell:command:execute', target: { ...declared, resource_id: 'x' }, parameters };
      assert.equal(await statusOf(event), 403, JSON.stringify(parameters));
    }
  });

  test('a session’s events are counted, retries are not, and parallel bursts never exceed it', async () => {
    const { customer_id } = customer;
    const session = await made('session', { customer_id, parent_jti: agent['jti'], session_id: 's', max_events: 5 });
    const event_id = randomUUID();
    for (const _ of [1, 2, 3]) assert.equal((await send(session['token'], { event_id })).status, 200);
    assert.equal((await send(session['token'], { event_id, action: 'github:pulls:list' })).status, 409);
    assert.equal((await send(session['token'], { action: 'slack:x:y' })).status, 403);
    const burst = await Promise.all(Array.from({ length: 20 }, () => send(session['token'])));
    assert.deepEqual(burst.map(({ status }) => status).sort(), [...Array(4).fill(200), ...Array(16).fill(429)]);
    const refused = burst.find(({ status }) => status === 429)!;
    problem(refused, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(await usedBy(session), 5);

    const retry = await send(session['token'], { event_id });
    assert.equal(retry.status, 200, 'the answer to a counted event may get lost when nothing is left');
    assert.equal(retry.json['event_id'], event_id);
    problem(await send(session['token'], { event_id, action: 'github:pulls:list' }), 409);
    assert.equal(await usedBy(session), 5);
  });

  test('a batch is taken whole or not at all', async () => {
    const { customer_id } = customer;
    const session = await made('session', { customer_id, parent_jti: agent['jti'], session_id: 'b', max_events: 3 });
    const good = {
      action: 'github:pulls:read',
      target: { resource_type: 'repository', resource_id: 'core', sensitivity_level: 1 },
    };
    const batch = (events: Json[]): Promise<Reply> =>
      call(`${weir.api}/events/batch`, {
        key: customer.api_key,
        headers: { authorization: `Bearer ${session['token']}` },
        body: { events },
      });
    const denied = problem(await batch([good, { ...good, action: 'slack:x:y' }]), 403);
    assert.match(String(denied['detail']), /^event 1: /);
    problem(await batch([good, good, good, good]), 429);
    const three = [1, 2, 3].map((n) => ({ ...good, event_id: `${session['jti']}-${n}` }));
    assert.equal((await batch(three.slice(0, 2))).status, 202);
    assert.equal((await batch([...three.slice(0, 2), three[0]!])).status, 202);
    assert.equal(await usedBy(session), 2, 'a retry is not counted');
    // Two that are known and one that is new, twice: the one count that is left is enough.
    assert.equal((await batch([...three, three[2]!])).status, 202);
    assert.equal(await usedBy(session), 3);
    problem(await batch([good]), 429);
    assert.equal((await batch(three)).status, 202, 'a retry is taken when nothing is left');
    assert.equal(await usedBy(session), 3);
  });

  test('another agent’s retry is another event', async () => {
    const other = await made('agent', {
      customer_id: customer.customer_id,
      bearer_jti: bearer['jti'],
      agent_id: 'other',
      rbac: RBAC,
    });
    const event_id = randomUUID();
    assert.equal((await send(agent['token'], { event_id })).status, 200);
    assert.equal((await send(agent['token'], { event_id })).status, 200);
    problem(await send(other['token'], { event_id }), 409);
  });

  test('what is not a good token is 401, whatever it is', async () => {
    const stranger = await newCustomer(weir);
    const text = String(agent['token']);
    for (const bad of [
      bearer['token'],
      'x',
      `${text}x`,
      text.replace('_agent_', '_session_'),
      text.slice(0, -4),
      customer.api_key,
    ]) {
      problem(await send(bad), 401);
    }
    problem(await send(text, {}, stranger.api_key), 401);
    for (const authorization of ['Basic YTpi', 'Bearer', `Bearer ${text} ${text}`, text]) {
      problem(
        await call(`${weir.api}/events`, {
          key: customer.api_key,
          headers: { authorization },
          body: { action: 'a:b:c' },
        }),
        401,
      );
    }
    problem(
      await call(`${weir.api}/events`, { headers: { authorization: `Bearer ${text}` }, body: { action: 'a:b:c' } }),
      401,
    );
  });

  test('revoked means refused, at once in this process, also for what is below', async () => {
    const { customer_id } = customer;
    const root = await made('agent', { customer_id, bearer_jti: bearer['jti'], agent_id: 'r', rbac: RBAC });
    const child = await made('subagent', { customer_id, parent_agent_jti: root['jti'], agent_id: 'c' });
    for (const token of [root, child]) assert.equal((await send(token['token'])).status, 200);
    await call(`${weir.auth}/tokens/${root['jti']}`, { method: 'DELETE' });
    problem(await send(root['token']), 401);
    assert.equal((await send(child['token'])).status, 200);
    await call(`${weir.auth}/revoke/cascade/${root['jti']}`, { method: 'POST' });
    problem(await send(child['token']), 401);
    assert.equal((await send(agent['token'])).status, 200);
  });
});
