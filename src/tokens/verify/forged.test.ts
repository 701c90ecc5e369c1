/** P6: only our ES256 tokens. Forgeries made here, with keys of the run, so that this needs no other material. */
import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import { rejectionOf } from './check-claims.ts';
import { isSignedBy, MAX_JWS_LENGTH, parseJws, parseObject, publicKeyFrom } from './jws.ts';

const NOW = 1_800_000_000;
const POLICY = { issuer: 'weir', audience: 'weir-api', typ: 'at+jwt', max_ttl_s: 3_600, clock_tolerance_s: 5 };
const HEADER = { alg: 'ES256', kid: 'ours', typ: 'at+jwt' };
const CLAIMS = { iss: 'weir', aud: 'weir-api', sub: 'agent', jti: 'j1', iat: NOW - 10, exp: NOW + 600 };
/** Order of the group of P-256. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const ours = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const wide = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const edwards = generateKeyPairSync('ed25519');
const pem = ours.publicKey.export({ type: 'spki', format: 'pem' }).toString();

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const es256 = (signed: string, key: KeyObject = ours.privateKey): Buffer =>
  sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });

/** Header and claims, as objects or as they are to be written, with the signature that `make` gives. */
function token(header: unknown, claims: unknown, make: (signed: string) => Buffer | string = (text) => es256(text)) {
  const signed = `${part(header)}.${part(claims)}`;
  const signature = make(signed);
  return `${signed}.${typeof signature === 'string' ? signature : signature.toString('base64url')}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The same bytes in another text: `bits` (1-15) in the part of the last character that decoders leave out. */
function withSpareBits(text: string, bits: number): string {
  return text.slice(0, -1) + ALPHABET[ALPHABET.indexOf(text.at(-1)!) + bits]!;
}

function accepts(text: string): boolean {
  const jws = parseJws(text);
  if (jws === null || jws.header.kid !== 'ours' || !isSignedBy(publicKeyFrom(pem)!, jws)) return false;
  const claims = parseObject(jws.payload);
  return claims !== null && rejectionOf(claims, jws.header.typ, POLICY, NOW) === null;
}

const hmac = (key: string | Buffer) => (signed: string) => createHmac('sha256', key).update(signed).digest();
const numbers = (r: bigint, s: bigint): Buffer =>
  Buffer.from(r.toString(16).padStart(64, '0') + s.toString(16).padStart(64, '0'), 'hex');
const changed = (change: (r: bigint, s: bigint) => Buffer) => (signed: string) => {
  const good = es256(signed).toString('hex');
  return change(BigInt(`0x${good.slice(0, 64)}`), BigInt(`0x${good.slice(64)}`));
};
const good = token(HEADER, CLAIMS);
const [head, body, signature] = good.split('.') as [string, string, string];
const without = (name: keyof typeof CLAIMS) =>
  Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name));

const forged: Record<string, Record<string, string>> = {
  'another algorithm': {
    ...Object.fromEntries(
      ['none', 'None', 'nOnE', 'es256', 'ES256 ', 'ES384', 'ES256K', 'EdDSA', 'RS256', 'PS256', 'HS256', ''].map(
        (alg) => [`\`${alg}\` with our signature`, token({ ...HEADER, alg }, CLAIMS)],
      ),
    ),
    'none, without a signature': token({ ...HEADER, alg: 'none' }, CLAIMS, () => ''),
    'ES256, without a signature': token(HEADER, CLAIMS, () => ''),
    'HS256 with our public key as PEM': token({ ...HEADER, alg: 'HS256' }, CLAIMS, hmac(pem)),
    'HS256 with our public key as DER': token(
      { ...HEADER, alg: 'HS256' },
      CLAIMS,
      hmac(ours.publicKey.export({ type: 'spki', format: 'der' })),
    ),
    'HS256 with an empty key': token({ ...HEADER, alg: 'HS256' }, CLAIMS, hmac('')),
    'an HMAC under the name of ES256': token(HEADER, CLAIMS, hmac(pem)),
    RS256: token({ ...HEADER, alg: 'RS256' }, CLAIMS, (text) => sign('sha256', Buffer.from(text), rsa.privateKey)),
    ES384: token({ ...HEADER, alg: 'ES384' }, CLAIMS, (text) =>
      sign('sha384', Buffer.from(text), { key: wide.privateKey, dsaEncoding: 'ieee-p1363' }),
    ),
    'EdDSA under the name of ES256': token(HEADER, CLAIMS, (text) => sign(null, Buffer.from(text), edwards.privateKey)),
    'a list of algorithms': token({ ...HEADER, alg: ['ES256'] }, CLAIMS),
    'no algorithm': token({ kid: 'ours', typ: 'at+jwt' }, CLAIMS),
  },
  'a key from the header': {
    jwk: token({ ...HEADER, jwk: theirs.publicKey.export({ format: 'jwk' }) }, CLAIMS, (text) =>
      es256(text, theirs.privateKey),
    ),
    jku: token({ ...HEADER, jku: 'http://127.0.0.1:9/keys' }, CLAIMS, (text) => es256(text, theirs.privateKey)),
    x5u: token({ ...HEADER, x5u: 'http://127.0.0.1:9/cert' }, CLAIMS, (text) => es256(text, theirs.privateKey)),
    'another kid': token({ ...HEADER, kid: 'theirs' }, CLAIMS, (text) => es256(text, theirs.privateKey)),
    'a kid that is a path': token({ ...HEADER, kid: '../../dev/null' }, CLAIMS, hmac('')),
    'a kid that is a statement': token({ ...HEADER, kid: "ours' or '1'='1" }, CLAIMS, (text) =>
      es256(text, theirs.privateKey),
    ),
    'no kid': token({ alg: 'ES256', typ: 'at+jwt' }, CLAIMS),
    'a kid that is a list': token({ ...HEADER, kid: ['ours'] }, CLAIMS),
    'our kid, their key': token(HEADER, CLAIMS, (text) => es256(text, theirs.privateKey)),
    'an extension that must be understood': token({ ...HEADER, crit: ['b64'], b64: false }, CLAIMS),
    'an empty crit': token({ ...HEADER, crit: [] }, CLAIMS),
  },
  'another signature': {
    'all zero': token(HEADER, CLAIMS, () => Buffer.alloc(64)),
    'r = 0': token(
      HEADER,
      CLAIMS,
      changed((_, s) => numbers(0n, s)),
    ),
    's = 0': token(
      HEADER,
      CLAIMS,
      changed((r) => numbers(r, 0n)),
    ),
    'r = n': token(
      HEADER,
      CLAIMS,
      changed((_, s) => numbers(N, s)),
    ),
    's = n': token(
      HEADER,
      CLAIMS,
      changed((r) => numbers(r, N)),
    ),
    'r = 1, s = 1': token(HEADER, CLAIMS, () => numbers(1n, 1n)),
    'r and s swapped': token(
      HEADER,
      CLAIMS,
      changed((r, s) => numbers(s, r)),
    ),
    DER: token(HEADER, CLAIMS, (text) => sign('sha256', Buffer.from(text), ours.privateKey)),
    'one byte short': token(HEADER, CLAIMS, (text) => es256(text).subarray(0, 63)),
    'one byte long': token(HEADER, CLAIMS, (text) => Buffer.concat([es256(text), Buffer.from([0])])),
    'over the claims alone': token(HEADER, CLAIMS, (text) => es256(text.split('.')[1]!)),
    'of another token': `${part(HEADER)}.${part({ ...CLAIMS, sub: 'admin' })}.${signature}`,
    'of SHA-384': token(HEADER, CLAIMS, (text) =>
      sign('sha384', Buffer.from(text), { key: ours.privateKey, dsaEncoding: 'ieee-p1363' }),
    ),
  },
  'another form': {
    padding: `${head}.${body}.${signature}=`,
    'the other alphabet': `${head}.${body}.${signature.replaceAll('-', '+').replaceAll('_', '/')}+`,
    'a newline after it': `${good}\n`,
    ...Object.fromEntries(
      [1, 2, 3, 8, 15].map((bits) => [
        `spare bits ${bits} of the signature's last character`,
        withSpareBits(good, bits),
      ]),
    ),
    'a blank before it': ` ${good}`,
    'a fourth part': `${good}.AA`,
    'five parts': `${good}.AA.AA`,
    'two parts': `${head}.${body}`,
    'a null inside': `${head}.${body}\0.${signature}`,
    'JSON instead': JSON.stringify({ protected: head, payload: body, signature }),
    'too long': token(HEADER, { ...CLAIMS, note: 'x'.repeat(MAX_JWS_LENGTH) }),
    'a header that is a list': token([HEADER], CLAIMS),
    'claims that are a list': token(HEADER, [CLAIMS]),
    'claims that are no JSON': token(HEADER, '{"iss":'),
    empty: '',
    dots: '..',
  },
  'other claims': {
    ...Object.fromEntries(
      (Object.keys(CLAIMS) as (keyof typeof CLAIMS)[]).map((name) => [`no ${name}`, token(HEADER, without(name))]),
    ),
    expired: token(HEADER, { ...CLAIMS, exp: NOW }),
    'expires never': token(HEADER, `${JSON.stringify(without('exp')).slice(0, -1)},"exp":1e400}`),
    'expires as text': token(HEADER, { ...CLAIMS, exp: String(NOW + 600) }),
    'lives longer than any of ours': token(HEADER, { ...CLAIMS, exp: NOW + 100_000 }),
    'issued tomorrow': token(HEADER, { ...CLAIMS, iat: NOW + 86_400, exp: NOW + 86_500 }),
    'not valid yet': token(HEADER, { ...CLAIMS, nbf: NOW + 600 }),
    'another issuer': token(HEADER, { ...CLAIMS, iss: 'weir.evil.test' }),
    'another audience': token(HEADER, { ...CLAIMS, aud: ['other'] }),
    'another type': token({ ...HEADER, typ: 'JWT' }, CLAIMS),
    'no type': token({ alg: 'ES256', kid: 'ours' }, CLAIMS),
    'a type that differs by its case': token({ ...HEADER, typ: 'AT+JWT' }, CLAIMS),
    'an empty jti': token(HEADER, { ...CLAIMS, jti: '' }),
    'a jti that is a number': token(HEADER, { ...CLAIMS, jti: 1 }),
  },
};

