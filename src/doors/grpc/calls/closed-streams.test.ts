import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type ServerHttp2Stream } from 'node:http2';
import { test } from 'node:test';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { until } from '../../../../test/support/patience.ts';
import { forgetClosed } from './closed-streams.ts';
import { onNewStream } from './new-streams.ts';

const bytes = { serialize: (value: Buffer) => value, deserialize: (value: Buffer) => value };
const definition = {
  Echo: {
    path: '/test.Echo/Echo',
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes.serialize,
    requestDeserialize: bytes.deserialize,
    responseSerialize: bytes.serialize,
    responseDeserialize: bytes.deserialize,
  },
};

test('a closed stream has no listeners of its call left once grpc-js was told of the end', async (t) => {
  const server = new Server();
  const cancelled: boolean[] = [];
  let stream: ServerHttp2Stream | undefined;
  forgetClosed(server);
  onNewStream(server, (opened) => void (stream = opened));
  server.addService(definition, {
    Echo: (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
      call.once('cancelled', () => cancelled.push(call.cancelled));
      if (call.request.length > 0) done(null, call.request);
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  t.after(() => server.forceShutdown());
  const session = connect(`http://127.0.0.1:${port}`);
  t.after(() => session.destroy());
  const headers = {
    ':method': 'POST',
    ':path': '/test.Echo/Echo',
    'content-type': 'application/grpc',
    te: 'trailers',
  };

  const answered = session.request(headers);
  answered.resume().end(Buffer.from([0, 0, 0, 0, 1, 7]));
  await once(answered, 'close');
  await isForgotten(() => stream);

  const left = session.request(headers);
  left.on('error', () => {});
  left.end(Buffer.from([0, 0, 0, 0, 0]));
  const was = stream;
  while (stream === was) await new Promise(setImmediate);
  // Its handler runs and never answers.
  await until(() => stream!.listenerCount('close') > 0, 'the handler runs');
  left.destroy();
  await isForgotten(() => stream);
  assert.deepEqual(cancelled.at(-1), true);
});

const TRIES = 1_000;

async function isForgotten(stream: () => ServerHttp2Stream | undefined): Promise<void> {
  const left = (): (string | symbol)[] => stream()?.eventNames() ?? ['not there'];
  for (let tries = 0; tries < TRIES && left().some((name) => name !== 'error'); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(left(), ['error']);
}
