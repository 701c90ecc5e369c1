/** The current state of a token, read from the database: for investigation, not for the hot path. */
import { WeirError } from '../platform/errors.ts';
import { sha256 } from '../platform/ids.ts';
import type { ParentToken, TokenStore } from '../storage/ports/auth.ts';
import { type TokenNames, tokenPrefix } from './issue/claims.ts';
import { claimedCustomer } from './verify/claimed-customer.ts';
import type { VerifyToken } from './verify/verify.ts';

/** RFC 7662: anything but a valid token is `{active: false}` and nothing more. */
export type Introspection = { active: false } | ({ active: true } & Record<string, unknown>);

export interface IntrospectParts {
  tokens: TokenStore;
  /** Accepts every kind of signed token. */
  verify: VerifyToken;
  names: TokenNames;
}

export function createIntrospect({
  tokens,
  verify,
  names,
}: IntrospectParts): (token: string) => Promise<Introspection> {
  const findSigned = async (text: string): Promise<ParentToken | null> => {
    const customer_id = claimedCustomer(text);
    if (customer_id === null) return null;
    try {
      const { jti } = await verify(text, customer_id);
      return await tokens.find(jti);
    } catch (error) {
      if (error instanceof WeirError && error.code === 'unauthenticated') return null;
      throw error;
    }
  };
  return async (text) => {
    const is_app = text.startsWith(tokenPrefix(names.prefix, 'app'));
    const found = is_app ? await tokens.findByHash(sha256(text)) : await findSigned(text);
    return found === null || found.state !== 'active' ? { active: false } : describe(found, names);
  };
}

function describe(token: ParentToken, names: TokenNames): Introspection {
  const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1_000);
  const { details, rbac } = token;
  const scopes = details['scopes'];
  return {
    active: true,
    token_type: token.kind,
    iss: names.issuer,
    aud: names.audience,
    sub: details['agent_id'] ?? token.customer_id,
    jti: token.jti,
    iat: seconds(token.issued_at),
    nbf: seconds(token.issued_at),
    exp: seconds(token.expires_at),
    ...(Array.isArray(scopes) && { scope: scopes.join(' ') }),
    customer_id: token.customer_id,
    parent_jti: token.parent_jti,
    path: token.path,
    delegation_depth: token.delegation_depth,
    ...details,
    ...(rbac !== null && { rbac }),
  };
}
