import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge } from '../../test/support/knowledge.ts';
import { show } from './show.ts';

const shown = (value: unknown): string => show(value, knowledge.ontology);

test('a secret is masked, its first characters kept so that a person knows which', () => {
  const key = 'AKIA3XZQ7RPLM2NV4WTD';
  const text = shown(`use ${key} here`);
  assert.ok(!text.includes(key) && text.includes('AKIA'), text);
});

test('a card number is masked, an account number is not: the reader has to compare it', () => {
  assert.ok(!shown('card 4539 1488 0343 6467').includes('1488 0343'));
  assert.equal(shown('DE89370400440532013000'), 'DE89370400440532013000');
});

test('characters that a person cannot see are spelt out, line breaks become spaces', () => {
  assert.equal(shown('a\u202eb\u0007c\nd'), 'a\\u202eb\\u0007c d');
});

test('long values are cut', () => {
  assert.equal(shown('word '.repeat(100)).length, 80);
});

test('lists and plain values read as text', () => {
  assert.equal(shown(['a', 'b']), 'a, b');
  assert.equal(shown(true), 'true');
});
