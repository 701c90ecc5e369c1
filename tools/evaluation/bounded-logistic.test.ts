import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BoundedFit, fitBoundedLogistic, type WeightedExample } from './bounded-logistic.ts';

const FIT: BoundedFit = { least: [0, 0], most: 10, base: 0, steps: 2_000, rate: 1, pull: 0 };
/** One value: a fifth hits without it, four fifths with it. The other value is on every second example and says nothing. */
const examples: WeightedExample[] = [0, 1].flatMap((present) =>
  [0, 1].map((other) => ({ values: [present, other], weight: 0.25, hits: present === 1 ? 0.2 : 0.05 })),
);

test('finds base and weights of the log odds', () => {
  const { base, weights } = fitBoundedLogistic(examples, FIT);
  assert.ok(Math.abs(base + Math.log(4)) < 1e-3, String(base));
  assert.ok(Math.abs(weights[0]! - 2 * Math.log(4)) < 1e-3, String(weights[0]));
  assert.ok(weights[1]! < 1e-3);
});

test('keeps each weight within its bounds, and the pull draws it to zero', () => {
  assert.deepEqual(fitBoundedLogistic(examples, { ...FIT, least: [0, 0.5], most: 1 }).weights, [1, 0.5]);
  assert.ok(fitBoundedLogistic(examples, { ...FIT, pull: 0.1 }).weights[0]! < 2);
});
