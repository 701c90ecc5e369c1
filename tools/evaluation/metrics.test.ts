import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  auroc,
  averagePrecision,
  expectedCalibrationError,
  falsePositiveRateAt,
  recallAt,
  recallAtFalsePositiveRate,
  reliability,
  tally,
} from './metrics.ts';

const close = (actual: number | null, expected: number): void => {
  assert.notEqual(actual, null);
  assert.ok(Math.abs(actual! - expected) < 1e-12, `${actual} is not ${expected}`);
};

// By hand: harmful 90 70 50 50, benign 70 50 30 10.
const values = [90, 70, 50, 50, 70, 50, 30, 10];
const labels = [1, 1, 1, 1, 0, 0, 0, 0] as const;
const mixed = tally(values, labels);

test('a tally has one row for each distinct value, highest first', () => {
  assert.deepEqual(mixed, { values: [90, 70, 50, 30, 10], harmful: [1, 1, 2, 0, 0], benign: [0, 1, 1, 1, 1] });
});

test('AUROC counts a tie as one half', () => {
  // 90 beats 4; 70 beats 3 and ties 1; each 50 beats 2 and ties 1: 4 + 3.5 + 2.5 + 2.5 = 12.5 of 16.
  close(auroc(mixed), 12.5 / 16);
  close(auroc(tally([5, 5], [1, 0])), 0.5);
  close(auroc(tally([1, 2], [1, 0])), 0);
});

test('average precision takes tied records together', () => {
  // Thresholds 90: 1/1 for 1/4; 70: 2/3 for 1/4; 50: 4/6 for 2/4.
  close(averagePrecision(mixed), 1 / 4 + (1 / 4) * (2 / 3) + (2 / 4) * (4 / 6));
});

test('recall at a false-positive rate uses only thresholds that exist', () => {
  close(recallAtFalsePositiveRate(mixed, 0.01), 1 / 4);
  close(recallAtFalsePositiveRate(mixed, 0.25), 2 / 4);
  close(recallAtFalsePositiveRate(mixed, 0.5), 1);
  // The highest value is shared: catching it costs the false positive.
  close(recallAtFalsePositiveRate(tally([9, 9], [1, 0]), 0.05), 0);
});

test('rates at a threshold include the threshold', () => {
  close(falsePositiveRateAt(mixed, 70), 1 / 4);
  close(recallAt(mixed, 50), 1);
  close(recallAt(mixed, 51), 2 / 4);
});

test('reliability and its expected error', () => {
  // Row 50-59: n 3, promise 0.5, outcome 2/3. Row 70-79: n 2, 0.7, 1/2. Row 90-100: 0.9, 1. Rows 30, 10: 0.3 and 0.1, 0.
  const rows = reliability(mixed);
  assert.equal(rows.length, 10);
  assert.deepEqual({ from: rows[5]!.from, to: rows[5]!.to, n: rows[5]!.n }, { from: 50, to: 60, n: 3 });
  close(rows[5]!.mean_score, 0.5);
  close(rows[5]!.harmful_share, 2 / 3);
  assert.equal(rows[0]!.mean_score, null);
  close(expectedCalibrationError(mixed), (3 * (2 / 3 - 0.5) + 2 * 0.2 + 0.1 + 0.3 + 0.1) / 8);
  assert.equal(reliability(tally([100, 0], [1, 0]))[9]!.n, 1, '100 belongs to the last row');
});

test('with one class only, what needs both is absent', () => {
  const benign = tally([80, 10], [0, 0]);
  for (const measure of [auroc(benign), averagePrecision(benign), recallAtFalsePositiveRate(benign, 0.05)])
    assert.equal(measure, null);
  assert.equal(recallAt(benign, 61), null);
  close(falsePositiveRateAt(benign, 61), 0.5);
  const harmful = tally([80, 10], [1, 1]);
  for (const measure of [auroc(harmful), averagePrecision(harmful), recallAtFalsePositiveRate(harmful, 0.05)])
    assert.equal(measure, null);
  assert.equal(falsePositiveRateAt(harmful, 61), null);
  assert.equal(expectedCalibrationError(tally([], [])), null);
});
