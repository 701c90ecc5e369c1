import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointPause, pauseAfter, SCHEDULE } from './schedule.ts';

test('ten attempts over 75 hours and 35 minutes at least', () => {
  const pauses = Array.from({ length: 10 }, (_, n) => pauseAfter(SCHEDULE, n + 1, null, 0));
  assert.equal(pauses.at(-1), null);
  assert.equal(pauses.indexOf(null), 9);
  const total = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0);
  assert.equal(total, 75 * 3_600 + 35 * 60 + 5);
});

test('pauses are spread by a tenth, and a receiver may lengthen them up to a day', () => {
  assert.equal(pauseAfter(SCHEDULE, 2, null, 0), 300);
  assert.equal(pauseAfter(SCHEDULE, 2, null, 1), 330);
  assert.equal(pauseAfter(SCHEDULE, 1, 120, 0.5), 120);
  assert.equal(pauseAfter(SCHEDULE, 3, 1, 0), 1_800);
  assert.equal(pauseAfter(SCHEDULE, 1, 999_999_999, 0.5), 86_400);
});

test('a failing endpoint is paused for increasing times, up to a minute or the pause that it requests', () => {
  const pauses = [1, 2, 3, 6, 7, 1_000_000].map((failures) => endpointPause(SCHEDULE, failures, null));
  assert.deepEqual(pauses, [1, 2, 4, 32, 60, 60]);
  assert.equal(endpointPause(SCHEDULE, 1, 300), 300);
  assert.equal(endpointPause(SCHEDULE, 1, 999_999_999), 86_400);
});
