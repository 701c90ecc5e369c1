import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  auroc,
  averagePrecision,
  expectedCalibrationError,
  type Label,
  recallAtFalsePositiveRate,
  tally,
} from './metrics.ts';

/** Few distinct values, so that ties are the rule. */
const records = fc.array(
  fc.record({
    value: fc.oneof(
      fc.integer({ min: 0, max: 6 }).map((n) => n * 15),
      fc.integer({ min: 0, max: 100 }),
    ),
    label: fc.constantFrom<Label>(0, 1),
  }),
  { minLength: 1, maxLength: 40 },
);
type Records = { value: number; label: Label }[];
const tallyOf = (rows: Records) =>
  tally(
    rows.map((r) => r.value),
    rows.map((r) => r.label),
  );

const same = (actual: number | null, expected: number | null): void => {
  if (actual === null || expected === null) assert.equal(actual, expected);
  else assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
};

/** The definitions, read aloud: over all pairs, and over all thresholds. */
function pairwiseAuroc(rows: Records): number | null {
  const harmful = rows.filter((r) => r.label === 1);
  const benign = rows.filter((r) => r.label === 0);
  if (harmful.length === 0 || benign.length === 0) return null;
  let wins = 0;
  for (const h of harmful) for (const b of benign) wins += h.value > b.value ? 1 : h.value === b.value ? 0.5 : 0;
  return wins / (harmful.length * benign.length);
}

function atThreshold(rows: Records, threshold: number): { recall: number; fpr: number; precision: number } {
  const taken = rows.filter((r) => r.value >= threshold);
  const caught = taken.filter((r) => r.label === 1).length;
  return {
    recall: caught / rows.filter((r) => r.label === 1).length,
    fpr: (taken.length - caught) / rows.filter((r) => r.label === 0).length,
    precision: taken.length === 0 ? 1 : caught / taken.length,
  };
}

const isMixed = (rows: Records): boolean => rows.some((r) => r.label === 1) && rows.some((r) => r.label === 0);

test('AUROC is the share of pairs in the right order', () => {
  fc.assert(fc.property(records, (rows) => same(auroc(tallyOf(rows)), pairwiseAuroc(rows))));
});

test('recall at a false-positive rate is the best over all thresholds', () => {
  fc.assert(
    fc.property(records, fc.constantFrom(0, 0.01, 0.05, 0.3, 1), (rows, limit) => {
      const thresholds = [101, ...rows.map((r) => r.value)];
      const best = isMixed(rows)
        ? Math.max(
            ...thresholds
              .map((t) => atThreshold(rows, t))
              .filter((p) => p.fpr <= limit)
              .map((p) => p.recall),
          )
        : null;
      same(recallAtFalsePositiveRate(tallyOf(rows), limit), best);
    }),
  );
});

test('average precision is the sum over thresholds of added recall times precision', () => {
  fc.assert(
    fc.property(records, (rows) => {
      let area: number | null = null;
      if (isMixed(rows)) {
        area = 0;
        let before = 0;
        for (let t = 100; t >= 0; t -= 1) {
          const { recall, precision } = atThreshold(rows, t);
          area += (recall - before) * precision;
          before = recall;
        }
      }
      same(averagePrecision(tallyOf(rows)), area);
    }),
  );
});

test('turning the values round turns AUROC round', () => {
  fc.assert(
    fc.property(records.filter(isMixed), (rows) => {
      const turned = rows.map((r) => ({ ...r, value: 100 - r.value }));
      same(auroc(tallyOf(turned)), 1 - auroc(tallyOf(rows))!);
    }),
  );
});

test('the order of records changes nothing', () => {
  fc.assert(
    fc.property(records, (rows) => {
      const t = tallyOf(rows);
      const turned = tallyOf(rows.toReversed());
      assert.deepEqual(turned, t);
      const error = expectedCalibrationError(t);
      assert.ok(error !== null && error >= 0 && error <= 1);
    }),
  );
});
