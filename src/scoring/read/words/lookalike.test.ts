import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ontology } from '../../../../test/support/readings.ts';
import { distance, imitates } from './lookalike.ts';
import { readValue } from './normalise.ts';

const does = (value: string, original: string): boolean =>
  imitates(readValue(value, '', ontology), readValue(original, '', ontology));

test('values that imitate another', () => {
  for (const [value, original] of [
    ['anna@acme-c0rp.com', 'anna@acme-corp.com'],
    ['anna@acrne.com', 'anna@acme.com'],
    ['anna@аcme.com', 'anna@acme.com'],
    ['anna@acme.org', 'anna@acme.com'],
    ['anna@acme.com.pay.net', 'anna@acme.com'],
    ['https://paypa1.com/login', 'https://paypal.com/login'],
    ['DE89370400440532013001', 'DE89370400440532013000'],
    ['DE98370400440532013000', 'DE89370400440532013000'],
    ['left_padd', 'left_pad'],
    ['reqeusts', 'requests'],
  ] as const) {
    assert.equal(does(value, original), true, `${value} ${original}`);
  }
});

test('similar values that do not imitate', () => {
  for (const [value, original] of [
    ['anna@acme.com', 'anna@acme.com'],
    ['anna@acme.com', 'hanna.berg@acme.com'],
    ['bob@acme.com', 'rob@acme.com'],
    ['eve@evil.net', 'anna@acme.com'],
    ['report1.txt', 'report2.txt'],
    ['ORDER-1001', 'ORDER-1002'],
    ['invoices', 'invoice'],
    ['DE89370400440532013000', 'GB29NWBK60161331926819'],
  ] as const) {
    assert.equal(does(value, original), false, `${value} ${original}`);
  }
});

test('the bounded distance is Levenshtein’s, given up beyond the bound', () => {
  const plain = (a: string, b: string): number => {
    const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...new Array<number>(b.length).fill(0)]);
    for (let j = 0; j <= b.length; j++) rows[0]![j] = j;
    for (let i = 1; i <= a.length; i++) {
      for (let j = 1; j <= b.length; j++) {
        const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
        rows[i]![j] = Math.min(change, rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1);
      }
    }
    return rows[a.length]![b.length]!;
  };
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
  fc.assert(fc.property(word, word, (a, b) => assert.equal(Math.min(distance(a, b, 2), 3), Math.min(plain(a, b), 3))));
});
