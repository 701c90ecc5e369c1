import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recall } from './remember.ts';

test('a name is computed once, until the store is full and all names are dropped', () => {
  const asked: string[] = [];
  const recall = new Recall<number>(2, 3);
  const get = (name: string): number => recall.get(name, () => asked.push(name));
  for (const name of ['a', 'a', 'b', 'a', 'c', 'a']) get(name);
  assert.deepEqual(asked, ['a', 'b', 'c', 'a']);
});

test('a text that is too long for a name is not memoized', () => {
  let asked = 0;
  const recall = new Recall<number>(2, 3);
  for (let i = 0; i < 2; i++) recall.get('long', () => (asked += 1));
  assert.equal(asked, 2);
});
