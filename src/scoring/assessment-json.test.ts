import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreOf } from '../../test/support/knowledge.ts';
import { AssessmentJson } from './assessment-json.ts';

const anEvent = { action: 'bank:money:transfer', parameters: { amount: 48_000, note: 'a "quoted" text, ü' } };

test('as text it is the same: both halves, and the assessment read from it', () => {
  const assessment = scoreOf(anEvent);
  const one = new AssessmentJson(assessment);
  const text = one.asText();
  assert.equal(text.shown, one.shown);
  assert.equal(text.whole, one.whole);
  assert.deepEqual(JSON.parse(one.whole), assessment);
  assert.deepEqual(text.assessment, assessment);
  assert.equal(text.assessment, text.assessment, 'read once');
  assert.ok(Object.isFrozen(text.assessment));
});

test('what is shown is the beginning of the whole', () => {
  const { shown, whole } = new AssessmentJson(scoreOf(anEvent));
  assert.ok(whole.startsWith(`{${shown},"decomposition":`));
});
