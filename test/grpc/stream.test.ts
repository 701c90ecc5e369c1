/** StreamEvaluateRisk: many at a time, bounded, and one bad request harms no other. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { type Customer, call, newCustomer } from '../support/client.ts';
import { until } from '../support/patience.ts';
import { sharedWeir } from '../support/shared-weir.ts';
import {
  type Answer,
  callUnary,
  collect,
  connect,
  detailsOf,
  type Fields,
  openStream,
  type RiskStream,
} from './client.ts';
import { encode, frame, openRaw } from './raw.ts';

const weir = await sharedWeir();
const client = connect(weir.grpc);
const mine = await newCustomer(weir);
after(() => client.close());

const open = (): RiskStream => openStream(client, { key: mine.api_key });
const scoredBy = async ({ customer_id, api_key }: Customer): Promise<number> =>
  Number((await call(`${weir.api}/scores/${customer_id}/summary`, { key: api_key })).json['total_events']);

/** Writes as fast as the stream takes it. */
async function send(stream: RiskStream, requests: Iterable<Fields>): Promise<void> {
  for (const request of requests) if (!stream.write(request)) await once(stream, 'drain');
}

const requests = function* (count: number, fields: Fields = {}): Iterable<Fields> {
  for (let i = 0; i < count; i++) yield { request_id: `r-${i}`, context: { action: 'file:document:read' }, ...fields };
};

/** The answers of a new stream to these requests; it ended without an error. */
async function answersTo(sent: Iterable<Fields>, key: string): Promise<Answer[]> {
  const stream = openStream(client, { key });
  const done = collect(stream);
  await send(stream, sent);
  stream.end();
  const { answers, end } = await done;
  assert.equal(end.code, 0, end.message);
  return answers;
}

test('10,000 requests, 10,000 answers, each to its own request, each stored once', async () => {
  const who = await newCustomer(weir);
  const all = new Map([...requests(10_000)].map((request) => [request['request_id'] as string, request]));
  const event_ids = new Set<string>();
  let left = all;
  for (let attempt = 0; left.size > 0; attempt += 1) {
    const answers = await answersTo(left.values(), who.api_key);
    assert.deepEqual(new Set(answers.map(({ request_id }) => request_id)), new Set(left.keys()));
    assert.equal(answers.length, left.size);
    const refused = answers.filter(({ error }) => error !== null);
    for (const { assessment, event_id, error } of answers) {
      assert.equal(assessment === null, error !== null);
      if (error === null) event_ids.add(event_id);
    }
    // A busy machine may refuse some at first, as the contract has it: they are sent again, as a client does.
    assert.deepEqual(
      [...new Set(refused.map(({ error }) => error!.code))],
      refused.length === 0 ? [] : [status.UNAVAILABLE],
    );
    assert.ok(refused.length < 5_000 && attempt < 10, `${refused.length} of ${left.size} were refused`);
    left = new Map(refused.map(({ request_id }) => [request_id, all.get(request_id)!]));
  }
  assert.equal(event_ids.size, 10_000);
  assert.equal(await scoredBy(who), 10_000);
});

test('a client that does not read is not read from, and gets every answer once it does', async () => {
  const who = await newCustomer(weir);
  const { stream, close } = openRaw(weir.grpc, 'StreamEvaluateRisk', { 'x-api-key': who.api_key });
  const COUNT = 4_000;
  const user_context = 'x'.repeat(1_000);
  const sending = (async () => {
    for (const request of requests(COUNT, { context: { action: 'file:document:read', user_context } })) {
      if (!stream.write(frame(encode('StreamEvaluateRiskRequest', request)))) await once(stream, 'drain');
    }
    stream.end();
  })();
  // Until it stands still: work that is answered elsewhere meanwhile shows that the server is not just slow.
  let [before, now] = [-1, 0];
  while (before !== now || now === 0) {
    for (let i = 0; i < 20; i++)
      await callUnary(client, 'EvaluateRisk', { context: { action: 'a:b:c' } }, { key: mine.api_key });
    [before, now] = [now, await scoredBy(who)];
  }
  assert.ok(now < 1_500, `${now} of ${COUNT} were scored for a client that reads nothing`);
  let bytes = 0;
  let answers = 0;
  let rest = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1); answers++)
      rest = rest.subarray(5 + rest.readUInt32BE(1));
  });
  await Promise.all([sending, once(stream, 'end')]);
  close();
  assert.equal(answers, COUNT, `${bytes} bytes`);
  assert.equal(await scoredBy(who), COUNT);
});

