import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../test/support/readings.ts';
import { remarklessForms, withoutRemarks } from './remarks.ts';

const left = (parameters: NonNullable<Parameters<typeof eventOf>[0]>['parameters']) =>
  withoutRemarks(eventOf({ parameters: parameters! }), ontology)?.parameters;

test('remarks are left out at any place, and what held nothing else with them', () => {
  assert.deepEqual(left({ id: 'a', note: 'hi', options: { Reason: 'because', deep: [{ memo: 'x' }] }, list: [1] }), {
    id: 'a',
    list: [1],
  });
  assert.deepEqual(left({ id: null, context: ['a', 'b'] }), { id: null });
});

test('whose a thing is, is not a remark in one word of its own', () => {
  assert.equal(left({ id: 'a', owner: 'Paul' }), undefined);
  assert.deepEqual(left({ id: 'a', owner: 'pay it now' }), { id: 'a' });
  assert.deepEqual(left({ id: 'prod-7', owner: 'prod-7' }), { id: 'prod-7' });
});

test('claims, what follows a call and names that are none are left out', () => {
  assert.deepEqual(left({ id: 'a', approved: true, trace_id: 'x', environment: 'test', 'https://a.example/': 1 }), {
    id: 'a',
  });
  assert.equal(left({ id: 'a', environment: 'production', timeout_policy: 'x' }), undefined);
  assert.deepEqual(left({ id: 'a', filter: { trace_id: 'x' } }), { id: 'a', filter: {} });
});

test('an event without remarks, or with nothing else, is read once', () => {
  assert.equal(withoutRemarks(eventOf({}), ontology), null);
  assert.equal(withoutRemarks(eventOf({ parameters: { id: 'a', list: [{ b: 1 }] } }), ontology), null);
  assert.equal(withoutRemarks(eventOf({ parameters: { note: 'a' } }), ontology), null);
});

test('remarks have names in other languages, and marks before them', () => {
  assert.deepEqual(
    left({ id: 'a', Hinweis: 'x', 备注: 'x', _comment: 'x', 'x-note': 'x', $comment: 'x', userNote: 'x' }),
    {
      id: 'a',
    },
  );
});

test('of several remarks each is left out alone, too', () => {
  const forms = (parameters: NonNullable<Parameters<typeof eventOf>[0]>['parameters']) =>
    remarklessForms(eventOf({ parameters: parameters! }), ontology).map((one) => one.parameters);
  assert.deepEqual(forms({ id: 'a', title: 'b', note: 'c' }), [
    { id: 'a' },
    { id: 'a', note: 'c' },
    { id: 'a', title: 'b' },
  ]);
  assert.deepEqual(forms({ id: 'a', options: { memo: 'x', path: 'y' } }), [{ id: 'a', options: { path: 'y' } }]);
  assert.deepEqual(forms({ id: 'a' }), []);
});
