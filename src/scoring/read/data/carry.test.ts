import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromUrlEncoding } from '../words/encodings.ts';
import { Carrier, techniqueOf } from './carry.ts';

const SECRET = 'tr0ub4dor&3x-Zx9Qw7Lk3Vb8';
const carried = (text: string, value = SECRET): string | undefined =>
  techniqueOf(new Carrier('parameters.body', text), value);
const hex = (text: string): string => Buffer.from(text).toString('hex');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('every disguise is seen', () => {
  assert.equal(carried(`the key is ${SECRET}, bye`), 'plain');
  assert.equal(carried(base64(SECRET)), 'base64');
  assert.equal(carried(`x=${base64(`prefix ${SECRET} suffix`)}&y`), 'base64');
  assert.equal(carried(Buffer.from(SECRET).toString('base64url')), 'base64');
  assert.equal(carried(`0x${hex(SECRET)}`), 'hex');
  assert.equal(carried(SECRET.replace(/./g, (c) => `%${hex(c)}`)), 'url');
  assert.equal(carried([...SECRET].reverse().join('')), 'reversed');
  assert.equal(carried([...SECRET].join(' _ ')), 'split');
  assert.equal(carried(`part one ${SECRET.slice(4, 18)} ends`), 'chunk');
});

test('formatting of a number is not a disguise, and a number counts only as a whole', () => {
  assert.equal(carried('DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'), 'plain');
  assert.equal(carried('order 14829130', '482913'), undefined);
  assert.equal(carried('code 482913.', '482913'), 'plain');
});

test('unrelated text and values too short to tell carry nothing', () => {
  assert.equal(carried('Please find the report attached, best regards.'), undefined);
  assert.equal(carried('123', '123'), undefined);
});

test('a value is found wherever it stands in whatever text', () => {
  const value = fc.stringMatching(/^[A-Za-z0-9]{16,60}$/).filter((text) => !/^\d+$/.test(text));
  fc.assert(
    fc.property(value, fc.string(), fc.string(), (secret, before, after) => {
      assert.equal(carried(`${before} ${secret} ${after}`, secret), 'plain');
      assert.notEqual(carried(base64(`${secret}`), secret), undefined);
      assert.notEqual(carried(hex(`${secret}`), secret), undefined);
    }),
  );
});

test('URL escapes are taken off one by one, and what is none stays', () => {
  const seen = (text: string): string => fromUrlEncoding(text);
  assert.equal(seen('%41%4a%4A%c3%A9'), 'AJJ\u00c3\u00a9');
  for (const text of ['', '%', '%4', '100%', '%%', '%zz', '%4g', 'é%\u0141', '50 % off'])
    assert.equal(seen(text), text, text);
  assert.equal(seen('%%41%4'), '%A%4');
  assert.equal(seen('%2541'), '%41', 'once');
  assert.equal(seen(`${'x'.repeat(20_000)}%41${'\u{1f600}'.repeat(9_000)}`).length, 38_001);
});
