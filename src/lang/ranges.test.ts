import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileCondition, makeVocabulary } from './conditions.ts';
import { lies } from './ranges.ts';

const vocabulary = makeVocabulary({
  n: { type: 'int', about: 'a number' },
  m: { type: 'int', about: 'a number' },
  flag: { type: 'bool', about: 'a truth value' },
  objects: { type: 'list<object>', about: 'a list', fields: { n: 'int' } },
});
const ranges = (condition: string): string[] =>
  compileCondition(condition, vocabulary).ranges.map(
    ({ name, is_upper, limit, inclusive }) => `${name} ${is_upper ? '<' : '>'}${inclusive ? '=' : ''} ${limit}`,
  );

test('every part of an AND that compares a name with a number is a range', () => {
  assert.deepEqual(ranges('(flag OR n > 3) AND n < -1 AND 5 <= m'), ['n < -1', 'm >= 5']);
});

test('what need not hold is none', () => {
  for (const condition of [
    'n < 1 OR m < 1',
    'NOT (n < 1)',
    'n + 1 < 1',
    'n < m',
    'objects.exists(x, x.n < 1)',
    'n != 1',
  ])
    assert.deepEqual(ranges(condition), [], condition);
});

test('a limit belongs to its range where it is inclusive; what is no number lies in none', () => {
  const at_least = { name: 'n', is_upper: false, limit: 3, inclusive: true };
  assert.deepEqual(
    [2, 3, 4, Number.NaN, '4', undefined].map((value) => lies(value, at_least)),
    [false, true, true, false, false, false],
  );
  const below = { name: 'n', is_upper: true, limit: 3, inclusive: false };
  assert.deepEqual(
    [2, 3, 4, Number.NaN].map((value) => lies(value, below)),
    [true, false, false, false],
  );
});
