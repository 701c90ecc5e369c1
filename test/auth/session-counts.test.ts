/**
 * A session token's events over two nodes on one database, by both doors: what is sent twice at once is one event and is
 * counted once, and what does not fit takes nothing from what does. `TEST_ROUNDS` sets how many races (default 12).
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, status } from '@grpc/grpc-js';
import { newApiKey } from '../../src/platform/ids.ts';
import { callUnary, connect } from '../grpc/client.ts';
import { call, type Reply } from '../support/client.ts';
import { rounds } from '../support/rounds.ts';
import { connectTo, makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { startWeir, type Weir } from '../support/weir.ts';
import { USUAL_LIMITS_ENV } from '../support/wide-limits.ts';

const RACES = rounds(12);

type Json = Record<string, unknown>;

const WAITING = `select from pg_locks
where not granted and database = (select oid from pg_database where datname = current_database())`;

describe('the events of a session, on two nodes', { skip: NO_SERVER ?? false }, () => {
  const env = {
    MASTER_KEY: 'a master key that both processes share',
    BOOTSTRAP_CUSTOMER_ID: randomUUID(),
    BOOTSTRAP_API_KEY: newApiKey('weir'),
    DATABASE_URL: '',
  };
  const customer_id = env.BOOTSTRAP_CUSTOMER_ID;
  const key = env.BOOTSTRAP_API_KEY;
  let database: TestDatabase;
  let nodes: [Weir, Weir];
  let clients: [Client, Client];
  let agent: Json;
  before(async () => {
    database = await makeDatabase();
    env.DATABASE_URL = database.url;
    nodes = await Promise.all([startWeir({ env }), startWeir({ env })]);
    clients = [connect(nodes[0].grpc), connect(nodes[1].grpc)];
    const app = await made('app', { customer_id });
    const bearer = await made('bearer', { customer_id, app_token_hash: app['token_hash'] });
    const rbac = { allowed_actions: ['*'], allowed_resources: ['*'], max_sensitivity_level: 4 };
    agent = await made('agent', { customer_id, bearer_jti: bearer['jti'], agent_id: 'a', rbac });
  });
  after(async () => {
    for (const client of clients ?? []) client.close();
    for (const weir of nodes ?? []) await weir.stop();
    await database?.drop();
  });

  async function made(kind: string, body: Json): Promise<Json> {
    const reply = await call(`${nodes[0].auth}/tokens/${kind}`, { body });
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  }
  const sessionOf = (max_events: number): Promise<Json> =>
    made('session', { customer_id, parent_jti: agent['jti'], session_id: randomUUID(), max_events });
  const usedBy = async ({ jti }: Json): Promise<unknown> =>
    ((await call(`${nodes[0].auth}/tokens/${jti}/tree`)).json['tokens'] as Json[]).at(-1)!['used_events'];
  const eventsOf = (count: number): Json[] =>
    Array.from({ length: count }, () => ({ event_id: randomUUID(), action: 'file:doc:read' }));
  const holding = ({ token }: Json) => ({ key, headers: { authorization: `Bearer ${token}` } });
  const score = (node: 0 | 1, session: Json, body: Json): Promise<Reply> =>
    call(`${nodes[node].api}/events`, { ...holding(session), body });
  const batch = (node: 0 | 1, session: Json, events: Json[]): Promise<Reply> =>
    call(`${nodes[node].api}/events/batch`, { ...holding(session), body: { events } });
  const grpc = async (node: 0 | 1, { token }: Json, method: string, request: Json): Promise<number> =>
    (await callUnary(clients[node], method, request, { key, metadata: { authorization: `Bearer ${token}` } })).code;
  /** How often each pair of results came, in `RACES` races. */
  const tallyOf = async (race: () => Promise<number[]>): Promise<Record<string, number>> => {
    const tally: Record<string, number> = {};
    for (let n = 0; n < RACES; n += 1) {
      const pair = (await race()).sort((a, b) => a - b).join();
      tally[pair] = (tally[pair] ?? 0) + 1;
    }
    return tally;
  };
  const statuses = async (replies: Promise<Reply>[]) => (await Promise.all(replies)).map((reply) => reply.status);

  test('the last event, twice at once, is one event', async () => {
    const tally = await tallyOf(async () => {
      const session = await sessionOf(1);
      const [event] = eventsOf(1) as [Json];
      const pair = await statuses([score(0, session, event), score(1, session, event)]);
      assert.equal(await usedBy(session), 1);
      assert.equal((await score(0, session, eventsOf(1)[0]!)).status, 429);
      return pair;
    });
    assert.deepEqual(tally, { '200,200': RACES });
  });

  test('the same by gRPC and REST, and on one node', async () => {
    const tally = await tallyOf(async () => {
      const session = await sessionOf(1);
      const [event] = eventsOf(1) as [Json];
      const by_grpc = [0, 0, 1].map((node) => grpc(node as 0 | 1, session, 'EvaluateRisk', { context: event }));
      const [{ status: rest }, ...codes] = await Promise.all([score(0, session, event), ...by_grpc]);
      assert.equal(await usedBy(session), 1);
      return [rest, ...codes];
    });
    assert.deepEqual(tally, { [`${status.OK},${status.OK},${status.OK},200`]: RACES });
  });

  test('an identical batch, twice at once, is one batch', async () => {
    const tally = await tallyOf(async () => {
      const session = await sessionOf(10);
      const events = eventsOf(10);
      const pair = await statuses([batch(0, session, events), batch(1, session, events.toReversed())]);
      assert.equal(await usedBy(session), 10);
      return pair;
    });
    assert.deepEqual(tally, { '202,202': RACES });
  });

  test('of two batches that do not fit together exactly one is taken, and the other takes nothing', async () => {
    const tally = await tallyOf(async () => {
      const session = await sessionOf(10);
      const both = [eventsOf(6), eventsOf(6)] as const;
      const pair = await statuses([batch(0, session, both[0]), batch(1, session, both[1])]);
      assert.equal(await usedBy(session), 6);
      return pair;
    });
    assert.deepEqual(tally, { '202,429': RACES });
  });

  test('the same two by gRPC: an identical batch is one, of two that do not fit one is scored', async () => {
    const send = (node: 0 | 1, session: Json, contexts: Json[]) =>
      grpc(node, session, 'BatchEvaluateRisk', { contexts });
    const twins = await tallyOf(async () => {
      const session = await sessionOf(10);
      const contexts = eventsOf(10);
      const pair = await Promise.all([send(0, session, contexts), send(1, session, contexts)]);
      assert.equal(await usedBy(session), 10);
      return pair;
    });
    assert.deepEqual(twins, { [`${status.OK},${status.OK}`]: RACES });
    const rivals = await tallyOf(async () => {
      const session = await sessionOf(10);
      const pair = await Promise.all([send(0, session, eventsOf(6)), send(1, session, eventsOf(6))]);
      assert.equal(await usedBy(session), 6);
      return pair;
    });
    assert.deepEqual(rivals, { [`${status.OK},${status.RESOURCE_EXHAUSTED}`]: RACES });
  });

  test('events alone and in batches by all doors at once: each is counted once, and there is room for all', async () => {
    const tally = await tallyOf(async () => {
      const session = await sessionOf(6);
      const events = eventsOf(6);
      const [first] = events as [Json];
      const [rest, codes] = await Promise.all([
        statuses([score(0, session, first), batch(1, session, events), batch(0, session, events.slice(0, 3))]),
        Promise.all([
          grpc(1, session, 'EvaluateRisk', { context: first }),
          grpc(0, session, 'BatchEvaluateRisk', { contexts: events.slice(2) }),
        ]),
      ]);
      assert.equal(await usedBy(session), 6);
      return [...rest, ...codes];
    });
    assert.deepEqual(tally, { [`${status.OK},${status.OK},200,202,202`]: RACES });
  });

  test('a batch that is too large for what is left says so, and is in the audit log', async () => {
    const session = await sessionOf(5);
    assert.equal((await batch(0, session, eventsOf(3))).status, 202);
    const events = eventsOf(3);
    const refused = await batch(1, session, events);
    assert.equal(refused.status, 429);
    assert.equal(refused.json['reason'], 'session_is_spent');
    assert.match(String(refused.json['detail']), /`5` events and `2` are left, but this batch has `3` new ones/);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    const { json } = await call(`${nodes[0].auth}/audit?customer_id=${customer_id}`);
    const line = (json['entries'] as Json[]).find(({ subject }) => subject === events[0]!['event_id'])!;
    assert.equal(line['action'], 'event.denied');
    const { reason, room, wanted } = line['details'] as Json;
    assert.deepEqual({ reason, room, wanted }, { reason: 'session_is_spent', room: 2, wanted: 3 });
    assert.equal((await batch(1, session, events.slice(0, 2))).status, 202);
    assert.equal(await usedBy(session), 5);
  });

  test('killed between the count and the record: the event that comes again has its count', async () => {
    const session = await sessionOf(1);
    const [event] = eventsOf(1) as [Json];
    const doomed = await startWeir({ env: { ...env, ...USUAL_LIMITS_ENV } });
    const blocker = await connectTo(database.url);
    try {
      await blocker.query('begin; lock table events in share mode');
      const sent = call(`${doomed.api}/events`, { ...holding(session), body: event }).catch(() => null);
      while ((await usedBy(session)) !== 1) await sleep(5);
      const gone = once(doomed.child, 'exit');
      doomed.child.kill('SIGKILL');
      await gone;
      assert.equal(await sent, null, 'nobody was answered');
      // What its connection still waits for is given up within the second that the database lets it wait.
      const isWaiting = async () => (await blocker.query(WAITING)).rows.length > 0;
      while (await isWaiting()) await sleep(20);
    } finally {
      await blocker.end();
      await doomed.stop();
    }
    assert.equal((await score(0, session, event)).status, 200);
    assert.equal((await score(1, session, eventsOf(1)[0]!)).status, 429);
    assert.equal(await usedBy(session), 1);
  });
});
