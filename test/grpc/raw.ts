/** gRPC by hand over HTTP/2, for what a well-behaved client does not do: broken messages, spent deadlines, not reading. */
import { once } from 'node:events';
import { type ClientHttp2Stream, connect, type OutgoingHttpHeaders, type Settings } from 'node:http2';
import { type Answer, definition, type Fields } from './client.ts';

/** Header lines that may stand once only are sent as often as a test says; the types do not know of it. */
const OPTIONS = { protocol: 'http:', strictSingleValueFields: false } as const;

export interface RawCall {
  stream: ClientHttp2Stream;
  close(): void;
}

export function openRaw(
  address: string,
  method: string,
  headers: OutgoingHttpHeaders,
  settings: Settings = {},
): RawCall {
  const session = connect(`http://${address}`, { ...OPTIONS, settings });
  session.on('error', () => {});
  const stream = session.request({
    ':method': 'POST',
    ':path': `/risk.v1.RiskEvaluationService/${method}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  stream.on('error', () => {});
  return { stream, close: () => session.destroy() };
}

/** The frame of a message that is bytes already. */
export function frame(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

export function encode(name: string, message: Fields): Buffer {
  return (definition[`risk.v1.${name}`] as { serialize(message: object): Buffer }).serialize(message);
}

/** The first answer of a stream, from bytes with their frame. */
export function decodeAnswer(framed: Buffer): Answer {
  const type = definition['risk.v1.StreamEvaluateRiskResponse'] as { deserialize(bytes: Buffer): object };
  return type.deserialize(framed.subarray(5, 5 + framed.readUInt32BE(1))) as Answer;
}

/** One call with these bytes as its message: the gRPC status, and the bytes of the answer with their frame. */
export async function callRaw(
  address: string,
  method: string,
  message: Uint8Array,
  headers: OutgoingHttpHeaders,
): Promise<{ code: number; message: string; answer: Buffer }> {
  const { stream, close } = openRaw(address, method, headers);
  let last: Record<string, unknown> = {};
  const chunks: Buffer[] = [];
  stream.on('response', (found) => Object.assign(last, found));
  stream.on('trailers', (found) => {
    last = { ...last, ...found };
  });
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.end(frame(message));
  await once(stream, 'close');
  close();
  return {
    code: Number(last['grpc-status']),
    message: decodeURI(String(last['grpc-message'] ?? '')),
    answer: Buffer.concat(chunks),
  };
}
