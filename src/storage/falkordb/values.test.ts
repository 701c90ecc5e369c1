import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toIso, toMicros } from './times.ts';
import { readCell, writeParameters } from './values.ts';

test('a text stays one text, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const written = writeParameters({ a: text, b: [1] });
      // Up to the first quote that is not escaped.
      const quoted = /^CYPHER a="((?:[^"\\]|\\["\\])*)" b=\[1\] $/s.exec(written);
      assert.ok(quoted, written);
      assert.equal(quoted[1]!.replace(/\\(["\\])/g, '$1'), text);
    }),
  );
});

test('lists, maps and nothing are written; what is not a whole number and no name is refused', () => {
  const given = { rows: [{ a: 'x', b: null, c: true, d: -5 }] };
  assert.equal(writeParameters(given), 'CYPHER rows=[{a:"x",b:null,c:true,d:-5}] ');
  assert.equal(writeParameters({}), '');
  assert.throws(() => writeParameters({ a: 1.5 }), TypeError);
  assert.throws(() => writeParameters({ a: 2 ** 60 }), TypeError);
  assert.throws(() => writeParameters({ 'a=1 b': 1 }), TypeError);
});

test('cells of an answer are read by their type', () => {
  assert.deepEqual(
    readCell([
      6,
      [
        [2, 'x'],
        [3, 7],
        [5, '2'],
        [4, 'true'],
        [1, null],
      ],
    ]),
    ['x', 7, 2, true, null],
  );
  assert.throws(() => readCell([99, 0]), TypeError);
});

test('times keep each microsecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000_000 }), (micros) => {
      assert.equal(toMicros(toIso(micros)), micros);
    }),
  );
  assert.equal(toIso(toMicros('2026-05-01T12:00:00.000123Z')), '2026-05-01T12:00:00.000123Z');
});
