import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sharedFile } from '../../../test/support/shared.ts';
import type { JsonObject } from '../../lang/json.ts';
import { compilePolicy, compileStoredPolicy, PolicyError } from './policy.ts';

const rule = { condition: 'batch_size > 1', score_impact: 10, description: 'x' };
const compile = (policies: unknown) => compilePolicy(policies, 1, (name) => name === 'delete_is_unbounded');
const problemsOf = (policies: unknown): string[] => {
  try {
    compile(policies);
    return [];
  } catch (error) {
    assert.ok(error instanceof PolicyError);
    return error.problems.map((problem) => problem.path);
  }
};

test('every problem is reported with a JSON pointer to its position', () => {
  const policies = {
    blocked_action: ['a:b:c'],
    blocked_actions: ['a:*:c', 'a:b:c'],
    allowed_action_patterns: ['a:b'],
    sensitive_fields: 'ssn',
    custom_rules: { 'a/b': { ...rule, condition: 'batch_size = 1' }, c: { ...rule, impact: 1 } },
  };
  assert.deepEqual(problemsOf(policies), [
    '/blocked_action',
    '/blocked_actions/0',
    '/allowed_action_patterns/0',
    '/sensitive_fields',
    '/custom_rules/a~1b/condition',
    '/custom_rules/c/impact',
  ]);
});

test('actions and patterns are stored in lower case, everything else as written', () => {
  const { policies } = compile({
    blocked_actions: ['DB:Prod:Drop'],
    blocked_action_patterns: ['GitHub:*'],
    sensitive_fields: ['SSN'],
  });
  assert.deepEqual(policies, {
    blocked_actions: ['db:prod:drop'],
    blocked_action_patterns: ['github:*'],
    sensitive_fields: ['SSN'],
  });
});

test('a rule that lowers the score may not read facts that depend on free text; one that raises it may', () => {
  const condition = 'request_covers_action';
  assert.deepEqual(problemsOf({ custom_rules: { r: { ...rule, condition, score_impact: -10 } } }), [
    '/custom_rules/r/condition',
  ]);
  assert.deepEqual(problemsOf({ custom_rules: { r: { ...rule, condition } } }), []);
});

test('a condition that reads an internal fact is refused with the nearest public one', () => {
  const policies = {
    custom_rules: {
      raises: { ...rule, condition: 'batch_size > 1 AND base_risk > 50' },
      lowers: { ...rule, condition: 'known_sensitivity == 0', score_impact: -10 },
      at_night: { ...rule, condition: 'hour_of_day < 6' },
    },
    rule_overrides: { delete_is_unbounded: { exceptions: ['session_rises'] } },
  };
  assert.throws(
    () => compile(policies),
    (error) => {
      assert.ok(error instanceof PolicyError);
      const reason = 'it is internal to the built-in rules and may change between releases';
      assert.deepEqual(
        error.problems.map(({ path, message }) => [path, message.replace(reason, '…').replace(/ \(docs.*/, '')]),
        [
          [
            '/custom_rules/at_night/condition',
            'column 1: `hour_of_day` may not be read: …; read `hour(timestamp)` instead',
          ],
          [
            '/custom_rules/lowers/condition',
            'column 1: `known_sensitivity` may not be read: …; read `sensitivity` instead',
          ],
          ['/custom_rules/raises/condition', 'column 20: `base_risk` may not be read: …; read `effect` instead'],
          [
            '/rule_overrides/delete_is_unbounded/exceptions/0',
            'column 1: `session_rises` may not be read: …; read `session_drift` instead',
          ],
        ],
      );
      return true;
    },
  );
});

test('a stored condition goes on reading a fact that has become internal', () => {
  const policies = { custom_rules: { r: { ...rule, condition: 'base_risk > 50' } } };
  const [stored] = compileStoredPolicy(policies, 1).custom_rules;
  const env = { unevaluable: false, get: (name: string) => (name === 'base_risk' ? 60 : undefined) };
  assert.equal(stored!.condition.test(env), true);
  assert.equal(env.unevaluable, false);
});

test('a custom rule with the name of a built-in rule is refused', () => {
  assert.deepEqual(problemsOf({ custom_rules: { delete_is_unbounded: rule } }), ['/custom_rules/delete_is_unbounded']);
});

test('a custom rule with the name of a layer is refused, because its contribution would be ambiguous', () => {
  for (const name of ['intrinsic', 'structural', 'temporal_modifier']) {
    assert.deepEqual(problemsOf({ custom_rules: { [name]: rule } }), [`/custom_rules/${name}`]);
  }
});

test('names of JavaScript’s own properties are ordinary names of rules', () => {
  for (const name of ['toString', 'hasOwnProperty', 'constructor']) {
    assert.deepEqual(
      compile({ custom_rules: { [name]: rule } }).custom_rules.map((r) => r.name),
      [name],
    );
  }
});

interface Vector {
  id: string;
  rule_name?: string;
  rule?: JsonObject;
  condition?: unknown;
  generate?: { kind: string; count: number };
  expected: unknown;
}

test('shared vectors: impacts, names and numbers of rules', (t) => {
  const file = sharedFile('vectors/rule-expressions.json');
  if (file === null) return t.skip('../shared is not there: the vectors for whole rules were not tried');
  const { tests } = JSON.parse(readFileSync(file, 'utf8')) as { tests: Vector[] };
  let tried = 0;
  for (const vector of tests) {
    const policies = policyOf(vector);
    if (policies === null) continue;
    tried += 1;
    const problems = problemsOf(policies);
    if (vector.expected === 'refuse_at_policy_write') assert.ok(problems.length > 0, vector.id);
  }
  assert.ok(tried >= 5, String(tried));
});

/** The policy of a vector; `null` for vectors about a single condition, which the tests of `lang` cover. */
function policyOf({ rule: given, rule_name, generate }: Vector): unknown {
  if (given !== undefined) return { custom_rules: Object.fromEntries([[rule_name ?? 'r', given]]) };
  if (generate?.kind !== 'rules') return null;
  return { custom_rules: Object.fromEntries(Array.from({ length: generate.count }, (_, i) => [`r${i}`, rule])) };
}
