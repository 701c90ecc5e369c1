import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreOf } from '../../../../test/support/knowledge.ts';
import { AssessmentJson } from '../../../records/texts.ts';
import { MOST_ARTICLES } from '../../../scoring/explanation/articles.ts';
import type { Assessment } from '../../../scoring/types.ts';
import { riskAssessment } from './assessment.ts';
import { RiskLevel } from './messages.ts';
import { codecOf, encoderOf } from './proto.ts';

const base = scoreOf({ action: 'db:table:drop' });
const codec = codecOf('risk.v1.RiskAssessment');
const read = (...record: Parameters<typeof riskAssessment>) => codec.decode(Buffer.from(riskAssessment(...record)));
const shown = (parts: Partial<Assessment>) => read({ assessment: { ...base, ...parts }, hold: null });

test('the level of every score by the ranges of the enum', () => {
  const upper = { NONE: 10, LOW: 30, MEDIUM: 55, HIGH: 80, CRITICAL: 100 };
  let score = 0;
  for (const [name, last] of Object.entries(upper)) {
    for (; score <= last; score++)
      assert.equal(shown({ score }).level, RiskLevel[name as keyof typeof RiskLevel], `${score}`);
  }
});

test('disabled layers and models show 0, and the source says that no LLM was called', () => {
  const off = shown({
    llm_score: null,
    decomposition: { ...base.decomposition, gnn_score: null, gnn_confidence: null },
  });
  assert.deepEqual(
    [off.llm_score, off.score_decomposition?.gnn_score, off.score_decomposition?.gnn_confidence, off.scoring_source],
    [0, 0, 0, 'graph_reasoner'],
  );
  assert.equal(shown({ llm_score: 70 }).scoring_source, 'graph_reasoner+llm');
});

test('the justification has at most three sentences and names the score', () => {
  const actions = ['db:table:drop', 'a:b:c', 'file:document:read', 'bank:money:transfer', 'email:message:send'];
  for (const action of actions) {
    const assessment = scoreOf({ action, mcp_context: { is_verified: false } });
    const { justification } = read({ assessment, hold: null });
    const sentences = justification.match(/[.!?](?= |$)/g) ?? [];
    assert.ok(sentences.length >= 1 && sentences.length <= 3, justification);
    assert.match(justification, new RegExp(`The score is ${assessment.score} of 100`));
  }
});

test('only the first sentence of a customer’s rule description is shown', () => {
  const [finding] = base.findings;
  const cases: Record<string, string> = {
    'no payments abroad': 'No payments abroad.',
    'No payments abroad. Ask finance! Why? Because. It is so.': 'No payments abroad.',
    'Ask finance first! They know. They answer.': 'Ask finance first!',
    'May it? No. Never. Not once.': 'May it?',
    'No mail to mail.a.b.com or U.S. Army, e.g. Fort X. Ask. Wait. Go.':
      'No mail to mail.a.b.com or U.S. Army, e.g. Fort X.',
    'More than 1.5 million, i.e. Dr. Who’s limit, v1.2. Ask. Wait. Go.':
      'More than 1.5 million, i.e. Dr. Who’s limit, v1.2.',
    'Wait... Then go. Or stay. Or not.': 'Wait...',
    'He said “no.” Then he left. Then he came. Then he stayed.': 'He said “no.”',
    'Never run `a. B. C. D.` here. Ask. Wait. Go.': 'Never run `a. B. C. D.` here.',
    'Lone ` tick. Ask. Wait. Go.': 'Lone ` tick.',
    '付款须经批准。请先询问。等待。': '付款须经批准。',
    '  First line.\nSecond line.\n\nThird. Fourth.\n': 'First line.',
  };
  for (const [violation, told] of Object.entries(cases)) {
    const { justification } = shown({ findings: [{ ...finding!, violation, floor: 100 }] });
    assert.ok(justification.startsWith(`${told} The score is`), justification);
  }
  // No text of a customer may take long to read.
  for (const hostile of ['.', '.)', '.\n', '`', '. `', 'a.'])
    shown({ findings: [{ ...finding!, violation: hostile.repeat(200_000), floor: 100 }] });
});

test('nothing is lost on the wire but the articles that a reader asks for', () => {
  const read = shown({});
  for (const name of ['reasoning', 'violations', 'mitigations', 'behavioral_flags', 'score'] as const)
    assert.deepEqual(read[name], base[name], name);
  assert.deepEqual(read.compliance_refs, base.compliance_refs.slice(0, MOST_ARTICLES));
});

test('an assessment is encoded once for all events with the same score, each with the state of its own hold', () => {
  const assessment = new AssessmentJson(base);
  const told = { action_hash: '', expires_at: '', decided_at: null, reason: null, decided_by: null, cosignature: null };
  const states = [null, 'held', 'approved', null] as const;
  const answers = states.map((state) =>
    riskAssessment({ assessment: base, hold: state && { ...told, state }, json: { assessment } }),
  );
  assert.deepEqual(
    answers.map((bytes) => codec.decode(Buffer.from(bytes)).hold_state),
    ['', 'held', 'approved', ''],
  );
  assert.deepEqual(codec.decode(Buffer.from(answers[1]!)).violations, base.violations);
  assert.equal(answers[0], answers[3]);
  assert.equal(answers[0]!.buffer.byteLength, answers[0]!.length, 'keeps more than its own bytes');
});

test('in an answer it matches the .proto file', () => {
  const event = { assessment: base, hold: null };
  const unary = encoderOf('risk.v1.EvaluateRiskResponse').encode({ assessment: riskAssessment(event), event_id: 'e' });
  const batch = encoderOf('risk.v1.BatchEvaluateRiskResponse').encode({
    assessments: [riskAssessment(event), riskAssessment(event)],
    event_ids: ['e', 'f'],
  });
  assert.equal(codecOf('risk.v1.EvaluateRiskResponse').decode(unary).assessment?.reasoning, base.reasoning);
  const { assessments, event_ids } = codecOf('risk.v1.BatchEvaluateRiskResponse').decode(batch);
  assert.deepEqual(
    assessments.map(({ score }) => score),
    [base.score, base.score],
  );
  assert.deepEqual(event_ids, ['e', 'f']);
});
