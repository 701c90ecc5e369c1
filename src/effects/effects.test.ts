/** The list of effects: once each, widest scope, bounded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EffectList, shorten, wider } from './effects.ts';

test('the same effect is kept once, with the widest scope', () => {
  const list = new EffectList();
  list.add('deletes', 'one', '/a', 'rm /a');
  list.add('deletes', 'everything', '/a', 'rm -rf /a');
  list.add('deletes', 'one', '/b', 'rm /b');
  assert.deepEqual(
    list.items.map((e) => `${e.scope} ${e.object}`),
    ['everything /a', 'one /b'],
  );
});

test('a flood of one kind does not push out another', () => {
  const list = new EffectList();
  for (let i = 0; i < 200; i++) list.add('reads', 'one', `/f${i}`, 'cat');
  list.add('opens_channel', 'one', 'evil.io', 'nc');
  assert.equal(list.items.length, 64);
  assert.ok(list.items.some((e) => e.kind === 'opens_channel'));
});

test('excerpts are one line of at most 120 characters', () => {
  const text = shorten(`a\n\t${'b'.repeat(500)}`);
  assert.equal(text.length, 120);
  assert.ok(!/[\n\t]/.test(text));
  assert.equal(wider('many', 'one'), 'many');
});
