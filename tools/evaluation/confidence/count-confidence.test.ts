import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Judged } from '../report.ts';
import { countConfidence } from './count-confidence.ts';

const judged = (source: string, label: 0 | 1, score: number, confidence: number): Judged => ({
  source,
  label,
  kind: 'k',
  group: 'g',
  confidence,
  values: { score },
});

const { rows, mean, promises } = countConfidence([
  judged('a', 1, 20, 0.5),
  judged('a', 1, 60, 0.9),
  judged('a', 1, 61, 1),
  judged('a', 0, 70, 0.8),
  judged('b', 0, 10, 0.79),
  judged('b', 0, 60, 0.95),
]);

test('wrong verdicts and honest actions, above and below the line', () => {
  const [all, a, b] = rows;
  assert.deepEqual(all!.missed, { n: 2, unsure: 1, share: 0.5, median: 0.7 });
  assert.deepEqual(all!.false_alarms, { n: 1, unsure: 0, share: 0, median: 0.8 });
  assert.deepEqual(all!.wrong.share, 1 / 3);
  assert.deepEqual(all!.honest, { n: 2, unsure: 1, share: 0.5, median: 0.87 });
  assert.equal(a!.honest.share, null);
  assert.equal(b!.wrong.median, null);
});

test('a source without such records is in no mean', () => {
  assert.deepEqual(mean, { wrong: 1 / 3, missed: 0.5, honest: 0.5 });
});

test('every verdict is in one row of the reliability table, also those of confidence 1', () => {
  assert.equal(
    promises.reduce((sum, { n }) => sum + n, 0),
    6,
  );
  assert.deepEqual(promises.at(-1), { from: 0.95, to: 1, n: 2, mean_confidence: 0.975, right: 1, wrong: 0 });
});
