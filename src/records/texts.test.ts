import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUIET, storedTrace, WEDNESDAY } from '../../test/support/history.ts';
import { scoreOf } from '../../test/support/knowledge.ts';
import { MOST_ARTICLES } from '../scoring/explanation/articles.ts';
import { saysSomething } from '../scoring/history/says.ts';
import type { History } from '../scoring/types.ts';
import { AssessmentJson, historyJson, type Keeping, type KeptPast, pastJson, pastOf, shownOf, WHOLE } from './texts.ts';

const anEvent = { action: 'bank:money:transfer', parameters: { amount: 48_000, note: 'a "quoted" text, ü' } };

test('the two halves of an assessment are its JSON, and the assessment is read from them', () => {
  const assessment = scoreOf(anEvent);
  const { shown, hidden } = new AssessmentJson(assessment);
  assert.equal(shown, shownOf(assessment));
  assert.deepEqual(JSON.parse(`{${shown},${hidden}}`), JSON.parse(JSON.stringify(assessment)));
  assert.ok(assessment.compliance_refs.length > MOST_ARTICLES);
  assert.equal(JSON.parse(`{${shown}}`).compliance_refs.length, MOST_ARTICLES);
  const again = AssessmentJson.ofTexts({ shown, hidden });
  assert.equal(again.shown, shown);
  assert.equal(again.kept(WHOLE), JSON.stringify(assessment));
  assert.deepEqual(again.assessment, assessment);
  assert.equal(again.assessment, again.assessment, 'it is read once');
  assert.ok(Object.isFrozen(again.assessment));
});

test('a light one holds texts alone once it is kept, and is read again by the store that kept it', () => {
  const assessment = scoreOf(anEvent);
  let read = 0;
  const keeping: Keeping = {
    shorten: (whole) => JSON.stringify({ whole }),
    restore: (stored) => {
      read += 1;
      return (stored as { whole: typeof assessment }).whole;
    },
  };
  const heavy = new AssessmentJson(assessment);
  const light = new AssessmentJson(assessment);
  light.makeLight();
  assert.equal(light.assessment, assessment);
  assert.equal(light.kept(keeping), heavy.kept(keeping));
  assert.equal(heavy.assessment, assessment);
  assert.equal(light.shown, shownOf(assessment));
  assert.equal(read, 0, 'neither text needs the assessment');
  assert.notEqual(light.assessment, assessment);
  assert.deepEqual(light.assessment, assessment);
  assert.equal(light.kept(keeping), heavy.kept(keeping));
  assert.equal(light.assessment, light.assessment);
  assert.equal(read, 1);
});

const { trace } = storedTrace(WEDNESDAY);
const again = (history: History | null) => {
  const past = pastOf(JSON.parse(pastJson({ trace, history })) as KeptPast);
  assert.deepEqual(past.trace, trace);
  return past.history;
};

test('a kept history reads as it was given, and only members that say something are kept', () => {
  assert.equal(again(null), null);
  assert.equal(historyJson(QUIET), '{}');
  assert.deepEqual(again(QUIET), QUIET);
  assert.ok(!saysSomething(QUIET));
  const loud: History = {
    first_seen: ['action'],
    changes_per_minute: 30,
    actions_per_minute: 120,
    burst: 5,
    is_unusual_hour: true,
    off_hours: 'utc',
    clock: 'session_too_long',
    drift: 1,
    refused: 2,
    high: 3,
    earlier_actions: ['vault:secret:read'],
    seen_classes: ['PHI'],
    runs_written: ['leaks tools/report.py'],
    repeats: 10,
    is_steady: true,
    refused_elsewhere: 'sibling',
    is_refused_by_person: true,
    troubled_place: 'filled',
    classes_of_others: ['PII'],
    inherited: ['secret'],
  };
  for (const name of Object.keys(loud) as (keyof History)[]) {
    const history = { ...QUIET, [name]: loud[name] } as History;
    assert.deepEqual(JSON.parse(historyJson(history)), { [name]: loud[name] });
    assert.deepEqual(again(history), history);
    assert.ok(saysSomething(history));
  }
});

test('a history of an older row, which was kept whole, reads as it was given', () => {
  const older = { agent_key: 'a', session_key: null, trace, history: { ...QUIET, burst: 5 } };
  assert.deepEqual(pastOf(older), { trace, history: older.history });
});

test('two histories share no list', () => {
  again(QUIET)!.first_seen.push('action');
  assert.deepEqual(again(QUIET), QUIET);
});
