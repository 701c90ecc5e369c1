import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder, weir } from './support.ts';

const folder = temporaryFolder();
const rule = (condition: string) => ({ condition, score_impact: 20, description: 'large batches' });

test('a policy that compiles is summed up', async () => {
  const policy = {
    blocked_actions: ['db:table:drop'],
    custom_rules: { large_batch: rule('batch_size > 100 AND target.sensitivity_level >= 3') },
  };
  const { code, stdout, stderr } = await weir(['policy', 'check', folder.write('good.json', JSON.stringify(policy))]);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  assert.match(stdout, /good\.json` compiles: 1 blocked action, 1 custom rule\n$/);
});

test('a policy that does not compile is refused with the name, the column and the reason', async () => {
  const policy = {
    blocked_action: [],
    blocked_actions: ['db:*:drop'],
    custom_rules: { large_batch: rule('batch_size >> 100') },
  };
  const path = folder.write('bad.json', JSON.stringify(policy));
  const { code, stdout, stderr } = await weir(['policy', 'check', path]);
  assert.equal(code, 1);
  assert.match(stdout, /^custom rule `large_batch`, condition: column 13: /m);
  assert.match(stdout, /^\/blocked_action: is not a policy field/m);
  assert.match(stdout, /^\/blocked_actions\/0: `db:\*:drop` is not an action/m);
  assert.match(stderr, /bad\.json` is refused: 3 problems\n$/);
  const as_json = await weir(['policy', 'check', path, '--json']);
  assert.equal(as_json.code, 1);
  const answer = JSON.parse(as_json.stdout) as { valid: boolean; errors: { path: string }[] };
  assert.equal(answer.valid, false);
  assert.ok(answer.errors.some((error) => error.path === '/custom_rules/large_batch/condition'));
});

test('scoring with such a policy tells each of its problems in a line of its own', async () => {
  const bad = { blocked_action: [], blocked_actions: ['db:*:drop'], custom_rules: { large_batch: rule('1 >> 2') } };
  const path = folder.write('bad-for-score.json', JSON.stringify(bad));
  const several = await weir(['score', '-', '--policy', path], { input: '' });
  assert.equal(several.code, 1);
  const [head, ...lines] = several.stderr.trimEnd().split('\n');
  assert.match(head!, /^weir: `.*` is refused: 3 problems$/);
  assert.equal(lines.length, 3, several.stderr);
  assert.ok(
    lines.some((line) => line.startsWith('  /blocked_actions/0: ')),
    several.stderr,
  );
  const input = JSON.stringify({ blocked_action: [] });
  const one = await weir(['score', folder.write('no-events.jsonl', ''), '--policy', '-'], { input });
  assert.match(one.stderr, /^weir: standard input is refused: \/blocked_action: [^\n]*\n$/);
});

test('a custom rule must not take the name of a built-in one', async () => {
  const rules = JSON.parse((await weir(['rules', 'list', '--json'])).stdout) as { id: string }[];
  const policy = { custom_rules: { [rules[0]!.id]: rule('true') } };
  const { code, stdout } = await weir(['policy', 'check', '-'], { input: JSON.stringify(policy) });
  assert.equal(code, 1);
  assert.match(stdout, /is the name of a built-in rule/);
});

test('what is no JSON is refused as such', async () => {
  const input = '{"blocked_actions": [], "blocked_actions": []}';
  const { code, stdout, stderr } = await weir(['policy', 'check', '-'], { input });
  assert.equal(code, 1);
  assert.match(stdout, /^the policy names a key twice/);
  assert.match(stderr, /^weir: standard input is refused: 1 problem/);
  const as_json = await weir(['policy', 'check', '-', '--json'], { input });
  assert.equal(as_json.code, 1);
  assert.deepEqual(JSON.parse(as_json.stdout), { valid: false, errors: [{ path: '', message: stdout.trimEnd() }] });
  const missing = await weir(['policy', 'check', `${folder.path}/none.json`]);
  assert.match(missing.stderr, /^weir: there is no file /);
  const directory = await weir(['policy', 'check', folder.path]);
  assert.match(directory.stderr, /^weir: `[^`]+` is a directory; name a file with a policy, or `-`\n$/);
});

test('overrides, profile and internal domains are checked as the server checks them', async () => {
  const policy = {
    rule_overrides: {
      delete_is_unbound: { enabled: false },
      delete_is_unbounded: { exceptions: ['true', 'domain ='] },
    },
    profile: { sectors: ['finanse'] },
    internal_domains: ['gmail.com'],
  };
  const { code, stdout } = await weir(['policy', 'check', '-'], { input: JSON.stringify(policy) });
  assert.equal(code, 1);
  assert.match(stdout, /^override of `delete_is_unbound`: .*did you mean `delete_is_unbounded`\?/m);
  assert.match(stdout, /^override of `delete_is_unbounded`, exceptions 2: column \d+: /m);
  assert.match(stdout, /^\/profile\/sectors\/0: `finanse` is not a sector; did you mean `finance`\?/m);
  assert.match(stdout, /^\/internal_domains\/0: .*never internal/m);
  const good = {
    rule_overrides: { delete_is_unbounded: { contribution: 5 } },
    profile: { regions: ['EU'] },
    internal_domains: ['acme.example'],
  };
  const passed = await weir(['policy', 'check', '-'], { input: JSON.stringify(good) });
  assert.match(passed.stdout, /compiles: 1 internal domain, 0 custom rules, 1 overridden rule, a profile\n$/);
});

test('what lowers a score is listed with what it reads, and refused where an agent could make it true', async () => {
  const exceptions = ['domain == "build"', 'agent.agent_id == "a" AND programs.all(p, p == "gh")'];
  const lowers = { condition: 'NOT "rm" in programs', score_impact: -5, description: '' };
  const good = { rule_overrides: { delete_is_unbounded: { exceptions } }, custom_rules: { calm: lowers } };
  const { code, stdout } = await weir(['policy', 'check', '-'], { input: JSON.stringify(good) });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^override of `delete_is_unbounded`, exceptions 1: reads `domain`; nothing .*; it holds for every call/m,
  );
  assert.match(stdout, /^override of .*exceptions 2: reads `agent\.agent_id`, `programs`; nothing .*; require tokens/m);
  assert.match(stdout, /^custom rule `calm`, condition: reads `programs`; nothing that an agent adds .* true$/m);
  const as_json = await weir(['policy', 'check', '-', '--json'], { input: JSON.stringify(good) });
  const { relief } = JSON.parse(as_json.stdout) as { relief: { path: string; can_be_forged: boolean }[] };
  assert.deepEqual(
    relief.map(({ path, can_be_forged }) => [path, can_be_forged]),
    [
      ['/rule_overrides/delete_is_unbounded/exceptions/0', false],
      ['/rule_overrides/delete_is_unbounded/exceptions/1', false],
      ['/custom_rules/calm/condition', false],
    ],
  );
  const forged = { rule_overrides: { delete_is_unbounded: { exceptions: ['"gh" in programs'] } } };
  const refused = await weir(['policy', 'check', '-'], { input: JSON.stringify(forged) });
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /exceptions 1: the judged agent could make this true .*`programs\.all\(/);
});
