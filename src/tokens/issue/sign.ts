/** Signing: a compact JWS (RFC 7515) with ES256; the header names its type and key. */
import { sign } from 'node:crypto';
import { WeirError } from '../../platform/errors.ts';
import type { Signer } from '../keys/signing-keys.ts';
import { MAX_TOKEN_LENGTH, type TokenClaims } from './claims.ts';

/** Throws `invalid` when the claims make it longer than `MAX_SIGNED`. */
export function signToken(signer: Signer, claims: TokenClaims): string {
  const token = signJws(signer, claims.typ, claims);
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  throw new WeirError('invalid', {
    detail: `the token would have ${token.length} characters and the limit is ${MAX_TOKEN_LENGTH}; shorten the ids and the rbac`,
  });
}

/** `typ` keeps a token signed for one purpose from being used for another. */
export function signJws({ key_id, private_key }: Signer, typ: string, claims: object): string {
  const header = { alg: 'ES256', typ, kid: key_id };
  const signed = `${encode(header)}.${encode(claims)}`;
  // r ‖ s as RFC 7518 3.4 requires, not DER, which is Node's default.
  const signature = sign('sha256', Buffer.from(signed), { key: private_key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
