/**
 * Weir's tokens as a module that a comparison of verifiers can load: a token met for the first time, by the parts of
 * `weir/verify`, without the memory of those seen before; signing; and the filter of revocations.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { signJws } from '../../src/tokens/issue/sign.ts';
import { Bloom, probeOf } from '../../src/tokens/revocation/bloom.ts';
import { rejectionOf } from '../../src/tokens/verify/check-claims.ts';
import { isSignedBy, parseJws, parseObject } from '../../src/tokens/verify/jws.ts';

/** Whom the comparison's tokens are from, and for. */
const POLICY = { issuer: 'auth', audience: 'risk-api', typ: 'JWT', max_ttl_s: 7 * 86_400, clock_tolerance_s: 5 };

/** The claims of a good token; throws for any other. */
export function createVerifier(public_key: string): (token: string) => Record<string, unknown> {
  const key = createPublicKey(public_key);
  return (token) => {
    const jws = parseJws(token);
    if (jws === null) throw new Error('malformed');
    if (!isSignedBy(key, jws)) throw new Error('bad_signature');
    const claims = parseObject(jws.payload);
    if (claims === null) throw new Error('malformed');
    const rejection = rejectionOf(claims, jws.header.typ, POLICY, Date.now() / 1_000);
    if (rejection !== null) throw new Error(rejection);
    return claims;
  };
}

export function createSigner(private_key: string): (claims: object) => string {
  const signer = { key_id: 'k1', private_key: createPrivateKey(private_key) };
  return (claims) => signJws(signer, POLICY.typ, claims);
}

/** Whether a token of this id may be revoked. */
export function createRevocationFilter(ids: readonly string[]): (id: string) => boolean {
  const filter = new Bloom(ids.length);
  for (const id of ids) filter.add(probeOf(id, 'single'));
  return (id) => filter.has(probeOf(id, 'single'));
}
