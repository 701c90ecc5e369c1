import assert from 'node:assert/strict';
import { test } from 'node:test';
import { before, unquoted, withoutEnd } from './ends.ts';

test('withoutEnd takes away only what stands at the end', () => {
  assert.equal(withoutEnd('a; b; ;', /[;\s]/), 'a; b');
  assert.equal(withoutEnd('///', /\//), '');
  assert.equal(withoutEnd('a', /\//), 'a');
});

test('before cuts at the first sign', () => {
  assert.equal(before('a?b#c', /[?#]/), 'a');
  assert.equal(before('abc', /[?#]/), 'abc');
});

test('unquoted needs the same quote at both ends', () => {
  assert.equal(unquoted('"a b"'), 'a b');
  assert.equal(unquoted(`'a"`), `'a"`);
  assert.equal(unquoted('"'), '"');
});
