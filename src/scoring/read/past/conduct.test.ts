import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../events/event.ts';

const fact = (name: string, preceding_actions: string[], parts: Partial<AgentEvent> = {}): unknown =>
  factsOf({ action: 'email:message:send', preceding_actions, ...parts }).get(name);

test('earlier sends over the same channel', () => {
  const mails = ['email:message:send', 'email:message:send'];
  assert.equal(fact('earlier_sends', [...mails, 'email:message:read', 'slack:message:post']), 2);
  assert.equal(fact('earlier_sends', mails, { action: 'zorp:blim:send' }), 0);
});

test('requests for approval among the last ten', () => {
  const ask = 'user:decision:request_approval';
  assert.equal(fact('recent_approval_requests', [ask, 'file:document:read', ask]), 2);
  assert.equal(fact('recent_approval_requests', [ask, ...Array(10).fill('file:document:read')]), 0);
});

test('content that a model made, and its mark', () => {
  assert.equal(fact('content_was_generated', ['media:image:generate']), true);
  assert.equal(fact('content_was_generated', ['report:invoice:generate']), false);
  assert.equal(fact('removes_marking', [], { action: 'media:watermark:remove' }), true);
  assert.equal(fact('removes_marking', [], { action: 'media:watermark:add' }), false);
});

test('drift away from the request', () => {
  const earlier = ['web:page:read', 'file:document:update', 'hr:employee:read'];
  const drift = (user_context: string, preceding_actions = earlier): unknown[] => {
    const facts = factsOf({ action: 'bank:money:transfer', preceding_actions, user_context });
    return [facts.get('foreign_domains'), facts.get('session_rises')];
  };
  assert.deepEqual(drift('What is on my calendar?'), [4, true]);
  const [named] = drift('Read the website, edit the file and pay from the bank account.');
  assert.ok((named as number) < 4);
  assert.deepEqual(drift('What is on my calendar?', []), [1, false]);
  const longer = drift('What is on my calendar?', ['repo:code:read', ...earlier]);
  assert.deepEqual(longer, [5, true], 'a longer past only adds');
});
