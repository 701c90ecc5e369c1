/** The claims of a signed token, described once for issuing and verifying. */
import type { Rbac } from '../rbac/rbac.ts';

/** Names under which tokens are issued and accepted; the same on every node. */
export interface TokenNames {
  /** `iss`: AUTH_SERVICE_NAME. */
  issuer: string;
  /** `aud`: the audience of tokens. */
  audience: string;
  /** TOKEN_PREFIX. */
  prefix: string;
}

export function tokenNames(settings: { AUTH_SERVICE_NAME: string; TOKEN_PREFIX: string }): TokenNames {
  const prefix = settings.TOKEN_PREFIX;
  return { issuer: settings.AUTH_SERVICE_NAME, audience: `${prefix}-api`, prefix };
}

/** Times are whole seconds since 1970. */
export interface TokenClaims {
  iss: string;
  sub: string;
  aud: string;
  iat: number;
  nbf: number;
  exp: number;
  jti: string;
  customer_id: string;
  /** Absent in a root token. */
  parent_jti?: string;
  /** The same as in the header. */
  typ: string;
  /** Ancestors from the root down, without the token itself: revocation of a subtree finds it by this path. */
  anc: string[];
  delegation_depth: number;
  rbac?: Rbac;
  agent_id?: string;
  agent_name?: string | null;
  session_id?: string;
  max_events?: number | null;
  environment?: string | null;
  event_id?: string;
  allowed_decisions?: string[];
  action_hash?: string;
}

/** Longest signed part that is made or verified: fits a header field of any server. */
export const MAX_TOKEN_LENGTH = 8_192;

/** Prefix of tokens of a kind. */
export function tokenPrefix(prefix: string, kind: string): string {
  return `${prefix}_${kind}_`;
}