describe('forged tokens', () => {
  test('ours is accepted, so that the others fail for what they change', () => assert.ok(accepts(good)));
  for (const [kind, tokens] of Object.entries(forged))
    test(`${kind}: ${Object.keys(tokens).length} tokens, none is let in`, () => {
      for (const [name, text] of Object.entries(tokens)) assert.equal(accepts(text), false, name);
    });

  test('every bit of a token counts', () => {
    const bytes = Buffer.from(good);
    for (let at = 0; at < bytes.length; at += 1) {
      for (const bit of [1, 2, 4, 32]) {
        bytes[at]! ^= bit;
        const text = bytes.toString('latin1');
        // The last character has four bits that no byte of the signature holds.
        if (text.split('.').length !== 3 || at < bytes.length - 1) assert.equal(accepts(text), false, `byte ${at}`);
        bytes[at]! ^= bit;
      }
    }
  });

  test('keys that are not ours in kind are none', () => {
    for (const key of [rsa, wide, edwards]) {
      assert.equal(publicKeyFrom(key.publicKey.export({ type: 'spki', format: 'pem' }).toString()), null);
      assert.equal(publicKeyFrom(key.publicKey.export({ format: 'jwk' }) as Record<string, unknown>), null);
    }
    const jwk = ours.publicKey.export({ format: 'jwk' }) as Record<string, unknown>;
    for (const odd of [{ use: 'enc' }, { alg: 'ES384' }, { crv: 'P-384' }, { kty: 'oct' }, { key_ops: ['sign'] }])
      assert.equal(publicKeyFrom({ ...jwk, ...odd }), null, JSON.stringify(odd));
  });
});
