import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { numberOf, valuesOfNumber } from './written-numbers.ts';

test('a number has one value unless three digits follow its only point or comma', () => {
  const cases: readonly [string, readonly number[]][] = [
    ['3.150', [3150, 3.15]],
    ['3,150', [3150, 3.15]],
    ['75.000', [75000, 75]],
    ['0.250', [0.25]],
    ['0,250', [0.25]],
    ['1.318.277', [1318277]],
    ['1,318.50', [1318.5]],
    ['1.318,50', [1318.5]],
    ['12,5', [12.5]],
    ['EUR 1 500', [1500]],
    ['1500.', [1500]],
    ['none', []],
    ['.5', []],
  ];
  for (const [written, values] of cases) assert.deepEqual(valuesOfNumber(written), values, written);
});

test('the usual value of a number is among its values, the largest is the first, and no value is named twice', () => {
  const written = fc
    .tuple(fc.nat(99_999), fc.array(fc.tuple(fc.constantFrom('.', ','), fc.nat(9_999)), { maxLength: 3 }))
    .map(([whole, parts]) => `${whole}${parts.map(([sign, digits]) => `${sign}${digits}`).join('')}`);
  fc.assert(
    fc.property(written, (text) => {
      const values = valuesOfNumber(text);
      assert.equal(values.includes(numberOf(text)), true);
      assert.deepEqual(
        values,
        [...new Set(values)].sort((a, b) => b - a),
      );
    }),
  );
});
