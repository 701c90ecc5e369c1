/** Packed texts are read as what they say, and anything else is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { inflate } from './inflate.ts';

const asCharacters = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

test('what gzip and zlib pack at any level comes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4_000 }), fc.integer({ min: 0, max: 9 }), (bytes, level) => {
      const text = asCharacters(bytes);
      assert.equal(inflate(asCharacters(deflateSync(bytes, { level }))), text);
      assert.equal(inflate(asCharacters(gzipSync(bytes, { level }))), text);
    }),
  );
});

test('text that repeats comes back', () => {
  const text = 'rm -rf /srv/data && '.repeat(500);
  assert.equal(inflate(asCharacters(gzipSync(text))), text);
});

test('no more is unpacked than the bound', () => {
  assert.equal(inflate(asCharacters(gzipSync(Buffer.alloc(10_000_000, 97))))?.length, 65_536);
});

test('damaged data end in a text or in null', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const found = inflate(`\u001f\u008b${asCharacters(bytes)}`);
      assert.ok(found === null || found.length <= 65_536);
    }),
  );
});
