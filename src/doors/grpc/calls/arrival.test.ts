import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { StreamDecoder } from '@grpc/grpc-js/build/src/stream-decoder.js';
import { createIntake } from '../../../platform/http/intake.ts';
import { countArrival } from './arrival.ts';

test('a stream that is silent after a large message retains none of its bytes', () => {
  const decoder = new StreamDecoder(1_000);
  const stream = Object.assign(new EventEmitter(), { isPaused: () => false });
  const call = { decoder, stream, startRead() {}, handleEndEvent() {}, decompressMessage() {} };
  const options = { is_stream: true, unpack: () => assert.fail(), newRequestId: () => '' };
  const arrival = countArrival(call as never, 'a', createIntake(), options);
  const message = Buffer.from([0, 0, 0, 0, 4, 1, 2, 3, 4]);
  assert.deepEqual(decoder.write(message.subarray(0, 7)), []);
  assert.deepEqual(decoder.write(message.subarray(7)), [message]);
  arrival.delivered();
  assert.deepEqual(
    Object.values(decoder).filter((kept) => Array.isArray(kept) && kept.length > 0),
    [],
  );
  arrival.end();
});
