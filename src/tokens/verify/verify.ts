/**
 * Whether a token is valid now: its form, its signature by the customer's own key, its times by the database's clock,
 * and no revocation on its path. All in this process: the hot path asks neither the auth service nor, for a second, the
 * database. A cached token takes one look-up; its revocation is checked again each time the log has grown.
 */
import { LRUCache } from 'lru-cache';
import { WeirError } from '../../platform/errors.ts';
import { type TokenClaims, type TokenNames, tokenPrefix } from '../issue/claims.ts';
import { type CompiledRbac, compileRbac, type Rbac } from '../rbac/rbac.ts';
import { type Probe, probesOf } from '../revocation/bloom.ts';
import type { RevocationView } from '../revocation/view.ts';
import { type Rejection, rejectionOf } from './check-claims.ts';
import { isSignedBy, parseJws, parseObject } from './jws.ts';
import { maySign, type VerifyKey, type VerifyKeys } from './keys.ts';

/** The claims of a valid token. */
export interface VerifiedToken {
  jti: string;
  /** `bearer`, `agent`, `subagent`, `session`. */
  kind: string;
  customer_id: string;
  key_id: string;
  /** Path from the root to the token itself. */
  path: string[];
  delegation_depth: number;
  agent_id: string | null;
  session_id: string | null;
  /** `null`: no limit. */
  max_events: number | null;
  /** `null` for kinds without rights over actions. */
  rbac: CompiledRbac | null;
  /** Seconds since 1970. */
  issued_s: number;
  expires_s: number;
  claims: TokenClaims;
}

/**
 * Verifies the token for this customer. Throws `unauthenticated`, and `StoreUnavailable` while revocations are unknown.
 * Answers synchronously where it can.
 */
export type VerifyToken = (token: string, customer_id: string) => VerifiedToken | Promise<VerifiedToken>;

/** An accepted kind of token. */
export interface AcceptedKind {
  name: string;
  /** `typ` of its header. */
  typ: string;
}

export interface VerifierParts {
  keys: VerifyKeys;
  revocations: RevocationView;
  names: TokenNames;
  kinds: readonly AcceptedKind[];
  /** Longest life of a token, in seconds. */
  max_ttl_s: number;
}

interface Entry {
  token: VerifiedToken;
  probes: Probe[];
  key: VerifyKey;
  /** Version of the view under which it was last found valid. */
  checked_at: number;
}

/** The database's time is known to within one round trip; a token must be valid from the moment it was issued. */
const CLOCK_TOLERANCE_S = 5;
const MAX_ENTRIES = 20_000;
/** Total characters of cached tokens. */
const MAX_SIZE = 32_000_000;

