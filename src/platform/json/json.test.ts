import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sharedFile } from '../../../test/support/shared.ts';
import { WeirError } from '../errors.ts';
import { parseJson } from './json.ts';

const refusal = (raw: Buffer | string): WeirError => {
  try {
    parseJson(Buffer.from(raw as string));
  } catch (error) {
    assert.ok(error instanceof WeirError, `threw ${error}`);
    assert.equal(error.code, 'invalid');
    return error;
  }
  assert.fail('was accepted');
};

describe('parseJson', () => {
  test('returns what JSON.parse returns', () => {
    const text = '{"a":[1,-0.5e2,true,null,"x\\n\\u00e9"],"":{"b":"{:}[,]\\\\\\""}}';
    assert.deepEqual(parseJson(Buffer.from(text)).value, JSON.parse(text));
  });

  test('refuses bytes that are not UTF-8, a byte order mark and UTF-16', () => {
    assert.match(refusal(Buffer.from([0x22, 0xff, 0x22])).detail, /not valid UTF-8/);
    assert.match(refusal(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])).detail, /not valid UTF-8/);
    assert.match(refusal('\ufeff{}').detail, /byte order mark/);
    refusal(Buffer.from('{"a":1}', 'utf16le'));
  });

  test('refuses a duplicate key and says where, however it is spelt', () => {
    const error = refusal('{"x":["}",{"a/b":{"action":1,"\\u0061ction":2}}]}');
    assert.equal(error.errors?.[0]?.path, '/x/1/a~1b/action');
    assert.match(error.detail, /twice/);
  });

  test('takes equal keys in different objects', () => {
    const text = '[{"a":1},{"a":{"a":2}}]';
    assert.deepEqual(parseJson(Buffer.from(text)).value, JSON.parse(text));
  });

  test('takes 64 levels and refuses 65, also 200,000', () => {
    parseJson(Buffer.from('['.repeat(64) + ']'.repeat(64)));
    assert.match(refusal('['.repeat(65) + ']'.repeat(65)).detail, /deeper than 64 levels at position 64/);
    refusal('{"a":'.repeat(200_000));
  });

  test('brackets inside strings do not count as depth', () => {
    parseJson(Buffer.from(JSON.stringify({ text: '['.repeat(100), '{{{{': '\\"[' })));
  });

  test('takes 10,000 keys and refuses more', () => {
    const withKeys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1])));
    parseJson(Buffer.from(withKeys(10_000)));
    assert.match(refusal(withKeys(10_001)).detail, /more than 10000 keys/);
  });

  test('refuses reserved keys, escaped ones too, and leaves prototypes alone', () => {
    assert.equal(refusal('{"a":{"__proto__":{"polluted":true}}}').errors?.[0]?.path, '/a/__proto__');
    refusal('{"\\u005f_proto__":1}');
    refusal('{"constructor":{"prototype":{"polluted":true}}}');
    parseJson(Buffer.from('{"constructor":"Bob the builder","prototype":{},"toJSON":1}'));
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  test('refuses numbers beyond a double and says where', () => {
    assert.equal(refusal('{"a":[0,{"n":1e400}]}').errors?.[0]?.path, '/a/1/n');
    refusal('-1e999');
  });

  test('refuses integers that a double does not keep, and says where', () => {
    const { errors, detail } = refusal(
      '{"n":1,"a/b":[9007199254740993,"\\"9007199254740993",{"x":[0,-9007199254740993]}]}',
    );
    assert.deepEqual(errors, [{ path: '/a~1b/0', message: 'more digits than a double keeps; send it as text' }]);
    assert.match(detail, /an integer that has more digits than a double keeps/);
    assert.equal(refusal('{"a":[9007199254740992,{"x":[0,-9007199254740993]}]}').errors?.[0]?.path, '/a/1/x/1');
    assert.equal(refusal('12345678901234567890').errors?.[0]?.path, '');
    // 2 ** 60: a double holds it, and shows it as 1152921504606847000.
    refusal('1152921504606846976');
    refusal('1000000000000000000001');
  });

  test('takes integers that a double keeps, and fractions and exponents of any length', () => {
    const text =
      '[9007199254740991,-9007199254740992,9007199254740994,1152921504606847000,100000000000000000000,-12000000000000000000000,1e20,1e23,0.1,1.2345678901234567890,12345678901234567.5,"9007199254740993",true]';
    assert.deepEqual(parseJson(Buffer.from(text)).value, JSON.parse(text));
  });

  test('reports when text may hold U+0000 or a lone surrogate', () => {
    assert.equal(parseJson(Buffer.from('{"a":"\\u0000"}')).has_odd_characters, true);
    assert.equal(parseJson(Buffer.from('{"a":"\\uD83D"}')).has_odd_characters, true);
    assert.equal(parseJson(Buffer.from('{"a":"\\u00fc 😀"}')).has_odd_characters, false);
  });

  test('a syntax error says what is wrong and quotes little', () => {
    const { detail } = refusal(`{"secret":"${'s'.repeat(5_000)}" oops}`);
    assert.match(detail, /^the body is not valid JSON: /);
    assert.ok(detail.length < 200, detail);
  });

  test('JSONTestSuite: y parses, n is refused', (t) => {
    const file = sharedFile('vectors/jsontestsuite.json');
    if (file === null) return t.skip('../shared is not there: JSONTestSuite was NOT run');
    const { tests } = JSON.parse(readFileSync(file, 'utf8')) as {
      tests: { file: string; expected: string; class: string; body_base64: string }[];
    };
    assert.ok(tests.length > 100);
    for (const one of tests) {
      const raw = Buffer.from(one.body_base64, 'base64');
      // The test suite allows duplicate keys; Weir refuses them.
      const is_stricter = /duplicated_key/.test(one.file);
      if (one.class === 'y' && !is_stricter)
        assert.deepEqual(parseJson(raw).value, JSON.parse(raw.toString()), one.file);
      else if (one.class === 'n' || is_stricter) refusal(raw);
      else {
        try {
          parseJson(raw);
        } catch (error) {
          assert.ok(error instanceof WeirError, one.file);
        }
      }
    }
  });
});
