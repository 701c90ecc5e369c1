/** Which conditions that lower a score are refused, because what is added to an event could make them true. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEvent, knowledge } from '../../../test/support/knowledge.ts';
import { FACTS } from '../facts/index.ts';
import { score } from '../score.ts';
import { compilePolicy, compileStoredPolicy, PolicyError } from './policy.ts';

const RULE = 'action_is_unknown';
const problemsOf = (condition: string): string => {
  try {
    compilePolicy({ rule_overrides: { [RULE]: { exceptions: [condition] } } }, 1, () => false, knowledge);
    return '';
  } catch (error) {
    assert.ok(error instanceof PolicyError);
    return error.problems.map(({ message }) => message).join('\n');
  }
};

test('what an addition cannot bring about is accepted', () => {
  for (const condition of [
    'domain == "build"',
    'matches_action("github:*:create")',
    'mcp_context.server_name != "mail"',
    'agent.agent_id == "deployer"',
    'subcommands.all(s, s in ["cd", "gh pr create"])',
    'NOT "rm" in programs',
    'NOT branches.exists(b, NOT b.startsWith("feature/"))',
    'size(hosts) <= 1 AND hosts.all(h, h == "a.example")',
    'sensitivity <= 2',
    'NOT sensitivity > 2',
    'recipient_domains.all(d, d == "north.example") AND largest_amount < 10',
  ])
    assert.equal(problemsOf(condition), '', condition);
});

test('what an addition could bring about is refused, with what to write instead', () => {
  for (const [condition, reason] of [
    ['"gh" in programs', /adding something.*`programs\.all\(/],
    ['subcommands.exists(s, s == "gh pr create")', /`subcommands\.all\(/],
    ['NOT subcommands.all(s, s == "rm")', /adding something/],
    ['size(programs) == 2', /adding something/],
    ['size(programs) > 1', /adding something/],
    ['sensitivity >= 2', /`sensitivity <= …`/],
    ['destination_is_collector', /`NOT destination_is_collector`/],
    ['destination_is_collector == true', /`NOT destination_is_collector`/],
    ['parameters.env == "staging"', /`parameters\.env` may not be read.*claim/],
    ['domain == "db" AND parameters.env == "staging"', /`parameters\.env`/],
    ['hour(timestamp) < 6', /`timestamp` may not be read/],
    ['agent.agent_type == "devops"', /`agent\.agent_type`/],
    ['mcp_context.is_verified', /`mcp_context\.is_verified`/],
    ['target.sensitivity_level <= 1', /`target\.sensitivity_level`/],
    ['"a:b:c" in preceding_actions', /`preceding_actions`/],
    ['batch_size <= 3', /`batch_size`/],
    ['effect == "read"', /`effect` may not be read.*`subcommands`/],
    ['domain == "a" OR programs.all(p, p == "gh")', /parts of `OR`/],
    ['NOT (domain == "a" AND "gh" in programs)', /parts of `OR`/],
    ['programs.all(p, p == "gh" OR p in hosts)', /`hosts`/],
  ] as const)
    assert.match(problemsOf(condition), reason, condition);
});

test('a stored exception that could be forged does not apply, and a flag says so', () => {
  const policies = { rule_overrides: { [RULE]: { exceptions: ['parameters.env == "staging"'] } } };
  const policy = compileStoredPolicy(policies, 1);
  const event = asEvent({ action: 'zorp:thing:blim', parameters: { env: 'staging' } });
  const { findings, behavioral_flags } = score(event, null, policy, knowledge);
  assert.ok(findings.some(({ rule }) => rule === RULE));
  assert.ok(behavioral_flags.includes(`exception_unevaluable:${RULE}`));
});

test('no fact that depends on free text may be read by a condition of a policy that lowers a score', () => {
  for (const { name, is_from_text, relief } of FACTS)
    if (is_from_text) assert.ok(relief === 'no' || relief === 'reducers' || relief === 'grows', name);
});
