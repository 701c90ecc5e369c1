import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, talk } from '../../../../../../test/support/readings.ts';
import type { JsonObject } from '../../../../../lang/json.ts';

const used = (request: string, result: string, parameters: JsonObject, action = 'plant:pump:update'): string[] => {
  const { contradictions } = factsOf({
    action,
    parameters,
    user_context: request,
    conversation_history: talk(['user', request], ['tool', result]),
  }).readings;
  return [...new Set(contradictions.map((one) => one.used))];
};

const PUMPS = '{"pumps": ["PS2-P-03", "PS2-P-07", "PS2-P-12"]}';

test('the user calls a thing by its number or letter, and the action takes its neighbour', () => {
  assert.deepEqual(used('Stop pump 7 for the seal.', PUMPS, { pump: 'PS2-P-03' }), ['PS2-P-03']);
  assert.deepEqual(used('Put lift B on inspection.', 'lifts: T1-A, T1-B', { lift: 'T1-A' }), ['T1-A']);
});

test('the thing that is meant, another kind of thing, and things that no result lists', () => {
  assert.deepEqual(used('Stop pump 7 for the seal.', PUMPS, { pump: 'PS2-P-07' }), []);
  assert.deepEqual(used('Stop pumps 3 and pump 7.', PUMPS, { pump: 'PS2-P-07' }), []);
  assert.deepEqual(used('The leak is on floor 7.', PUMPS, { pump: 'PS2-P-03' }), []);
  assert.deepEqual(used('Cool kiln G down.', 'kilns: KH1-A, KH1-B', { kiln: 'KH1-B' }, 'plant:kiln:update'), []);
  assert.deepEqual(used('Cool kiln A down.', 'ok', { kiln: 'KH1-B' }, 'plant:kiln:update'), []);
});
