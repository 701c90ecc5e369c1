/** What of a call is there before its message is: bounded without a key, counted with one, and never the server's fault. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { PATIENCE_MS, until } from '../support/patience.ts';
import { startWeir, type Weir } from '../support/weir.ts';
import { definition, detailsOf, type Fields, type Status } from './client.ts';
import { callRaw, encode, frame } from './raw.ts';

const MIB = 2 ** 20;
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const HEALTH = '/grpc.health.v1.Health/Check';
const STREAM = '/risk.v1.RiskEvaluationService/StreamEvaluateRisk';
const EVALUATE = '/risk.v1.RiskEvaluationService/EvaluateRisk';

describe('bytes on their way', () => {
  let weir: Weir;
  let session: ClientHttp2Session;
  before(async () => {
    weir = await startWeir();
    // Of ours: it would refuse the ninth unfinished message before the server does.
    session = connect(`http://${weir.grpc}`, { maxSessionMemory: 1_000 });
  });
  after(async () => {
    session.destroy();
    await weir.stop();
  });

  const open = (path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream => {
    const all = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers };
    const stream = session.request(all);
    stream.on('error', () => {});
    return stream;
  };

  /** The status that the call ends with, whether or not we have sent all; then the call is over for us as well. */
  async function statusOf(stream: ClientHttp2Stream): Promise<number> {
    const told = await new Promise<unknown>((resolve) => {
      const note = (found: Record<string, unknown>): void => {
        if (found['grpc-status'] !== undefined) resolve(found['grpc-status']);
      };
      stream.on('response', note);
      stream.on('trailers', note);
      stream.once('close', () => resolve('closed without a status'));
      stream.resume();
    });
    stream.close();
    return Number(told);
  }

  /** Says that 4 MiB will come, and sends all but the last byte. */
  function begin(path: string, headers?: OutgoingHttpHeaders): ClientHttp2Stream {
    const stream = open(path, headers);
    stream.write(frame(Buffer.alloc(4 * MIB)).subarray(0, -1));
    return stream;
  }

  /** The server has seen that calls are gone. */
  async function untilThereIsRoom(headers: OutgoingHttpHeaders): Promise<void> {
    const isTaken = async () => (await callRaw(weir.grpc, 'EvaluateRisk', request(), headers)).code === status.OK;
    await until(isTaken, 'the bytes are no longer counted');
  }

  test('without a key only short messages are taken, packed ones too', async () => {
    for (const path of [REFLECTION, HEALTH]) {
      assert.equal(await statusOf(begin(path)), status.RESOURCE_EXHAUSTED, path);
      const packed = gzipSync(Buffer.alloc(4 * MIB));
      const stream = open(path, { 'grpc-encoding': 'gzip' });
      const framed = frame(packed);
      framed[0] = 1;
      stream.write(framed);
      assert.equal(await statusOf(stream), status.RESOURCE_EXHAUSTED, path);
    }
  });

  test('messages that do not end count among the bytes that their customer has under way', async () => {
    const headers = { 'x-api-key': weir.api_key };
    const whole = Array.from({ length: 8 }, () => begin(EVALUATE, headers));
    // All eight have said how long they are before the ninth does.
    await Promise.all(whole.map((stream) => new Promise((resolve) => stream.write(Buffer.alloc(0), resolve))));
    assert.equal(await statusOf(begin(EVALUATE, headers)), status.RESOURCE_EXHAUSTED);
    const left = whole.map((stream) => once(stream, 'close'));
    for (const stream of whole) stream.close();
    await Promise.all(left);
    await untilThereIsRoom(headers);
  });

  test('so do messages that are whole, of calls that are not ended', { timeout: PATIENCE_MS }, async () => {
    const headers = { 'x-api-key': weir.api_key };
    const calls = Array.from({ length: 9 }, () => {
      const stream = open(EVALUATE, headers);
      stream.write(frame(Buffer.alloc(4 * MIB)));
      return stream;
    });
    assert.equal(await Promise.race(calls.map(statusOf)), status.RESOURCE_EXHAUSTED);
    const left = calls.map((stream) => stream.closed || once(stream, 'close'));
    for (const stream of calls) stream.close();
    await Promise.all(left);
    await untilThereIsRoom(headers);
  });

  test('a stream that finds no room waits, and loses nothing', async () => {
    const headers = { 'x-api-key': weir.api_key };
    const whole = Array.from({ length: 8 }, () => begin(EVALUATE, headers));
    await Promise.all(whole.map((stream) => new Promise((resolve) => stream.write(Buffer.alloc(0), resolve))));
    assert.equal(await statusOf(begin(EVALUATE, headers)), status.RESOURCE_EXHAUSTED);
    const COUNT = 500;
    const context = { action: 'a:b:c', user_context: 'x'.repeat(3_000) };
    const asked = frame(encode('StreamEvaluateRiskRequest', { context }));
    const answers: Buffer[] = [];
    const alone: Buffer[] = [];
    const stream = open(STREAM, headers);
    stream.on('data', (bytes: Buffer) => answers.push(bytes));
    stream.end(Buffer.concat(Array.from({ length: COUNT }, () => asked)));
    const single = open(STREAM, headers);
    single.on('data', (bytes: Buffer) => alone.push(bytes));
    single.end(asked);
    const told = Promise.all([statusOf(stream), statusOf(single)]);
    assert.equal(await Promise.race([told, sleep(1_500, 'waits')]), 'waits');
    assert.equal(answers.length + alone.length, 0);
    for (const one of whole) one.close();
    assert.deepEqual(await told, [status.OK, status.OK]);
    assert.equal(countOf(answers) + countOf(alone), COUNT + 1);
  });

  test('packed messages take the room of what they are, and bursts of them are answered', async () => {
    const headers = { 'x-api-key': weir.api_key, 'grpc-encoding': 'gzip' };
    const pack = (message: Buffer): Buffer => {
      const framed = frame(gzipSync(message));
      framed[0] = 1;
      return framed;
    };
    const context = {
      action: 'a:b:c',
      user_context: 'Please read the report, and tell me what it says. '.repeat(1_000),
    };
    const [alone, asked] = ['EvaluateRiskRequest', 'StreamEvaluateRiskRequest'].map((name) =>
      pack(encode(name, { context })),
    );
    const calls = Array.from({ length: 200 }, () => {
      const stream = open(EVALUATE, headers);
      stream.end(alone);
      return statusOf(stream);
    });
    assert.deepEqual(await Promise.all(calls), Array(200).fill(status.OK));
    const answers: Buffer[] = [];
    const stream = open(STREAM, headers);
    stream.on('data', (bytes: Buffer) => answers.push(bytes));
    stream.end(Buffer.concat(Array.from({ length: 200 }, () => asked!)));
    assert.equal(await statusOf(stream), status.OK);
    assert.equal(countOf(answers), 200);
  });

  test('a megabyte of packed messages does not take a thousand', async (t) => {
    if (process.platform !== 'linux') return t.skip('memory was NOT measured: no /proc');
    const peak = (): number =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${weir.child.pid}/status`, 'utf8'))![1]);
    const framed = frame(gzipSync(Buffer.alloc(4 * MIB - 100)));
    framed[0] = 1;
    // What was measured up to now is forgotten.
    writeFileSync(`/proc/${weir.child.pid}/clear_refs`, '5');
    const before = peak();
    const calls = Array.from({ length: 250 }, () => {
      const stream = open(EVALUATE, { 'x-api-key': weir.api_key, 'grpc-encoding': 'gzip' });
      stream.end(framed);
      return statusOf(stream);
    });
    await Promise.all(calls);
    assert.ok(peak() - before < 450_000, `${peak() - before} kB more`);
  });

  test('a message that does not end, or whose call does not, is not waited for', { timeout: PATIENCE_MS }, async () => {
    const headers = { 'x-api-key': weir.api_key };
    const whole = open(EVALUATE, headers);
    whole.write(frame(request()));
    const told = await Promise.all([begin(EVALUATE, headers), whole].map(statusOf));
    assert.deepEqual(told, [status.DEADLINE_EXCEEDED, status.DEADLINE_EXCEEDED]);
  });

  test('a stream that waits for its reader is not late', async () => {
    const headers = { 'x-api-key': weir.api_key };
    const stream = open(STREAM, headers);
    const context = { action: 'crm:contact:read', user_context: 'x'.repeat(3_000) };
    const all = Array.from({ length: 1_500 }, () => frame(encode('StreamEvaluateRiskRequest', { context })));
    stream.end(Buffer.concat(all));
    // Nobody reads: answers stop, then reading does, in the middle of a message.
    await sleep(13_000);
    assert.equal(await statusOf(stream), status.OK);
  });

  test('bytes that are no request are the caller’s fault', async () => {
    const headers = { 'x-api-key': weir.api_key };
    for (const junk of ['not packed', '']) {
      const framed = frame(Buffer.from(junk));
      framed[0] = 1;
      const stream = open(EVALUATE, { ...headers, 'grpc-encoding': 'gzip' });
      stream.end(framed);
      assert.equal(await statusOf(stream), status.INVALID_ARGUMENT, junk);
    }
    const stream = open(HEALTH);
    stream.end(frame(Buffer.from([0xff, 0xff])));
    assert.equal(await statusOf(stream), status.INVALID_ARGUMENT);
    const empty = open(EVALUATE, headers);
    empty.end();
    assert.equal(await statusOf(empty), status.INVALID_ARGUMENT);
  });

  test('a message that is cut off was not scored, and the caller is told; those before it are answered', async () => {
    const headers = { 'x-api-key': weir.api_key };
    const asked = frame(encode('StreamEvaluateRiskRequest', { context: { action: 'a:b:c' } }));
    for (const length of [1, 3, 5, asked.length - 1]) {
      const cut = asked.subarray(0, length);
      const answers: Buffer[] = [];
      const stream = open(STREAM, headers);
      stream.on('data', (bytes: Buffer) => answers.push(bytes));
      stream.end(Buffer.concat([asked, cut]));
      assert.equal(await statusOf(stream), status.INVALID_ARGUMENT, `${length} bytes`);
      const all = Buffer.concat(answers);
      assert.equal(all.length, 5 + all.readUInt32BE(1), 'one answer');
      const alone = open(STREAM, headers);
      alone.end(cut);
      assert.equal(await statusOf(alone), status.INVALID_ARGUMENT, `${length} bytes alone`);
      for (const before of [Buffer.alloc(0), frame(request())]) {
        const unary = open(EVALUATE, headers);
        unary.end(Buffer.concat([before, cut]));
        assert.equal(await statusOf(unary), status.INVALID_ARGUMENT, `unary, ${length} bytes`);
      }
    }
  });

  test('a stream that is ended while its answers are written is told its status', async () => {
    const headers = { 'x-api-key': weir.api_key };
    const asked = frame(encode('StreamEvaluateRiskRequest', { context: { action: 'a:b:c' } }));
    const many = Buffer.concat(Array.from({ length: 100 }, () => asked));
    const too_long = Buffer.from([0, 0, 0x50, 0, 0]);
    const told: number[] = [];
    for (let i = 0; i < 40; i += 1) {
      const stream = open(STREAM, headers);
      stream.write(many);
      // Answers flow from the first on, and others follow it.
      await once(stream, 'data');
      stream.write(too_long);
      told.push(await Promise.race([statusOf(stream), sleep(PATIENCE_MS, -1, { ref: false })]));
      stream.close();
    }
    assert.deepEqual(told, Array(40).fill(status.RESOURCE_EXHAUSTED));
  });

  test('a stream that failed does not stay for a caller that does not read', async () => {
    const stream = open(STREAM, { 'x-api-key': weir.api_key, 'grpc-timeout': '1S' });
    const context = { action: 'crm:contact:read' };
    const asked = frame(encode('StreamEvaluateRiskRequest', { context }));
    stream.write(Buffer.concat(Array.from({ length: 1_500 }, () => asked)));
    stream.once('data', () => stream.pause());
    await once(stream, 'aborted', { signal: AbortSignal.timeout(PATIENCE_MS) });
    assert.equal(stream.rstCode, constants.NGHTTP2_CANCEL);
    stream.close();
  });

  test('a time-out that is none is refused, whatever there is to read in it', async () => {
    const headers = { 'x-api-key': weir.api_key };
    const bad = ['abc', '5x', '-1S', '1.5S', '+5S', '5', 'S', '', '5 S', '123456789S', '1S2S', '5S, 5S', '1Sx', '5é'];
    for (const timeout of bad) {
      const told = await callRaw(weir.grpc, 'EvaluateRisk', request(), { ...headers, 'grpc-timeout': timeout });
      assert.equal(told.code, status.INVALID_ARGUMENT, timeout);
      assert.match(told.message, /grpc-timeout/);
    }
    for (const timeout of ['5S', ' 5S ', '99999999u'])
      assert.equal(
        (await callRaw(weir.grpc, 'EvaluateRisk', request(), { ...headers, 'grpc-timeout': timeout })).code,
        status.OK,
        timeout,
      );
  });

  test('a time-out of weeks does not end a stream in a second', async () => {
    const told = ['4294968S', '99999999S', '1194H', '99999999H'].map((timeout) =>
      statusOf(open(STREAM, { 'x-api-key': weir.api_key, 'grpc-timeout': timeout })),
    );
    assert.equal(await Promise.race([...told, sleep(3_000, 'open')]), 'open');
  });

  test('what ends a call before it is read, or while it is, has details as well', async () => {
    const key = { 'x-api-key': weir.api_key };
    const detailsIn = async (stream: ClientHttp2Stream): Promise<Record<string, Fields>> => {
      const found = await new Promise<Record<string, unknown>>((resolve) => {
        for (const event of ['response', 'trailers'] as const)
          stream.on(event, (lines: Record<string, unknown>) => lines['grpc-status'] !== undefined && resolve(lines));
      });
      stream.close();
      const bytes = Buffer.from(String(found['grpc-status-details-bin'] ?? ''), 'base64');
      const type = definition['google.rpc.Status'] as { deserialize(bytes: Buffer): object };
      return detailsOf(type.deserialize(bytes) as Status);
    };
    const spent = open(STREAM, { ...key, 'grpc-timeout': '200m' });
    const unknown = open(EVALUATE, { ...key, 'grpc-encoding': 'br' });
    const packed = frame(Buffer.from('x'));
    packed[0] = 1;
    unknown.end(packed);
    const slow = begin(EVALUATE, key);
    const nobody = open(HEALTH);
    nobody.end(frame(Buffer.from([10, 1, 120])));
    const told = await Promise.all([spent, unknown, slow, nobody].map(detailsIn));
    for (const details of told) assert.match(String(details['RequestInfo']?.['request_id']), /-g/);
    const reasons = told.map((details) => details['ErrorInfo']?.['reason']);
    assert.deepEqual(reasons, ['TIMED_OUT', 'UNIMPLEMENTED', 'TIMED_OUT', 'NOT_FOUND']);
  });

  test('a deadline in a month has not passed', async () => {
    const headers = { 'x-api-key': weir.api_key };
    for (const timeout of ['720H', '1000H', '8760H', '20H'])
      assert.equal(
        (await callRaw(weir.grpc, 'EvaluateRisk', request(), { ...headers, 'grpc-timeout': timeout })).code,
        status.OK,
        timeout,
      );
  });

  test('a message of two million empty entries is refused, and others are answered meanwhile', async () => {
    const headers = { 'x-api-key': weir.api_key };
    const context = Buffer.alloc(4 * MIB - 64, Buffer.from([66, 0]));
    const length = context.length;
    const message = Buffer.concat([
      Buffer.from([10, (length & 127) | 128, ((length >> 7) & 127) | 128, ((length >> 14) & 127) | 128, length >> 21]),
      context,
    ]);
    const { code } = await callRaw(weir.grpc, 'EvaluateRisk', message, headers);
    assert.equal(code, status.INVALID_ARGUMENT);
  });

  test('a message that would be kept as many times its size is refused', async () => {
    const message = encode('EvaluateRiskRequest', { context: { action: 'a:b:c', user_context: '\0'.repeat(2 * MIB) } });
    const told = await callRaw(weir.grpc, 'EvaluateRisk', message, { 'x-api-key': weir.api_key });
    assert.equal(told.code, status.INVALID_ARGUMENT);
    assert.match(told.message, /8 MiB/);
  });
});

function request(): Buffer {
  return encode('EvaluateRiskRequest', { context: { action: 'crm:contact:read' } });
}

/** Messages in bytes with their frames. */
function countOf(bytes: readonly Buffer[]): number {
  let count = 0;
  for (let rest = Buffer.concat(bytes); rest.length > 0; count += 1) rest = rest.subarray(5 + rest.readUInt32BE(1));
  return count;
}
