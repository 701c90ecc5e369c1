/** Checks a cosigned decision (a compact JWS, ES256) with the customer's public keys, in WebCrypto. */
import { actionHash } from './action-hash.ts';
import type { Event, KeySet, VerifiedDecision } from './types.ts';

const FORM = /^([A-Za-z0-9_-]{1,2048})\.([A-Za-z0-9_-]{1,4096})\.([A-Za-z0-9_-]{86})$/;
const TYP = 'decision+jwt';
const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/**
 * The decision in `cosignature` if one of `keys` signed it for this event_id with this very action, target and parameters;
 * otherwise `null`. A rejection verifies as well: check `decision`. Never rejects.
 */
export async function verifyDecision(
  cosignature: string,
  keys: KeySet,
  event: Event & { event_id: string },
): Promise<VerifiedDecision | null> {
  try {
    const [, head = '', payload = '', signature = ''] = FORM.exec(cosignature) ?? [];
    const header = objectIn(head);
    if (header['alg'] !== 'ES256' || header['typ'] !== TYP || 'crit' in header) return null;
    const named = keys.keys.filter(({ kid }) => kid === header['kid']);
    const [jwk] = named;
    if (jwk === undefined || named.length !== 1 || !isVerifyingKey(jwk)) return null;
    const { kty, crv, x, y } = jwk as Record<'kty' | 'crv' | 'x' | 'y', string>;
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, ES256, false, ['verify']);
    const signed = new TextEncoder().encode(`${head}.${payload}`);
    if (!(await crypto.subtle.verify(ES256, key, bytesOf(signature), signed))) return null;
    const claims = objectIn(payload);
    if (claims['event_id'] !== event.event_id || claims['action_hash'] !== (await actionHash(event))) return null;
    const { decision, event_id, customer_id, decided_at, jti } = claims as unknown as VerifiedDecision;
    return decision === 'approve' || decision === 'reject'
      ? { decision, event_id, customer_id, decided_at, jti }
      : null;
  } catch {
    return null;
  }
}

function isVerifyingKey({
  kty,
  crv,
  alg = 'ES256',
  use = 'sig',
  key_ops = ['verify'],
}: Record<string, unknown>): boolean {
  const may_verify = Array.isArray(key_ops) && key_ops.includes('verify');
  return kty === 'EC' && crv === 'P-256' && alg === 'ES256' && use === 'sig' && may_verify;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

function objectIn(base64url: string): Record<string, unknown> {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(base64url)));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('not an object');
  return value as Record<string, unknown>;
}
