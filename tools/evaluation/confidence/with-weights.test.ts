import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { signsOf } from '../../../src/scoring/confidence.ts';
import { withWeights } from './with-weights.ts';

const SOURCE = readFileSync(fileURLToPath(new URL('../../../src/scoring/confidence.ts', import.meta.url)), 'utf8');
const SIDES: [list: string, score: number][] = [
  ['SIGNS_BELOW_HIGH', 0],
  ['SIGNS_AT_HIGH', 100],
];

for (const [list, score] of SIDES)
  test(`the weights of ${list} are found in the source and replaced, those of the other list stay`, () => {
    const { base, signs } = signsOf({ score, policy_score: 0, severity: 0, intrinsic: 0, findings: [] });
    assert.equal(withWeights(SOURCE, list, base, signs), SOURCE);
    const changed = withWeights(
      SOURCE,
      list,
      -9,
      signs.map(({ what }) => ({ what, weight: 1.234 })),
    );
    assert.equal(changed.match(/base: -9,/g)?.length, 1);
    assert.equal(changed.match(/weight: 1.23,/g)?.length, signs.length);
  });

test('a list or a sign that is not there is an error', () => {
  assert.throws(() => withWeights(SOURCE, 'SIGNS_OF_NOTHING', 0, []), /no list `SIGNS_OF_NOTHING`/);
  assert.throws(() => withWeights(SOURCE, 'SIGNS_AT_HIGH', 0, [{ what: 'luck', weight: 1 }]), /no sign `luck`/);
});
