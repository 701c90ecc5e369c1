import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recall, RecentTexts } from './remember.ts';

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

test('a text that was asked for lately is kept, one that was not is dropped, and long ones are not memoized', () => {
  const asked: string[] = [];
  const kept = new RecentTexts<string>(1_000, 8);
  const get = (text: string): string => kept.get(text, () => String(asked.push(text)));
  for (const text of ['a', 'b', 'c', 'd', 'a', 'e', 'f', 'g', 'a', 'b']) get(text);
  assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'b']);
  get('123456789');
  get('123456789');
  assert.deepEqual(asked.slice(8), ['123456789', '123456789']);
});

test('however many texts come, the characters kept stay within the bound', () => {
  const kept = new RecentTexts<{ text: string }>(10_000, 500);
  let calls = 0;
  const make = (text: string): { text: string } => {
    calls += 1;
    return { text };
  };
  const texts = Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(500));
  for (const text of texts) kept.get(text, make);
  assert.equal(calls, 100);
  // 500 and the least cost of a text each: 16 of them are 10,000 characters.
  for (const text of texts.slice(0, 80)) kept.get(text, make);
  assert.equal(calls, 180);
});
