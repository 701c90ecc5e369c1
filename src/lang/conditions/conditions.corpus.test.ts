import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConditionError, compileCondition } from './conditions.ts';
import { type DerivedFields, type EventFields, eventEnvironment } from './event-environment.ts';
import { EVENT_VOCABULARY } from './event-vocabulary.ts';

interface Corpus<Case> {
  event: EventFields;
  derived: DerivedFields;
  cases: (Case & { condition: string })[];
}

function corpus<Case>(name: string): Corpus<Case> {
  const file = join(import.meta.dirname, '../../../corpus/conditions', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Corpus<Case>;
}

for (const name of ['evaluation', 'missing']) {
  const { event, derived, cases } = corpus<{ expected: boolean; is_unevaluable?: boolean }>(name);
  for (const { condition, expected, is_unevaluable = false } of cases) {
    test(`${name}: ${JSON.stringify(condition)} is ${expected}`, () => {
      const env = eventEnvironment(event, derived);
      const actual = compileCondition(condition, EVENT_VOCABULARY).test(env);
      assert.deepEqual({ actual, is_unevaluable: env.unevaluable }, { actual: expected, is_unevaluable });
    });
  }
}

for (const { condition, refused, column } of corpus<{ refused: string; column?: number }>('refused').cases) {
  test(`refused: ${JSON.stringify(condition)}`, () => {
    const isRefusal = (error: unknown) => {
      assert.ok(error instanceof ConditionError, String(error));
      assert.ok(error.reason.includes(refused), error.message);
      if (column !== undefined) assert.equal(error.position, column, error.message);
      assert.ok(error.position >= 1 && error.position <= condition.length + 1, error.message);
      assert.equal(error.message, `column ${error.position}: ${error.reason}`);
      return true;
    };
    assert.throws(() => compileCondition(condition, EVENT_VOCABULARY), isRefusal);
  });
}

for (const { condition, keys } of corpus<{ keys: { name: string; value: unknown }[] | null }>('keys').cases) {
  test(`keys of ${condition}`, () => assert.deepEqual(compileCondition(condition, EVENT_VOCABULARY).keys, keys));
}
