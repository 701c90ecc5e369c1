import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreOf } from '../../../test/support/knowledge.ts';
import type { Assessment } from '../../scoring/types.ts';
import { scoreJustification } from './account.ts';

const before = scoreOf({ action: 'db:prod:drop', target: { resource_id: 'customers', sensitivity_level: 4 } });
const account = (again: Partial<Assessment>, stored: Partial<Assessment> = {}) =>
  scoreJustification({
    assessment: { ...before, ...stored },
    again: { ...before, ...again },
    without_overrides: null,
  });

test('every component has its line, and the points in the lines are the score', () => {
  const points = [...account({}).matchAll(/^([+-]\d+) /gm)].map(([, one]) => Number(one));
  assert.equal(points.length, before.score_components.length);
  assert.equal(
    points.reduce((sum, one) => sum + one, 0),
    before.score,
  );
});

test('an equal score by the same rule set is said to be reproduced', () => {
  assert.match(
    account({}),
    /Run again on the stored evidence with rule set \w+ and policy version 0: the same score\.$/,
  );
});

test('another rule set is named, with its score and its findings', () => {
  const [lost, ...kept] = before.violations;
  const text = account({ rule_set_version: 'new', graph_score: 12, violations: [...kept, 'a_new_rule'] });
  assert.match(text, /Scored with rule set \w+; rule set new, in force now, gives 12 to the same evidence\./);
  assert.match(text, new RegExp(`No longer found: ${lost}\\.`));
  assert.match(text, /Found now: a_new_rule\./);
  assert.doesNotMatch(text, /the same score/);
});

test('a score that a language model raised is reproduced by the rules alone', () => {
  const text = account({}, { score: 99, llm_score: 99 });
  assert.match(text, /a language model gave 99, which can only raise it/);
  assert.match(text, /: the same score\.$/);
});