test('answers that nobody takes count among the bytes that their customer has under way', async () => {
  const counted = async (): Promise<number> => {
    const { text } = await call(`${weir.auth}/metrics`);
    return Number(/^weir_intake_bytes (\d+)$/m.exec(text)![1]);
  };
  const who = await newCustomer(weir);
  const COUNT = 100;
  // No window for any answer; each holds the request_id again.
  const { stream, close } = openRaw(
    weir.grpc,
    'StreamEvaluateRisk',
    { 'x-api-key': who.api_key },
    { initialWindowSize: 0 },
  );
  const request_id = 'x'.repeat(10_000);
  const asked = frame(encode('StreamEvaluateRiskRequest', { request_id, context: { action: 'a:b:c' } }));
  stream.write(Buffer.concat(Array.from({ length: COUNT }, () => asked)));
  while ((await scoredBy(who)) < COUNT);
  // What was stored is answered by then.
  await callUnary(client, 'EvaluateRisk', { context: { action: 'a:b:c' } }, { key: mine.api_key });
  const held = await counted();
  assert.ok(held > (COUNT * request_id.length) / 2, `${held} bytes`);
  close();
  await until(async () => (await counted()) === 0, 'the bytes are no longer counted');
});

test('a stream alone is held back, not refused, however much its requests hold', async () => {
  const who = await newCustomer(weir);
  const stream = openStream(client, { key: who.api_key });
  const done = collect(stream);
  // 30 kB each that count for 1.2 MB, and a second without them, so that the key is looked up while they come.
  const parameters = Buffer.from(JSON.stringify({ ids: Array.from({ length: 15_000 }, () => 1) }));
  await new Promise((wake) => setTimeout(wake, 1_000));
  await send(stream, requests(100, { context: { action: 'file:document:read', parameters } }));
  stream.end();
  const { answers, end } = await done;
  assert.equal(end.code, 0, end.message);
  assert.deepEqual(
    answers.filter(({ error }) => error !== null).map(({ error }) => error?.message),
    [],
  );
  assert.equal(answers.length, 100);
});

test('a request that is not valid gets an error, and the stream goes on', async () => {
  const stream = open();
  const done = collect(stream);
  const good = { context: { action: 'db:table:drop' } };
  const event_id = randomUUID();
  const bad: Record<string, [Fields, number]> = {
    action: [{ context: { action: 'x' } }, status.INVALID_ARGUMENT],
    nothing: [{}, status.INVALID_ARGUMENT],
    parameters: [{ context: { action: 'a:b:c', parameters: Buffer.from('{"a":1,"a":1}') } }, status.INVALID_ARGUMENT],
    customer: [{ ...good, customer_id: randomUUID() }, status.PERMISSION_DENIED],
  };
  stream.write({ request_id: 'first', context: { action: 'a:b:c', event_id } });
  await once(stream, 'data');
  stream.write({ request_id: 'conflict', context: { action: 'a:b:d', event_id } });
  for (const [request_id, [fields]] of Object.entries(bad)) stream.write({ request_id, ...fields });
  stream.write({ request_id: 'last', ...good });
  stream.end();
  const { answers, end } = await done;
  assert.equal(end.code, 0);
  const byId = new Map(answers.map((answer) => [answer.request_id, answer]));
  assert.equal(byId.size, Object.keys(bad).length + 3);
  for (const [request_id, [, code]] of Object.entries(bad)) {
    const { error, assessment, event_id } = byId.get(request_id)!;
    assert.deepEqual([error?.code, assessment, event_id], [code, null, ''], request_id);
  }
  assert.equal(byId.get('conflict')?.error?.code, status.ALREADY_EXISTS);
  const violations = detailsOf(byId.get('parameters')!.error!)['BadRequest']?.['field_violations'] as Fields[];
  assert.equal(violations[0]?.['field'], 'context.parameters.a');
  for (const request_id of ['first', 'last']) assert.equal(byId.get(request_id)?.error, null);
});

