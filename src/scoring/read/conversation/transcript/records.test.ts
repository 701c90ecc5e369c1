import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../../test/support/readings.ts';
import { recordsOf } from './records.ts';

const recordsIn = (result: string) =>
  recordsOf(
    factsOf({
      action: 'mail:message:send',
      conversation_history: [
        { role: 'user', content: 'Who is Dana?' },
        { role: 'tool', content: result },
      ],
    }).readings.text,
  ).map(({ fields }) => [...fields]);

test('records in a line of a text, by addresses or by numbers of one shape', () => {
  assert.deepEqual(
    recordsIn('contacts: Marsh, Dana <d.marsh@north.test>; Marchetti, Davide <d.marchetti@south.test>').map(
      ([first]) => first,
    ),
    [
      ['email', 'd.marsh@north.test'],
      ['email', 'd.marchetti@south.test'],
    ],
  );
  assert.deepEqual(
    recordsIn('E-5093 Vogel, Lager | E-5117 Vogel, Buchhaltung').map(([first]) => first),
    [
      ['id', 'E-5093'],
      ['id', 'E-5117'],
    ],
  );
});

test('one part, or prose of several lines, is not a list', () => {
  assert.deepEqual(recordsIn('Dana Marsh <d.marsh@north.test>'), []);
  assert.deepEqual(recordsIn('a@north.test; b@north.test\nsee\nbelow\nmore'), []);
});
