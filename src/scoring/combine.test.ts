import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { apportion, combine, type Layers } from './combine.ts';
import { countedFindings, noisyOr } from './layers/policy.ts';
import type { Finding } from './types.ts';

function finding(rule: string, contribution: number, more: Partial<Finding> = {}): Finding {
  const base = {
    family: 'f',
    floor: 0,
    confidence: 1,
    flag: rule,
    violation: rule,
    citations: [],
    premises: [],
    is_custom: false,
  };
  return { ...base, rule, contribution, evidence: rule, ...more };
}
const custom = (rule: string, impact: number): Finding => finding(rule, impact, { family: 'custom', is_custom: true });
const layers = (intrinsic: number, findings: Finding[], modifier = 1) => ({
  intrinsic,
  structural: null,
  modifier,
  findings,
});
const total = (components: readonly { contribution: number }[]): number =>
  components.reduce((t, c) => t + c.contribution, 0);

const anyFindings = fc
  .array(
    fc.record({
      contribution: fc.integer({ min: -100, max: 100 }),
      floor: fc.constantFrom(0, 0, 0, 61, 81),
      family: fc.constantFrom('a', 'b'),
      evidence: fc.constantFrom('x', 'y', 'z'),
      is_custom: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((rows) =>
    rows.map((row, i) =>
      row.is_custom
        ? finding(`custom${i}`, row.contribution, { ...row, floor: 0 })
        : finding(`rule${i}`, Math.abs(row.contribution), row),
    ),
  );
const anyLayers = fc.record({
  intrinsic: fc.double({ min: 0, max: 100, noNaN: true }),
  structural: fc.option(fc.record({ severity: fc.double({ min: 0, max: 100, noNaN: true }) }), { nil: null }),
  modifier: fc.double({ min: 0.5, max: 2, noNaN: true }),
  findings: anyFindings,
});

test('components are integers that sum exactly to the score, which is an integer from 0 to 100', () => {
  fc.assert(
    fc.property(anyLayers, (given) => {
      const { score, components } = combine(given);
      assert.ok(Number.isInteger(score) && score >= 0 && score <= 100);
      assert.ok(components.every((component) => Number.isInteger(component.contribution)));
      assert.equal(total(components), score);
    }),
    { numRuns: 5000 },
  );
});

test('the result is never below a floor, whatever lowers it', () => {
  fc.assert(
    fc.property(anyLayers, (given) => {
      const floor = given.findings.reduce((highest, f) => Math.max(highest, f.floor), 0);
      assert.ok(combine(given).score >= floor);
    }),
  );
});

test('one finding more never lowers the score', () => {
  fc.assert(
    fc.property(anyLayers, fc.integer({ min: 0, max: 100 }), fc.boolean(), (given, contribution, is_custom) => {
      const more = finding('one_more', contribution, { is_custom, family: is_custom ? 'custom' : 'c' });
      assert.ok(combine({ ...given, findings: [...given.findings, more] }).score >= combine(given).score);
    }),
    { numRuns: 3000 },
  );
});

test('weights in force sum to 1 and rebuild the composite', () => {
  fc.assert(
    fc.property(anyLayers, (given) => {
      const { w1, w2, w3, raw_weighted, policy_score, structural_score } = combine(given);
      assert.ok(Math.abs(w1 + w2 + w3 - 1) < 1e-12);
      const rebuilt = w1 * given.intrinsic + w2 * (structural_score ?? 0) + w3 * policy_score;
      assert.ok(Math.abs(rebuilt - raw_weighted) < 1e-9);
    }),
  );
});

const withSeverity = (given: Layers, severity: number | null): Layers => ({
  ...given,
  structural: severity === null ? null : { severity },
});
const anySeverity = fc.double({ min: 0, max: 100, noNaN: true });

test('the structural layer takes no action across high, below high it only raises, and it lowers no level', () => {
  fc.assert(
    fc.property(anyLayers, anySeverity, (given, severity) => {
      const plain = { ...given, modifier: 1, findings: given.findings.filter(({ is_custom }) => !is_custom) };
      const without = combine(withSeverity(plain, null)).score;
      const { score } = combine(withSeverity(plain, severity));
      assert.equal(score >= 61, without >= 61);
      if (without < 61) assert.ok(score >= without);
      if (without >= 81) assert.ok(score >= 81);
    }),
    { numRuns: 5000 },
  );
});

test('more severity never lowers the score', () => {
  fc.assert(
    fc.property(anyLayers, anySeverity, anySeverity, (given, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      assert.ok(combine(withSeverity(given, more)).score >= combine(withSeverity(given, less)).score);
    }),
    { numRuns: 3000 },
  );
});

test('what the structural layer adds is its own component, and what it repeats is credited to the rules', () => {
  const given = layers(20, [finding('r', 30)]);
  const { components: before, score: without } = combine(given);
  assert.deepEqual(combine({ ...given, structural: { severity: 10 } }).components, before);
  const { score, components } = combine({ ...given, structural: { severity: 90 } });
  const own = components.find(({ rule }) => rule === 'structural')!.contribution;
  assert.ok(Math.abs(own - (score - without)) <= 1);
  assert.ok(score > without + 10);
});

test('an absent structural layer leaves its weight to the others in proportion', () => {
  const { w1, w2, w3 } = combine(layers(50, []));
  assert.deepEqual(
    [w1, w2, w3].map((w) => Number(w.toFixed(4))),
    [0.2727, 0, 0.7273],
  );
});

test('a custom impact is worth its points where there is room', () => {
  const before = combine(layers(40, [finding('r', 30)])).score;
  const { score, components } = combine(layers(40, [finding('r', 30), custom('mine', 20)]));
  assert.equal(score, before + 20);
  assert.equal(components.find((c) => c.rule === 'mine')?.contribution, 20);
  assert.equal(combine(layers(40, [finding('r', 30), custom('mine', -10)])).score, before - 10);
});

test('a large custom impact lifts a harmless action by its points', () => {
  assert.equal(combine(layers(10, [custom('mine', 90)])).score, Math.round(10 * (0.15 / 0.55)) + 90);
});

test('a negative impact does not go below zero or a floor', () => {
  assert.ok(combine(layers(10, [custom('mine', -100)])).score >= 0);
  assert.equal(combine(layers(10, [finding('r', 95, { floor: 81 }), custom('mine', -100)])).score, 81);
});

test('a modifier below 1 does not apply while a violation stands', () => {
  assert.equal(combine(layers(40, [finding('r', 50)], 0.5)).score, combine(layers(40, [finding('r', 50)], 1)).score);
  assert.ok(combine(layers(80, [], 0.5)).score < combine(layers(80, [], 1)).score);
});

test('findings of one family on the same evidence count once, with the highest contribution', () => {
  const findings = [
    finding('a', 40, { evidence: 'x' }),
    finding('b', 60, { evidence: 'x' }),
    finding('c', 50, { evidence: 'y' }),
  ];
  assert.deepEqual(
    countedFindings(findings).map((f) => f.rule),
    ['b', 'c'],
  );
  assert.equal(noisyOr(countedFindings(findings)), 80);
});

test('apportion gives what is left to the largest fractions, the earlier on a tie', () => {
  assert.deepEqual(apportion([1.5, 1.5, 1], 4), [2, 1, 1]);
  assert.deepEqual(apportion([0.4, 0.4, 0.2], 1), [1, 0, 0]);
  assert.deepEqual(apportion([-1.5, 3.5], 2), [-1, 3]);
});
