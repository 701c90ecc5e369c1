import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { Type } from 'typebox';
import { PATIENCE_MS } from '../../../test/support/patience.ts';
import { StoreUnavailable, WeirError } from '../errors.ts';
import { createLog } from '../log.ts';
import { endpoint, jsonBody } from './endpoint.ts';
import { closeServer, createServer, type Server } from './http.ts';
import { addEndpoints } from './routes.ts';

const answers = { 200: { description: 'ok', schema: Type.Unknown() } };
const common = { summary: '', tag: 'test', access: 'public', answers } as const;

const echo = endpoint({
  ...common,
  method: 'POST',
  path: '/echo',
  operation: 'echo',
  body: jsonBody(Type.Object({ n: Type.Integer() })),
  handle: ({ body }) => ({ body }),
});

const get = (path: string, handle: () => Promise<{ body: unknown }>) =>
  endpoint({ ...common, method: 'GET', path, operation: path, handle });

const fine = endpoint({
  ...common,
  method: 'GET',
  path: '/fine',
  operation: 'fine',
  handle: () => ({ body: { is_fine: true } }),
});

const thing = endpoint({
  ...common,
  method: 'GET',
  path: '/things/{id}',
  operation: 'thing',
  handle: ({ path }) => ({ body: path.id }),
});

const failing = [
  get('/bug', () => Promise.reject(new Error('password=hunter2 at line 3'))),
  get('/away', () => Promise.reject(new StoreUnavailable('10.1.2.3 refused'))),
  get('/slow-down', () => Promise.reject(new WeirError('rate_limited', { retry_after_s: 7 }))),
];

describe('the HTTP server', () => {
  let server: Server;
  let url: string;

  before(async () => {
    server = createServer(createLog('silent'));
    addEndpoints(server, [echo, fine, thing, ...failing], {});
    url = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  after(() => closeServer(server, 100));

  const post = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => fetch(`${url}/echo`, { method: 'POST', body, headers });

  const problem = async (response: Response, status: number) => {
    assert.equal(response.status, status);
    assert.match(response.headers.get('content-type')!, /^application\/problem\+json/);
    const body = (await response.json()) as { status: number; detail: string; request_id: string; type: string };
    assert.equal(body.status, status);
    assert.equal(body.request_id, response.headers.get('x-request-id'));
    assert.equal(typeof body.detail, 'string');
    assert.match(body.type, /^urn:weir:error:/);
    return body;
  };

  test('answers', async () => {
    const response = await post('{"n":1e0}');
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { n: 1 });
  });

  test('a bug is a 500 without details', async () => {
    assert.doesNotMatch(JSON.stringify(await problem(await fetch(`${url}/bug`), 500)), /hunter2|line 3|Error:/);
  });

  test('an unreachable store is a 503 with Retry-After and without its address', async () => {
    const response = await fetch(`${url}/away`);
    assert.equal(response.headers.get('retry-after'), '1');
    assert.doesNotMatch(JSON.stringify(await problem(response, 503)), /10\.1\.2\.3/);
  });

  test('Retry-After is passed on', async () => {
    const response = await fetch(`${url}/slow-down`);
    assert.equal(response.headers.get('retry-after'), '7');
    await problem(response, 429);
  });

  test('HEAD is GET without the body', async () => {
    const response = await fetch(`${url}/fine`, { method: 'HEAD' });
    assert.deepEqual([response.status, await response.text()], [200, '']);
    assert.equal(response.headers.get('content-length'), '{"is_fine":true}'.length.toString());
    assert.equal((await fetch(`${url}/echo`, { method: 'HEAD' })).status, 405);
  });

  test('an unknown path is 404, an unknown method of a known path is 405 with `Allow`, a bad path is 400', async () => {
    const { detail } = await problem(await fetch(`${url}/nothing`), 404);
    assert.match(detail, /no endpoint with this path/);
    for (const [path, method, allowed] of [
      ['/echo', 'PUT', 'POST'],
      ['/echo', 'GET', 'POST'],
      ['/echo/', 'GET', 'POST'],
      ['/echo?n=1', 'GET', 'POST'],
      ['/fine', 'POST', 'GET, HEAD'],
      ['/things/7', 'DELETE', 'GET, HEAD'],
    ] as const) {
      const refused = await fetch(url + path, { method });
      assert.equal(refused.headers.get('allow'), allowed, path);
      const { detail } = await problem(refused, 405);
      assert.ok(detail.startsWith(`this path does not take ${method}; it takes `), detail);
    }
    const slash = await problem(await fetch(`${url}/fine/`), 404);
    assert.match(slash.detail, /leave the slash out/);
    await problem(await fetch(`${url}/things/7/more`, { method: 'DELETE' }), 404);
    await problem(await fetch(`${url}/bug/%ff`), 400);
    const odd = await problem(await fetch(`${url}/fine`, { method: 'QUERY' }), 400);
    assert.doesNotMatch(odd.detail, /`errors`/, 'there are none');
  });

  test('bodies: schema, missing, too large', async () => {
    assert.match((await problem(await post('{"n":"1"}'), 400)).detail, /`\/n` must be an integer, not a string/);
    await problem(await post(''), 400);
    await problem(await fetch(`${url}/echo`, { method: 'POST' }), 400);
    await problem(await post(`{"n":${' '.repeat(1_048_576)}1}`), 413);
  });

  test('a body that is too long is answered while it is still sent, and its connection goes on', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let answers = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answers += text;
    });
    const length = 4 * 1_048_576;
    const head = `POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    socket.write(head);
    await once(socket, 'data');
    assert.match(answers, /^HTTP\/1\.1 413 /);
    for (let sent = 0; sent < length; sent += 65_536) {
      if (!socket.write(' '.repeat(65_536))) await once(socket, 'drain');
    }
    socket.write('GET /fine HTTP/1.1\r\nhost: x\r\n\r\n');
    while (!answers.includes('is_fine')) await once(socket, 'data');
    socket.destroy();
  });

  test('content types: JSON in UTF-8, uncompressed', async () => {
    for (const type of ['APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"']) {
      assert.equal((await post('{"n":1}', { 'content-type': type })).status, 200, type);
    }
    for (const type of [
      'text/plain',
      '',
      'application/jsonp',
      'application/json; charset=utf-16',
      'multipart/form-data; boundary=x',
    ]) {
      await problem(await post(Buffer.from('{"n":1}'), { 'content-type': type }), 415);
    }
    await problem(await post('{"n":1}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }), 415);
  });

  const raw = async (bytes: string): Promise<string> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.write(bytes);
    await once(socket, 'close');
    return Buffer.concat(chunks).toString();
  };

  test('two lengths, broken requests and huge headers are refused and the connection ends', async () => {
    const head = 'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    assert.match(
      await raw(`${head}content-length: 7\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
      /^HTTP\/1.1 400 /,
    );
    assert.match(await raw('nonsense\r\n\r\n'), /^HTTP\/1.1 400 [\s\S]*problem\+json/);
    assert.match(await raw(`${head}x: ${'y'.repeat(100_000)}\r\n\r\n`), /^HTTP\/1.1 431 /);
  });

  test('a request whose body never arrives ends with 408', async () => {
    const answer = await raw(
      'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    );
    assert.match(answer, /^HTTP\/1.1 408 /);
    const [, request_id = ''] = /^x-request-id: (.+)$/m.exec(answer) ?? [];
    assert.notEqual(request_id, '');
    assert.equal(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).request_id, request_id);
  });
});

