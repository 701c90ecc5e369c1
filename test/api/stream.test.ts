/** The stream of scores, holds and decisions, as a console or a collector reads it, over two nodes on one database. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Customer, call, newCustomer, problem } from '../support/client.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { type AnyWeir, startWeir } from '../support/weir.ts';

interface Message {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** Reads messages until there are `wanted` different ones, then closes the connection. */
async function read(
  url: string,
  key: string,
  wanted: number,
  options: { last_id?: string; onOpen?: () => unknown } = {},
) {
  const closing = new AbortController();
  const headers = { 'x-api-key': key, ...(options.last_id !== undefined && { 'last-event-id': options.last_id }) };
  const response = await fetch(url, { headers, signal: closing.signal });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const found = new Map<string, Message>();
  let text = '';
  let is_open = false;
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (!is_open && text.includes(': weir')) {
      is_open = true;
      void options.onOpen?.();
    }
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      if (fields['event'] === undefined) continue;
      const data = JSON.parse(fields['data']!) as Record<string, unknown>;
      found.set(`${fields['event']} ${String(data['event_id'])}`, { id: fields['id']!, event: fields['event']!, data });
    }
    if (found.size >= wanted) break;
  }
  closing.abort();
  return [...found.values()];
}

describe('the stream of events', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  let nodes: [AnyWeir, AnyWeir];
  let customer: Customer;
  before(async () => {
    database = await makeDatabase();
    const env = { DATABASE_URL: database.url, MASTER_KEY: 'a'.repeat(64) };
    nodes = [await startHostedWeir({ env }), await startWeir({ env })];
    customer = await newCustomer(nodes[0]);
    const policy = { blocked_actions: ['db:prod:drop'] };
    await call(`${nodes[0].api}/policies/${customer.customer_id}`, { key: customer.api_key, body: policy });
  });
  after(async () => {
    for (const node of nodes ?? []) await node.stop();
    await database?.drop();
  });
  const send = (event: Record<string, unknown>, node = nodes[1]) =>
    call(`${node.api}/events`, { key: customer.api_key, body: event });

  test('scores, holds and decisions of either node arrive, in order, and can be resumed', async () => {
    const [calm, risky] = [randomUUID(), randomUUID()];
    const act = async () => {
      await send({ event_id: calm, action: 'files:notes:read', agent: { agent_id: 'a-1' } });
      await send({ event_id: risky, action: 'db:prod:drop', session: { session_id: 's-1', user_id: 'ann' } }, nodes[0]);
      const body = { customer_id: customer.customer_id, event_id: risky, allowed_decisions: ['reject'] };
      const { token } = (await call(`${nodes[1].auth}/tokens/override`, { body })).json;
      const decision = { override_token: token, decision: 'reject', reason: 'no' };
      await call(`${nodes[1].auth}/overrides/${risky}/decide`, { body: decision });
    };
    const seen = await read(`${nodes[0].api}/events/stream`, customer.api_key, 4, { onOpen: act });
    const names = seen.map(({ event, data }) => `${event} ${data['event_id'] === calm ? 'calm' : 'risky'}`);
    assert.deepEqual(names, ['event.scored calm', 'event.scored risky', 'event.held risky', 'event.decided risky']);
    const decided = seen.at(-1)!.data;
    assert.deepEqual(
      [decided['action'], decided['user_id'], (decided['hold'] as { state: string }).state],
      ['db:prod:drop', 'ann', 'rejected'],
    );
    const again = await read(`${nodes[1].api}/events/stream?types=event.decided`, customer.api_key, 1, {
      last_id: seen[0]!.id,
    });
    assert.deepEqual(
      again.map(({ event, data }) => [event, data['event_id']]),
      [['event.decided', risky]],
    );
  });

  test('each customer sees its own, each key has a few streams, and bad ids are refused', async () => {
    const stranger = await newCustomer(nodes[0]);
    const url = `${nodes[0].api}/events/stream`;
    const own = read(url, stranger.api_key, 1, {
      onOpen: async () => {
        await send({ action: 'files:notes:read' });
        await call(`${nodes[0].api}/events`, { key: stranger.api_key, body: { event_id: 'own', action: 'a:b:c' } });
      },
    });
    assert.deepEqual(
      (await own).map(({ data }) => data['event_id']),
      ['own'],
    );

    const crowd = await newCustomer(nodes[0]);
    const open = async (signal: AbortSignal) =>
      (await fetch(url, { headers: { 'x-api-key': crowd.api_key }, signal })).status;
    const opened = new AbortController();
    for (let n = 0; n < 8; n += 1) assert.equal(await open(opened.signal), 200);
    problem(await call(url, { key: crowd.api_key }), 429);
    opened.abort();
    const later = new AbortController();
    while ((await open(later.signal)) === 429) await new Promise((done) => setTimeout(done, 20));
    later.abort();
    const headers = { 'last-event-id': 'yesterday' };
    problem(await call(url, { key: stranger.api_key, headers }), 400);
    problem(await call(`${url}?types=event.unknown`, { key: stranger.api_key }), 400);
    problem(await call(url), 401);
  });

  test('a stop ends streams, and a client comes back on the other node', async () => {
    const url = `${nodes[1].api}/events/stream`;
    const response = await fetch(url, { headers: { 'x-api-key': customer.api_key } });
    const ended = response.text();
    await nodes[1].stop();
    assert.match(await ended, /^retry: 2000\n/);
  });
});
