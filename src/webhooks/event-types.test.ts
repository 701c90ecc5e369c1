import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { compileValidator } from '../platform/http/validate.ts';
import {
  CHOOSABLE_TYPES,
  DEFAULT_TYPES,
  describeWebhooks,
  eventTypes,
  exampleMessage,
  messageSchema,
} from './event-types.ts';
import { newSecret, signedHeaders } from './signing.ts';

describe('event types', () => {
  for (const type of eventTypes) {
    test(`${type.name}: its example fits its schema, signed and verified`, () => {
      const secret = newSecret();
      const body = JSON.stringify(exampleMessage(type));
      const received = new Webhook(secret).verify(body, signedHeaders('msg_1', new Date(), body, [secret]));
      assert.deepEqual(compileValidator(messageSchema(type), 'the message')(received), exampleMessage(type));
      assert.ok(body.length < 1_000, 'thin');
    });

    test(`${type.name}: nothing else passes`, () => {
      const validate = compileValidator(messageSchema(type), 'the message');
      const message = exampleMessage(type);
      assert.throws(() => validate({ ...message, type: 'other' }), { code: 'invalid' });
      assert.throws(() => validate({ ...message, data: {} }), { code: 'invalid' });
      const chatty = { ...type.example, parameters: { text: 'secret' } };
      assert.throws(() => validate({ ...message, data: chatty }), { code: 'invalid' });
    });
  }

  test('which types are sent by default, and which on request', () => {
    assert.deepEqual(DEFAULT_TYPES, ['event.held', 'event.decided', 'token.revoked', 'key.rotated']);
    assert.deepEqual(
      CHOOSABLE_TYPES.filter((name) => !DEFAULT_TYPES.includes(name)),
      ['event.scored'],
    );
    assert.deepEqual(
      Object.keys(describeWebhooks()),
      eventTypes.map(({ name }) => name),
    );
  });
});
