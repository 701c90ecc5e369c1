/** The examples in each rule's own file are its tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { knowledge, scoreOf } from '../support/knowledge.ts';

for (const { id, document } of knowledge.rules) {
  const fires = (example: (typeof document.examples.fires)[number]): boolean => {
    const event = example.event as unknown as AgentEvent;
    return scoreOf(event, (example.policy ?? {}) as JsonObject, {
      is_outline: example.is_outline === true,
      history: example.history,
    }).findings.some((finding) => finding.rule === id);
  };
  test(`rule ${id}`, () => {
    for (const example of document.examples.fires) assert.ok(fires(example), `must fire: ${example.name}`);
    for (const example of document.examples.quiet) assert.ok(!fires(example), `must stay quiet: ${example.name}`);
  });
}

test('there are rules of every family that the catalogue opens with, at least forty in all', () => {
  const families = new Set(knowledge.rules.map((rule) => rule.document.family));
  for (const family of ['injection', 'data-flow', 'destruction', 'execution', 'privilege', 'finance']) {
    assert.ok(families.has(family), family);
  }
  assert.ok(knowledge.rules.length >= 40);
});
