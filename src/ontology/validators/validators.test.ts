import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { VALIDATORS } from './index.ts';
import { sha256 } from './sha256.ts';

/** Documented examples; the second list fails by its check digit, its length, or its form. */
const CASES: readonly { name: string; good: string[]; bad: string[] }[] = [
  {
    name: 'luhn',
    good: ['4539 1488 0343 6467', '378282246310005', '5555-5555-5555-4444', '2223003122003222', '6011111111111117'],
    bad: ['4539 1488 0343 6468', '1234567890123452', '411111111111', '42424242424242424242'],
  },
  {
    name: 'iban_mod97',
    good: [
      'DE89 3704 0044 0532 0130 00',
      'GB82WEST12345698765432',
      'NO93 8601 1117 947',
      'MT84MALT011000012345MTLCAST001S',
      'de89-3704-0044-0532-0130-00',
      'AT61 1904 3002 3457 3201 BANK',
    ],
    bad: [
      'DE88 3704 0044 0532 0130 00',
      'DE89 3704 0044 0532 0130',
      'XX89370400440532013000',
      'GB82WEST12345698765432X',
    ],
  },
  {
    name: 'aba_checksum',
    good: ['routing number 021000021', '011401533'],
    bad: ['021000022', '000000000', '02100002'],
  },
  { name: 'nhs_mod11', good: ['943 476 5919', 'NHS 401 023 2137'], bad: ['943 476 5918', '987 654 4321 ', '94347659'] },
  {
    name: 'de_steuerid',
    good: ['86095742719', '86 095 742 719', '65929970489'],
    bad: ['86095742718', '06095742719', '8609574271'],
  },
  {
    name: 'es_dni_letter',
    good: ['12345678Z', 'X1234567L', '12345678-z'],
    bad: ['12345678A', 'Y1234567L', '1234567Z', 'Z', ''],
  },
  {
    name: 'fr_nir_mod97',
    good: ['2 55 08 14 168 025 38', '1 84 12 76 451 089 46', '1 84 12 2A 004 006 43'],
    bad: ['2 55 08 14 168 025 39', '25508141680253'],
  },
  { name: 'verhoeff', good: ['2341 2341 2346', '2363'], bad: ['2341 2341 2345', '2364', ''] },
  { name: 'br_cpf', good: ['529.982.247-25', '11144477735'], bad: ['529.982.247-26', '111.111.111-11', '5299822472'] },
  { name: 'digits_8_15', good: ['+49 30 901820', '+1 415-555-0132'], bad: ['+1', '+1234567890123456'] },
  {
    name: 'entropy_ge_4',
    good: ['Zx9Qw7Lk3Vb8Nm2Pt6Rf4Gh1Jd5Sc0Ya'],
    bad: ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'abcabcabcabcabcabc', ''],
  },
  {
    name: 'entropy_ge_2_5',
    good: ['password = "tr0ub4dor&3x"', 'key: 9f8a7c6b'],
    bad: ['password: xxxxxxxx', 'pwd=11111111'],
  },
  {
    name: 'jwt_header_json',
    good: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig', 'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.x.y'],
    bad: ['eyJ.eyJ.x', 'eyJ0eXAiOiJKV1QifQ.e.s', 'bnVsbA.x.y', 'ey=J.x.y', ''],
  },
  {
    name: 'mnemonic_words',
    good: [
      'seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow',
      'mnemonic legal winner thank year wave sausage worth useful legal winner thank yellow keep it safe',
    ],
    bad: [
      'seed abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon',
      'seed legal winner thank year',
    ],
  },
  {
    name: 'base58check_or_bech32',
    good: [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    ],
    bad: [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
      '1BoatSLRHtKNngkdXEeobR76b53LETtpy0',
      'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
      'bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'bc1',
    ],
  },
];

for (const { name, good, bad } of CASES) {
  test(`${name} accepts what is right and refuses what is wrong`, () => {
    const isValid = VALIDATORS.get(name);
    assert.ok(isValid, `${name} is not listed`);
    for (const text of good) assert.equal(isValid(text), true, text);
    for (const text of bad) assert.equal(isValid(text), false, text);
  });
}

test('every validator has examples', () => {
  assert.deepEqual([...VALIDATORS.keys()].sort(), CASES.map((one) => one.name).sort());
});

const ONE_WRONG_DIGIT: readonly [string, string][] = [
  ['luhn', '4539148803436467'],
  ['iban_mod97', 'DE89370400440532013000'],
  ['aba_checksum', '021000021'],
  ['nhs_mod11', '9434765919'],
  ['de_steuerid', '86095742719'],
  ['es_dni_letter', '12345678Z'],
  ['fr_nir_mod97', '255081416802538'],
  ['verhoeff', '234123412346'],
  ['br_cpf', '52998224725'],
];

for (const [name, good] of ONE_WRONG_DIGIT) {
  test(`${name} notices any one wrong digit`, () => {
    const isValid = VALIDATORS.get(name)!;
    const places = [...good].flatMap((character, at) => (/\d/.test(character) ? [at] : []));
    for (const at of places) {
      for (const digit of '0123456789') {
        if (digit === good[at]) continue;
        const wrong = good.slice(0, at) + digit + good.slice(at + 1);
        assert.equal(isValid(wrong), false, wrong);
      }
    }
  });
}

test('no validator throws or hangs, whatever the text', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Z0-9 -]{0,60}$/));
  fc.assert(
    fc.property(text, (any) => {
      for (const isValid of VALIDATORS.values()) assert.equal(typeof isValid(any), 'boolean');
    }),
  );
});

test('sha256 is the platform’s SHA-256', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(Buffer.from(sha256(bytes)).toString('hex'), createHash('sha256').update(bytes).digest('hex'));
    }),
  );
});
