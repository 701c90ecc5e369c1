/** The rights that docs/tokens.md shows are read, and are as wide or narrow as it says. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAction } from '../../src/lang/patterns.ts';
import { refusalOf } from '../../src/tokens/rbac/evaluate.ts';
import { compileRbac, parseRbac, type Rbac } from '../../src/tokens/rbac/rbac.ts';
import { findEscalation } from '../../src/tokens/rbac/subset.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/tokens.md'), 'utf8');
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!) as unknown);

const read = (value: unknown, inherited: Rbac | null): Rbac => {
  const { rbac, errors } = parseRbac(value, inherited);
  assert.deepEqual(errors, null);
  return rbac!;
};

test('the agent may what the page says, its subagent is narrower, and the last example is not', () => {
  assert.equal(examples.length, 3);
  const agent = read(examples[0], null);
  const [parent, child, wide] = [agent, read(examples[1], agent), read(examples[2], agent)].map(compileRbac);
  const may = (action: string, resource_id: string, sensitivity_level = 0) =>
    refusalOf(parent!, {
      action: parseAction(action)!,
      resource_type: 'repository',
      resource_id,
      sensitivity_level,
    }) === null;
  assert.ok(may('github:pulls:comment', 'north/app', 2));
  assert.ok(!may('github:pulls:comment', 'north/app', 3));
  assert.ok(!may('github:pulls:merge', 'north/app'));
  assert.ok(!may('github:issues:delete', 'north/docs'));
  assert.ok(!may('github:issues:read', 'south/app'));
  assert.equal(findEscalation(parent!, child!), null);
  assert.match(findEscalation(parent!, wide!)!.action, /^github:pulls:/);
});
