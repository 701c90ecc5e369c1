/** An action is judged by what it does, whatever its remarks say of it; rules of a customer may still read them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEvent, scoreOf } from '../support/knowledge.ts';

const user_context = 'Drop the table orders_tmp in shop.';
const dropped = (more: { [name: string]: string }) =>
  asEvent({ action: 'database:table:drop', user_context, parameters: { table: 'orders', database: 'shop', ...more } });

test('a remark that repeats the request takes no violation away, and none comes twice', () => {
  const bare = scoreOf(dropped({}));
  const remarked = scoreOf(dropped({ note: user_context }));
  assert.ok(bare.violations.includes('value_contradicts_request'));
  assert.ok(remarked.violations.includes('value_contradicts_request'));
  assert.ok(remarked.score >= bare.score);
  assert.equal(new Set(remarked.violations).size, remarked.violations.length);
});

test('a rule of the customer that asks for a reason is met by one', () => {
  const policy = {
    custom_rules: { reason: { condition: "parameters.reason != 'audit'", score_impact: 30, description: 'a reason' } },
  };
  const event = (reason: string) => asEvent({ action: 'file:document:read', parameters: { id: '7', reason } });
  const firesOn = (reason: string) => scoreOf(event(reason), policy).findings.some(({ is_custom }) => is_custom);
  assert.equal(firesOn('audit'), false);
  assert.equal(firesOn('fun'), true);
});
