/** What counts as more work than an event of few milliseconds: long texts that may be code, many values, length itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../../../events/event.ts';
import { contentOf } from '../../../events/submission.ts';
import { isMoreWork } from './work.ts';

const MOST = 48_000;
const isMore = (more: Partial<AgentEvent>, most = MOST): boolean => {
  const event: AgentEvent = { event_id: 'e', action: 'a:b:c', timestamp: '2026-01-05T10:00:00Z', ...more };
  return isMoreWork(event, contentOf(event).scored_length, most);
};

test('a text that may be code is more work than the same text in a message', () => {
  const text = 'x'.repeat(20_000);
  assert.equal(isMore({ parameters: { command: text } }), true);
  assert.equal(isMore({ user_context: text }), false);
  assert.equal(isMore({ conversation_history: [{ role: 'tool', content: text }] }), false);
  assert.equal(isMore({ parameters: { command: 'x'.repeat(2_000) } }), false);
});

test('code counts wherever it stands in the parameters, in keys of older clients as well', () => {
  const parts = Array.from({ length: 20 }, () => 'x'.repeat(1_000));
  assert.equal(isMore({ parameters: { a: { b: parts } } }), true);
  assert.equal(isMore({ legacy: { tool_input: 'x'.repeat(20_000) } }), true);
});

test('many values are more work than one of the same length', () => {
  assert.equal(isMore({ parameters: { ids: Array.from({ length: 2_000 }, (_, n) => n) } }), true);
  assert.equal(isMore({ preceding_actions: Array.from({ length: 1_500 }, () => 'a:b:c') }), true);
  assert.equal(
    isMore({ conversation_history: [{ role: 'tool', content: Array.from({ length: 2_000 }, (_, n) => ({ n })) }] }),
    true,
  );
});

test('an event longer than the bound is more work whatever it holds, and a short one never is', () => {
  assert.equal(isMore({ user_context: 'x'.repeat(MOST) }), true);
  const short = { parameters: { command: 'x'.repeat(700), ids: Array.from({ length: 100 }, () => 1) } };
  assert.equal(isMore(short), false);
});
