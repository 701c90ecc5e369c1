import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { status as statusCodes } from '@grpc/grpc-js';
import { type ErrorCode, errorTable, StoreUnavailable, WeirError } from '../../platform/errors.ts';
import type { MessageTypes } from './messages/messages.ts';
import { codecOf } from './messages/proto.ts';
import { DeadlinePassed, toCallStatus, toStatus } from './status.ts';

type Detail = 'ErrorInfo' | 'BadRequest' | 'RetryInfo' | 'RequestInfo';

/** The detail as plain fields; `null` when there is none. */
function detail<Name extends Detail>(thrown: unknown, name: Name): MessageTypes[`google.rpc.${Name}`] | null {
  const found = toStatus(thrown, 'r-1').details.find(({ type_url }) => type_url.endsWith(`.${name}`));
  return found === undefined ? null : codecOf(`google.rpc.${name}`).decode(Buffer.from(found.value));
}

describe('a failure in gRPC’s terms', () => {
  for (const [code, { grpc }] of Object.entries(errorTable)) {
    test(`${code} is ${grpc}`, () => {
      const error = new WeirError(code as ErrorCode);
      const { code: number, message } = toStatus(error, 'r-1');
      assert.equal(statusCodes[number], grpc);
      assert.equal(message, error.detail);
      assert.deepEqual({ ...detail(error, 'ErrorInfo') }, { reason: code.toUpperCase(), domain: 'weir', metadata: {} });
      assert.equal(detail(error, 'RequestInfo')?.request_id, 'r-1');
    });
  }

  test('an unexpected error is INTERNAL and reveals no message', () => {
    for (const thrown of [new Error('secret'), new TypeError('secret'), 'secret']) {
      const told = toStatus(thrown, 'r-1');
      assert.equal(told.code, statusCodes.INTERNAL);
      assert.doesNotMatch(JSON.stringify(told), /secret/);
    }
    assert.equal(toStatus(new StoreUnavailable('postgres://u:p@db'), 'r').code, statusCodes.UNAVAILABLE);
    assert.equal(toStatus(new DeadlinePassed(), 'r').code, statusCodes.DEADLINE_EXCEEDED);
    assert.equal(detail(new DeadlinePassed(), 'ErrorInfo')?.reason, 'TIMED_OUT');
  });

  test('says when to retry', () => {
    const seconds = (error: WeirError) => Number(detail(error, 'RetryInfo')?.retry_delay?.seconds);
    assert.equal(seconds(new WeirError('rate_limited', { retry_after_s: 7 })), 7);
    assert.equal(seconds(new WeirError('unavailable')), 1);
    assert.equal(detail(new WeirError('invalid'), 'RetryInfo'), null);
  });

  test('the trailers can be sent and stay small whatever a caller sent', () => {
    const errors = Array.from({ length: 500 }, (_, i) => ({
      path: `context.${'x'.repeat(5_000)}${i}\ud800`,
      message: 'no\n\0',
    }));
    const told = toCallStatus(
      toStatus(new WeirError('invalid', { detail: `\ud800${'ü\r\n'.repeat(9_000)}`, errors }), 'r'),
    );
    assert.doesNotThrow(() => encodeURI(told.details));
    assert.ok(encodeURI(told.details).length < 7_000, `${encodeURI(told.details).length}`);
    const [bytes] = told.metadata.get('grpc-status-details-bin');
    assert.ok((bytes as Buffer).length < 16_000, `${(bytes as Buffer).length}`);
  });
});
