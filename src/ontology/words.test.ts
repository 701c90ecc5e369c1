import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, build, type Documents, smallest } from '../../test/support/smallest-ontology.ts';
import { anyOf, listOf, patternOf, setOf, tableOf } from './words.ts';

const withPatterns = (group: Record<string, unknown>) => {
  const documents: Documents = smallest();
  at(documents, 'lists/words.yaml', 'patterns')['kinds'] = group;
  return build(documents);
};

test('lists, sets, tables and patterns are found by name', () => {
  const ontology = build(smallest());
  assert.deepEqual(listOf(ontology, 'credential_paths'), ['x']);
  assert.deepEqual(setOf(ontology, 'credential_paths'), new Set(['x']));
  assert.deepEqual(tableOf(ontology, 'subject_words'), new Map([['thing', ['thing']]]));
  assert.match('a', patternOf(ontology, 'host_shapes', 'a'));
});

test('a missing name is an error that says which', () => {
  const ontology = build(smallest());
  assert.throws(() => listOf(ontology, 'moons'), /the list `moons` is missing/);
  assert.throws(() => tableOf(ontology, 'moons'), /the table `moons` is missing/);
  assert.throws(() => patternOf(ontology, 'host_shapes', 'moon'), /the pattern `moon` of `host_shapes` is missing/);
  assert.throws(() => anyOf(ontology, 'moons'), /the group of patterns `moons` is missing/);
});

test('`{words}` in a pattern stands for its words, taken literally, and its forms', () => {
  const ontology = withPatterns({
    dots: { pattern: '^{words}$', words: ['a.b', 'c'], forms: ['d{1,3}'], flags: 'i' },
    ends: { pattern: 'z$', flags: 'i' },
  });
  const dots = patternOf(ontology, 'kinds', 'dots');
  assert.deepEqual(
    ['a.b', 'A.B', 'axb', 'c', 'ddd', 'dddd'].map((text) => dots.test(text)),
    [true, true, false, true, true, false],
  );
  const any = anyOf(ontology, 'kinds');
  assert.deepEqual(
    ['c', 'jazz', 'cx'].map((text) => any.test(text)),
    [true, true, false],
  );
});

test('patterns with different flags are not joined', () => {
  const ontology = withPatterns({ a: { pattern: 'a', flags: 'i' }, b: { pattern: 'b' } });
  assert.throws(() => anyOf(ontology, 'kinds'), /the patterns of `kinds` have different flags/);
});
