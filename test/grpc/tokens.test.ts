/** Tokens beside the API key on gRPC: the same rights, counts and identity as on REST, asked again on an open stream. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { type Client, status } from '@grpc/grpc-js';
import { newApiKey } from '../../src/platform/ids.ts';
import { type Customer, call, newCustomer } from '../support/client.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';
import { type AnyWeir, startWeir } from '../support/weir.ts';
import {
  type Answer,
  type CallOf,
  callUnary,
  collect,
  connect,
  detailsOf,
  type Ended,
  type Fields,
  openStream,
} from './client.ts';
import { callRaw, decodeAnswer, encode } from './raw.ts';

const RBAC = {
  allowed_actions: ['github:*'],
  denied_actions: ['github:*:delete'],
  allowed_resources: ['repository:*'],
  denied_resources: ['*:prod'],
  max_sensitivity_level: 2,
};
const GOOD = {
  action: 'github:pulls:read',
  target: { resource_type: 'repository', resource_id: 'core', sensitivity_level: 1 },
};
const FORBIDDEN = { ...GOOD, action: 'slack:channels:post' };

async function made(weir: Pick<AnyWeir, 'auth'>, kind: string, body: Fields): Promise<Fields> {
  const reply = await call(`${weir.auth}/tokens/${kind}`, { body });
  assert.equal(reply.status, 201, reply.text);
  return reply.json;
}

/** The customer's tree: a bearer token, and an agent of it. */
async function familyOf(weir: Pick<AnyWeir, 'auth'>, customer_id: string): Promise<{ bearer: Fields; agent: Fields }> {
  const app = await made(weir, 'app', { customer_id });
  const bearer = await made(weir, 'bearer', { customer_id, app_token_hash: app['token_hash'] });
  const agent = await made(weir, 'agent', { customer_id, bearer_jti: bearer['jti'], agent_id: 'real', rbac: RBAC });
  return { bearer, agent };
}

type Headers = Record<string, string | string[]>;

const holding = (key: string, token: unknown): CallOf => ({ key, metadata: { authorization: `Bearer ${token}` } });

