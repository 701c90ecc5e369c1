/** Held events over HTTP, from the score to the decision: what an agent, an operator and an enforcing side see. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { verifyDecision } from '../../src/verify.ts';
import { type Customer, call, newCustomer, problem, type Reply } from '../support/client.ts';
import { startWeir, type Weir } from '../support/weir.ts';

type Json = Record<string, unknown>;

describe('held events over HTTP', () => {
  let weir: Weir;
  let customer: Customer;
  before(async () => {
    weir = await startWeir();
    customer = await newCustomer(weir);
    await setPolicy({});
  });
  after(() => weir.stop());

  const api = (path: string, body?: unknown, key = customer.api_key): Promise<Reply> =>
    call(`${weir.api}${path}`, { key, ...(body !== undefined && { body }) });
  const setPolicy = async (policy: Json): Promise<Reply> =>
    api(`/policies/${customer.customer_id}`, { blocked_actions: ['db:prod:drop'], ...policy });
  const dropAll = () => ({
    event_id: randomUUID(),
    action: 'DB:prod:drop',
    target: { resource_type: 'table', resource_id: 'orders' },
    parameters: { cascade: true, '10': 'a', '9': 'b', text: 'nul \u0000' },
    user_context: 'clean up',
  });
  type Hold = { state: string; cosignature?: string; reason: string | null; decided_at: string | null } | null;
  const holdOf = (reply: Reply): Hold => {
    assert.equal(reply.status, 200, reply.text);
    return reply.json['hold'] as Hold;
  };
  const issue = (event_id: string, parts: Json = {}): Promise<Reply> =>
    call(`${weir.auth}/tokens/override`, {
      body: { customer_id: customer.customer_id, event_id, allowed_decisions: ['approve', 'reject'], ...parts },
    });
  const decide = (event_id: string, override_token: unknown, decision: string, reason = 'seen'): Promise<Reply> =>
    call(`${weir.auth}/overrides/${event_id}/decide`, { body: { override_token, decision, reason } });

  test('held, waited for, approved once, and proven offline', async () => {
    const event = dropAll();
    const { event_id } = event;
    const scored = await api('/events', event);
    assert.deepEqual([scored.json['risk_level'], holdOf(scored)?.state], ['critical', 'held']);
    assert.equal(holdOf(await api('/events', event))?.state, 'held', 'a retry');
    const waiting = api(`/scores/event/${event_id}?wait=60`);
    const issued = await issue(event_id, { ttl_minutes: 5 });
    assert.equal(issued.status, 201, issued.text);
    assert.match(String(issued.json['token']), /^weir_override_/);
    assert.deepEqual(issued.json['allowed_decisions'], ['approve', 'reject']);
    const decided = await decide(event_id, issued.json['token'], 'approve');
    assert.equal(decided.status, 200, decided.text);
    const { decision, status, reason, decided_at, cosignature } = decided.json;
    assert.deepEqual([decision, status, reason], ['approve', 'approved', 'seen']);
    const seen = holdOf(await waiting)!;
    assert.deepEqual([seen.state, seen.reason, seen.decided_at], ['approved', 'seen', decided_at]);
    assert.equal(seen.cosignature, cosignature);
    assert.equal(holdOf(await api('/events', event))?.state, 'approved', 'a retry tells what stands');
    const second = await decide(event_id, issued.json['token'], 'reject');
    const stands = problem(second, 409);
    assert.deepEqual([stands['decision'], stands['state']], ['approve', 'approved']);
    problem(await issue(event_id), 409);

    const keys = (await call(`${weir.auth}/keys/jwks/${customer.customer_id}`)).json as never;
    assert.equal(verifyDecision(String(cosignature), keys, event)?.decision, 'approve');
    const other = { ...event, parameters: { ...event.parameters, cascade: false } };
    assert.equal(verifyDecision(String(cosignature), keys, other), null);
  });

  test('the threshold is the policy’s, and only levels are thresholds', async () => {
    for (const [hold_threshold, is_held] of [
      ['none', false],
      ['critical', true],
      ['low', true],
    ] as const) {
      assert.ok((await setPolicy({ hold_threshold })).status < 300);
      assert.equal(holdOf(await api('/events', dropAll())) !== null, is_held, hold_threshold);
    }
    const bad = problem(await setPolicy({ hold_threshold: 'severe' }), 400);
    assert.equal((bad['errors'] as { path: string }[])[0]?.path, '/hold_threshold');
    assert.ok((await setPolicy({ hold_threshold: 'critical' })).status < 300);
    const free = await api('/events', { action: 'files:notes:read' });
    assert.equal(holdOf(free), null);
    problem(await issue(String(free.json['event_id'])), 409);
    await setPolicy({});
  });

  test('batches are held as well, and lists find what is held', async () => {
    const own = await newCustomer(weir);
    const policy = { blocked_actions: ['db:prod:drop'] };
    await api(`/policies/${own.customer_id}`, policy, own.api_key);
    const events = [dropAll(), dropAll(), { event_id: randomUUID(), action: 'files:notes:read' }];
    assert.equal((await api('/events/batch', { events }, own.api_key)).status, 202);
    const wait = `/scores/event/${events[2]!.event_id}?wait=60`;
    assert.equal(holdOf(await api(wait, undefined, own.api_key)), null, 'answered as soon as it was scored');
    const list = async (filter: string): Promise<Json> =>
      (await api(`/scores/${own.customer_id}?${filter}`, undefined, own.api_key)).json;
    while ((await list(''))['total'] !== 3) await new Promise((done) => setTimeout(done, 50));
    const held = await list('hold=held');
    assert.equal(held['total'], 2);
    const [one] = held['scores'] as { hold: Hold; event_id: string }[];
    assert.equal(one?.hold?.state, 'held');
    const token = await issue(one!.event_id, { customer_id: own.customer_id });
    assert.equal((await decide(one!.event_id, token.json['token'], 'reject')).status, 200);
    const totals = [];
    for (const state of ['held', 'approved', 'rejected', 'expired'])
      totals.push((await list(`hold=${state}`))['total']);
    assert.deepEqual(totals, [1, 0, 1, 0]);
    problem(await api(`/scores/${own.customer_id}?hold=maybe`, undefined, own.api_key), 400);
  });

  test('bad requests, and what is not one’s own', async () => {
    const { event_id } = dropAll();
    const event = { ...dropAll(), event_id };
    await api('/events', event);
    const stranger = await newCustomer(weir);
    for (const wait of ['61', '-1', '1.5', 'x', '']) problem(await api(`/scores/event/${event_id}?wait=${wait}`), 400);
    const foreign = await api(`/scores/event/${event_id}?wait=60`, undefined, stranger.api_key);
    const unknown = await api(`/scores/event/${randomUUID()}?wait=60`, undefined, stranger.api_key);
    assert.equal(problem(foreign, 404)['detail'], problem(unknown, 404)['detail']);
    const body = { customer_id: stranger.customer_id };
    assert.equal(
      problem(await issue(event_id, body), 404)['detail'],
      problem(await issue('never', body), 404)['detail'],
    );
    const { token } = (await issue(event_id, { allowed_decisions: ['reject'] })).json;
    problem(await decide(event_id, token, 'approve'), 403);
    problem(await decide('another', token, 'reject'), 403);
    for (const decision of ['escalate', 'APPROVE', '']) problem(await decide(event_id, token, decision), 400);
    problem(await decide(event_id, 'weir_override_x', 'reject'), 401);
    problem(await decide(event_id, token, 'reject', 'nul \u0000'), 400);
    assert.equal(holdOf(await api(`/scores/event/${event_id}`))?.state, 'held');
  });

  test('anyone who waits is answered when the server stops', async () => {
    const event = dropAll();
    await api('/events', event);
    const waiting = api(`/scores/event/${event.event_id}?wait=60`);
    await new Promise((done) => setTimeout(done, 200));
    // On its way: read before the answer to what was asked so much later.
    await call(`${weir.api}/health`);
    const { code } = await weir.stop();
    assert.equal(code, 0);
    assert.equal(holdOf(await waiting)?.state, 'held');
  });
});
