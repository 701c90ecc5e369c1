import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Vocabulary } from '../../lang/conditions/conditions.ts';
import { compileTemplate } from './template.ts';

const vocabulary: Vocabulary = {
  names: new Map([['path', { type: 'string', about: 'a path' }]]),
  functions: new Map(),
};
const filled = (text: string, values: Record<string, string>) => {
  const template = compileTemplate(text, vocabulary);
  const read = (path: readonly string[]): string => values[path.join('.')] ?? '';
  return [template.fill(read), template.fillWhole(read)];
};

test('a part in brackets goes where its value is empty', () => {
  assert.deepEqual(filled('reads keys[ in `{path}`]', { path: '~/.ssh' }), [
    'reads keys in `~/.ssh`',
    'reads keys in `~/.ssh`',
  ]);
  assert.deepEqual(filled('reads keys[ in `{path}`]', {}), ['reads keys', 'reads keys']);
});

test('a sentence that would speak of nothing is not a whole sentence', () => {
  assert.deepEqual(filled('Block `{path}`.', {}), ['Block ``.', null]);
});

test('what effects of one kind reach is read from the effects', () => {
  const { reads, is_fixed } = compileTemplate('[in `{effect_on.deletes}`]', vocabulary);
  assert.deepEqual([reads, is_fixed], [['effects'], false]);
  assert.deepEqual(filled('deletes[ `{effect_on.deletes}`]', { 'effect_on.deletes': 'out' })[0], 'deletes `out`');
});

test('brackets without a placeholder are text, and unknown names are refused', () => {
  assert.deepEqual(filled('a [b] c', {}), ['a [b] c', 'a [b] c']);
  assert.throws(() => compileTemplate('{nothing}', vocabulary), /names no fact/);
  assert.throws(() => compileTemplate('{path.end}', vocabulary), /names no field/);
  assert.throws(() => compileTemplate('{effect_on}', vocabulary), /names no kind/);
});
