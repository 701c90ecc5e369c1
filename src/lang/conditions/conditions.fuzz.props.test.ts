import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConditionError, compileCondition } from './conditions.ts';
import { EVENT_VOCABULARY } from './event-vocabulary.ts';

test('any text gives a condition or a ConditionError with a column inside the text', () => {
  const words = [
    'batch_size',
    'target',
    '.',
    'verb',
    'AND',
    'OR',
    'NOT',
    'in',
    '(',
    ')',
    '[',
    ']',
    ',',
    '==',
    '<',
    '!',
    '-',
    '+',
    '1',
    '0.5',
    "'a'",
    '"',
    "'",
    '\\',
    'true',
    'exists',
    'x',
    'size',
    'hour',
    'timestamp',
    'parameters',
    'preceding_actions',
    ' ',
    '\n',
    '=',
    '/',
    '*',
    '?',
    ':',
    '{',
    'é',
    '\u202e',
  ];
  const soup = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(''));
  const spaced = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(' '));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), soup, spaced), (source) => {
      try {
        compileCondition(source, EVENT_VOCABULARY).test({ unevaluable: false, get: () => undefined });
      } catch (error) {
        assert.ok(error instanceof ConditionError, `${JSON.stringify(source)}: ${String(error)}`);
        assert.ok(error.position >= 1 && error.position <= source.length + 1);
        assert.ok(!/\n|undefined|NaN|object_|size_as/.test(error.message), error.message);
      }
    }),
    { numRuns: 20_000 },
  );
});
