/**
 * A light load generator in a process of its own: messages encoded beforehand, frames over plain HTTP/2.
 * `npx node tools/bench/grpc/grpc-load.ts unary|stream ADDRESS SECONDS KEY`; prints one line of JSON.
 */
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { codecOf } from '../../../src/doors/grpc/messages/proto.ts';
import { benchEvents } from '../events.ts';
import { contextOf } from './grpc-messages.ts';

const [mode, address, seconds, key] = process.argv.slice(2) as [string, string, string, string];
/** Calls in flight for unary; messages in flight for a stream. */
const IN_FLIGHT = 64;
const STREAMS = 4;

const requests = benchEvents(200).map(contextOf);
const frame = (message: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};
const headers = (method: string) => ({
  ':method': 'POST',
  ':path': `/risk.v1.RiskEvaluationService/${method}`,
  'content-type': 'application/grpc',
  te: 'trailers',
  'x-api-key': key,
});

let count = 0;
let errors = 0;
let is_over = false;
const delays: number[] = [];
const finished = (since: number): void => {
  count += 1;
  delays.push(performance.now() - since);
};

const unaryCodec = codecOf('risk.v1.EvaluateRiskRequest');
const unaryFrames = requests.map((context) => frame(unaryCodec.encode({ context, customer_id: '' })));

async function unary(session: ClientHttp2Session): Promise<void> {
  for (let i = Math.floor(Math.random() * 200); !is_over; i++) {
    const since = performance.now();
    const stream = session.request(headers('EvaluateRisk'));
    let status = '';
    stream.on('response', (found) => (status = String(found['grpc-status'] ?? status)));
    stream.on('trailers', (found) => (status = String(found['grpc-status'] ?? status)));
    stream.resume();
    stream.end(unaryFrames[i % unaryFrames.length]);
    await once(stream, 'close');
    if (status === '0') finished(since);
    else errors += 1;
  }
}

const streamCodec = codecOf('risk.v1.StreamEvaluateRiskRequest');
const streamFrames = requests.map((context, i) =>
  frame(streamCodec.encode({ request_id: String(i), context, customer_id: '' })),
);

function stream(session: ClientHttp2Session): void {
  const one = session.request(headers('StreamEvaluateRisk'));
  const sent: number[] = [];
  let at = Math.floor(Math.random() * 200);
  const send = (many: number): void => {
    const frames = Array.from({ length: many }, () => streamFrames[at++ % streamFrames.length]!);
    for (let i = 0; i < many; i++) sent.push(performance.now());
    one.write(Buffer.concat(frames));
  };
  let rest: Buffer = Buffer.alloc(0);
  one.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let answers = 0;
    for (; rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1); answers++)
      rest = rest.subarray(5 + rest.readUInt32BE(1));
    for (let i = 0; i < answers; i++) finished(sent.shift()!);
    if (answers > 0 && !is_over) send(answers);
  });
  one.on('trailers', () => (errors += 1));
  send(IN_FLIGHT / STREAMS);
}

const sessions = await Promise.all(
  Array.from({ length: STREAMS }, async () => {
    const session = connect(`http://${address}`, { settings: { initialWindowSize: 1 << 20 } });
    await once(session, 'connect');
    return session;
  }),
);
const begun = performance.now();
for (const session of sessions) {
  if (mode === 'stream') stream(session);
  else for (let i = 0; i < IN_FLIGHT / STREAMS; i++) void unary(session);
}
await new Promise((done) => setTimeout(done, Number(seconds) * 1_000));
is_over = true;
const elapsed_s = (performance.now() - begun) / 1_000;
delays.sort((a, b) => a - b);
const at = (share: number): number => delays[Math.floor(share * delays.length)] ?? 0;
process.stdout.write(
  `${JSON.stringify({ per_second: count / elapsed_s, count, errors, p50_ms: at(0.5), p99_ms: at(0.99) })}\n`,
);
process.exit(0);
