/**
 * A compact JWS, pinned to ES256 (RFC 7515, 7518, 8725). A key in the header is never used; any text that is not
 * exactly in the form that Weir writes is rejected. Returns `null` for that, and never throws.
 */

import { isUtf8 } from 'node:buffer';
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isObject, parseJson } from '../../lang/json.ts';

export interface JwsHeader {
  kid: string;
  typ: string | undefined;
}

export interface ParsedJws {
  header: JwsHeader;
  /** The signed bytes. */
  signed: string;
  payload: Buffer;
  /** r ‖ s, 64 bytes. */
  signature: Buffer;
}

/** 64 bytes fill 85 characters and 2 bits of the last one. Its 4 spare bits are zero, so a signature has one text only. */
const FORM = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{85}[AQgw])$/;
export const MAX_JWS_LENGTH = 8_192;
const SIGNATURE_BYTES = 64;

/** All tokens of a kind and a key share a header; only valid headers are cached. */
const headers = new LRUCache<string, JwsHeader>({ max: 1_000 });

export function parseJws(token: string): ParsedJws | null {
  if (token.length > MAX_JWS_LENGTH) return null;
  const parts = FORM.exec(token);
  // The expression allows one newline at the end of the text.
  if (parts === null || token.endsWith('\n')) return null;
  const header = headers.get(parts[1]!) ?? readHeader(parts[1]!);
  const signature = Buffer.from(parts[3]!, 'base64url');
  if (header === null || signature.length !== SIGNATURE_BYTES) return null;
  const signed = token.slice(0, parts[1]!.length + 1 + parts[2]!.length);
  return { header, signed, payload: Buffer.from(parts[2]!, 'base64url'), signature };
}

function readHeader(text: string): JwsHeader | null {
  const header = parseObject(Buffer.from(text, 'base64url'));
  if (header === null || header['alg'] !== 'ES256' || Object.hasOwn(header, 'crit')) return null;
  const { kid, typ } = header;
  if (typeof kid !== 'string' || (typ !== undefined && typeof typ !== 'string')) return null;
  const read = { kid, typ };
  headers.set(text, read);
  return read;
}

/** A JSON object in strict UTF-8, else `null`. */
export function parseObject(bytes: Buffer): Record<string, unknown> | null {
  if (!isUtf8(bytes)) return null;
  const value = parseJson(bytes.toString('utf8'));
  return isObject(value) ? value : null;
}

/** Whether this key signed it. `key` is a P-256 public key. */
export function isSignedBy(key: KeyObject, { signed, signature }: Pick<ParsedJws, 'signed' | 'signature'>): boolean {
  return verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/** A P-256 public key from PEM (SPKI) or a JWK (RFC 7517); `null` for any other key, use or algorithm. */
export function publicKeyFrom(key: string | Record<string, unknown>): KeyObject | null {
  try {
    if (typeof key === 'string') return asP256(createPublicKey(key));
    const { kty, crv, x, y, alg = 'ES256', use = 'sig', key_ops = ['verify'] } = key;
    if (kty !== 'EC' || crv !== 'P-256' || alg !== 'ES256' || use !== 'sig') return null;
    if (!Array.isArray(key_ops) || !key_ops.includes('verify')) return null;
    return asP256(createPublicKey({ key: { kty, crv, x, y } as never, format: 'jwk' }));
  } catch {
    return null;
  }
}

function asP256(key: KeyObject): KeyObject | null {
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
}
