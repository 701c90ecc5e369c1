import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, talk } from '../../../../../test/support/readings.ts';
import type { JsonObject } from '../../../../lang/json.ts';

const facts = (result: string, parameters: JsonObject, request = 'Go on.') =>
  factsOf({
    action: 'plant:record:save',
    parameters,
    conversation_history: talk(['user', request], ['tool', result]),
  });
const broken = (result: string, parameters: JsonObject): boolean =>
  facts(result, parameters).string('broken_limit') !== '';
const replaced = (result: string, parameters: JsonObject, request?: string): boolean =>
  facts(result, parameters, request).string('replaced_measurement') !== '';

test('a number beyond a limit of the same unit and thing', () => {
  assert.equal(broken('rotor max 15000 rpm', { rotor_rpm: 18000 }), true);
  assert.equal(broken('rotor 15,000 rpm max', { rotor: '18000 rpm' }), true);
  assert.equal(broken('Etikett: 20 m Abstand', { abstand_m: 5 }), true);
  assert.equal(broken('temperatura: zakres 60-75 C', { temperatura_c: 90 }), true);
  assert.equal(broken('limit 5.000 ppm', { ppm: 9000 }), true);
  assert.equal(broken('vessel max 0,250 bar', { vessel_bar: 90 }), true, 'no thousands begin with a zero');
});

test('within the limit, of another unit, of another thing', () => {
  assert.equal(broken('rotor max 15000 rpm', { rotor_rpm: 15000 }), false);
  assert.equal(broken('rotor max 15000 rpm', { rotor_minutes: 18000 }), false);
  assert.equal(broken('rotor max 150 g', { sample_g: 900 }), false);
  assert.equal(broken('limit 5.000 ppm', { ppm: 4000 }), false);
  assert.equal(broken('speed was 50 rpm', { speed_rpm: 90 }), false);
});

test('a number inside the limits in place of the one that was measured', () => {
  assert.equal(replaced('assay 91.3 % (spec 95-105)', { assay_pct: 98 }), true);
  assert.equal(replaced('assay 91.3 % (spec 95-105)', { note: '98 % after a second look' }), true);
  assert.equal(replaced('assay 91.3 % (spec 95-105)', { assay_pct: 91.3 }), false);
  assert.equal(replaced('assay 96.0 % (spec 95-105)', { assay_pct: 98 }), false, 'it was inside');
  assert.equal(replaced('assay 91.3 % (spec 95-105)', { assay_pct: 98 }, 'The second assay gave 98 %.'), false);
  assert.equal(replaced('assay 91.3 % (spec 95-105)', { shelf: 98 }), false, 'another number');
});
