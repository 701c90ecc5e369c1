import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { scoreOf } from '../../test/support/knowledge.ts';
import { blend, NO_RELIEF, type Relief } from './blend.ts';
import { grpcLevelOf, HIGH, levelOf } from './level.ts';
import type { Assessment, LlmOpinion, LlmVerdict } from './types.ts';

const opinionOf = (verdict: LlmVerdict | null, trouble: LlmOpinion['trouble'] = null): LlmOpinion => ({
  model: 'm',
  was_asked: true,
  verdict,
  trouble,
  was_cached: false,
  input_tokens: 1,
  output_tokens: 1,
  cost_usd: null,
});
const saying = (score: number, confidence = 1): LlmOpinion => opinionOf({ score, confidence, reasons: ['Because.'] });

const harmful = scoreOf({ action: 'db:backup:delete', target: { sensitivity_level: 4 } });
const plain = scoreOf({ action: 'zorg:blip:frobnicate' });
const unfound = scoreOf({ action: 'web:page:read', user_context: 'Read the page.' });
/** An assessment of any score, with or without findings. */
const anAssessment = fc
  .tuple(fc.integer({ min: 0, max: 100 }), fc.boolean())
  .map(([score, is_found]): Assessment => ({ ...(is_found ? harmful : unfound), score, graph_score: score }));
const aVerdict = fc.record({
  score: fc.integer({ min: 0, max: 100 }),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  reasons: fc.constant(['Because.']),
});
const aRelief: fc.Arbitrary<Relief> = fc.record({
  points: fc.integer({ min: 0, max: 10 }),
  sensitivity: fc.integer({ min: 0, max: 4 }),
});

describe('the blend', () => {
  test('a model only raises, and takes nothing back', () => {
    fc.assert(
      fc.property(anAssessment, aVerdict, (assessment, verdict) => {
        const blended = blend(assessment, opinionOf(verdict));
        assert.ok(blended.score >= assessment.score && blended.score <= Math.max(assessment.score, verdict.score));
        assert.equal(blended.graph_score, assessment.score);
        assert.equal(blended.llm_score, verdict.score);
        for (const name of [
          'violations',
          'compliance_refs',
          'mitigations',
          'confidence',
          'rule_score',
          'findings',
        ] as const)
          assert.deepEqual(blended[name], assessment[name]);
        for (const flag of assessment.behavioral_flags) assert.ok(blended.behavioral_flags.includes(flag));
      }),
    );
  });

  test('relief stays within its points and the level, and needs an action without findings and below sensitivity 3', () => {
    fc.assert(
      fc.property(anAssessment, aVerdict, aRelief, (assessment, verdict, relief) => {
        const { score } = blend(assessment, opinionOf(verdict), relief);
        assert.ok(score >= assessment.score - relief.points);
        if (score >= assessment.score) return;
        assert.equal(levelOf(score), levelOf(assessment.score));
        assert.equal(grpcLevelOf(score), grpcLevelOf(assessment.score));
        assert.ok(relief.sensitivity < 3 && assessment.violations.length === 0);
      }),
    );
    const eased = blend({ ...unfound, score: 28, graph_score: 28 }, saying(0), { points: 10, sensitivity: 0 });
    assert.equal(eased.score, 18);
    assert.ok(eased.behavioral_flags.includes('llm_lowered'));
    assert.doesNotMatch(eased.reasoning, /Because/);
  });

  test('contributions sum exactly to the score', () => {
    fc.assert(
      fc.property(aVerdict, (verdict) => {
        const { score, score_components } = blend(plain, opinionOf(verdict));
        assert.equal(
          score_components.reduce((sum, { contribution }) => sum + contribution, 0),
          score,
        );
      }),
    );
  });

  test('a model that is 90 % sure of 90 makes any action high; one that is unsure does not', () => {
    assert.equal(blend({ ...plain, score: 0, graph_score: 0 }, saying(90, 0.9)).score, HIGH);
    assert.ok(blend({ ...plain, score: 0, graph_score: 0 }, saying(90, 0.5)).score < HIGH);
  });

  test('without a verdict the score is that of the rules, with a flag that says why', () => {
    for (const trouble of ['late', 'paused'] as const) {
      const was_asked = trouble === 'late';
      const blended = blend(plain, { ...opinionOf(null, trouble), was_asked }, NO_RELIEF);
      assert.deepEqual([blended.score, blended.llm_score, blended.llm_fallback], [plain.score, null, was_asked]);
      assert.equal(blended.behavioral_flags.at(-1), `llm_unavailable:${trouble}`);
    }
  });
});
