/** Observing first: events are scored and counted, nothing is held, and the report says what would have been. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { weir as run } from '../cli/support.ts';
import { type Customer, call, newCustomer, problem } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

type Json = Record<string, unknown>;

describe('observe first', () => {
  let weir: SharedWeir;
  let customer: Customer;
  before(async () => {
    weir = await sharedWeir();
    customer = await newCustomer(weir);
  });

  const api = (path: string, body?: unknown, key = customer.api_key) =>
    call(`${weir.api}${path}`, { key, ...(body !== undefined && { body }) });
  const setPolicy = (policy: Json) =>
    api(`/policies/${customer.customer_id}`, { blocked_actions: ['db:prod:drop'], ...policy });
  const drop = (event: Json = {}, key?: string) => api('/events', { action: 'db:prod:drop', ...event }, key);
  const outcome = ({ json }: { json: Json }) => [
    json['would_have_held'],
    (json['hold'] as Json | null)?.['state'] ?? null,
  ];
  const summary = async () => (await api(`/scores/${customer.customer_id}/summary`)).json;

  test('a policy, an agent or a key is observed; all others are held', async () => {
    await setPolicy({});
    assert.deepEqual(outcome(await drop()), [false, 'held']);
    await setPolicy({ mode: 'observe' });
    const scored = await drop({ event_id: 'observed' });
    assert.deepEqual(outcome(scored), [true, null]);
    assert.equal(scored.json['risk_level'], 'critical');
    assert.deepEqual(outcome(await drop({ event_id: 'observed' })), [true, null], 'a retry');
    assert.deepEqual(outcome(await api('/events', { action: 'files:notes:read' })), [false, null]);
    assert.equal((await api('/scores/event/observed')).json['would_have_held'], true);

    await setPolicy({ mode: 'enforce', observed_agents: ['trial'] });
    assert.deepEqual(outcome(await drop({ agent: { agent_id: 'trial' } })), [true, null]);
    assert.deepEqual(outcome(await drop({ agent: { agent_id: 'Trial' } })), [false, 'held']);

    const second = await call(`${weir.auth}/api-keys`, { body: { customer_id: customer.customer_id, name: 'trial' } });
    await setPolicy({ observed_api_keys: [second.json['key_id']] });
    const trial_key = String(second.json['api_key']);
    assert.deepEqual(outcome(await drop({}, trial_key)), [true, null]);
    assert.deepEqual(outcome(await drop()), [false, 'held']);

    const events = [{ event_id: 'in-batch', action: 'db:prod:drop' }];
    assert.equal((await api('/events/batch', { events }, trial_key)).status, 202);
    const batched = await api('/scores/event/in-batch?wait=60');
    assert.deepEqual(outcome(batched), [true, null]);
    assert.equal((await summary())['would_have_held_count'], 4);
    const listed = (await api(`/scores/${customer.customer_id}?would_have_held=true`)).json;
    assert.equal(listed['total'], 4);
  });

  test('a mode that there is not is refused', async () => {
    const bad = problem(await setPolicy({ mode: 'watch' }), 400);
    assert.equal((bad['errors'] as { path: string }[])[0]?.path, '/mode');
    problem(await setPolicy({ observed_agents: 'all' }), 400);
  });

  test('the report says what was seen, why, and the smallest change of the policy, which works', async () => {
    await setPolicy({ mode: 'observe', blocked_actions: ['db:prod:drop', 'mail:box:send'] });
    for (let n = 0; n < 6; n += 1)
      await drop({ session: { session_id: `s-${n}`, user_id: 'ann <b>' }, agent: { agent_id: `a-${n % 2}` } });
    const env = { DATA_DIR: weir.data_dir, DATABASE_URL: '', REDIS_URL: '', LOG_LEVEL: 'warn' };
    const args = ['report', '--customer', customer.customer_id, '--days', '2'];
    const markdown = await run(args, { env });
    assert.equal(markdown.code, 0, markdown.stderr);
    assert.match(markdown.stdout, /^# Weir report, \d{4}-\d\d-\d\d to/);
    assert.match(markdown.stdout, /\| would have been held \| +10 \|/);
    assert.match(markdown.stdout, /ann &lt;b>/);
    const html = await run([...args, '--format', 'html'], { env });
    assert.match(html.stdout, /^<!doctype html>/);
    assert.match(html.stdout, /ann &lt;b&gt;/);

    const made = JSON.parse((await run([...args, '--format', 'json'], { env })).stdout) as {
      total: number;
      would_have_held: number;
      groups: { action: string; events: number; change: { text: string; policy: Json; after: number } }[];
    };
    assert.equal(made.total, (await summary())['total_events']);
    assert.equal(made.would_have_held, (await summary())['would_have_held_count']);
    const [group] = made.groups;
    assert.equal(group!.action, 'db:prod:drop');
    assert.match(group!.change?.text ?? '', /^take `db:prod:drop` out of `blocked_actions`/);
    await setPolicy({ ...group!.change.policy, mode: 'enforce' });
    const scored = await drop();
    assert.equal(scored.json['hold'], null);
    // Its session is new, and those of the report had a past.
    assert.ok((scored.json['score'] as number) <= group!.change.after);
  });
});
