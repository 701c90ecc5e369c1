import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangedScore, countChanges, summarise } from './count-changes.ts';

const scored = (change: string, source: string, label: 0 | 1, before: number, after: number): ChangedScore => ({
  change,
  source,
  id: 'x',
  label,
  before,
  after,
});
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const keeps = new Map([
  ['words', 'verdict'],
  ['host', 'score'],
] as const);

test('a loss of recall or a gain of false positives beyond its bound is marked', () => {
  const rows = countChanges(
    [
      ...times(20, (i) => scored('words', 'lost', 1, 90, i < 2 ? 10 : 90)),
      ...times(20, (i) => scored('words', 'kept', 1, 90, i < 1 ? 10 : 80)),
      ...times(20, (i) => scored('words', 'alarm', 0, 5, i < 1 ? 61 : 60)),
      ...times(5, () => scored('words', 'few', 1, 90, 10)),
    ],
    keeps,
  );
  assert.deepEqual(
    rows.map(({ source, is_beyond }) => [source, is_beyond]),
    [
      ['lost', true],
      ['kept', false],
      ['alarm', true],
      ['few', false],
    ],
  );
  assert.deepEqual(rows[0]!.recall, { n: 20, before: 1, after: 0.9 });
  assert.deepEqual(rows[0]!.benign_at_high, { n: 0, before: null, after: null });
  const [summary] = summarise(rows);
  assert.deepEqual(summary!.beyond, ['lost', 'alarm']);
  assert.equal(summary!.recall.after, (0.9 + 0.95 + 0) / 3, 'each source counts once');
});

test('another host may move the score by few points', () => {
  const rows = countChanges([scored('host', 'a', 0, 10, 13), scored('host', 'b', 0, 10, 14)], keeps);
  assert.deepEqual(
    rows.map(({ is_beyond }) => is_beyond),
    [false, true],
  );
});
