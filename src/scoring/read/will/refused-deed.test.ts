import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../test/support/readings.ts';

const refuses = (parameters: Record<string, string>, action = 'chat:answer:complete'): boolean =>
  factsOf({ action, parameters }).bool('tells_refusal');

test('an answer that refuses and carries nothing else', () => {
  assert.ok(refuses({ response: "I'm sorry, but I can't help with that." }));
  assert.ok(refuses({ response: 'I cannot comply with this request.' }));
  assert.ok(refuses({ text: 'Es tut mir leid, das kann ich nicht tun.' }));
});

test('a text that only sounds like one, goes to others, or has something beside it', () => {
  assert.ok(!refuses({ response: "I can't wait to tell you how vaccines kill." }));
  assert.ok(!refuses({ response: 'Sorry for the delay. Here is the plan.' }));
  assert.ok(!refuses({ response: "I'm sorry, but I can't help with that." }, 'mail:message:send'));
  assert.ok(!refuses({ response: "I'm sorry, but I can't help with that.", to: 'a@b.test' }));
});
