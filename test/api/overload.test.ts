/**
 * More than a server can score: what is refused says so and when to come back, what waits is bounded, other customers are
 * answered, callers who left are not worked for, and it passes by itself. The database is held still meanwhile, by a lock.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { type Answer, callUnary, connect, detailsOf, openStream } from '../grpc/client.ts';
import { type Customer, call, newCustomer, problem } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';
import { connectTo, makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { USUAL_LIMITS_ENV } from '../support/wide-limits.ts';

const STREAMS = 5;
/** Messages of one stream that are in work or wait at a time; together more than one customer may have waiting. */
const EACH = 250;
/** Two uploads are begun again after this, less than the time that the server gives a body. */
const UPLOAD_MS = 6_000;
const context = () => ({ event_id: randomUUID(), action: 'repo:code:read' });

describe('overload', { skip: NO_SERVER ?? false, timeout: 2 * PATIENCE_MS }, () => {
  let database: TestDatabase;
  let weir: HostedWeir;
  let busy: Customer;
  let other: Customer;
  before(async () => {
    database = await makeDatabase();
    weir = await startHostedWeir({ env: { ...USUAL_LIMITS_ENV, DATABASE_URL: database.url, METRICS_PORT: '0' } });
    [busy, other] = await Promise.all([newCustomer(weir), newCustomer(weir)]);
  });
  after(async () => {
    await weir.stop();
    await database.drop();
  });

  const measure = async (name: string): Promise<number> => {
    const { text } = await call(`${weir.metrics}/metrics`);
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length + 1));
  };
  const isIdle = async () =>
    (await measure('weir_turns{state="in_work"}')) === 0 && (await measure('weir_turns{state="waiting"}')) === 0;
  const post = ({ api_key }: Customer) => call(`${weir.api}/events`, { key: api_key, body: context() });

  /** The answer to the head of a request whose body never comes; empty where the server waits for the body. */
  async function answerToHead({ api_key }: Customer): Promise<string> {
    const { port, hostname } = new URL(weir.api);
    const socket = connectSocket(Number(port), hostname);
    socket.write(
      `POST /events HTTP/1.1\r\nhost: weir\r\nx-api-key: ${api_key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`,
    );
    try {
      const [text] = await once(socket, 'data', { signal: AbortSignal.timeout(2_000) });
      return String(text);
    } catch (error) {
      if ((error as Error).name === 'AbortError') return '';
      throw error;
    } finally {
      socket.destroy();
    }
  }

  /** No score can be stored until it is let go, which happens at the end of the test at the latest. */
  const holdDatabase = (t: TestContext): Promise<() => Promise<void>> => holdTable(t, 'events');

  async function holdTable(t: TestContext, table: 'events' | 'api_keys'): Promise<() => Promise<void>> {
    const client = await connectTo(database.url);
    let ended: Promise<void> | undefined;
    const letGo = () => (ended ??= client.end());
    t.after(letGo);
    await client.query('begin');
    await client.query(`lock table ${table} in access exclusive mode`);
    return letGo;
  }

  test('a customer beyond its share gets 429 and RESOURCE_EXHAUSTED; another is answered; it passes', async (t) => {
    const letGo = await holdDatabase(t);
    const client = connect(weir.grpc, { 'grpc.max_concurrent_streams': STREAMS });
    const refused = new Map<number, Answer>();
    let is_over = false;
    const ends = Array.from({ length: STREAMS }, async () => {
      const stream = openStream(client, { key: busy.api_key });
      const ended = once(stream, 'status');
      const send = () => stream.write({ request_id: randomUUID(), context: context(), customer_id: '' });
      stream.on('error', () => {});
      stream.on('data', (answer: Answer) => {
        if (answer.error !== null) refused.set(answer.error.code, answer);
        if (is_over) stream.end();
        else send();
      });
      for (let i = 0; i < EACH; i += 1) send();
      await ended;
    });
    const own: ReturnType<typeof post>[] = [];
    await until(async () => {
      own.push(post(busy));
      return (await measure('weir_events_refused_total{reason="customer_full"}')) > 1;
    }, 'a refusal');
    await until(async () => refused.has(status.RESOURCE_EXHAUSTED), 'a refused message');
    // Where those who waited too long have just been refused there is room, and the server waits for the body.
    const isRefusedAtOnce = async () => /^HTTP\/1\.1 429 .*retry-after: \d/is.test(await answerToHead(busy));
    await until(isRefusedAtOnce, 'a refusal before anything of the event was read');
    const others = Promise.all(Array.from({ length: 5 }, () => post(other)));
    // They arrive while the other customer's queue is full, and wait for less than the longest time.
    await sleep(200);
    is_over = true;
    await letGo();
    assert.deepEqual([...new Set((await others).map((reply) => reply.status))], [200], 'the other one is answered');
    for (const reply of await Promise.all(own)) {
      if (reply.status === 200) continue;
      problem(reply, [429, 503]);
      assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/);
    }
    const { error } = refused.get(status.RESOURCE_EXHAUSTED)!;
    assert.match(error!.message, /of your events wait to be scored already/);
    assert.ok('RetryInfo' in detailsOf(error!), 'when to come back');
    await Promise.all(ends);
    client.close();
    await until(isIdle, 'the end of the load');
    assert.equal((await post(busy)).status, 200);
  });

  test('callers who leave, cancel or run out of time are not worked for, and what was begun is kept', async (t) => {
    // On a busy machine some have waited too long before they leave.
    const unworked = async () =>
      (await measure('weir_events_refused_total{reason="left"}')) +
      (await measure('weir_events_refused_total{reason="waited"}'));
    const left_before = await unworked();
    const stored = async () =>
      (await call(`${weir.api}/scores/${busy.customer_id}/summary`, { key: busy.api_key })).json;
    const stored_before = Number((await stored())['total_events']);
    const letGo = await holdDatabase(t);
    const sockets: Socket[] = [];
    const address = new URL(weir.api);
    const send = (): void => {
      const body = JSON.stringify(context());
      const socket = connectSocket(Number(address.port), address.hostname).on('error', () => {});
      socket.write(
        `POST /events HTTP/1.1\r\nhost: weir\r\nx-api-key: ${busy.api_key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      sockets.push(socket);
    };
    for (let i = 0; i < 150; i += 1) send();
    await until(async () => (await measure('weir_turns{state="waiting"}')) >= 50, 'a line');
    const client = connect(weir.grpc);
    const late = callUnary(client, 'EvaluateRisk', { context: context() }, { key: busy.api_key, deadline_ms: 100 });
    for (const socket of sockets) socket.destroy();
    assert.equal((await late).code, status.DEADLINE_EXCEEDED);
    await letGo();
    client.close();
    await until(isIdle, 'the end of the work');
    const left = (await unworked()) - left_before;
    const kept = Number((await stored())['total_events']) - stored_before;
    assert.ok(left >= 50, `${left} of those who waited have left`);
    assert.ok(kept + left <= 151, `${kept} stored, ${left} left`);
  });

  test('callers who leave while their key is looked up leave no bytes and no streams counted', async (t) => {
    // Of a node that has not seen the key yet.
    const fresh = await startHostedWeir({
      env: { ...USUAL_LIMITS_ENV, DATABASE_URL: database.url, METRICS_PORT: '0' },
    });
    t.after(() => fresh.stop());
    const intake = async () => {
      const { text } = await call(`${fresh.metrics}/metrics`);
      return Number(/^weir_intake_bytes (\d+)$/m.exec(text)?.[1]);
    };
    const letGo = await holdTable(t, 'api_keys');
    const { port, hostname } = new URL(fresh.api);
    const begin = (line: string, rest = ''): Socket => {
      const socket = connectSocket(Number(port), hostname).on('error', () => {});
      socket.write(`${line} HTTP/1.1\r\nhost: weir\r\nx-api-key: ${other.api_key}\r\n${rest}\r\n`);
      return socket.resume();
    };
    const client = connect(fresh.grpc);
    const sockets = [
      begin('POST /events/batch', 'content-type: application/json\r\ncontent-length: 16777216\r\n'),
      ...Array.from({ length: 8 }, () => begin('GET /events/stream')),
    ];
    const stream = openStream(client, { key: other.api_key }).on('error', () => {});
    stream.write({ request_id: randomUUID(), context: context(), customer_id: '' });
    const late = callUnary(client, 'EvaluateRisk', { context: context() }, { key: other.api_key, deadline_ms: 500 });
    const { code } = await late;
    for (const socket of sockets) socket.destroy();
    stream.cancel();
    assert.ok([status.DEADLINE_EXCEEDED, status.UNAVAILABLE].includes(code), `${code}`);
    await sleep(200);
    await letGo();
    assert.equal((await call(`${fresh.api}/events`, { key: other.api_key, body: context() })).status, 200);
    await until(async () => (await intake()) === 0, 'the end of what they sent');
    const own = begin('GET /events/stream');
    const [head] = await once(own, 'data');
    assert.match(String(head), /^HTTP\/1\.1 200/);
    own.destroy();
    client.close();
  });

  test('bodies that do not fit beside those under way are refused before they are read', async () => {
    const address = new URL(weir.api);
    const head = (bytes: number) =>
      `POST /events/batch HTTP/1.1\r\nhost: weir\r\nx-api-key: ${busy.api_key}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`;
    const open = (bytes: number): Socket => {
      const socket = connectSocket(Number(address.port), address.hostname).on('error', () => {});
      socket.write(`${head(bytes)}{"events":[`);
      // Read, so that the end is seen.
      return socket.resume();
    };
    // A byte of an earlier test that is still counted would leave no room for both.
    await until(async () => (await measure('weir_intake_bytes')) === 0, 'the end of the earlier requests');
    let uploads: Socket[] = [];
    let opened = 0;
    let reply = await post(other);
    await until(async () => {
      // A server that gets hardly any processor may end or refuse one of them first.
      if (performance.now() - opened > UPLOAD_MS || uploads.some(({ destroyed }) => destroyed)) {
        opened = performance.now();
        for (const socket of uploads) socket.destroy();
        uploads = [open(16 * 2 ** 20), open(16 * 2 ** 20)];
      }
      if ((await measure('weir_intake_bytes')) !== 32 * 2 ** 20) return false;
      reply = await post(busy);
      return reply.status === 429;
    }, 'a refusal beside two uploads');
    const refused = problem(reply, 429);
    assert.match(String(refused['detail']), /too large together/);
    assert.equal((await post(other)).status, 200);
    for (const socket of uploads) socket.destroy();
    await until(async () => (await measure('weir_intake_bytes')) === 0, 'room');
    assert.equal((await post(busy)).status, 200);
  });
});

test('a customer’s limit holds over all its keys and doors, and is no other customer’s', async () => {
  const weir = await startHostedWeir({ env: { CUSTOMER_RATE_LIMIT_RPM: '6' } });
  try {
    const [busy, other] = await Promise.all([newCustomer(weir), newCustomer(weir)]);
    const issued = await call(`${weir.auth}/api-keys`, { body: { customer_id: busy.customer_id, name: 'second' } });
    const second = String(issued.json['api_key']);
    const post = (key: string) => call(`${weir.api}/events`, { key, body: context() });
    for (const key of [busy.api_key, second, busy.api_key, second, busy.api_key, second])
      assert.equal((await post(key)).status, 200);
    const reply = await post(second);
    assert.match(String(problem(reply, 429)['detail']), /^this customer may make 6 requests per minute/);
    assert.ok(Number(reply.headers.get('retry-after')) >= 1);
    const client = connect(weir.grpc);
    const { code } = await callUnary(client, 'EvaluateRisk', { context: context() }, { key: busy.api_key });
    client.close();
    assert.equal(code, status.RESOURCE_EXHAUSTED);
    assert.equal((await post(other.api_key)).status, 200);
  } finally {
    await weir.stop();
  }
});
