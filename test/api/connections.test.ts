/** Crowds of connections and floods of frames without a key: the neighbours of all ports are answered. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { callUnary, connect as connectGrpc } from '../grpc/client.ts';
import { encode, frame as message, openRaw } from '../grpc/raw.ts';
import { call, fullEvent } from '../support/client.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startWeir, type Weir } from '../support/weir.ts';

const OPEN_FILES = 1_024;
/** More than all ports may have together. */
const CROWD = 3_000;
/** Descriptors of requests and of the database that may be open in addition. */
const FEW = 20;
/** Each request over a connection of its own. */
const NEIGHBOURS = 10;

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
const SETTINGS = frame(4, 0, 0);
const many = (one: Buffer): Buffer => Buffer.concat(Array<Buffer>(1_000).fill(one));

describe('connections', { timeout: 2 * PATIENCE_MS }, () => {
  let weir: Weir;
  before(async () => {
    weir = await startWeir({ open_files: OPEN_FILES, env: { METRICS_PORT: '0' } });
  });
  after(() => weir.stop());

  /** What each port answers to callers that come now. */
  async function askNeighbours(): Promise<void> {
    const headers = { connection: 'close' };
    for (let i = 0; i < NEIGHBOURS; i += 1) {
      const client = connectGrpc(weir.grpc, { 'grpc.use_local_subchannel_pool': 1 });
      const [scored, keys, evaluated] = await Promise.all([
        call(`${weir.api}/events`, { key: weir.api_key, body: fullEvent(), headers }),
        call(`${weir.auth}/api-keys/${weir.customer_id}`, { headers }),
        callUnary(client, 'EvaluateRisk', { context: { action: 'a:b:c' } }, { key: weir.api_key }),
      ]);
      client.close();
      assert.deepEqual([scored.status, keys.status, evaluated.code], [200, 200, 0], evaluated.message);
    }
  }

  const cuts = async (port: string, reason: string): Promise<number> => {
    const { text } = await call(`${weir.metrics}/metrics`, { headers: { connection: 'close' } });
    const start = `weir_connections_cut_total{port="${port}",reason="${reason}"} `;
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(start))
        ?.slice(start.length) ?? 0,
    );
  };

  const ports = { api: () => weir.api, auth: () => weir.auth, engine: () => `http://${weir.grpc}` };
  for (const [name, address] of Object.entries(ports)) {
    const half = name === 'engine' ? PREFACE.subarray(0, 9) : Buffer.from('POST /events HTTP/1.1\r\nhost: x\r\nx-a: ');
    test(`${CROWD} connections to ${name} without a request: no descriptor is missing, all ports answer, and they are closed`, async () => {
      const { hostname, port } = new URL(address());
      const openFiles = (): number => readdirSync(`/proc/${weir.child.pid}/fd`).length;
      const before = openFiles();
      const sockets: Socket[] = [];
      for (let i = 0; i < CROWD; i += 1) {
        const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.0.${2 + (i % 50)}` });
        sockets.push(socket);
        socket.on('error', () => {});
        if (i % 2 === 0) socket.on('connect', () => socket.write(half));
        socket.resume();
        if (i % 200 === 199) await sleep(0);
      }
      await askNeighbours();
      assert.ok(openFiles() < OPEN_FILES);
      // The server's own count: where its backlog was full, the kernel lets a client believe in a connection that is none.
      while (openFiles() > before + FEW) await sleep(100);
      for (const socket of sockets) socket.destroy();
      assert.ok((await cuts(name, 'full')) > 0);
      if (name === 'engine') assert.ok((await cuts(name, 'silent')) > 0);
    });
  }

  test('connections with a key outlive a crowd without one', async () => {
    const client = connectGrpc(weir.grpc);
    const ask = () => callUnary(client, 'EvaluateRisk', { context: { action: 'a:b:c' } }, { key: weir.api_key });
    await ask();
    const before = await cuts('engine', 'full');
    const stream = openRaw(weir.grpc, 'StreamEvaluateRisk', { 'x-api-key': weir.api_key });
    stream.stream.write(message(encode('StreamEvaluateRiskRequest', { context: { action: 'a:b:c' } })));
    // Answered: its key is known.
    await once(stream.stream, 'data');
    const { hostname, port } = new URL(`http://${weir.grpc}`);
    const crowd = Array.from({ length: 600 }, () =>
      connect(Number(port), hostname)
        .on('error', () => {})
        .resume(),
    );
    while ((await cuts('engine', 'full')) === before) await sleep(50);
    assert.equal((await ask()).code, 0);
    assert.ok(!stream.stream.destroyed);
    stream.close();
    client.close();
    for (const socket of crowd) socket.destroy();
  });

  const headers = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
  const watch = { ...headers, ':path': '/grpc.health.v1.Health/Watch' };

  /** Floods until the server closes the connection, three times, while the neighbours ask. */
  async function flood(attack: () => Promise<void>): Promise<void> {
    const attacks = (async () => {
      for (let i = 0; i < 3; i += 1) await attack();
    })();
    await askNeighbours();
    await attacks;
    await askNeighbours();
  }

  async function pour(first: Buffer, chunk: Buffer): Promise<void> {
    const { hostname, port } = new URL(`http://${weir.grpc}`);
    const socket = connect(Number(port), hostname)
      .on('error', () => {})
      .resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(Buffer.concat([PREFACE, SETTINGS, first]));
    while (!socket.destroyed) {
      if (socket.writableLength < 1_000_000) socket.write(chunk);
      await new Promise(setImmediate);
    }
    await closed;
  }

  /** HPACK: literal names and values, so that no table is needed. */
  const literal = (name: string, value: string): Buffer =>
    Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);
  const opened = frame(
    1,
    4,
    1,
    Buffer.concat(Object.entries({ ...watch, ':scheme': 'http' }).map(([name, value]) => literal(name, value))),
  );
  const floods: Record<string, [first: Buffer, chunk: Buffer]> = {
    PING: [Buffer.alloc(0), many(frame(6, 0, 0, Buffer.alloc(8)))],
    SETTINGS: [Buffer.alloc(0), many(frame(4, 0, 0, Buffer.from('000300000064', 'hex')))],
    'empty DATA': [opened, many(frame(0, 0, 1))],
    WINDOW_UPDATE: [Buffer.alloc(0), many(frame(8, 0, 0, Buffer.from('00000001', 'hex')))],
    PRIORITY: [Buffer.alloc(0), many(frame(2, 0, 3, Buffer.from('0000000010', 'hex')))],
    'unknown frames': [Buffer.alloc(0), many(frame(0xfa, 0, 0, Buffer.alloc(8)))],
    CONTINUATION: [frame(1, 0, 1, Buffer.from([0x82])), many(frame(9, 0, 1, Buffer.alloc(1, 0x40)))],
    garbage: [Buffer.alloc(0), Buffer.alloc(65_536, 0xaa)],
  };
  for (const [name, [first, chunk]] of Object.entries(floods))
    test(`a flood of ${name} without a key ends with its connection`, () => flood(() => pour(first, chunk)));

  async function reset(more: Record<string, string>): Promise<void> {
    const session: ClientHttp2Session = connectHttp2(`http://${weir.grpc}`);
    session.on('error', () => {});
    const closed = new Promise((resolve) => session.once('close', resolve));
    await once(session, 'connect');
    while (!session.destroyed && !session.closed) {
      for (let i = 0; i < 100 && !session.destroyed && !session.closed; i += 1) {
        const stream = session.request({ ...headers, ':path': '/risk.v1.RiskEvaluationService/EvaluateRisk', ...more });
        stream.on('error', () => {});
        stream.close(constants.NGHTTP2_CANCEL);
      }
      await new Promise(setImmediate);
    }
    session.destroy();
    await closed;
  }
  test('a rapid reset without a key ends with its connection', () => flood(() => reset({})));
  test('a rapid reset with a key, too', () => flood(() => reset({ 'x-api-key': weir.api_key })));

  test('one who works may ping: 5,000 calls with a ping each', async () => {
    const session = connectHttp2(`http://${weir.grpc}`);
    session.on('error', () => {});
    for (let i = 0; i < 50; i += 1) {
      const asked = Array.from({ length: 100 }, async () => {
        const stream = session.request({
          ...headers,
          ':path': '/risk.v1.RiskEvaluationService/EvaluateRisk',
          'x-api-key': weir.api_key,
        });
        let status: unknown;
        const note = (found: Record<string, unknown>) => (status = found['grpc-status'] ?? status);
        stream.on('response', note).on('trailers', note).resume();
        // An empty message: the action is missing.
        stream.end(Buffer.alloc(5));
        await once(stream, 'close');
        assert.equal(status, '3');
        await new Promise((resolve) => session.ping(resolve) || setImmediate(resolve));
      });
      await Promise.all(asked);
    }
    assert.ok(!session.destroyed);
    session.destroy();
  });
});
