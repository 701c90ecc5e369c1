/** The hook's own HTTP: what a server sends is an answer to its last byte, or an error. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { localFetch } from '../../src/guards/hook/local-fetch.ts';
import { loopbackRequest } from '../../src/guards/hook/loopback-request.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const MAX_BYTES = 1_000;

/** What the client makes of a server that sends these pieces in a row, and then closes where `closes`. */
async function answerTo(pieces: readonly string[], { closes = true, max_bytes = MAX_BYTES } = {}) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.once('data', async () => {
      for (const piece of pieces) {
        socket.write(piece, 'latin1');
        await new Promise(setImmediate);
      }
      if (closes) socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await loopbackRequest(new URL(`http://127.0.0.1:${port}/events`), {}, max_bytes);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const BODY = '{"a":1}';
const WHOLE = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4;x=y\r\n":1}\r\n0\r\n\r\n';
const INTERIM = `HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n${WHOLE}`;

for (const [name, bytes] of Object.entries({ WHOLE, CHUNKED, INTERIM })) {
  test(`${name}: the same answer in one piece and byte for byte, and before the server closes`, async () => {
    for (const pieces of [[bytes], [...bytes]]) {
      const { status, text } = await answerTo(pieces, { closes: false });
      assert.deepEqual([status, text], [200, BODY]);
    }
  });

  test(`${name}: cut anywhere it is an error`, async () => {
    // The end of the last chunk and the empty line after it say nothing more.
    const needed = name === 'CHUNKED' ? bytes.length - 2 : bytes.length;
    for (let length = 0; length < needed; length += 1)
      await assert.rejects(answerTo([bytes.slice(0, length)]), /cut short/, `${length} bytes`);
  });
}

test('without a length the body ends with the connection', async () => {
  const { text } = await answerTo(['HTTP/1.0 503 Busy\r\n\r\n', BODY]);
  assert.equal(text, BODY);
});

for (const [what, bytes] of [
  ['another protocol', 'SSH-2.0-OpenSSH_9\r\n\r\n'],
  ['a status of no meaning', 'HTTP/1.1 099 ?\r\n\r\n'],
  ['a switch of protocols', 'HTTP/1.1 101 Switching\r\n\r\n'],
  ['a header without a colon', `HTTP/1.1 200 OK\r\nx\r\n\r\n${BODY}`],
  ['a header continued on the next line', `HTTP/1.1 200 OK\r\nx: 1\r\n content-length: 2\r\n\r\n${BODY}`],
  ['a space before the colon', `HTTP/1.1 200 OK\r\ncontent-length : 2\r\n\r\n${BODY}`],
  ['two lengths', `HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 7\r\n\r\n${BODY}`],
  ['a length and chunks', `HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a length below 0', `HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n${BODY}`],
  ['a length in another notation', `HTTP/1.1 200 OK\r\ncontent-length: 0x2\r\n\r\n${BODY}`],
  ['a packed body', `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 7\r\n\r\n${BODY}`],
  ['an unknown coding', `HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n${BODY}`],
  ['a chunk without a length', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\n{}\r\n0\r\n\r\n'],
  ['a chunk above its length', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n'],
  ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(17_000)}`],
  ['a body that claims to be too long', `HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n`],
  ['chunks that are too long', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3e9\r\n'],
  ['a body that is too long', `HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(1_001)}`],
] as const) {
  // Where the connection stays open, nothing but the refusal ends the wait.
  test(`${what} is an error at once`, { timeout: PATIENCE_MS }, async () => {
    await assert.rejects(answerTo([bytes], { closes: false }), /no HTTP|too long/);
  });
}

test('what a server reads is what fetch sends: method, path, headers, bytes', async () => {
  const seen: unknown[] = [];
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    const kept = ['host', 'x-api-key', 'authorization', 'content-type', 'content-length'].map((name) => headers[name]);
    seen.push([method, url, kept, Buffer.concat(chunks).toString('utf8')]);
    response.setHeader('retry-after', '1').end('{"ä":"€"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const headers = { 'x-api-key': 'k', authorization: 'Bearer t', 'content-type': 'application/json' };
    for (const init of [{ headers }, { method: 'POST', headers, body: '{"é":"\u{1F600}"}' }]) {
      for (const path of ['/scores/event/a%2Fb?wait=3', '/']) {
        const url = `http://127.0.0.1:${port}${path}`;
        const answers = [await localFetch(url, init), await fetch(url, init)];
        for (const answer of answers) {
          assert.deepEqual([answer.status, await answer.json()], [200, { ä: '€' }]);
          assert.deepEqual([answer.headers.has('retry-after'), answer.headers.has('etag')], [true, false]);
        }
        const [ours, theirs] = seen.splice(0);
        assert.deepEqual(ours, theirs);
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a value with a line end is refused before anything is sent', async () => {
  for (const key of ['a\r\nx: y', 'a\nb', 'a\0b', '€'])
    await assert.rejects(localFetch('http://127.0.0.1:1/', { headers: { 'x-api-key': key } }), /`x-api-key` has/);
});

test('a redirect, no server, and a signal are errors', { timeout: PATIENCE_MS }, async () => {
  await assert.rejects(localFetch('http://127.0.0.1:1/', {}), /ECONNREFUSED/);
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  const redirecting = createHttpServer((_, response) => response.writeHead(302, { location: '/b' }).end());
  redirecting.listen(0, '127.0.0.1');
  await Promise.all([once(silent, 'listening'), once(redirecting, 'listening')]);
  const urlOf = (server: { address: () => unknown }): string =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await assert.rejects(localFetch(urlOf(redirecting), {}), /redirects to \/b/);
    const reason = new Error('no answer in time');
    const late = new AbortController();
    setImmediate(() => late.abort(reason));
    await assert.rejects(localFetch(urlOf(silent), { signal: late.signal }), reason);
    await assert.rejects(localFetch(urlOf(silent), { signal: AbortSignal.abort(reason) }), reason);
  } finally {
    silent.close();
    redirecting.close();
  }
});
