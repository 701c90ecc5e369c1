import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newSecret, signedHeaders } from './signing.ts';

const VECTORS = new URL('../../../shared/vectors/webhook-signatures.json', import.meta.url);

interface Vector {
  id: string;
  class: string;
  secret: string;
  headers: Record<string, string>;
  body_base64: string;
  now: number;
  tolerance_s: number;
  expected: string;
}

describe('shared vectors: webhook signatures', {
  skip: existsSync(VECTORS) ? false : 'SKIPPED: ../shared is not there',
}, () => {
  if (!existsSync(VECTORS)) return;
  const { tests } = JSON.parse(readFileSync(VECTORS, 'utf8')) as { tests: Vector[] };
  for (const vector of tests.filter(({ expected }) => expected === 'valid')) {
    test(`${vector.id}: signing the same message gives one of its signatures`, () => {
      const body = Buffer.from(vector.body_base64, 'base64').toString('utf8');
      const sent_at = new Date(Number(vector.headers['webhook-timestamp']) * 1_000);
      const headers = signedHeaders(vector.headers['webhook-id']!, sent_at, body, [vector.secret]);
      const known = vector.headers['webhook-signature']!.split(' ');
      assert.ok(known.includes(headers['webhook-signature']!), headers['webhook-signature']);
    });
  }

  // The code that the guide recommends to receivers.
  for (const { id, class: what, secret, headers, body_base64, now, expected } of tests) {
    test(`${id}: a receiver with the standard library finds ${what} ${expected}`, (t) => {
      t.mock.timers.enable({ apis: ['Date'], now: now * 1_000 });
      const verify = () => new Webhook(secret).verify(Buffer.from(body_base64, 'base64').toString('utf8'), headers);
      if (expected === 'valid') verify();
      else assert.throws(verify);
    });
  }
});

test('a receiver with the standard library accepts messages signed with the new and with the old secret', () => {
  const [old, current] = [newSecret(), newSecret()];
  const body = JSON.stringify({ type: 'event.held', data: { note: 'ünïcode \u{1f600}' } });
  const headers = signedHeaders('msg_1', new Date(), body, [current, old]);
  for (const secret of [old, current]) assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
  assert.throws(() => new Webhook(newSecret()).verify(body, headers));
  assert.throws(() => new Webhook(current).verify(`${body} `, headers));
});
