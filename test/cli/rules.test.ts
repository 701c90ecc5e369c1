import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleDocument } from '../../src/scoring/rules/rule-document.ts';
import { weir } from './support.ts';

const documents = async (...args: string[]): Promise<RuleDocument[]> =>
  JSON.parse((await weir(['rules', 'list', '--json', ...args])).stdout) as RuleDocument[];

test('every rule stands in the list, with its weight and its articles', async () => {
  const rules = await documents();
  assert.ok(rules.length >= 40, `${rules.length} rules`);
  const { code, stdout } = await weir(['rules', 'list']);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`\n${rules.length} rules\n$`));
  for (const { id, code: number, family, maturity, cites } of rules) {
    assert.match(stdout, new RegExp(`^${number} +${id} +${family} +${maturity} .* ${cites.length}$`, 'm'));
  }
});

test('one family can be picked', async () => {
  const [first] = await documents();
  const picked = await documents('--family', first!.family);
  assert.ok(picked.length > 0 && picked.every((rule) => rule.family === first!.family));
  const unknown = await weir(['rules', 'list', '--family', 'nothing']);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /^weir: there is no family `nothing`; the families are .*\b/);
});

test('a rule is shown with everything it rests on', async () => {
  const rules = await documents();
  const has_own_code = (rule: RuleDocument): boolean => rules.filter((other) => other.code === rule.code).length === 1;
  for (const rule of rules.filter(has_own_code).slice(0, 3)) {
    const { code, stdout } = await weir(['rules', 'show', rule.code.toLowerCase()]);
    assert.equal(code, 0);
    assert.ok(stdout.startsWith(`${rule.name}\n${rule.id} (${rule.code}, `));
    for (const { id, why } of rule.cites) assert.ok(stdout.includes(`${id}  `) && stdout.includes(why ?? ''), id);
    assert.doesNotMatch(stdout, /undefined|\n {4}\n/);
    for (const text of [...rule.mitigations, rule.violation]) assert.ok(stdout.includes(text.trim()), text);
    for (const { name } of [...rule.examples.fires, ...rule.examples.quiet]) assert.ok(stdout.includes(name), name);
    assert.deepEqual(JSON.parse((await weir(['rules', 'show', rule.id, '--json'])).stdout), rule);
  }
});

test('an unknown rule is one line', async () => {
  const { code, stderr } = await weir(['rules', 'show', 'no_such_rule']);
  assert.equal(code, 1);
  assert.equal(stderr, 'weir: there is no rule `no_such_rule`; `weir rules list` shows them all\n');
  const misspelt = await weir(['rules', 'show', 'history_is_rewriten']);
  assert.match(
    misspelt.stderr,
    /^weir: there is no rule `history_is_rewriten`; did you mean `history_is_rewritten`\?;/,
  );
});

test('a code that several rules share asks for an id', async () => {
  const rules = await documents();
  const shared = rules.find((rule) => rules.filter((other) => other.code === rule.code).length > 1)!;
  const { code, stderr } = await weir(['rules', 'show', shared.code]);
  assert.equal(code, 1);
  assert.ok(stderr.includes(shared.id), stderr);
});
