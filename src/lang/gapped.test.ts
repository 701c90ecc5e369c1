import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gappedSearch } from './gapped.ts';

const PATTERNS = [
  /(?:\b(?:rm|mv)\b|>)[^\n;|&]{0,40}(?:\.a\/s|\.b)/i,
  /\b(?:sed|x)\b[^\n]{0,50}(?:\bweir\b|\bhooks?\b)[^\n]{0,45}\.a\/s/i,
  /(?:-X ?|\bput\()[^\n]{0,40}:8001\/{1,8}(?:keys|people)\b|\/proc\/[^\n]{0,60}\bweir\b/i,
  /no gap at all/i,
  /\brm\b.{0,45}(?:keys|people)|^x.{0,50}\.b/,
  /^(?!.{0,60}keys).{0,50}rm/,
];
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'rm',
        'mv',
        '>',
        '.a/s',
        '.b',
        'sed',
        'x',
        'weir',
        'hook',
        'hooks',
        '-X',
        'PUT(',
        ':8001/',
        'keys',
      ),
      fc.constantFrom('people', '/proc/', 'no gap at all', '\n', ';', ' ', ' ', '_', 'y'.repeat(15), 'z '.repeat(12)),
    ),
    { maxLength: 30 },
  )
  .map((words) => words.join(''));

for (const pattern of PATTERNS)
  test(`finds what the expression finds: ${pattern.source.slice(0, 40)}`, () => {
    const search = gappedSearch([pattern]);
    fc.assert(
      fc.property(text, (given) => assert.equal(search.test(given), pattern.test(given))),
      { numRuns: 3_000 },
    );
  });

test('a piece that takes more than it needs leaves the rest to the next one', () => {
  const search = gappedSearch([/--data\S{0,20}\b[^\n]{0,40}\/policies/]);
  assert.ok(search.test('curl --data@a/policies'));
  assert.ok(!search.test(`curl --data@a ${'b'.repeat(60)}/policies`));
});

test('the work follows from the text alone, however wide the gaps and however many first pieces', () => {
  // As one expression: more than a thousand million steps.
  for (const pattern of [/>[^\n]{0,3000}a[^\n]{0,3000}b[^\n]{0,3000}c/, />.{0,3000}a.{0,3000}b.{0,3000}c/])
    assert.ok(!gappedSearch([pattern]).test('>ab'.repeat(20_000)));
});
