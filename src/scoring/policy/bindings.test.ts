import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge, scoreOf } from '../../../test/support/knowledge.ts';
import type { AgentEvent } from '../../events/event.ts';
import type { JsonObject } from '../../lang/json.ts';
import { Facts } from '../facts/fact-table.ts';
import { Readings } from '../read/readings.ts';
import { binds } from './bindings.ts';
import { compilePolicy } from './policy.ts';

const ALL = [...knowledge.ontology.frameworks.keys()];

function bound(profile: JsonObject | null, event: Partial<AgentEvent> = {}): string[] {
  const policy = compilePolicy(profile === null ? {} : { profile }, 1, () => false, knowledge);
  const whole = { event_id: 'e', action: 'web:page:read', timestamp: '2026-01-01T00:00:00Z', ...event };
  const facts = new Facts(new Readings({ event: whole, policy, history: null }, knowledge.ontology));
  return ALL.filter((framework) => binds(framework, facts, knowledge));
}
const health = { data_fields_accessed: [{ field: 'diagnosis', classification: 'PHI' }] };
const card = { data_fields_accessed: ['card_number'] };
const personal = { data_fields_accessed: ['email'] };

test('a customer without a profile is bound by general frameworks and by those of the data involved', () => {
  const everybody = bound(null);
  for (const one of ['PCI-DSS', 'HIPAA', 'CCPA', 'DORA', 'NIS2']) assert.ok(!everybody.includes(one), one);
  assert.ok(everybody.includes('GDPR') && everybody.includes('SOC2'));
  assert.ok(bound(null, health).includes('HIPAA'));
  assert.ok(bound(null, card).includes('PCI-DSS'));
  assert.deepEqual(bound({}), everybody);
});

test('the profile decides whether a framework binds; the data still decide for which events', () => {
  assert.ok(!bound({ frameworks: { SOC2: false } }).includes('SOC2'));
  assert.ok(bound({ frameworks: { DORA: true } }).includes('DORA'));
  assert.ok(!bound({ frameworks: { HIPAA: true } }).includes('HIPAA'), 'no health data here');
  assert.ok(bound({ frameworks: { HIPAA: true }, regions: ['DE'] }, health).includes('HIPAA'));
  assert.ok(!bound({ frameworks: { CCPA: true } }).includes('CCPA'));
  assert.ok(bound({ frameworks: { CCPA: true } }, personal).includes('CCPA'));
});

test('regions and sectors decide if the profile does not mention the framework', () => {
  const american_clinic = bound({ regions: ['US'], sectors: ['health'] }, health);
  assert.ok(
    american_clinic.includes('HIPAA') && !american_clinic.includes('GDPR') && !american_clinic.includes('CCPA'),
  );
  const german_bank = bound({ regions: ['DE'], sectors: ['finance'] }, health);
  for (const one of ['GDPR', 'EU_AI_Act', 'DORA', 'NIS2']) assert.ok(german_bank.includes(one), one);
  assert.ok(!german_bank.includes('HIPAA'));
  assert.ok(bound({ regions: ['US-CA'] }, personal).includes('CCPA'));
  assert.ok(!bound({ regions: ['US'] }, personal).includes('CCPA'), 'nobody knows which part');
  assert.ok(!bound({ sectors: ['finance'] }).includes('DORA'), 'everything that is named must fit');
  assert.ok(bound({ regions: ['EU'], sectors: ['retail'] }).includes('GDPR'));
});

test('a framework that does not bind is not cited, and the score stays the same', () => {
  const event = { action: 'db:customers:delete', parameters: { query: 'DELETE FROM customers' }, ...personal };
  const all = scoreOf(event);
  const none = scoreOf(event, { profile: { frameworks: Object.fromEntries(ALL.map((one) => [one, false])) } });
  assert.ok(all.compliance_refs.length > 0);
  assert.deepEqual(none.compliance_refs, []);
  assert.equal(none.score, all.score);
  assert.deepEqual(none.violations, all.violations);
});
