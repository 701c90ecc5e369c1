import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addToSeconds, type Seconds } from './seconds.ts';

function secondsOf(...at: number[]): Seconds {
  const seconds: Seconds = [];
  for (const time of at) addToSeconds(seconds, time);
  return seconds;
}

test('each second has its count, oldest first, also of what comes late', () => {
  assert.deepEqual(secondsOf(5_000, 5_999, 7_000, 6_500, 5_001, 4_000, 7_001), [
    [4, 1],
    [5, 3],
    [6, 1],
    [7, 2],
  ]);
});

test('the last twelve stay, and none comes back', () => {
  const many = Array.from({ length: 20 }, (_, n) => n * 1_000);
  assert.deepEqual(
    secondsOf(...many, 3_000, 7_500).map(([second]) => second),
    Array.from({ length: 12 }, (_, n) => n + 8),
  );
});
