import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Assessment } from '../scoring/types.ts';
import type { StoredScore } from './record.ts';
import { AssessmentJson } from './texts.ts';
import { scoreDetail, scoreListItem, scoreResult, scoreResultJson } from './views.ts';

const assessment: Assessment = {
  score: 70,
  reasoning: 'because',
  violations: ['v'],
  compliance_refs: ['GDPR:Article_32'],
  mitigations: ['m'],
  score_components: [{ rule: 'r', contribution: 70 }],
  behavioral_flags: ['f'],
  graph_score: 70,
  rule_score: 65,
  llm_score: null,
  llm_fallback: false,
  llm: null,
  doubts: [],
  gnn_score: null,
  confidence: 0.9,
  decomposition: {
    intrinsic_score: 50,
    gnn_score: null,
    policy_score: 80,
    temporal_modifier: 1,
    raw_weighted: 70,
    w1: 0.2727,
    w2: 0,
    w3: 0.7273,
    gnn_confidence: null,
    overall_confidence: 0.9,
  },
  findings: [],
  rule_set_version: 'v1',
  policy_version: 3,
};

const record = (change: Partial<Assessment> = {}): StoredScore => ({
  customer_id: 'c',
  event_id: 'e',
  content_hash: 'h',
  event: { event_id: 'e', action: 'a:b:c', timestamp: '2026-01-15T10:00:00Z' },
  assessment: { ...assessment, ...change },
  risk_level: 'high',
  cache_hit: false,
  past: null,
  hold: null,
  would_hold: false,
  scored_at: '2026-01-15T10:00:01.000000Z',
});

const shares = (change: Partial<Assessment>) => scoreResult(record(change)).score_decomposition;

describe('views', () => {
  test('the answer as text equals the answer, for a new score and for a stored one', () => {
    for (const one of [record(), record({ llm_score: 90, score: 80 }), { ...record(), event_id: 'a"b' }]) {
      const json = { assessment: new AssessmentJson(one.assessment) };
      assert.deepEqual(JSON.parse(scoreResultJson({ ...one, json })), scoreResult(one));
      assert.equal(scoreResultJson(one), scoreResultJson({ ...one, json }), 'a retry gets the same bytes');
    }
  });

  test('without LLM and GNN the graph has the whole score', () => {
    assert.deepEqual(shares({}), { graph_weight: 1, llm_weight: 0, gnn_weight: 0, final: 70 });
    assert.equal(scoreResult(record()).scoring_source, 'graph');
    assert.equal(scoreListItem(record()).scoring_source, 'graph_reasoner');
  });

  test('the GNN has its weight in force', () => {
    const decomposition = { ...assessment.decomposition, w1: 0.15, w2: 0.45, w3: 0.4, gnn_score: 60 };
    assert.deepEqual(shares({ decomposition }), { graph_weight: 0.55, llm_weight: 0, gnn_weight: 0.45, final: 70 });
  });

  test('the LLM has the share by which it moved the score, and graph and GNN divide the rest', () => {
    const decomposition = { ...assessment.decomposition, w1: 0.15, w2: 0.45, w3: 0.4 };
    const raised = { decomposition, graph_score: 60, llm_score: 80, score: 65, llm_fallback: true };
    assert.deepEqual(shares(raised), { graph_weight: 0.4125, llm_weight: 0.25, gnn_weight: 0.3375, final: 65 });
    assert.equal(scoreResult(record(raised)).scoring_source, 'hybrid');
    assert.equal(scoreDetail(record(raised)).scoring_source, 'graph_reasoner+llm');
  });

  test('an LLM score below the graph score has a share only where it lowered the score', () => {
    assert.equal(shares({ graph_score: 70, llm_score: 20 }).llm_weight, 0);
    assert.equal(shares({ score: 65, graph_score: 70, llm_score: 20 }).llm_weight, 0.1);
  });

  test('views leave out internal fields', () => {
    for (const view of [scoreResult(record()), scoreListItem(record()), scoreDetail(record())]) {
      for (const name of ['content_hash', 'findings', 'assessment']) assert.ok(!(name in view), name);
    }
  });
});