test('bytes that are no message get an error too', async () => {
  const { stream, close } = openRaw(weir.grpc, 'StreamEvaluateRisk', { 'x-api-key': mine.api_key });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const trailers = once(stream, 'trailers');
  stream.write(frame(Buffer.from([0xff, 0xff])));
  const cut = encode('StreamEvaluateRiskRequest', { request_id: 'cut-one', context: { action: 'a:b:c' } });
  stream.write(frame(cut.subarray(0, -1)));
  stream.write(frame(encode('StreamEvaluateRiskRequest', { request_id: 'good-one', context: { action: 'a:b:c' } })));
  stream.end();
  const [last] = (await trailers) as [Record<string, unknown>];
  close();
  assert.equal(last['grpc-status'], '0');
  const text = Buffer.concat(chunks).toString('latin1');
  assert.match(text, /does not match risk\.proto/);
  for (const request_id of [/cut-one/, /good-one/]) assert.match(text, request_id);
});

test('answers come when they are ready: a fast one overtakes what waits', async () => {
  const stream = open();
  const order: string[] = [];
  stream.on('data', ({ request_id }: Answer) => order.push(request_id));
  // One score may be made before the next message is read; that all of fifty are says that answers wait for their turn.
  const pairs = Array.from({ length: 50 }, (_, i) => ({ scored: `scored-${i}`, refused: `refused-${i}` }));
  for (const { scored, refused } of pairs) {
    stream.write({ request_id: scored, context: { action: 'a:b:c' } });
    stream.write({ request_id: refused, context: { action: 'x' } });
  }
  stream.end();
  await once(stream, 'end');
  assert.equal(order.length, 2 * pairs.length);
  assert.ok(
    pairs.some(({ scored, refused }) => order.indexOf(refused) < order.indexOf(scored)),
    order.join(' '),
  );
});

test('a stream that was opened before its key was revoked ends with UNAUTHENTICATED', async () => {
  const who = await newCustomer(weir);
  const stream = openStream(client, { key: who.api_key });
  const done = collect(stream);
  stream.write({ request_id: '1', context: { action: 'a:b:c' } });
  await once(stream, 'data');
  await call(`${weir.auth}/api-keys/${who.key_id}`, { method: 'DELETE' });
  stream.write({ request_id: '2', context: { action: 'a:b:c' } });
  const { answers, end } = await done;
  assert.equal(end.code, status.UNAUTHENTICATED);
  assert.deepEqual(
    answers.map(({ request_id }) => request_id),
    ['1'],
  );
  assert.equal((await collect(openStream(client, {}))).end.code, status.UNAUTHENTICATED);
});

describe('ends', () => {
  test('half-closed at once: OK without answers', async () => {
    const stream = open();
    const done = collect(stream);
    stream.end();
    assert.deepEqual(await done, { answers: [], end: { code: 0, message: '', answer: {}, details: {} } });
  });

  test('half-closed with work under way: every answer, then OK', async () => {
    const stream = open();
    const done = collect(stream);
    for (const request of requests(300)) stream.write(request);
    stream.end();
    const { answers, end } = await done;
    assert.deepEqual([answers.length, end.code], [300, 0]);
  });

  test('the deadline of the stream ends it; what was begun is kept', async () => {
    const stream = openStream(client, { key: mine.api_key, deadline_ms: 300 });
    const done = collect(stream);
    stream.write({ request_id: '1', context: { action: 'a:b:c' } });
    const { end } = await done;
    assert.equal(end.code, status.DEADLINE_EXCEEDED);
  });

  test('a message beyond 4 MiB ends it with RESOURCE_EXHAUSTED', async () => {
    const stream = open();
    const done = collect(stream);
    stream.write({ context: { action: 'a:b:c', user_context: 'x'.repeat(4 * 1_048_576) } });
    assert.equal((await done).end.code, status.RESOURCE_EXHAUSTED);
  });

  test('clients that vanish in the middle, read or not, leave nothing behind', async () => {
    const who = await newCustomer(weir);
    for (let i = 0; i < 30; i++) {
      const { stream, close } = openRaw(weir.grpc, 'StreamEvaluateRisk', { 'x-api-key': who.api_key });
      if (i % 2 === 0) stream.resume();
      for (const request of requests(50)) stream.write(frame(encode('StreamEvaluateRiskRequest', request)));
      await once(stream, 'response');
      close();
    }
    const stream = openStream(client, { key: who.api_key });
    const done = collect(stream);
    await send(stream, requests(200));
    stream.cancel();
    await done;
    const last = await callUnary(client, 'EvaluateRisk', { context: { action: 'a:b:c' } }, { key: who.api_key });
    assert.equal(last.code, 0);
    assert.ok(weir.isRunning());
    assert.doesNotMatch(weir.stderr(), /"level":"(error|fatal)"|Unhandled|uncaught/i);
  });
});
