/** The policies that docs/policies.md shows are accepted. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compilePolicy } from '../../src/scoring/policy/policy.ts';
import { knowledge } from '../support/knowledge.ts';

test('every policy in the documentation compiles', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/policies.md'), 'utf8');
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!));
  assert.ok(examples.length >= 3);
  for (const policies of examples) compilePolicy(policies, 1, (name) => knowledge.rule_by_id.has(name), knowledge);
});
