import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fallText, figureCells, figuresOf, measuredOf, precisionFall } from './rule-figures.ts';

const row = (rule: string, by_source: Record<string, { harmful: number; benign: number }>) => ({
  rule,
  harmful: 0,
  benign: 0,
  precision: null,
  by_source,
});
const judged = (source: string, label: 0 | 1) => ({ source, label });

const measured = measuredOf('v1', [
  {
    file: 'one',
    judged: [judged('b', 1), judged('b', 0), judged('a', 1)],
    rows: [row('r', { b: { harmful: 1, benign: 1 } }), row('quiet', {})],
  },
  { file: 'two', judged: [judged('b', 1), judged('b', 1)], rows: [row('r', { b: { harmful: 1, benign: 0 } })] },
]);

test('files are added up, by source and by name', () => {
  assert.deepEqual(measured, {
    rule_set_version: 'v1',
    files: ['one', 'two'],
    sources: { a: { harmful: 1, benign: 0 }, b: { harmful: 3, benign: 1 } },
    rules: { quiet: {}, r: { b: { harmful: 2, benign: 1 } } },
  });
});

test('a rule’s figures: all sources, then those where it fired', () => {
  assert.deepEqual(figuresOf('r', measured)!.map(figureCells), [
    ['all', '2 of 4 (50.0 %)', '1 of 1 (100.0 %)', '66.7 %'],
    ['b', '2 of 3 (66.7 %)', '1 of 1 (100.0 %)', '66.7 %'],
  ]);
  assert.deepEqual(figuresOf('quiet', measured)!.map(figureCells), [['all', '0 of 4 (0.0 %)', '0 of 1 (0.0 %)', '–']]);
  assert.equal(figuresOf('new_rule', measured), null);
});

test('a precision that falls between sources is told, on five firings and more', () => {
  const by_source = { good: { harmful: 5, benign: 0 }, bad: { harmful: 3, benign: 2 }, few: { harmful: 0, benign: 4 } };
  const all = Object.keys(by_source).flatMap((source) => [judged(source, 1), judged(source, 0)]);
  const uneven = measuredOf('v1', [{ file: 'one', judged: all, rows: [row('r', by_source)] }]);
  const figures = figuresOf('r', uneven)!;
  assert.deepEqual([precisionFall(figures)!.best.source, precisionFall(figures)!.worst.source], ['good', 'bad']);
  assert.equal(fallText(figures), 'Its precision differs by source: 100.0 % on good, 60.0 % on bad.');
  assert.equal(fallText(figuresOf('r', measured)!), '');
});
