import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../../test/support/readings.ts';
import type { JsonObject } from '../../../../lang/json.ts';

const kept = (user_context: string, parameters: JsonObject, action = 'crm:record:update'): string =>
  factsOf({ action, parameters, user_context }).string('kept_thing');

const THING = 'billing address';
const FORMS = [
  `Leave the ${THING} alone.`,
  `Keep the ${THING} exactly as it is, please.`,
  `Let the ${THING} be.`,
  `The ${THING} stays as it is.`,
  `The ${THING} must not change.`,
  `And the ${THING} is fine as it is.`,
  `Don’t touch the ${THING}.`,
  `Nothing about the ${THING} changes.`,
  `Hands off the ${THING}!`,
  `The ${THING} is off limits.`,
];

for (const form of FORMS)
  test(`is heard in «${form}»`, () => {
    const said = `Set the phone number of Ana to 0171. ${form}`;
    assert.equal(kept(said, { billing_address: 'Elm Road 12' }), 'billing_address');
    assert.equal(kept(said, { customer: 'Ana', phone: '0171' }), '');
  });

test('a thing is named by a value, with or without its kind, or by the action', () => {
  const said = 'Restart the api pods and leave the worker pods alone.';
  assert.equal(kept(said, { deployment: 'worker' }), 'deployment');
  assert.equal(kept(said, { target: 'worker-pods' }), 'target');
  assert.equal(kept(said, {}, 'k8s:worker_pods:restart'), 'action');
  assert.equal(kept(said, { deployment: 'api' }), '');
});

test('what is left out, switched off, told or copied from is not changed', () => {
  const said = 'Archive the tickets. Leave the worker pods alone.';
  for (const parameters of [
    { exclude: ['worker pods'] },
    { worker_pods: false },
    { note: 'worker pods' },
    { filter: "kind != 'worker pods'" },
    { source: 'worker pods' },
  ])
    assert.equal(kept(said, parameters), '', JSON.stringify(parameters));
});

test('a condition, an exception, or a later wish for the same thing keeps nothing', () => {
  for (const said of [
    'Do not touch the billing address until Monday.',
    'Do not change anything but the billing address.',
    'Leave the rest of the billing address as it is.',
    'Leave the billing address as it is. No, do update the billing address.',
    'Leave a note at the billing address as they are expecting it.',
  ])
    assert.equal(kept(said, { billing_address: 'Elm Road 12' }), '', said);
});
