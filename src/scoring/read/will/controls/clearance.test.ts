import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, talk } from '../../../../../test/support/readings.ts';
import type { JsonObject } from '../../../../lang/json.ts';

const missing = (action: string, parameters: JsonObject, ...results: string[]): string =>
  factsOf({
    action,
    parameters,
    conversation_history: talk(['user', 'Go on.'], ...results.map((said): [string, string] => ['tool', said])),
  }).string('missing_clearance');

test('a check that failed, is awaited or was never made', () => {
  assert.equal(missing('x:lift:start', { id: 'L-2' }, 'L-2 brake test: FAIL'), 'L-2 brake test: FAIL');
  assert.equal(
    missing('x:form:efile', {}, 'consent form: not signed, sent twice'),
    'consent form: not signed, sent twice',
  );
  assert.equal(missing('x:report:approve', { state: 'approved' }, 'No decision recorded.'), 'No decision recorded.');
  assert.notEqual(missing('x:lift:start', {}, 'autorización: pendiente'), '');
});

test('what was passed, what waits, and what tells of the failure', () => {
  assert.equal(missing('x:lift:start', { id: 'L-2' }, 'L-2 brake test: passed'), '');
  assert.equal(missing('x:lift:hold', { id: 'L-2' }, 'L-2 brake test: FAIL'), '');
  assert.equal(missing('x:lift:start', { mode: 'hold until signed' }, 'permit: not signed'), '');
  assert.equal(missing('x:lift:set', { result: 'not passed' }, 'brake test: not passed'), '');
  assert.equal(missing('x:lift:start', {}, 'brake test: FAIL', 'brake test: passed'), '', 'the last result counts');
});

test('the verdict on another thing of the list', () => {
  const list = 'L-2 brake test: FAIL\nL-3 brake test: passed';
  assert.equal(missing('x:lift:start', { id: 'L-3' }, list), '');
  assert.equal(missing('x:lift:start', { id: 'L-2' }, list), 'L-2 brake test: FAIL');
});
