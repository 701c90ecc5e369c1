/** Issuer, audience and times of a token (RFC 7519, 8725, 9068). Times are seconds since 1970. */

export interface ClaimsPolicy {
  issuer: string;
  audience: string;
  /** Exact `typ` of the header. */
  typ: string;
  /** Longest life: an expiry farther ahead was not issued by Weir. */
  max_ttl_s: number;
  /** A token may become valid this many seconds from now: the known time of the issuer's clock is that old. */
  clock_tolerance_s: number;
}

export type Rejection =
  | 'malformed'
  | 'bad_signature'
  | 'wrong_kind'
  | 'not_for_us'
  | 'bad_times'
  | 'expired'
  | 'revoked';

/** Clocks of issuer and verifier may differ by this much; for «issued in the future» only. */
const ISSUED_LEEWAY_S = 60;

/** `null` when the claims hold. `typ` is the one of the header. */
export function rejectionOf(
  claims: Record<string, unknown>,
  typ: string | undefined,
  policy: ClaimsPolicy,
  now_s: number,
): Rejection | null {
  if (typ !== policy.typ) return 'wrong_kind';
  if (claims['iss'] !== policy.issuer || !isFor(claims['aud'], policy.audience)) return 'not_for_us';
  if (!isName(claims['jti']) || !isName(claims['sub'])) return 'malformed';
  const { exp, iat, nbf = iat } = claims;
  if (!isTime(exp) || !isTime(iat) || !isTime(nbf)) return 'bad_times';
  if (exp <= now_s) return 'expired';
  if (iat > now_s + ISSUED_LEEWAY_S || nbf > now_s + policy.clock_tolerance_s) return 'bad_times';
  if (exp - iat > policy.max_ttl_s) return 'bad_times';
  return null;
}

function isFor(audience: unknown, ours: string): boolean {
  return audience === ours || (Array.isArray(audience) && audience.includes(ours));
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** JSON has no infinity, but 1e400 parses to it. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