describe('tokens on gRPC', () => {
  let weir: AnyWeir;
  let client: Client;
  let customer: Customer;
  let bearer: Fields;
  let agent: Fields;
  before(async () => {
    weir = await startHostedWeir();
    client = connect(weir.grpc);
    customer = await newCustomer(weir);
    ({ bearer, agent } = await familyOf(weir, customer.customer_id));
  });
  after(async () => {
    client?.close();
    await weir?.stop();
  });

  const sessionOf = (parts: Fields, parent_jti = agent['jti']): Promise<Fields> =>
    made(weir, 'session', { customer_id: customer.customer_id, parent_jti, session_id: 's', ...parts });
  const evaluate = (token: unknown, context: Fields = {}): Promise<Ended> =>
    callUnary(client, 'EvaluateRisk', { context: { ...GOOD, ...context } }, holding(customer.api_key, token));
  const batch = (token: unknown, contexts: Fields[]): Promise<Ended> =>
    callUnary(client, 'BatchEvaluateRisk', { contexts }, holding(customer.api_key, token));
  const eventOf = async (event_id: unknown): Promise<Fields> =>
    (await call(`${weir.api}/scores/event/${event_id}`, { key: customer.api_key })).json['event'] as Fields;
  const usedBy = async ({ jti }: Fields): Promise<unknown> =>
    ((await call(`${weir.auth}/tokens/${jti}/tree`)).json['tokens'] as Fields[]).at(-1)!['used_events'];
  const denials = async (subject: string): Promise<Fields[]> => {
    const { json } = await call(`${weir.auth}/audit?customer_id=${customer.customer_id}`);
    return (json['entries'] as Fields[]).filter((entry) => entry['subject'] === subject);
  };
  const reasonOf = ({ details }: Pick<Ended, 'details'>): unknown =>
    (details['ErrorInfo']!['metadata'] as Fields)['reason'];
  /** A stream that is open for as long as the test: requests go one at a time, each with its answer. */
  const talk = (token: unknown) => {
    const stream = openStream(client, holding(customer.api_key, token));
    const done = collect(stream);
    const ask = async (context: Fields): Promise<Answer> => {
      const answer = once(stream, 'data');
      stream.write({ context });
      return ((await answer) as [Answer])[0];
    };
    return { stream, done, ask };
  };

  test('who acts is what the token says', async () => {
    const session = await sessionOf({ session_id: 'true one' });
    const claimed = { agent: { agent_id: 'liar', model: 'm' }, session: { session_id: 'false' } };
    const stream = talk(session['token']);
    const streamed = await stream.ask({ ...GOOD, ...claimed });
    stream.stream.end();
    const batched = await batch(session['token'], [{ ...GOOD, ...claimed }]);
    const alone = await evaluate(session['token'], claimed);
    const ids = [alone.answer['event_id'], (batched.answer['event_ids'] as string[])[0], streamed.event_id];
    for (const event_id of ids) {
      const event = await eventOf(event_id);
      assert.deepEqual(event['agent'], { agent_id: 'real', model: 'm' });
      assert.deepEqual(event['session'], { session_id: 'true one' });
    }
  });

  test('the same event with the same token is one event by either door', async () => {
    const event_id = randomUUID();
    const body = { ...GOOD, event_id };
    const headers = { authorization: `Bearer ${agent['token']}` };
    const rest = await call(`${weir.api}/events`, { key: customer.api_key, headers, body });
    assert.equal(rest.status, 200, rest.text);
    assert.equal((await evaluate(agent['token'], { event_id })).code, status.OK);
    const without = await callUnary(client, 'EvaluateRisk', { context: body }, { key: customer.api_key });
    assert.equal(without.code, status.ALREADY_EXISTS);
  });

  test('what the token does not permit is PERMISSION_DENIED with the reason, and in the audit log', async () => {
    const denied: [Fields, string][] = [
      [{ action: 'slack:channels:post' }, 'action_is_not_allowed'],
      [{ action: 'GitHub:Pulls:Delete' }, 'action_is_denied'],
      [{ target: { resource_type: 'table', sensitivity_level: 0 } }, 'resource_is_not_allowed'],
      [{ target: { resource_type: 'repository', resource_id: 'prod', sensitivity_level: 0 } }, 'resource_is_denied'],
      [{ target: { ...GOOD.target, sensitivity_level: 3 } }, 'sensitivity_is_too_high'],
      // Permitted as its canonical field has it; whichever is meant must be.
      [{ resource: 'prod' }, 'resource_is_denied'],
    ];
    for (const [context, reason] of denied) {
      const event_id = randomUUID();
      const ended = await evaluate(agent['token'], { ...context, event_id });
      assert.equal(ended.code, status.PERMISSION_DENIED, ended.message);
      assert.equal(reasonOf(ended), reason);
      const [entry, ...more] = await denials(event_id);
      assert.equal(more.length, 0);
      assert.equal(entry!['action'], 'event.denied');
      assert.equal((entry!['details'] as Fields)['reason'], reason);
      assert.equal(entry!['request_id'], ended.details['RequestInfo']!['request_id']);
      assert.equal(await eventOf(event_id), undefined);
    }
  });

  test('a spent session is RESOURCE_EXHAUSTED, retries and refusals are not counted', async () => {
    const session = await sessionOf({ max_events: 3 });
    const event_id = randomUUID();
    for (const _ of [1, 2, 3]) assert.equal((await evaluate(session['token'], { event_id })).code, status.OK);
    const conflict = await evaluate(session['token'], { event_id, action: 'github:pulls:list' });
    assert.equal(conflict.code, status.ALREADY_EXISTS);
    assert.equal((await evaluate(session['token'], FORBIDDEN)).code, status.PERMISSION_DENIED);
    const burst = await Promise.all(Array.from({ length: 12 }, () => evaluate(session['token'])));
    const codes = burst.map(({ code }) => code).sort();
    assert.deepEqual(codes, [...Array(2).fill(status.OK), ...Array(10).fill(status.RESOURCE_EXHAUSTED)]);
    const refused = burst.find(({ code }) => code !== status.OK)!;
    assert.equal(reasonOf(refused), 'session_is_spent');
    assert.ok(refused.details['RetryInfo']);
    assert.equal(await usedBy(session), 3);
  });

  test('a batch: all permitted or none scored, and only what was scored is counted', async () => {
    const session = await sessionOf({ max_events: 3 });
    const event_id = randomUUID();
    const denied = await batch(session['token'], [{ ...GOOD, event_id }, FORBIDDEN]);
    assert.equal(denied.code, status.PERMISSION_DENIED);
    assert.match(denied.message, /^event 1: /);
    assert.equal(reasonOf(denied), 'action_is_not_allowed');
    assert.equal((await batch(session['token'], Array(4).fill(GOOD))).code, status.RESOURCE_EXHAUSTED);
    assert.equal(await eventOf(event_id), undefined);
    assert.equal(await usedBy(session), 0);
    const twice = { ...GOOD, event_id };
    assert.equal((await batch(session['token'], [twice, twice, GOOD])).code, status.OK);
    assert.equal(await usedBy(session), 2);
  });

  test('a batch that fails on the way counts what was scored and nothing else', async () => {
    const session = await sessionOf({ max_events: 5 });
    const used = { ...GOOD, event_id: randomUUID() };
    assert.equal((await evaluate(agent['token'], used)).code, status.OK);
    // All are of the token's session, so in order: the third conflicts, the last two are never begun.
    const failed = await batch(session['token'], [GOOD, GOOD, used, GOOD, GOOD]);
    assert.equal(failed.code, status.ALREADY_EXISTS);
    assert.equal(await usedBy(session), 2);
  });

  test('on a stream a refusal answers its own request, and the stream goes on', async () => {
    const session = await sessionOf({ max_events: 2 });
    const { stream, done, ask } = talk(session['token']);
    const codes: number[] = [];
    const reasons: unknown[] = [];
    for (const context of [GOOD, FORBIDDEN, GOOD, GOOD]) {
      const { error } = await ask(context);
      codes.push(error?.code ?? status.OK);
      reasons.push(error && reasonOf({ details: detailsOf(error) }));
    }
    assert.deepEqual(codes, [status.OK, status.PERMISSION_DENIED, status.OK, status.RESOURCE_EXHAUSTED]);
    assert.deepEqual(reasons, [null, 'action_is_not_allowed', null, 'session_is_spent']);
    stream.end();
    assert.equal((await done).end.code, status.OK);
  });

  test('what is not a good token is UNAUTHENTICATED on every method, before any message', async () => {
    const stranger = await newCustomer(weir);
    const text = String(agent['token']);
    const bad = [bearer['token'], 'x', `${text}x`, text.replace('_agent_', '_session_'), customer.api_key];
    const values = [
      ...bad.map((one) => `Bearer ${one}`),
      'Basic YTpi',
      'Bearer',
      text,
      `Bearer ${text}, Bearer ${text}`,
    ];
    const calls = values.map((authorization) => ({ key: customer.api_key, metadata: { authorization } }));
    const others: CallOf[] = [
      holding(stranger.api_key, text),
      { metadata: { authorization: `Bearer ${text}` } },
      { key: [customer.api_key, customer.api_key], metadata: { authorization: `Bearer ${text}` } },
    ];
    for (const how of [...calls, ...others]) {
      const about = JSON.stringify(how);
      for (const [method, request] of [
        ['EvaluateRisk', { context: GOOD }],
        ['BatchEvaluateRisk', { contexts: [] }],
      ] as const) {
        assert.equal((await callUnary(client, method, request, how)).code, status.UNAUTHENTICATED, about);
      }
      // Nothing is sent on it.
      const { end } = await collect(openStream(client, how));
      assert.equal(end.code, status.UNAUTHENTICATED, about);
    }
  });

  test('a key or token that is sent badly is refused, never passed over, and printed nowhere', async () => {
    const text = String(agent['token']);
    const good = `Bearer ${text}`;
    const key = customer.api_key;
    const message = encode('EvaluateRiskRequest', { context: FORBIDDEN });
    const none = encode('BatchEvaluateRiskRequest', { contexts: [FORBIDDEN] });
    const asked = encode('StreamEvaluateRiskRequest', { context: FORBIDDEN });
    const codesOf = async (headers: Headers): Promise<number[]> => {
      const sent = { 'x-api-key': key, ...headers } as OutgoingHttpHeaders;
      const [one, batch, stream] = await Promise.all([
        callRaw(weir.grpc, 'EvaluateRisk', message, sent),
        callRaw(weir.grpc, 'BatchEvaluateRisk', none, sent),
        callRaw(weir.grpc, 'StreamEvaluateRisk', asked, sent),
      ]);
      // On a stream what a token does not permit is in the answer.
      const { answer } = stream;
      const streamed = answer.length > 0 ? decodeAnswer(answer).error!.code : stream.code;
      return [one.code, batch.code, streamed];
    };
    const bad: Headers[] = [
      ...['é', '\u00a0', 'é '].flatMap((end) => [
        { authorization: `${good}${end}` },
        { 'x-api-key': `${key}${end}` },
        { 'x-api-key': `${end}${key}` },
      ]),
      ...['Bearer', 'Bearer ', 'Bearer \t ', ' Bearer ', 'é', `${good} x`].map((authorization) => ({ authorization })),
      ...[
        ['Bearer x', good],
        [good, 'Bearer x'],
        [good, good],
        ['', good],
      ].map((authorization) => ({ authorization })),
      ...[`Bearer x, ${good}`, `${good}, ${good}`].map((authorization) => ({ authorization })),
      { 'x-api-key': [key, key] },
      { 'x-api-key': ['', key] },
    ];
    for (const headers of bad)
      assert.deepEqual(await codesOf(headers), Array(3).fill(status.UNAUTHENTICATED), JSON.stringify(headers));
    // Blanks around a value are not part of it, as by REST: the token is seen, and does not permit this.
    const blanks = [`${good} `, ` ${good}`, `\t${good}\t`, `Bearer   ${text}`];
    const around: Headers[] = [...blanks.map((authorization) => ({ authorization })), { authorization: good }];
    for (const headers of [...around, { authorization: good, 'x-api-key': ` ${key}\t` }])
      assert.deepEqual(await codesOf(headers), Array(3).fill(status.PERMISSION_DENIED), JSON.stringify(headers));
    // A client of grpc-js sends blanks at the edges as well.
    for (const authorization of [`${good} `, ` ${good}`]) {
      const how = { key, metadata: { authorization } };
      const told = await callUnary(client, 'EvaluateRisk', { context: FORBIDDEN }, how);
      assert.equal(told.code, status.PERMISSION_DENIED, told.message);
    }
    const unset = { key, metadata: { authorization: 'Bearer ' } };
    assert.equal((await collect(openStream(client, unset))).end.code, status.UNAUTHENTICATED);
    for (const printed of [weir.stdout(), weir.stderr()])
      for (const secret of [text, key.slice(10)]) assert.ok(!printed.includes(secret), 'a secret was printed');
  });

  test('revoked on an open stream: the next request ends it, also for what is below', async () => {
    const { customer_id } = customer;
    const root = await made(weir, 'agent', { customer_id, bearer_jti: bearer['jti'], agent_id: 'r', rbac: RBAC });
    const child = await made(weir, 'subagent', { customer_id, parent_agent_jti: root['jti'], agent_id: 'c' });
    const [of_root, of_child] = [talk(root['token']), talk(child['token'])];
    for (const { ask } of [of_root, of_child]) assert.equal((await ask(GOOD)).error, null);
    await call(`${weir.auth}/tokens/${root['jti']}`, { method: 'DELETE' });
    of_root.stream.write({ context: GOOD });
    const { answers, end } = await of_root.done;
    assert.equal(end.code, status.UNAUTHENTICATED, end.message);
    assert.match(end.message, /revoked/);
    assert.equal(answers.length, 1);
    assert.equal((await of_child.ask(GOOD)).error, null);
    await call(`${weir.auth}/revoke/cascade/${root['jti']}`, { method: 'POST' });
    of_child.stream.write({ context: GOOD });
    assert.equal((await of_child.done).end.code, status.UNAUTHENTICATED);
  });

  test('expired on an open stream: the next request ends it', async (t) => {
    if (process.env['LONG_TESTS'] === undefined) return t.skip('expiry was NOT tested: a minute; set LONG_TESTS');
    const session = await sessionOf({ ttl_minutes: 1 });
    const { stream, done, ask } = talk(session['token']);
    assert.equal((await ask(GOOD)).error, null);
    await new Promise((resolve) => setTimeout(resolve, Date.parse(String(session['expires_at'])) - Date.now() + 1_000));
    stream.write({ context: GOOD });
    const { end } = await done;
    assert.equal(end.code, status.UNAUTHENTICATED);
    assert.match(end.message, /expired/);
  });
});

