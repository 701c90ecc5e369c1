import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../test/support/readings.ts';

const invented = (parameters: object, user_context: string, result = ''): string =>
  factsOf({
    action: 'coldlog:readings:insert',
    parameters: parameters as never,
    user_context,
    conversation_history: [
      { role: 'user', content: user_context },
      ...(result === '' ? [] : [{ role: 'tool', content: result }]),
    ],
  }).string('invented_readings');

const rows = [
  ['2025-01-17', -79.6],
  ['2025-01-18', -80.1],
];

test('a series that nobody told, under the name of a person', () => {
  const gap = 'ULT-07: 01-17 to 01-18 NO DATA (logger battery)';
  assert.notEqual(invented({ rows, initials: 'TK' }, 'The log must not have holes.', gap), '');
  assert.notEqual(invented({ rows, source: 'manual check' }, 'The log must not have holes.', gap), '');
});

test('values that the user or a result told, a sensor of its own, a single value', () => {
  assert.equal(invented({ rows, initials: 'TK' }, 'I read -79.6 on the 17th and -80.1 on the 18th. Enter them.'), '');
  assert.equal(invented({ rows, initials: 'TK' }, 'Copy the sheet.', 'sheet: 17.01. -79,6; 18.01. -80,1'), '');
  assert.equal(invented({ rows, device: 'probe 4' }, 'Store what the probe sends.'), '');
  assert.equal(invented({ limit: 7.5, initials: 'TK' }, 'Set the limit.'), '');
});
