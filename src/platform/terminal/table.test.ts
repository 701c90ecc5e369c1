import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownTable, textTable } from './table.ts';

test('a text table aligns its columns', () => {
  assert.equal(
    textTable(
      ['name', 'n'],
      [
        ['a', '7'],
        ['naïve', '123'],
      ],
      { right: [1] },
    ),
    ['name     n', '─────  ───', 'a        7', 'naïve  123'].join('\n'),
  );
});

test('a Markdown table escapes what would break it', () => {
  assert.equal(
    markdownTable(['name', 'n'], [['a|b\nc', '7']], { right: [1] }),
    ['| name | n |', '| :-- | --: |', '| a\\|b c | 7 |'].join('\n'),
  );
});