test('revoked by another process: an open stream ends within a second', async (t) => {
  if (NO_SERVER !== undefined) return t.skip(`two processes were NOT tested: ${NO_SERVER}`);
  const database = await makeDatabase();
  const env = {
    DATABASE_URL: database.url,
    MASTER_KEY: 'a master key that both processes share',
    BOOTSTRAP_CUSTOMER_ID: randomUUID(),
    BOOTSTRAP_API_KEY: newApiKey('weir'),
  };
  const starts = [startHostedWeir({ env, roles: 'auth' }), startWeir({ env, roles: 'engine' })] as const;
  let client: Client | undefined;
  try {
    const [auth, engine] = await Promise.all(starts);
    const { agent } = await familyOf(auth, env.BOOTSTRAP_CUSTOMER_ID);
    client = connect(engine.grpc);
    const stream = openStream(client, holding(env.BOOTSTRAP_API_KEY, agent['token']));
    const done = collect(stream);
    const first = once(stream, 'data');
    stream.write({ context: GOOD });
    await first;
    await call(`${auth.auth}/tokens/${agent['jti']}`, { method: 'DELETE' });
    // The promise, not a guess: what was revoked is refused everywhere after this long.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    stream.write({ context: GOOD });
    const { answers, end } = await done;
    assert.equal(end.code, status.UNAUTHENTICATED, end.message);
    assert.equal(answers.length, 1);
  } finally {
    client?.close();
    for (const start of await Promise.allSettled(starts)) if (start.status === 'fulfilled') await start.value.stop();
    await database.drop();
  }
});