describe('closing', () => {
  test('a request in flight is finished and told to close its connection, idle connections are closed', {
    timeout: PATIENCE_MS,
  }, async () => {
    const server = createServer(createLog('silent'));
    let started!: () => void;
    const has_started = new Promise<void>((resolve) => {
      started = resolve;
    });
    const slow = endpoint({
      ...common,
      method: 'GET',
      path: '/slow',
      operation: 'slow',
      handle: async () => {
        started();
        await new Promise((resolve) => setTimeout(resolve, 200));
        return { body: 'done' };
      },
    });
    addEndpoints(server, [slow], {});
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    await once(idle, 'connect');
    const in_flight = fetch(`${url}/slow`);
    await has_started;
    // A stop that lasts until the end of the drain is too slow for this test.
    const [, , response] = await Promise.all([closeServer(server, 60_000), once(idle, 'close'), in_flight]);
    assert.equal(await response.json(), 'done');
    assert.equal(response.headers.get('connection'), 'close');
  });

  test('a request on a connection that was new when the stop began is answered', async () => {
    const server = createServer(createLog('silent'));
    addEndpoints(server, [get('/now', async () => ({ body: 'done' }))], {});
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = closeServer(server, 60_000);
    // After the requests on earlier connections were read.
    await once(server.server, 'close', { signal: AbortSignal.timeout(120) }).catch(() => {});
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write('GET /now HTTP/1.1\r\nhost: x\r\n\r\n');
    await Promise.all([closed, once(socket, 'close')]);
    assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*done/i);
  });

  test('a connection that was silent for long is closed without an answer', async () => {
    const server = createServer(createLog('silent'));
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const silent = connect(Number(new URL(url).port), '127.0.0.1');
    await once(silent, 'connect');
    await new Promise((resolve) => setTimeout(resolve, 400));
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    await Promise.all([closeServer(server, 60_000), once(silent, 'close')]);
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });

  test('a request that does not end is cut off at the end of the drain', { timeout: PATIENCE_MS }, async () => {
    const server = createServer(createLog('silent'));
    addEndpoints(server, [get('/never', () => new Promise<never>(() => {}))], {});
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const in_flight = assert.rejects(fetch(`${url}/never`));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await closeServer(server, 300);
    await in_flight;
  });
});

test('a failure is one log line with the request id of its answer', async () => {
  const lines: string[] = [];
  const server = createServer(pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }));
  addEndpoints(server, failing, {});
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const { request_id } = (await (await fetch(`${url}/bug`)).json()) as { request_id: string };
    assert.equal(lines.length, 1);
    const { reqId, request_id: logged, route } = JSON.parse(lines[0]!) as Record<string, unknown>;
    assert.deepEqual([logged, reqId, route], [request_id, undefined, '/bug']);
    assert.equal(lines[0]!.split(request_id).length, 2, 'once');
  } finally {
    await closeServer(server, 100);
  }
});
