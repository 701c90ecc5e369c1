import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cell, sharpen } from './sharpen.ts';

/** The first sign stands on many wrong verdicts and on 8 % of the right ones, the second on few and on 20 %. */
const CELLS: Cell[] = [
  { values: [1, 0], wrong: 0.6, right: 0.08 },
  { values: [0, 1], wrong: 0.1, right: 0.2 },
  { values: [0, 0], wrong: 0.3, right: 0.72 },
];
const BOUNDS = { least: [0, 0], most: [2.5, 2.5] };

test('wrong verdicts come above the line, where weights began the other way round', () => {
  const [first, second] = sharpen(CELLS, [0.9, 1], BOUNDS, 0.1);
  assert.ok(first! > second!, `${first} and ${second}`);
});

test('weights stay within their bounds', () => {
  const [first, second] = sharpen(CELLS, [0.9, 1], { least: [0, 0.95], most: [0.95, 2.5] }, 0.1);
  assert.ok(first! <= 0.95 && second! >= 0.95);
});
