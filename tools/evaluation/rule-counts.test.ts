import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuleCounts } from './rule-counts.ts';

test('rules are counted by record, label and source', () => {
  const counts = new RuleCounts(['never', 'often', 'once']);
  counts.add({ source: 'a', label: 1 }, ['often', 'often', 'once']);
  counts.add({ source: 'b', label: 1 }, ['often']);
  counts.add({ source: 'b', label: 0 }, ['often']);
  assert.deepEqual(counts.rows(), [
    {
      rule: 'often',
      harmful: 2,
      benign: 1,
      precision: 2 / 3,
      by_source: { a: { harmful: 1, benign: 0 }, b: { harmful: 1, benign: 1 } },
    },
    { rule: 'once', harmful: 1, benign: 0, precision: 1, by_source: { a: { harmful: 1, benign: 0 } } },
    { rule: 'never', harmful: 0, benign: 0, precision: null, by_source: {} },
  ]);
});
