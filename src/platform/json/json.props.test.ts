import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../lang/json.ts';
import { canonicalJson } from './canonical.ts';
import { parseJson } from './json.ts';
import { escapeValue, isPlainText } from './odd-characters.ts';

const value = fc.jsonValue({ maxDepth: 6 }) as fc.Arbitrary<Json>;

const isAllowed = (one: Json): boolean => !/"(__proto__|prototype)"/.test(JSON.stringify(one));

test('every value survives, however it is indented', () => {
  fc.assert(
    fc.property(value.filter(isAllowed), fc.nat({ max: 4 }), (one, spaces) => {
      assert.deepEqual(
        parseJson(Buffer.from(JSON.stringify(one, null, spaces))).value,
        JSON.parse(JSON.stringify(one)),
      );
    }),
  );
});

test('a repeated key is always found', () => {
  const key = fc.string().filter((name) => name !== '__proto__' && name !== 'constructor');
  fc.assert(
    fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (names, pick, place) => {
      const members = names.map((name) => `${JSON.stringify(name)}:[{}]`);
      members.splice(place % (members.length + 1), 0, `${JSON.stringify(names[pick % names.length])}:0`);
      assert.throws(() => parseJson(Buffer.from(`[{"a":{${members.join(',')}}}]`)), {
        code: 'invalid',
        detail: /twice/,
      });
    }),
  );
});

test('canonical text does not depend on the order of keys, and only equal values share it', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      assert.equal(canonicalJson(reversed(one)), canonicalJson(one));
      assert.deepEqual(JSON.parse(canonicalJson(one)), JSON.parse(JSON.stringify(one)));
      const are_equal = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      assert.equal(canonicalJson(one) === canonicalJson(other), are_equal);
    }),
  );
});

test('canonical text has a member called __proto__ like any other', () => {
  const text = '{"__proto__":{"a":1},"b":2}';
  assert.equal(canonicalJson(JSON.parse(`[${text}]`)), `[${text}]`);
});

test('escaped text is storable, says what it replaced, and leaves the rest alone', () => {
  const odd = fc
    .array(fc.constantFrom('\0', '\ud800', '\udfff', '😀', 'a', 'é'), { maxLength: 12 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(odd, (text) => {
      const escaped = escapeValue(text) as string;
      assert.ok(isPlainText(escaped));
      if (isPlainText(text)) assert.equal(escaped, text);
      assert.equal(JSON.parse(`"${escaped}"`), text);
    }),
  );
});

function reversed(one: Json): Json {
  if (Array.isArray(one)) return one.map(reversed);
  if (typeof one !== 'object' || one === null) return one;
  return Object.fromEntries(
    Object.entries(one)
      .reverse()
      .map(([name, item]) => [name, reversed(item)]),
  );
}

function sorted(one: Json): Json {
  if (Array.isArray(one)) return one.map(sorted);
  if (typeof one !== 'object' || one === null) return one;
  return Object.fromEntries(
    Object.keys(one)
      .sort()
      .map((name) => [name, sorted(one[name]!)]),
  );
}
