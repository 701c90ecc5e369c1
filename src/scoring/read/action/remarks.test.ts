import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../test/support/readings.ts';
import { withoutRemarks } from './remarks.ts';

const left = (parameters: NonNullable<Parameters<typeof eventOf>[0]>['parameters']) =>
  withoutRemarks(eventOf({ parameters: parameters! }), ontology)?.parameters;

test('remarks are left out at any place, and what held nothing else with them', () => {
  assert.deepEqual(left({ id: 'a', note: 'hi', options: { Reason: 'because', deep: [{ memo: 'x' }] }, list: [1] }), {
    id: 'a',
    list: [1],
  });
  assert.deepEqual(left({ id: null, context: ['a', 'b'] }), { id: null });
});

test('a mark of one word is no remark', () => {
  assert.equal(left({ id: 'a', tags: ['urgent', 'billing'] }), undefined);
  assert.deepEqual(left({ id: 'a', tags: ['urgent', 'pay it now'] }), { id: 'a' });
});

test('an event without remarks, or with nothing else, is read once', () => {
  assert.equal(withoutRemarks(eventOf({}), ontology), null);
  assert.equal(withoutRemarks(eventOf({ parameters: { id: 'a', list: [{ b: 1 }] } }), ontology), null);
  assert.equal(withoutRemarks(eventOf({ parameters: { note: 'a' } }), ontology), null);
});
