import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseFor, fitWeights, type Row } from './logistic.ts';

const row = (source: string, is_wrong: boolean, ...values: number[]): Row => ({ source, is_wrong, values });
const rows: Row[] = ['a', 'b'].flatMap((source) => [
  ...Array.from({ length: 20 }, () => row(source, true, 1, 0)),
  ...Array.from({ length: 5 }, () => row(source, false, 1, 1)),
  ...Array.from({ length: 75 }, () => row(source, false, 0, 1)),
]);

test('a sign of wrong verdicts gets weight, one of right verdicts its least', () => {
  const [wrong, right] = fitWeights(rows, [{ least: 0 }, { least: 0.2 }], 0.1);
  assert.ok(wrong! > 1, String(wrong));
  assert.equal(right, 0.2);
});

test('a source counts no more because it has more records', () => {
  const more = [...rows, ...rows.filter(({ source }) => source === 'a')];
  const signs = [{ least: 0 }, { least: 0 }];
  const [one] = fitWeights(rows, signs, 0.1);
  const [two] = fitWeights(more, signs, 0.1);
  assert.ok(Math.abs(one! - two!) < 1e-6);
});

test('the base keeps right verdicts sure', () => {
  const weights = fitWeights(rows, [{ least: 0 }, { least: 0 }], 0.1);
  const unsure = (most: number): number => {
    const base = baseFor(rows, weights, most, 0.8);
    const right = rows.filter(({ is_wrong }) => !is_wrong);
    const isUnsure = ({ values }: Row): boolean =>
      base + values.reduce((sum, value, i) => sum + value * weights[i]!, 0) > Math.log(1 / 0.8 - 1);
    return right.filter(isUnsure).length / right.length;
  };
  assert.equal(unsure(0.01), 0);
  assert.ok(unsure(0.1) <= 0.1);
});

test('no weight exceeds the most of its sign', () => {
  const [wrong] = fitWeights(rows, [{ least: 0, most: 0.4 }, { least: 0 }], 0.1);
  assert.equal(wrong, 0.4);
});
