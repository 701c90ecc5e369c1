import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distinct, inOrder } from './in-order.ts';

const name = fc.oneof(
  fc.constantFrom('', 'a', 'B', 'ä', '__proto__', '\u{1f600}', '\uffff'),
  fc.string({ unit: 'binary' }),
);

test('names are distinct and sorted by code units, in lists of any length', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 60 }), (names) => {
      const given = [...names];
      assert.deepEqual(inOrder(names), [...new Set(names)].sort());
      assert.deepEqual(names, given, 'the list that was given stays as it is');
    }),
  );
});

test('texts are distinct and keep their order', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 60 }), (names) => {
      const given = [...names];
      assert.deepEqual(distinct(names), [...new Set(names)]);
      assert.deepEqual(names, given, 'the list that was given stays as it is');
    }),
  );
});
