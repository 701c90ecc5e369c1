import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../lang/json.ts';
import { actionHash } from './action-hash.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const of = (parameters: JsonObject) => actionHash({ action: 'A:b:C', parameters });
const text = (parameters: string) => hashOf(`{"action":"a:b:c","parameters":${parameters},"target":null}`);

test('the canonical form of RFC 8785, spelt out', () => {
  assert.equal(of({}), text('{}'));
  assert.equal(actionHash({ action: 'a:b:c' }), text('null'));
  assert.equal(of({ b: [2, 1], a: { d: 'é', c: null } }), text('{"a":{"c":null,"d":"é"},"b":[2,1]}'));
  // JavaScript objects put integer-like keys first; the canonical form sorts them as text.
  assert.equal(of({ '9': 1, '10': 2, '!': 3 }), text('{"!":3,"10":2,"9":1}'));
  assert.equal(of({ n: 1e21, m: 0.1 }), text('{"m":0.1,"n":1e+21}'));
});

test('odd characters are escaped as in the stored event, and keys that become equal have no hash', () => {
  assert.equal(of({ a: 'x\u0000\ud800' }), of({ a: 'x\\u0000\\ud800' }));
  assert.equal(of({ a: 'x\u0000' }), text('{"a":"x\\\\u0000"}'));
  assert.equal(of({ 'k\u0000': 1, 'k\\u0000': 2 }), null);
});

/** RFC 8785, implemented here in a different way than the code under test. */
function reference(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(reference).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${reference(one)}`).join()}}`;
}

test('any parameters', () => {
  const key = fc.oneof(fc.string(), fc.nat().map(String), fc.constant('"1":'));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(fc.string(), fc.integer(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    object: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value.any), (parameters) => {
      const plain = reference(parameters);
      fc.pre(!plain.includes('"__proto__"') && !plain.includes('\\u0000'));
      assert.equal(of(parameters as JsonObject), text(plain));
    }),
  );
});
