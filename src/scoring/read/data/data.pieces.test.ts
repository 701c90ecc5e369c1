/** Long lists are read in pieces; nothing that one value would show may get lost for that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventOf, NO_CONTENT, ontology, textOf } from '../../../../test/support/readings.ts';
import type { JsonObject } from '../../../lang/json.ts';
import { readAction } from '../action/action.ts';
import { readData } from './data.ts';

const LENGTH = 3_000;
const CARD = '5500 0000 0000 0004';

function read(parameters: JsonObject, ...untrusted: string[]) {
  const event = eventOf({ action: 'zzz:qqq:update', parameters });
  return readData(event, ontology, readAction(event, ontology, NO_CONTENT), textOf(...untrusted));
}
const addresses = Array.from({ length: LENGTH }, (_, i) => `u${i}@north.test`);
const withAt = (at: number, value: string): string[] => addresses.map((address, i) => (i === at ? value : address));
const places = fc.integer({ min: 0, max: LENGTH - 1 });

test('a card number at any place of a long list is found', () => {
  assert.equal(
    read({ ids: addresses }).touched.some(({ data_class }) => data_class === 'financial'),
    false,
  );
  fc.assert(
    fc.property(places, (at) => {
      const { touched } = read({ ids: withAt(at, CARD) });
      assert.ok(touched.some(({ data_class, basis }) => data_class === 'financial' && basis === 'value'));
    }),
    { numRuns: 20 },
  );
});

test('so is one in base64, and one that was seen before', () => {
  fc.assert(
    fc.property(places, (at) => {
      const { carried } = read({ ids: withAt(at, btoa(`the card is ${CARD}`)) });
      assert.ok(carried.some(({ technique }) => technique === 'base64'));
      const seen = read({ ids: withAt(at, CARD) }, `Pay with card ${CARD}.`);
      assert.ok(seen.carried.some(({ technique }) => technique === 'plain'));
    }),
    { numRuns: 10 },
  );
});

test('and a secret under the key that says so, among thousands of others', () => {
  const names = Object.fromEntries(addresses.map((address, i) => [`note_${i}`, address]));
  const secret = 'q7Rt2Lw9Xz4Vb8Nm1Kp6Sd3Fg5Hj0AcE';
  const { touched } = read({ ...names, api_secret: secret });
  assert.ok(
    touched.some(({ data_class, basis, value }) => data_class === 'secret' && basis === 'value' && value === secret),
  );
});
