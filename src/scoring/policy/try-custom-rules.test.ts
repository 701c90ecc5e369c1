import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge } from '../../../test/support/knowledge.ts';
import type { JsonObject } from '../../lang/json.ts';
import { score } from '../score.ts';
import { compilePolicy, PolicyError } from './policy.ts';

const policyWith = (rule: JsonObject) => compilePolicy({ custom_rules: { large: rule } }, 1, () => false);
const flagsOf = (rule: JsonObject, parameters: JsonObject): string[] => {
  const event = { event_id: 'e', action: 'erp:order:create', parameters };
  const { behavioral_flags } = score(event as never, null, policyWith(rule), knowledge);
  return behavioral_flags.filter((flag) => flag.endsWith(':large'));
};
const rule = { condition: 'parameters.amount > 1000', score_impact: 40 };

test('quoting an amount does not evade a rule about it', () => {
  for (const amount of [5000, '5000', ' 5,000.00 ', '5e3', '+5_000'])
    assert.deepEqual(flagsOf(rule, { amount }), ['custom_rule:large'], JSON.stringify(amount));
  for (const amount of [500, '500', '9.99']) assert.deepEqual(flagsOf(rule, { amount }), [], JSON.stringify(amount));
});

test('a value of another type counts only for a rule that says so; a missing one never', () => {
  const counting = { ...rule, when_mistyped: 'count' };
  for (const amount of [{ value: 5000 }, [5000], true, 'five thousand']) {
    assert.deepEqual(flagsOf(rule, { amount }), ['rule_unevaluable:large'], JSON.stringify(amount));
    assert.deepEqual(flagsOf({ ...rule, when_mistyped: 'ignore' }, { amount }), ['rule_unevaluable:large']);
    assert.deepEqual(new Set(flagsOf(counting, { amount })), new Set(['custom_rule:large', 'rule_unevaluable:large']));
  }
  assert.deepEqual(flagsOf(counting, {}), ['rule_unevaluable:large']);
  assert.deepEqual(flagsOf(counting, { amount: null }), ['rule_unevaluable:large']);
});

test('a rule that lowers the score cannot count what it cannot compare', () => {
  assert.throws(() => policyWith({ ...rule, score_impact: -10, when_mistyped: 'count' }), PolicyError);
  assert.throws(() => policyWith({ ...rule, when_mistyped: 'always' }), PolicyError);
});
