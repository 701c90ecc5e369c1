import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patternProblem } from './pattern.ts';

for (const source of [
  'a{1,8}',
  '[*+]{3}',
  '\\*\\+\\{2,',
  'a?b??',
  '[\\u{E0000}-\\u{12345}]',
  '\\p{L}{1,9}',
  'x{',
  '(?<=a)b(?!c)',
]) {
  test(`fine: ${source}`, () => assert.equal(patternProblem(source), ''));
}

for (const [source, problem] of [
  ['a*', /without an upper bound/],
  ['(?:a{1,3})+', /without an upper bound/],
  ['[^\\]]+', /without an upper bound/],
  ['a{3,}', /without an upper bound/],
  ['a{1,5000}', /at most 4096/],
  ['a{5000}', /at most 4096/],
  ['(a)\\1', /refers back/],
  ['(?<x>a)\\k<x>', /refers back/],
] as const) {
  test(`refused: ${source}`, () => assert.match(patternProblem(source), problem));
}
