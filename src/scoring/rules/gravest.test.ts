import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Firing, gravest } from './gravest.ts';

const light = (at: number): Firing => ({ at, evidence: `argument:${at}`, contribution: 10, floor: 0 });

test('few firings are all kept, including those with equal evidence', () => {
  const firings = [light(0), { ...light(1), evidence: 'argument:0' }];
  assert.deepEqual(gravest(firings), firings);
});

test('many light firings hide neither a grave one nor one with a floor', () => {
  const flood = Array.from({ length: 2_000 }, (_, at) => light(at));
  const grave = { ...light(2_000), contribution: 60 };
  const floored = { ...light(2_001), contribution: 1, floor: 70 };
  const kept = gravest([...flood, grave, floored]);
  assert.ok(kept.includes(grave));
  assert.ok(kept.includes(floored));
  assert.ok(kept.length <= 65);
});

test('many firings with equal evidence leave room for others', () => {
  const same = Array.from({ length: 500 }, (_, at) => ({ ...light(at), evidence: 'content_effect:deletes many' }));
  const others = Array.from({ length: 20 }, (_, i) => light(500 + i));
  assert.equal(new Set(gravest([...same, ...others]).map(({ evidence }) => evidence)).size, 21);
});

test('the order of the list does not change the result', () => {
  const weight = fc.record({ contribution: fc.integer({ min: 0, max: 3 }), floor: fc.integer({ min: 0, max: 2 }) });
  fc.assert(
    fc.property(fc.array(weight, { minLength: 65, maxLength: 200 }), fc.integer(), (weights, seed) => {
      const firings = weights.map((one, at) => ({ at, evidence: `argument:${at}`, ...one }));
      const turned = [...firings].sort((a, b) => ((a.at * 7_919 + seed) % 211) - ((b.at * 7_919 + seed) % 211));
      const evidence = (list: readonly Firing[]): string[] =>
        gravest(list)
          .map((one) => one.evidence)
          .sort();
      assert.deepEqual(evidence(turned), evidence(firings));
    }),
  );
});
