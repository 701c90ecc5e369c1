/** POST /events/batch over HTTP: all or none, durable, each scored once, in order within a session. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Customer, call, newCustomer, problem, type Reply } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';
import { removeStreams } from '../support/nats.ts';
import { until } from '../support/patience.ts';

const read = (event_id: string, more: object = {}) => ({ event_id, action: 'repo:code:read', ...more });

for (const { name, env, skip } of queues()) {
  describe(`POST /events/batch, ${name}`, { skip }, () => batchTests(env));
}

/** The same promises, no matter who tells the workers. */
function queues(): { name: string; env: Record<string, string>; skip: string | false }[] {
  const nats = process.env['TEST_NATS_URL'];
  return [
    { name: 'the database as queue', env: {}, skip: false },
    {
      name: 'announced over NATS',
      env: { NATS_URL: nats ?? '', NATS_PREFIX: `test_${randomBytes(6).toString('hex')}` },
      skip: nats === undefined && 'SKIPPED: set TEST_NATS_URL to a NATS server with JetStream',
    },
  ];
}

function batchTests(env: Record<string, string>): void {
  let weir: HostedWeir;
  let customer: Customer;
  before(async () => {
    weir = await startHostedWeir({ env });
    customer = await newCustomer(weir);
  });
  after(async () => {
    await weir?.stop();
    if (env['NATS_URL']) await removeStreams(env['NATS_URL'], env['NATS_PREFIX']!);
  });

  const submit = (body: unknown, who = customer): Promise<Reply> =>
    call(`${weir.api}/events/batch`, { key: who.api_key, body });
  const get = (path: string, who = customer): Promise<Reply> => call(`${weir.api}${path}`, { key: who.api_key });

  /** Asks for an event until it is scored. */
  async function scored(event_id: string, who = customer): Promise<Reply> {
    let reply!: Reply;
    await until(async () => {
      reply = await get(`/scores/event/${event_id}`, who);
      if (reply.status !== 202) return true;
      assert.deepEqual(reply.json, { event_id, status: 'pending' });
      return false;
    }, `${event_id} is scored`);
    return reply;
  }

  test('is accepted at once and scored like an event of its own', async () => {
    const event = { action: 'bank:money:transfer', parameters: { recipient: 'GB29NWBK60161331926819', amount: 900 } };
    const reply = await submit({ events: [{ ...event, event_id: 'b-1' }, event, read('b-3')] });
    assert.equal(reply.status, 202, reply.text);
    const event_ids = reply.json['event_ids'] as string[];
    assert.equal(reply.json['count'], 3);
    assert.equal(event_ids[0], 'b-1');
    assert.match(event_ids[1]!, /^[0-9a-f-]{36}$/);
    const alone = await call(`${weir.api}/events`, { key: customer.api_key, body: event });
    for (const event_id of event_ids.slice(0, 2)) {
      const reply = await scored(event_id);
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.json['final_score'], alone.json['score']);
    }
    assert.equal((await get('/justification?event_id=b-1')).status, 200);
  });

  test('1,000 events of 40 sessions: each is scored once, those of one session in order', async () => {
    const who = await newCustomer(weir);
    const events = Array.from({ length: 1_000 }, (_, n) => read(`e-${n}`, { session: { session_id: `s-${n % 40}` } }));
    const reply = await submit({ events }, who);
    assert.equal(reply.status, 202, reply.text);
    assert.deepEqual(
      reply.json['event_ids'],
      events.map(({ event_id }) => event_id),
    );
    for (const { event_id } of events.slice(-40)) await scored(event_id, who);
    const summary = await get(`/scores/${who.customer_id}/summary`, who);
    assert.equal(summary.json['total_events'], 1_000);
    const order = new Map<string, string[]>();
    for (let page = 10; page >= 1; page -= 1) {
      const list = await get(`/scores/${who.customer_id}?per_page=100&page=${page}`, who);
      for (const { event_id } of (list.json['scores'] as { event_id: string }[]).toReversed()) {
        const session = String(Number(event_id.slice(2)) % 40);
        order.set(session, [...(order.get(session) ?? []), event_id]);
      }
    }
    for (const [session, ids] of order) {
      const expected = events
        .map(({ event_id }) => event_id)
        .filter((id) => Number(id.slice(2)) % 40 === Number(session));
      assert.deepEqual(ids, expected, `session ${session}`);
    }
  });

  test('one invalid event refuses all, and is named', async () => {
    const reply = await submit({ events: [read('all-1'), read('all-2'), { event_id: 'all-3', action: 'nonsense' }] });
    const body = problem(reply, 400);
    assert.match(String(body['detail']), /^event 2 of the batch: .*nothing was accepted$/);
    assert.equal((body['errors'] as { path: string }[])[0]?.path, '/events/2/action');
    await sleep(200);
    assert.equal((await get('/scores/event/all-1')).status, 404);
  });

  test('sent again it is one batch; other content under a known id refuses all', async () => {
    const who = await newCustomer(weir);
    const events = [read('x-1'), read('x-2')];
    for (const _ of [1, 2, 3]) assert.equal((await submit({ events }, who)).status, 202);
    await scored('x-2', who);
    assert.equal((await submit({ events }, who)).status, 202);
    const clash = await submit({ events: [read('x-3'), { ...read('x-2'), user_context: 'another' }] }, who);
    assert.match(String(problem(clash, 409)['detail']), /^event 1 of the batch: event_id `x-2` was used before/);
    assert.equal((await get('/scores/event/x-3', who)).status, 404);
    const twins = await submit({ events: [read('x-4'), { ...read('x-4'), user_context: 'another' }] }, who);
    problem(twins, 409);
    assert.equal((await submit({ events: [read('x-5'), read('x-5')] }, who)).json['count'], 2);
    await scored('x-5', who);
    assert.equal((await get(`/scores/${who.customer_id}/summary`, who)).json['total_events'], 3);
  });

  test('the limits: 1 to 1,000 events, 16 MiB together, 1 MiB and 10,000 keys each', async () => {
    problem(await submit({ events: [] }), 400);
    problem(await submit({}), 400);
    problem(await submit({ events: [read('l')], more: 1 }), 400);
    problem(await submit([read('l')]), 400);
    problem(await submit({ events: Array.from({ length: 1_001 }, (_, n) => read(`l-${n}`)) }), 400);
    const big = problem(await submit({ events: [read('l', { user_context: 'x'.repeat(2 ** 20) })] }), 400);
    assert.match(String(big['detail']), /event 0 of the batch: it is larger than 1 MiB/);
    const keys = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, n]));
    assert.match(
      String(problem(await submit({ events: [read('l', { parameters: keys })] }), 400)['detail']),
      /more than 10000 keys/,
    );
    // Counted before anything is judged: nothing else is said of it, wrong as it is.
    const many = { event_id: 'l', action: 7, preceding_actions: Array(500_000).fill(1) };
    const counted = problem(await submit({ events: [read('l-1'), many] }), 400)['errors'] as { path: string }[];
    assert.deepEqual(
      counted.map(({ path }) => path),
      ['/events/1/preceding_actions'],
    );
    const text = JSON.stringify({ events: [read('l', { metadata: { text: 'x'.repeat(16 * 2 ** 20) } })] });
    problem(await submit(text), 413);
    assert.equal((await get('/scores/event/l')).status, 404);
  });

  test('one event has the same limits as alone: its levels, and its size as it was sent', async () => {
    const nested = (levels: number) =>
      `{"action":"a:b:c","parameters":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    // Written out, a number of four characters has twenty-one.
    const numbers = (length: number) =>
      `{"action":"a:b:c","metadata":{"n":[${Array(19_000).fill('1e20').join()}],"t":"${'x'.repeat(length)}"}}`;
    for (const [event, status] of [
      [nested(63), 200],
      [nested(64), 400],
      [numbers(700_000), 200],
      [numbers(2 ** 20 - 95_000), 413],
    ] as const) {
      const alone = await call(`${weir.api}/events`, { method: 'POST', key: customer.api_key, body: event });
      assert.equal(alone.status, status, alone.text.slice(0, 200));
      const batch = await call(`${weir.api}/events/batch`, {
        method: 'POST',
        key: customer.api_key,
        body: `{ "events" : [ ${event}\n] }`,
      });
      assert.equal(batch.status, status === 200 ? 202 : 400, batch.text.slice(0, 200));
      if (status === 400) assert.match(batch.text, /event 0 of the batch: it is nested deeper than 64 levels/);
    }
  });

  test('1,000 events with 600 keys each; 2,000,000 values and no more', async () => {
    const keys = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`key_${n}`, n]));
    const events = (count: number, metadata: object) =>
      Array.from({ length: count }, (_, n) => ({ event_id: `v-${count}-${n}`, action: 'a:b:c', metadata }));
    const reply = await submit({ events: events(1_000, keys) });
    assert.equal(reply.status, 202, reply.text);
    // With the event, its id, its action, its metadata and the list: 20,000.
    const list = { list: Array(19_995).fill(0) };
    assert.equal((await submit({ events: events(100, list) })).status, 202);
    const refused = problem(await submit({ events: events(101, list) }), 400);
    assert.equal(refused['detail'], 'the body holds more than 2000000 values; split it');
  });

  test('unknown fields of all its events are named, each once', async () => {
    const events = [read('u-1', { zone: 1 }), read('u-2'), read('u-3', { zone: 2, agent: { colour: 'red' } })];
    assert.equal((await submit({ events })).headers.get('weir-ignored-fields'), 'zone, agent.colour');
    assert.equal((await submit({ events: [read('u-4')] })).headers.get('weir-ignored-fields'), null);
    const many = Array.from({ length: 1_000 }, (_, n) => read(`u-5-${n}`, { [`field_${n}`]: 1 }));
    assert.match(
      (await submit({ events: many })).headers.get('weir-ignored-fields') ?? '',
      /^field_0, .{900,1000}, \.\.\.$/,
    );
  });

  test('what is no JSON is named by its place', async () => {
    const raw = (text: string) =>
      call(`${weir.api}/events/batch`, { method: 'POST', key: customer.api_key, body: text });
    const body = problem(await raw('{"events":[{"action":"a:b:c"},{"action":"a:b:c","n":9007199254740993}]}'), 400);
    assert.match(String(body['detail']), /^event 1 of the batch: it holds an integer that has more digits/);
    assert.deepEqual(body['errors'], [
      { path: '/events/1/n', message: 'more digits than a double keeps; send it as text' },
    ]);
    problem(await raw('{"events":[{"action":"a:b:c"} {"action":"a:b:c"}]}'), 400);
    problem(await raw('{"events":[{"action":"a:b:c"},]}'), 400);
    problem(await raw('{"events":[{"action":"a:b:c"}],"events":[{"action":"a:b:c"}]}'), 400);
    problem(await raw('{"events":[{"action":"a:b:c"}]'), 400);
  });

  test('needs a key, and is the key’s own', async () => {
    problem(await call(`${weir.api}/events/batch`, { body: { events: [read('k')] } }), 401);
    const other = await newCustomer(weir);
    await submit({ events: [read('mine')] });
    await scored('mine');
    const foreign = await get('/scores/event/mine', other);
    const unknown = await get('/scores/event/never', other);
    assert.equal(foreign.status, 404);
    assert.equal(foreign.json['detail'], unknown.json['detail']);
  });
}
