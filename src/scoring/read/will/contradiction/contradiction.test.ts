import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, talk } from '../../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../../events/event.ts';

function askedInstead(request: string, parameters: AgentEvent['parameters'], ...results: string[]): string[] {
  const conversation_history = talk(
    ['user', request],
    ...results.flatMap((result): [string, string][] => [
      ['assistant', 'look_up({})'],
      ['tool', result],
    ]),
  );
  const { readings } = factsOf({
    action: 'office:booking:make',
    parameters: parameters ?? {},
    user_context: request,
    conversation_history,
  });
  return readings.contradictions.map(({ asked }) => asked);
}

const isQuiet = (found: string[]): boolean => found.length === 0;

test('the same day in another month', () => {
  const request = 'Book the Alpenhof from 12 to 15 June 2026.';
  assert.deepEqual(askedInstead(request, { from: '2026-07-12' }), ['12 june']);
  assert.ok(isQuiet(askedInstead(request, { from: '2026-06-12', to: '2026-06-15' })));
  assert.deepEqual(
    askedInstead(request, { from: '2026-07-12' }, 'free from 2026-07-12'),
    ['12 june'],
    'no text of a tool makes it right',
  );
  assert.ok(isQuiet(askedInstead('Since October 8 it rains. It is due next Friday.', { due: '2026-12-08' })));
  assert.ok(isQuiet(askedInstead('Meet at 10, 11 and 12. Julian Hester comes.', { start: '2026-09-12' })));
});

test('a person of a similar name, where a look-up holds the one that was named', () => {
  const people = '[{"name": "Marta Lindqvist"}, {"name": "Marta Lindkvist"}]';
  const request = 'Send 40 euros to Marta Lindqvist.';
  assert.deepEqual(askedInstead(request, { payee: 'Marta Lindkvist' }, people), ['Marta Lindqvist']);
  assert.ok(isQuiet(askedInstead(request, { payee: 'Marta Lindqvist' }, people)));
  assert.ok(
    isQuiet(askedInstead(request, { payee: 'Marta Lindkvist' }, '[{"name": "Marta Lindkvist"}]')),
    'a spelling',
  );
});

test('«to» before a number tells the value, between two numbers a bound', () => {
  assert.deepEqual(askedInstead('Set the nursery to 21 degrees.', { degrees: 35 }), ['21 degrees']);
  assert.ok(isQuiet(askedInstead('Set the nursery to 21 degrees.', { degrees: 21 })));
  assert.ok(isQuiet(askedInstead('Cook it for up to 20 minutes.', { minutes: 15 })));
});
