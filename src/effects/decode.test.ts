/** Decoders against encoders, and what is no encoding at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeBase64,
  decodeEntities,
  decodeHex,
  decodePercent,
  encodeBase64,
  encodeHex,
  reversed,
  rot13,
  unescapeString,
} from './decode.ts';

test('base64 and hex come back', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((c) => String.fromCharCode(c)) }), (text) => {
      assert.equal(decodeBase64(encodeBase64(text)), text);
      if (text !== '') assert.equal(decodeHex(encodeHex(text)), text);
      assert.equal(encodeBase64(text), Buffer.from(text, 'latin1').toString('base64'));
      assert.equal(rot13(rot13(text)), text);
      assert.equal(reversed(reversed(text)), text);
    }),
  );
});

test('what is not encoded is not decoded', () => {
  assert.equal(decodeBase64('not base64!'), null);
  assert.equal(decodeHex('xyz'), null);
  assert.equal(decodeHex('abc'), null);
  assert.equal(decodeBase64('cgBtAA=='), 'rm');
});

test('escapes of strings', () => {
  assert.equal(unescapeString('\\x72\\155 \\u002d\\u{72}f\\n\\q'), 'rm -rf\nq');
  assert.equal(unescapeString('plain'), 'plain');
});

test('escapes of addresses and entities', () => {
  assert.equal(decodePercent('rm%20-rf%20%2Fsrv 100%'), 'rm -rf /srv 100%');
  assert.equal(decodeEntities('rm &#45;rf &#x2f;srv &amp; &nope;'), 'rm -rf /srv & &nope;');
});
