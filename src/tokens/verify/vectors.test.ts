/** Attack tokens and Wycheproof's cases against the code that checks signatures and claims. */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sharedFile } from '../../../test/support/shared.ts';
import { rejectionOf } from './check-claims.ts';
import { isSignedBy, parseJws, parseObject, publicKeyFrom } from './jws.ts';
import { maySign, type VerifyKey } from './keys.ts';

function read<T>(name: string): { skip: string | false; file: T } {
  const path = sharedFile(`vectors/${name}.json`);
  if (path === null) return { skip: `no ../shared/vectors/${name}.json`, file: {} as T };
  return { skip: false, file: JSON.parse(readFileSync(path, 'utf8')) as T };
}

interface AttackKey {
  kid: string;
  pem: string;
  status: VerifyKey['state'];
  retired_at?: number;
}

interface Attacks {
  policy: { iss: string; aud: string; typ: string; now: number; max_ttl_s: number; clock_tolerance_s: number };
  keys: Record<string, AttackKey[]>;
  tests: { id: string; name: string; token: string; expected: string; verify_as_customer: string }[];
}

describe('attack tokens', () => {
  const { skip, file } = read<Attacks>('jwt-es256-attacks');

  test('none deviates', { skip }, () => {
    const { policy } = file;
    const keys = new Map(
      Object.entries(file.keys).flatMap(([customer, list]) =>
        list.map(({ kid, pem, status, retired_at = Number.POSITIVE_INFINITY }): [string, VerifyKey] => [
          `${customer} ${kid}`,
          { key: publicKeyFrom(pem)!, state: status, retired_s: retired_at },
        ]),
      ),
    );
    const accepts = (token: string, customer: string): boolean => {
      const jws = parseJws(token);
      const key = jws === null ? undefined : keys.get(`${customer} ${jws.header.kid}`);
      if (jws === null || key === undefined || key.state === 'disabled' || !isSignedBy(key.key, jws)) return false;
      const claims = parseObject(jws.payload);
      const { iss: issuer, aud: audience, ...rest } = policy;
      const expected = { issuer, audience, ...rest };
      if (claims === null || rejectionOf(claims, jws.header.typ, expected, policy.now) !== null) return false;
      return maySign(key, Number(claims['iat']));
    };
    for (const one of file.tests) {
      const is_accepted = accepts(one.token, one.verify_as_customer);
      if (one.expected !== 'either') assert.equal(is_accepted, one.expected === 'accept', `${one.id} ${one.name}`);
    }
    assert.equal(({} as Record<string, unknown>)['admin'], undefined);
  });
});

describe('Wycheproof', () => {
  const jws = read<{
    tests: { tcId: number; src: string; key: Record<string, unknown>; token: string; expect_es256_only: string }[];
  }>('wycheproof-jws');

  test('JWS, pinned to ES256', { skip: jws.skip }, () => {
    for (const one of jws.file.tests) {
      const parsed = parseJws(one.token);
      const set = (one.key['keys'] as Record<string, unknown>[] | undefined) ?? [one.key];
      const named = set.filter((key) => key['kid'] === parsed?.header.kid);
      const key = named.length === 1 ? publicKeyFrom(named[0]!) : null;
      const is_accepted = parsed !== null && key !== null && isSignedBy(key, parsed);
      assert.equal(is_accepted, one.expect_es256_only === 'accept', `${one.src} ${one.tcId}`);
    }
  });

  interface Raw {
    testGroups: {
      publicKeyPem: string;
      tests: { tcId: number; msg: string; sig: string; result: string }[];
    }[];
  }

  const p1363 = read<Raw>('wycheproof-ecdsa-p256-p1363');
  test('raw signatures, r and s joined', { skip: p1363.skip }, () => {
    for (const group of p1363.file.testGroups) {
      const key = publicKeyFrom(group.publicKeyPem)!;
      for (const one of group.tests) {
        // `isSignedBy` takes text; these messages are bytes.
        const options = { key, dsaEncoding: 'ieee-p1363' } as const;
        const is_good = verify('sha256', Buffer.from(one.msg, 'hex'), options, Buffer.from(one.sig, 'hex'));
        assert.equal(is_good, one.result === 'valid', String(one.tcId));
      }
    }
  });

  const der = read<Raw>('wycheproof-ecdsa-p256-der');
  test('DER signatures are valid as such, and none is valid in a JWS', { skip: der.skip }, () => {
    for (const group of der.file.testGroups) {
      const key = createPublicKey(group.publicKeyPem);
      for (const one of group.tests) {
        const signature = Buffer.from(one.sig, 'hex');
        const message = Buffer.from(one.msg, 'hex');
        const is_good = verify('sha256', message, { key, dsaEncoding: 'der' }, signature);
        assert.equal(is_good, one.result === 'valid', String(one.tcId));
        const header = Buffer.from('{"alg":"ES256","kid":"k"}').toString('base64url');
        const parsed = parseJws(
          `${header}.${message.toString('base64url') || 'AA'}.${signature.toString('base64url')}`,
        );
        assert.ok(parsed === null || !isSignedBy(publicKeyFrom(group.publicKeyPem)!, parsed), String(one.tcId));
      }
    }
  });
});
