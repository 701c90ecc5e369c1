import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asEvent, knowledge, scoreOf } from '../../../../test/support/knowledge.ts';
import type { AgentEvent } from '../../../events/event.ts';
import type { JsonObject } from '../../../lang/json.ts';
import type { Assessment } from '../../../scoring/types.ts';
import { keepingOf, type RuleTexts, restoreWithoutTexts, ruleTextsOf, textsNeededBy } from './kept-assessment.ts';

/** As they come back from a store. */
const texts = JSON.parse(JSON.stringify(ruleTextsOf(knowledge))) as RuleTexts;
const keeping = keepingOf(knowledge.version, texts);
const stored = (assessment: Assessment): object => JSON.parse(keeping.shorten(assessment)) as object;
const again = (assessment: Assessment): Assessment => keeping.restore(stored(assessment));

const EXAMPLES = knowledge.rules.flatMap(({ document }) =>
  document.examples.fires.map(({ event, policy }) => ({
    event: asEvent(event as unknown as AgentEvent),
    policy: (policy ?? {}) as JsonObject,
  })),
);
const custom_rules = {
  calm: { condition: 'true', score_impact: -5, description: '' },
  // A name that is a rule's as well.
  effect_is_outside_the_request: { condition: 'sensitivity >= 0', score_impact: 7, description: 'Ours: `ü"`' },
};

test('an assessment reads as it was given, to the byte, whatever fired', () => {
  const fired = new Set<string>();
  let [whole, kept] = [0, 0];
  for (const { event, policy } of EXAMPLES) {
    for (const more of [{}, { custom_rules }]) {
      const assessment = scoreOf(event, { ...policy, ...more });
      for (const { rule } of assessment.findings) fired.add(rule);
      assert.equal(JSON.stringify(again(assessment)), JSON.stringify(assessment));
      whole += JSON.stringify(assessment).length;
      kept += keeping.shorten(assessment).length;
    }
  }
  assert.ok(fired.size > 0.8 * knowledge.rules.length, `${fired.size} rules fired`);
  assert.ok(kept < whole / 2, `${kept} of ${whole} bytes`);
});

const OTHERS: fc.Arbitrary<Partial<Assessment>> = fc.record(
  {
    score: fc.integer({ min: 0, max: 100 }),
    graph_score: fc.integer({ min: 0, max: 100 }),
    llm_score: fc.option(fc.integer({ min: 0, max: 100 })),
    llm_fallback: fc.boolean(),
    gnn_score: fc.option(fc.double({ min: 0, max: 100, noNaN: true, noDefaultInfinity: true }).map(Math.abs)),
    policy_version: fc.nat(),
    violations: fc.array(fc.oneof(fc.string(), fc.constantFrom(...texts.rules.map(({ id }) => id)))),
    compliance_refs: fc.array(fc.oneof(fc.string(), fc.constantFrom(...texts.citations))),
    behavioral_flags: fc.array(fc.oneof(fc.string(), fc.constantFrom(...texts.flags, '0', '1'))),
    score_components: fc.array(fc.record({ rule: fc.string(), contribution: fc.integer() }, { noNullPrototype: true })),
  },
  { requiredKeys: [], noNullPrototype: true },
);

test('an assessment that the rules of this version would not give reads as it was given', () => {
  const { event, policy } = EXAMPLES.find((one) => scoreOf(one.event, one.policy).findings.length > 2)!;
  const base = scoreOf(event, policy);
  const changes: Partial<Assessment['findings'][number]>[] = [
    { citations: [] },
    { flag: 'another' },
    { family: 'another' },
    { evidence: '' },
    { reduced_by: [] },
    { reduced_by: ['r'], evidence: 'e' },
    { is_custom: true },
    { premises: [] },
    { premises: [{ fact: 'no fact', value: '' }] },
    { contribution: 0.5, floor: 0.1 },
  ];
  for (const change of [{}, ...changes]) {
    const findings = base.findings.map((finding) => ({ ...finding, ...change }));
    assert.deepEqual(again({ ...base, findings }), { ...base, findings });
  }
  fc.assert(fc.property(OTHERS, (others) => assert.deepEqual(again({ ...base, ...others }), { ...base, ...others })));
});

test('a whole assessment, as in the rows of older releases, needs no texts', () => {
  const assessment = scoreOf({ action: 'db:prod:drop' });
  const whole = JSON.parse(JSON.stringify(assessment)) as object;
  assert.equal(textsNeededBy(whole), null);
  assert.deepEqual(keeping.restore(whole), assessment);
  assert.equal(textsNeededBy(stored(assessment)), knowledge.version);
});

test('an assessment by another version of the rules is kept whole', () => {
  const other = { ...scoreOf({ action: 'db:prod:drop' }), rule_set_version: 'another' };
  assert.equal(keeping.shorten(other), JSON.stringify(other));
  assert.deepEqual(keeping.restore(JSON.parse(keeping.shorten(other)) as object), other);
});

test('an assessment whose texts are lost keeps every number and every sentence of its own', () => {
  for (const { event, policy } of EXAMPLES) {
    const assessment = scoreOf(event, { ...policy, custom_rules });
    const left = restoreWithoutTexts(stored(assessment), '(lost)');
    assert.equal(left.reasoning, `${assessment.reasoning} (lost)`);
    assert.deepEqual(left.decomposition, assessment.decomposition);
    for (const name of ['score', 'rule_score', 'confidence', 'policy_version', 'rule_set_version'] as const)
      assert.equal(left[name], assessment[name]);
    for (const name of ['violations', 'compliance_refs', 'mitigations', 'behavioral_flags'] as const)
      assert.equal(left[name].length, assessment[name].length);
    assert.deepEqual(
      left.findings.map(({ violation, floor }) => [violation, floor]),
      assessment.findings.map(({ violation, floor }) => [violation, floor]),
    );
    assert.equal(
      left.score_components.reduce((sum, { contribution }) => sum + contribution, 0),
      assessment.score,
    );
  }
});

test('texts that lack what an assessment names are an error', () => {
  const assessment = scoreOf({ action: 'db:prod:drop' });
  assert.ok(assessment.findings.length > 0);
  for (const list of ['rules', 'citations', 'mitigations', 'flags', 'facts'] as const)
    assert.throws(
      () => keepingOf(knowledge.version, { ...texts, [list]: [] }).restore(stored(assessment)),
      RangeError,
      list,
    );
});
