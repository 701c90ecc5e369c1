/** Deliveries to real receivers that misbehave on purpose, over real sockets and TLS. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { LookupAddress } from 'node:dns';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createSender, type Resolve, type Result, type SendOptions } from './send.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const attempt = (url: string) => ({ url, body: '{"type":"test"}', headers: { 'content-type': 'application/json' } });

const VECTORS = new URL('../../../shared/vectors/ssrf-urls.json', import.meta.url);
const NO_VECTORS = existsSync(VECTORS) ? false : 'SKIPPED: ../shared is not there';

interface Vector {
  id: string;
  endpoint_url: string;
  expected: string;
  receiver_answers?: { status: number; location: string };
  why: string;
}

describe('sending', () => {
  let server: Server;
  let ca: string;
  let port: number;
  let handler: Handler = (_, response) => void response.end();
  let connections = 0;
  const dir = mkdtempSync(join(tmpdir(), 'weir-tls-'));

  before(async () => {
    const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
    const subject = ['-subj', '/CN=hooks.test', '-addext', 'subjectAltName=DNS:hooks.test'];
    const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', ...options, ...files, ...subject], { stdio: 'ignore' });
    ca = readFileSync(join(dir, 'cert.pem'), 'utf8');
    server = createServer({ key: readFileSync(join(dir, 'key.pem')), cert: ca }, (request, response) =>
      handler(request, response),
    );
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** One attempt with a resolver that answers as told. */
  async function deliver(
    url: string,
    addresses: (string | string[])[],
    more: Partial<SendOptions> = {},
  ): Promise<Result> {
    let asked = 0;
    const resolve: Resolve = (_name, done) => {
      const answer = addresses[Math.min(asked, addresses.length - 1)]!;
      asked += 1;
      const list = (Array.isArray(answer) ? answer : [answer]).map(
        (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
      );
      done(null, list);
    };
    const sender = createSender({ allow_private: false, ca, resolve, attempt_ms: 2_000, ...more });
    try {
      return await sender.send(attempt(url));
    } finally {
      await sender.close();
    }
  }
  /** To this test's receiver, which is at a private address. */
  const toReceiver = (more: Partial<SendOptions> = {}) =>
    deliver(`https://hooks.test:${port}/in`, ['127.0.0.1'], { allow_private: true, ...more });
  const reason = (result: Result): string => (result.kind === 'failed' ? result.reason : result.kind);

  test('a message arrives, over TLS with the name checked', async () => {
    let body = '';
    handler = (request, response) => {
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => response.writeHead(204).end());
    };
    assert.deepEqual(await toReceiver(), { kind: 'delivered', status: 204 });
    assert.equal(body, '{"type":"test"}');
    const other = await deliver(`https://other.test:${port}/in`, ['127.0.0.1'], { allow_private: true });
    assert.equal(reason(other), 'its certificate is not valid');
    const unknown = createSender({
      allow_private: true,
      resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    assert.equal(reason(await unknown.send(attempt(`https://hooks.test:${port}/in`))), 'its certificate is not valid');
    await unknown.close();
  });

  const private_answers: Record<string, (string | string[])[]> = {
    'a private address': ['10.0.0.1'],
    'this machine': ['127.0.0.1'],
    'a public address and a private one': [['8.8.8.8', '127.0.0.1']],
    'a public IPv4 and a private IPv6': [['8.8.8.8', '::1']],
    'IPv4 in IPv6': ['::ffff:127.0.0.1'],
    'nothing at all': [[]],
  };
  for (const [name, addresses] of Object.entries(private_answers)) {
    test(`a name that resolves to ${name} opens no socket`, async () => {
      connections = 0;
      const result = await deliver('https://hooks.test:8443/in', addresses);
      assert.equal(reason(result), 'the host name resolves to an address that is not public');
      assert.equal(connections, 0);
    });
  }

  test('a name is resolved once per attempt, and that answer is used', async () => {
    connections = 0;
    // 192.0.2.1 is refused as a documentation address; if the name were resolved again, the socket would connect here.
    const result = await deliver(`https://hooks.test:8443/in`, ['192.0.2.1', '127.0.0.1']);
    assert.equal(reason(result), 'the host name resolves to an address that is not public');
    assert.equal(connections, 0);
  });

  test('an address in the URL is checked as well, at each attempt', async () => {
    for (const url of ['https://127.0.0.1:8443/', 'https://[::1]:8443/', 'http://hooks.test/']) {
      assert.match(reason(await deliver(url, ['8.8.8.8'])), /^the endpoint’s URL must /);
    }
  });

  test('a redirect is a failure and is not followed', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      let asked = 0;
      handler = (_, response) => {
        asked += 1;
        response.writeHead(status, { location: `https://hooks.test:${port}/elsewhere` }).end();
      };
      assert.equal(reason(await toReceiver()), 'answered with a redirect, which is not followed');
      assert.equal(asked, 1);
    }
  });

  test('shared vectors: names and redirects that lead inside', { skip: NO_VECTORS }, async () => {
    const { tests } = JSON.parse(readFileSync(VECTORS, 'utf8')) as { tests: Vector[] };
    const run = new Set<string>();
    for (const { id, endpoint_url, expected, receiver_answers, why } of tests) {
      const { hostname, pathname } = new URL(expected === 'reject' ? 'https://refused.test' : endpoint_url);
      connections = 0;
      if (expected === 'reject_at_connect') {
        // The answers for these names, attempt by attempt; 8.8.8.8 alone would send a message to a stranger.
        const inside = hostname.startsWith('aaaa') ? [['8.8.8.8', '::1']] : [['127.0.0.1'], ['8.8.8.8', '127.0.0.1']];
        const slow = { resolve: () => {}, attempt_ms: 200 };
        for (const answer of inside) {
          const result = await deliver(endpoint_url, [answer], hostname.startsWith('slow') ? slow : {});
          assert.match(reason(result), /address that is not public|did not answer within/, `${id} ${why}`);
        }
        assert.equal(connections, 0, id);
        run.add('names');
      } else if (receiver_answers !== undefined) {
        const { status, location } = receiver_answers;
        handler = (_, response) => void response.writeHead(status, { location }).end();
        const resolve: Resolve = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
        const url = `https://hooks.test:${port}${pathname}`;
        const result = await deliver(url, [], { allow_private: true, resolve });
        assert.equal(reason(result), 'answered with a redirect, which is not followed', `${id} ${why}`);
        assert.equal(connections, 1, id);
        run.add('redirects');
      }
    }
    assert.deepEqual([...run], ['names', 'redirects']);
  });

  test('410 ends deliveries; 429 and 503 may request a pause', async () => {
    handler = (_, response) => void response.writeHead(410).end();
    assert.deepEqual(await toReceiver(), { kind: 'gone', status: 410 });
    handler = (_, response) => void response.writeHead(429, { 'retry-after': '77' }).end();
    assert.deepEqual(await toReceiver(), { kind: 'failed', status: 429, reason: 'answered 429', retry_after_s: 77 });
    const date = new Date(Date.now() + 90_000).toUTCString();
    handler = (_, response) => void response.writeHead(503, { 'retry-after': date }).end();
    const late = await toReceiver();
    assert.ok(late.kind === 'failed' && late.retry_after_s! > 60 && late.retry_after_s! <= 91);
    handler = (_, response) => void response.writeHead(500, { 'retry-after': 'soon' }).end();
    const odd = await toReceiver();
    assert.ok(odd.kind === 'failed' && odd.retry_after_s === null);
  });

  test('an endless answer is cut off early, and counts by its status', async () => {
    let written = 0;
    handler = (_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) written += 65_536;
      };
      response.on('drain', more);
      response.on('error', () => {});
      more();
    };
    assert.deepEqual(await toReceiver(), { kind: 'delivered', status: 200 });
    assert.ok(written < 50 * 2 ** 20, `${written}`);
  });

  test('a receiver that sends byte by byte, or nothing, ends with the attempt', async () => {
    handler = (_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(drip));
    };
    assert.equal(reason(await toReceiver({ attempt_ms: 400 })), 'did not answer within 0.4 s');
    handler = () => {};
    assert.equal(reason(await toReceiver({ attempt_ms: 300 })), 'did not answer within 0.3 s');
    const silent: Resolve = () => {};
    assert.equal(
      reason(await deliver('https://hooks.test:8443/', [], { resolve: silent, attempt_ms: 300 })),
      'did not answer within 0.3 s',
    );
  });

  test('a receiver that is down or disconnects is a failure in Weir’s words', async () => {
    handler = (request) => void request.socket.destroy();
    assert.equal(reason(await toReceiver()), 'the connection broke');
    const closed = createHttp().listen(0, '127.0.0.1');
    await new Promise((done) => closed.once('listening', done));
    const { port: nobody } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const down = await deliver(`http://127.0.0.1:${nobody}/`, [], { allow_private: true });
    assert.equal(reason(down), 'the endpoint refuses connections');
    const unknown: Resolve = (_, done) => done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    assert.equal(
      reason(await deliver('https://hooks.test/', [], { resolve: unknown })),
      'the host name cannot be resolved',
    );
  });
});