export function createVerifier({ keys, revocations, names, kinds, max_ttl_s }: VerifierParts): VerifyToken {
  // Keyed by the exact text: another spelling of the same token is verified separately.
  const seen = new LRUCache<string, Entry>({
    maxSize: MAX_SIZE,
    // Each counts as a share of the entries as well. With `max`, it would take the room for all of them when it is made.
    sizeCalculation: (_, key) => Math.max(key.length, MAX_SIZE / MAX_ENTRIES),
  });
  const accepted = kinds.map(({ name, typ }) => ({
    name,
    prefix: tokenPrefix(names.prefix, name),
    policy: {
      issuer: names.issuer,
      audience: names.audience,
      typ,
      max_ttl_s,
      clock_tolerance_s: CLOCK_TOLERANCE_S,
    },
  }));
  revocations.onKeyChange(keys.forget);

  const firstSight = (text: string, customer_id: string): VerifiedToken | Promise<VerifiedToken> => {
    const kind = accepted.find(({ prefix }) => text.startsWith(prefix));
    const jws = kind === undefined ? null : parseJws(text.slice(kind.prefix.length));
    if (kind === undefined || jws === null) throw rejected('malformed');
    const withKey = (key: VerifyKey | null): VerifiedToken | Promise<VerifiedToken> => {
      if (key === null || key.state === 'disabled' || !isSignedBy(key.key, jws)) throw rejected('bad_signature');
      const claims = parseObject(jws.payload);
      if (claims === null) throw rejected('malformed');
      const rejection = rejectionOf(claims, jws.header.typ, kind.policy, revocations.now() / 1_000);
      if (rejection !== null) throw rejected(rejection);
      if (claims['customer_id'] !== customer_id) throw rejected('not_for_us');
      const token = readClaims(claims as unknown as TokenClaims, kind.name, jws.header.kid);
      if (!maySign(key, token.issued_s)) throw rejected('bad_signature');
      const entry = { token, probes: probesOf(token.path), key, checked_at: -1 };
      return checkRevoked(text, entry);
    };
    const key = keys.find(customer_id, jws.header.kid);
    return key instanceof Promise ? key.then(withKey) : withKey(key);
  };

  /** Checks revocation; caches the entry when it is valid. */
  const checkRevoked = (text: string, entry: Entry): VerifiedToken | Promise<VerifiedToken> => {
    const { token, probes } = entry;
    const version = revocations.version();
    const remember = (): VerifiedToken => {
      entry.checked_at = version;
      seen.set(text, entry);
      return token;
    };
    if (!revocations.mayBeRevoked(probes)) return remember();
    return revocations.isRevoked(token.path, token.key_id).then((is_revoked) => {
      if (!is_revoked) return remember();
      seen.delete(text);
      throw rejected('revoked');
    });
  };

  /** The log has grown: the key may have changed, too. */
  const checkAgain = (text: string, customer_id: string, entry: Entry): VerifiedToken | Promise<VerifiedToken> => {
    const withKey = (key: VerifyKey | null): VerifiedToken | Promise<VerifiedToken> => {
      if (key === entry.key) return checkRevoked(text, entry);
      seen.delete(text);
      return firstSight(text, customer_id);
    };
    const key = keys.find(customer_id, entry.token.key_id);
    return key instanceof Promise ? key.then(withKey) : withKey(key);
  };

  const check = (text: string, customer_id: string): VerifiedToken | Promise<VerifiedToken> => {
    const entry = seen.get(text);
    if (entry === undefined) return firstSight(text, customer_id);
    const { token } = entry;
    if (token.customer_id !== customer_id) throw rejected('not_for_us');
    if (token.expires_s * 1_000 <= revocations.now()) {
      seen.delete(text);
      throw rejected('expired');
    }
    return entry.checked_at === revocations.version() ? token : checkAgain(text, customer_id, entry);
  };

  return (text, customer_id) => {
    if (revocations.version() !== -1) return check(text, customer_id);
    return revocations.refresh().then(() => check(text, customer_id));
  };
}

/** Only tokens that Weir signed get here; one of an unknown form was signed by an older version. */
function readClaims(claims: TokenClaims, kind: string, key_id: string): VerifiedToken {
  const { jti, customer_id, anc, delegation_depth, agent_id = null, session_id = null, max_events = null } = claims;
  if (!Array.isArray(anc) || !anc.every((id) => typeof id === 'string')) throw rejected('malformed');
  return {
    jti,
    kind,
    customer_id,
    key_id,
    path: [...anc, jti],
    delegation_depth,
    agent_id,
    session_id,
    max_events,
    rbac: readRbac(claims.rbac),
    issued_s: claims.iat,
    expires_s: claims.exp,
    claims,
  };
}

/** In normal form, because it was checked before it was signed. */
function readRbac(rbac: Rbac | undefined): CompiledRbac | null {
  try {
    return rbac === undefined ? null : compileRbac(rbac);
  } catch {
    throw rejected('malformed');
  }
}

const REASONS: Readonly<Record<Rejection, string>> = {
  malformed: 'it is not a complete token of a kind that is accepted here',
  bad_signature: 'its signature is not by a key of this customer that still verifies',
  wrong_kind: 'its type is not the one that its prefix names',
  not_for_us: 'it was issued for another customer or service',
  bad_times: 'its times are not ones that Weir issues',
  expired: 'it has expired',
  revoked: 'it was revoked',
};

function rejected(rejection: Rejection): WeirError {
  return new WeirError('unauthenticated', { detail: `the token is not valid: ${REASONS[rejection]}` });
}
