import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../../test/support/readings.ts';
import type { JsonObject } from '../../../../lang/json.ts';

const stopped = (parameters: JsonObject, user_context = 'Carry on with the order.'): string =>
  factsOf({ action: 'plant:line:start', parameters, user_context }).string('stopped_protection');

test('a protection is put out of action by its value, by that of a neighbour, or in a clause', () => {
  assert.equal(stopped({ protections: { ovp: 'off' } }), 'protections.ovp');
  assert.equal(stopped({ alarm: 'co', mode: 'disabled' }), 'mode');
  assert.equal(stopped({ run_mode: 'override_interlock' }), 'run_mode');
  assert.equal(stopped({ change: 'speed 80; IPS off' }), 'change');
  assert.equal(stopped({ door: { contact: 'bridged' } }), 'door.contact');
  assert.equal(stopped({ drift_check: 'not required' }), 'drift_check');
});

test('in other languages, with marks and without blanks', () => {
  assert.equal(stopped({ protección: 'desactivada' }), 'protección');
  assert.equal(stopped({ verriegelung: 'überbrückt' }), 'verriegelung');
  assert.equal(stopped({ uwaga: 'bez kontroli' }), 'uwaga');
  assert.equal(stopped({ 报警: '关闭' }), '报警');
});

test('what stays, what is something else, and what the user speaks of', () => {
  assert.equal(stopped({ protections: { ovp: 'on' } }), '');
  assert.equal(stopped({ alarm: 'co', mode: 'night' }), '');
  assert.equal(stopped({ alarm_clock: 'off' }), '');
  assert.equal(stopped({ sensor: 'off' }), '', 'a sensor that rests is no protection that is passed');
  assert.equal(stopped({ note: 'The alarm was off when the fitter came in the morning' }), '', 'a story');
  assert.equal(stopped({ alarm: 'off' }, 'Turn the alarm off, I am at home.'), '');
});
