import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge, scoreOf } from '../../test/support/knowledge.ts';
import { AssessmentJson, shownOf } from './assessment-json.ts';
import { keepingOf, ruleTextsOf } from './kept-assessment.ts';

const keeping = keepingOf(ruleTextsOf(knowledge));

const anEvent = { action: 'bank:money:transfer', parameters: { amount: 48_000, note: 'a "quoted" text, ü' } };

test('as text it is the same: what is shown, what is kept, and the assessment read from it', () => {
  const assessment = scoreOf(anEvent);
  const one = new AssessmentJson(assessment, keeping);
  const text = one.asText();
  assert.equal(text.shown, one.shown);
  assert.equal(text.shown, shownOf(assessment));
  assert.equal(text.kept, one.kept);
  assert.deepEqual(text.assessment, assessment);
  assert.equal(text.assessment, text.assessment, 'read once');
  assert.ok(Object.isFrozen(text.assessment));
});
