import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEvent, knowledge } from '../../../test/support/knowledge.ts';
import { score } from '../score.ts';
import { compilePolicy, compileStoredPolicy, PolicyError } from './policy.ts';

const problemsOf = (policies: unknown): string[] => {
  try {
    compilePolicy(policies, 1, () => false, knowledge);
    return [];
  } catch (error) {
    assert.ok(error instanceof PolicyError);
    return error.problems.map(({ path, message }) => `${path} ${message}`);
  }
};
const RULE = 'delete_is_unbounded';
const problemOf = (rule_overrides: unknown): string => problemsOf({ rule_overrides }).join('\n');

test('a valid override is accepted with its numbers and conditions', () => {
  const policies = {
    rule_overrides: {
      [RULE]: {
        enabled: true,
        contribution: 20,
        floor: 0,
        exceptions: ['domain == "scratch"'],
        reason: 'nightly clean-up of scratch tables',
      },
    },
  };
  const compiled = compilePolicy(policies, 1, () => false, knowledge);
  const override = compiled.rule_overrides.get(RULE)!;
  assert.deepEqual([override.is_enabled, override.contribution, override.floor], [true, 20, 0]);
  assert.equal(override.exceptions[0]!.source, 'domain == "scratch"');
  assert.deepEqual(compiled.policies, policies, 'kept as it was written');
});

test('each problem names its position and what to write instead', () => {
  assert.match(problemOf([]), /^\/rule_overrides must be an object from rule id/);
  assert.match(
    problemOf({ delete_is_unbound: { enabled: false } }),
    /not a built-in rule; did you mean `delete_is_unbounded`\?/,
  );
  const { code } = knowledge.rule_by_id.get('payee_is_not_from_the_user')!.document;
  assert.match(problemOf({ [code]: { enabled: false } }), /did you mean `[a-z_]+`\?/);
  assert.match(problemOf({ [RULE]: {} }), /must be an object with one or more of enabled/);
  assert.match(problemOf({ [RULE]: { enable: false } }), /\/delete_is_unbounded\/enable is not a field .* `enabled`/);
  assert.match(problemOf({ [RULE]: { enabled: 'no' } }), /\/enabled must be true or false/);
  for (const points of [-1, 101, 1.5, '5', null])
    assert.match(problemOf({ [RULE]: { contribution: points } }), /\/contribution must be an integer from 0 to 100/);
  assert.match(problemOf({ [RULE]: { exceptions: 'true' } }), /\/exceptions must be a list/);
  assert.match(problemOf({ [RULE]: { exceptions: ['batch_size = 1'] } }), /\/exceptions\/0 column 12: /);
  assert.match(
    problemOf({ [RULE]: { exceptions: ['request_covers_action'] } }),
    /\/exceptions\/0 column 1: .*free text/,
  );
  const many = [...knowledge.rule_by_id.keys()].map((id) => [id, { exceptions: Array(20).fill('false') }]);
  assert.match(problemOf(Object.fromEntries(many)), /^\/rule_overrides has more than 400 exceptions in total$/);
  assert.match(problemOf({ action_is_blocked_by_policy: { enabled: false } }), /cannot be overridden/);
});

test('a stored policy stays readable after a rule or a fact was removed, and flags what cannot be evaluated', () => {
  const policies = {
    custom_rules: { old: { condition: 'gone_fact == 1', score_impact: 30, description: '' } },
    rule_overrides: { gone_rule: { enabled: false }, action_is_unknown: { exceptions: ['gone_fact == 1'] } },
    profile: { frameworks: { GONE: true }, sectors: ['gone'] },
  };
  assert.throws(() => compilePolicy(policies, 3, () => false, knowledge), PolicyError);
  const policy = compileStoredPolicy(policies, 3);
  const { findings, behavioral_flags } = score(asEvent({ action: 'zorp:thing:blim' }), null, policy, knowledge);
  assert.ok(
    findings.some(({ rule }) => rule === 'action_is_unknown'),
    'without its exception the rule counts',
  );
  for (const flag of ['rule_unevaluable:old', 'exception_unevaluable:action_is_unknown'])
    assert.ok(behavioral_flags.includes(flag), flag);
});

test('a profile with an unknown framework, region or sector is refused', () => {
  const profile = { frameworks: { DORA: true, CCPA: false }, regions: ['de', 'US-CA'], sectors: ['finance'] };
  assert.deepEqual(problemsOf({ profile }), []);
  const problem = (value: unknown): string => problemsOf({ profile: value }).join();
  assert.match(problem([]), /^\/profile must be an object/);
  assert.match(problem({ sector: 'finance' }), /^\/profile\/sector is not a field/);
  assert.match(
    problem({ frameworks: { GDRP: true } }),
    /^\/profile\/frameworks\/GDRP is not a framework; did you mean `GDPR`/,
  );
  assert.match(problem({ frameworks: { GDPR: 'yes' } }), /must be true or false/);
  assert.match(problem({ regions: ['Europe'] }), /^\/profile\/regions\/0 `Europe` is not a region/);
  assert.match(problem({ regions: ['UK'] }), /write `GB`/);
  assert.match(problem({ sectors: ['finanse'] }), /did you mean `finance`/);
});

test('internal domains that several organisations share are refused', () => {
  const { internal_domains } = compilePolicy({ internal_domains: ['Acme.Example.'] }, 1, () => false, knowledge);
  assert.deepEqual([...internal_domains], ['acme.example']);
  for (const [bad, reason] of [
    ['*.acme.example', /wildcard/],
    ['.acme.example', /wildcard/],
    ['com', /is not a domain/],
    ['co.uk', /any organisation can register/],
    ['gmail.com', /never internal/],
    ['webhook.site', /never internal/],
    ['10.0.0.1', /is an address/],
    ['https://acme.example', /is not a domain/],
    ['ana@acme.example', /is not a domain/],
    ['bücher.example', /xn--/],
    ['', /is not a domain/],
  ] as const)
    assert.match(problemsOf({ internal_domains: [bad] }).join(), reason, bad);
});
