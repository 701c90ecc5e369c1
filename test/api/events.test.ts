/** POST /events: each way it can end. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { call, fullEvent, newCustomer, problem } from '../support/client.ts';
import { until } from '../support/patience.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

describe('POST /events', () => {
  let weir: SharedWeir;
  before(async () => {
    weir = await sharedWeir();
  });

  const post = (body: unknown, key = weir.api_key) => call(`${weir.api}/events`, { key, body });
  const total = async () =>
    (await call(`${weir.api}/scores/${weir.customer_id}/summary`, { key: weir.api_key })).json[
      'total_events'
    ] as number;

  test('the same event again is the same answer, and is stored once, also at the same time', async () => {
    const event = fullEvent();
    const before_count = await total();
    // A server that is short of time may answer 503, which stores nothing twice: its client sends the event again.
    const sent = async () => {
      let reply = await post(event);
      const isAnswered = async () => reply.status !== 503 || (reply = await post(event)).status !== 503;
      await until(isAnswered, 'the server has time for the event');
      return reply;
    };
    const replies = await Promise.all(Array.from({ length: 20 }, sent));
    for (const reply of replies) assert.deepEqual([reply.status, reply.text], [200, replies[0]!.text]);
    const keys_reordered = Object.fromEntries(Object.entries(event).reverse());
    assert.equal((await post(keys_reordered)).text, replies[0]!.text);
    assert.equal(await total(), before_count + 1);
  });

  test('a retry without a timestamp is a retry', async () => {
    const event = { event_id: randomUUID(), action: 'a:b:c' };
    const first = await post(event);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await post(event)).text, first.text);
  });

  test('the same event_id with other content is a conflict, also at the same time', async () => {
    const event_id = randomUUID();
    const replies = await Promise.all([1, 2, 3, 4].map((n) => post({ event_id, action: 'a:b:c', parameters: { n } })));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    problem(replies.find(({ status }) => status === 409)!, 409);
  });

  test('two customers may use the same event_id', async () => {
    const other = await newCustomer(weir);
    const event_id = randomUUID();
    assert.equal((await post({ event_id, action: 'a:b:c' })).status, 200);
    assert.equal((await post({ event_id, action: 'x:y:z' }, other.api_key)).status, 200);
    const mine = await call(`${weir.api}/scores/event/${event_id}`, { key: weir.api_key });
    const theirs = await call(`${weir.api}/scores/event/${event_id}`, { key: other.api_key });
    assert.deepEqual([mine.json['action'], theirs.json['action']], ['a:b:c', 'x:y:z']);
  });

  const refusals: [string, unknown][] = [
    ['/action', { event_id: 'x' }],
    ['/action', { action: null }],
    ['/action', { action: ['a:b:c'] }],
    ['/action', { action: 'a:b' }],
    ['/action', { action: 'a:b:c:d' }],
    ['/action', { action: 'a:*:c' }],
    ['/action', { action: 'a:b c:d' }],
    ['/action', { action: 'ſ:b:K' }],
    ['/event_id', { action: 'a:b:c', event_id: '' }],
    ['/event_id', { action: 'a:b:c', event_id: 'x'.repeat(129) }],
    ['/event_id', { action: 'a:b:c', event_id: '..' }],
    ['/event_id', { action: 'a:b:c', event_id: 'a\nb' }],
    ['/event_id', { action: 'a:b:c', event_id: 7 }],
    ['/timestamp', { action: 'a:b:c', timestamp: '2026-02-30T00:00:00Z' }],
    ['/timestamp', { action: 'a:b:c', timestamp: 'now' }],
    ['/timestamp', { action: 'a:b:c', timestamp: 1_768_471_200 }],
    ['/timestamp', { action: 'a:b:c', timestamp: null }],
    ['/agent', { action: 'a:b:c', agent: null }],
    ['/agent', { action: 'a:b:c', agent: [] }],
    ['/agent/agent_id', { action: 'a:b:c', agent: { agent_id: 1 } }],
    ['/agent/model', { action: 'a:b:c', agent: { model: 'm'.repeat(257) } }],
    ['/session/started_at', { action: 'a:b:c', session: { started_at: 'yesterday' } }],
    ['/target/sensitivity_level', { action: 'a:b:c', target: { sensitivity_level: null } }],
    ['/target/sensitivity_level', { action: 'a:b:c', target: { sensitivity_level: '4' } }],
    ['/target/sensitivity_level', { action: 'a:b:c', target: { sensitivity_level: 5 } }],
    ['/target/sensitivity_level', { action: 'a:b:c', target: { sensitivity_level: -1 } }],
    ['/target/sensitivity_level', { action: 'a:b:c', target: { sensitivity_level: false } }],
    ['/parameters', { action: 'a:b:c', parameters: [1] }],
    ['/parameters', { action: 'a:b:c', parameters: '{}' }],
    ['/mcp_context/is_verified', { action: 'a:b:c', mcp_context: { is_verified: 'false' } }],
    ['/mcp_context/is_verified', { action: 'a:b:c', mcp_context: { is_verified: 1 } }],
    ['/mcp_context/transport', { action: 'a:b:c', mcp_context: { transport: 'HTTP' } }],
    ['/data_fields_accessed', { action: 'a:b:c', data_fields_accessed: 'email' }],
    ['/data_fields_accessed/0/field', { action: 'a:b:c', data_fields_accessed: [{ classification: 'PII' }] }],
    ['/data_fields_accessed/1', { action: 'a:b:c', data_fields_accessed: ['email', null] }],
    ['/preceding_actions', { action: 'a:b:c', preceding_actions: 'a:b:c' }],
    ['/preceding_actions/0', { action: 'a:b:c', preceding_actions: [null] }],
    ['/preceding_actions', { action: 'a:b:c', preceding_actions: Array(1_001).fill('a:b:c') }],
    ['/user_context', { action: 'a:b:c', user_context: { text: 'x' } }],
    ['/conversation_history', { action: 'a:b:c', conversation_history: 'hi' }],
    ['/conversation_history/0', { action: 'a:b:c', conversation_history: ['hi'] }],
    ['/conversation_history/0/role', { action: 'a:b:c', conversation_history: [{ role: null }] }],
    ['/metadata', { action: 'a:b:c', metadata: [] }],
    ['', []],
    ['', null],
    ['', 'a:b:c'],
  ];
  for (const [path, body] of refusals) {
    test(`refused at ${path === '' ? 'the root' : path}: ${JSON.stringify(body).slice(0, 70)}`, async () => {
      const { errors } = problem(await post(JSON.stringify(body)), 400) as {
        errors: { path: string; message: string }[];
      };
      assert.ok(
        errors.some((error) => error.path === path),
        JSON.stringify(errors),
      );
    });
  }

  test('the edges that are allowed', async () => {
    for (const event of [
      { action: 'A.b:c-d:E_f', preceding_actions: Array(1_000).fill('nonsense') },
      { action: 'a:b:c', target: { sensitivity_level: 4, resource_id: '/'.repeat(4_096) } },
      { action: 'a:b:c', agent: {}, session: {}, target: {}, mcp_context: {}, parameters: {}, metadata: {} },
      { action: 'a:b:c', timestamp: '2999-01-01T00:00:00.123456+14:00' },
      { action: `${'a'.repeat(64)}:b:c`, conversation_history: [{}], data_fields_accessed: [] },
      { action: 'a:b:c', session: { session_id: 's\r\nX: y' } },
    ]) {
      const reply = await post(event);
      assert.equal(reply.status, 200, reply.text);
    }
  });

  test('any event_id that is taken is found again', async () => {
    const characters = fc.oneof(
      fc.constantFrom('/', '%', '?', '#', '.', ' ', '+', ':', '\\', '%2F', '..', '😀', 'é', '"'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    );
    const ids = fc.array(characters, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(ids, async (event_id) => {
        const scored = await post({ event_id, action: 'a:b:c' });
        if (scored.status !== 200) {
          assert.match(problem(scored, 400)['detail'] as string, /event_id/);
          return;
        }
        const path = `${weir.api}/scores/event/${encodeURIComponent(event_id)}`;
        const found = await call(path, { key: weir.api_key });
        assert.deepEqual([found.status, found.json['event_id']], [200, event_id]);
        const query = `${weir.api}/justification?event_id=${encodeURIComponent(event_id)}`;
        assert.equal((await call(query, { key: weir.api_key })).json['event_id'], event_id);
      }),
      { numRuns: 60 },
    );
  });

  test('metadata and unknown fields never change the score', async () => {
    const { event_id: _, ...event } = fullEvent();
    const plain = (await post(event)).json;
    const decorated = (await post({ ...event, metadata: { score: 0, risk_level: 'none' }, score: 0 })).json;
    const flags = (answer: typeof plain) => answer['behavioral_flags'] as string[];
    assert.deepEqual(flags(decorated), [...flags(plain), 'field_not_read:score']);
    assert.deepEqual(
      { ...decorated, event_id: '', behavioral_flags: [] },
      { ...plain, event_id: '', behavioral_flags: [] },
    );
  });
});
