/**
 * Issuing a token: find the parent, let the kind decide its content, cut its life to the parent's, sign it, and store
 * it on the condition that all of this still holds. A refusal is answered and written to the audit log.
 */

import { WeirError } from '../../platform/errors.ts';
import { newId, newSecret, parseUuid, sha256 } from '../../platform/ids.ts';
import type { HeldEvent } from '../../records/hold.ts';
import type { AuthStore, NewToken, ParentToken } from '../../storage/ports/auth.ts';
import { auditLine, type Requester } from '../audit.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { type Limits, MAX_TTL_S, type Prepared, type TokenKind, TTL_UNITS } from '../kinds/kind.ts';
import { type TokenClaims, type TokenNames, tokenPrefix } from './claims.ts';
import { signToken } from './sign.ts';

/** The answer for every kind, with the fields that the request named. */
export interface IssuedToken {
  token: string;
  jti: string;
  customer_id: string;
  expires_at: string;
  [name: string]: unknown;
}

/**
 * Throws `invalid`, `not_found` (no such parent or event), `unauthenticated` (the parent is revoked or expired),
 * `conflict` (there is nothing to decide). `body` matches the kind's schema.
 */
export type IssueToken = (kind: TokenKind, body: Record<string, unknown>, by: Requester) => Promise<IssuedToken>;

/** The held event that an override token is for. Throws `not_found` and `conflict`. */
export type FindHeld = (customer_id: string, event_id: string) => Promise<HeldEvent>;

export interface IssueParts {
  store: AuthStore;
  findHeld: FindHeld;
  keys: SigningKeys;
  names: TokenNames;
  limits: Limits;
}

/** Key rotations that may overtake one token before it is refused as unavailable. */
const MAX_ATTEMPTS = 5;

export function createIssueToken(parts: IssueParts): IssueToken {
  return async (kind, body, by) => {
    try {
      return await issue(parts, kind, body, by);
    } catch (error) {
      if (error instanceof WeirError && error.row.status < 500) await recordRefusal(parts, kind, body, by, error);
      throw error;
    }
  };
}

async function issue(parts: IssueParts, kind: TokenKind, body: Record<string, unknown>, by: Requester) {
  const customer_id = parseUuid(String(body['customer_id']));
  if (customer_id === null) throw invalid('/customer_id', 'must be a UUID');
  const { store, findHeld, keys, limits } = parts;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const parent = await findParent(store, kind, body, customer_id);
    const event_id = kind.holdOf?.(body as never);
    const held = event_id === undefined ? null : await findHeld(customer_id, event_id);
    const prepared = kind.prepare(body as never, parent, limits, held?.hold ?? null);
    const now = parent?.now ?? held?.now ?? (await store.tokens.now());
    const token = describeToken(kind, body, customer_id, { parent, held }, prepared, now);
    const text = await makeText(parts, kind, token, prepared, by);
    token.token_hash = sha256(text);
    const details = {
      kind: kind.name,
      parent_jti: token.parent_jti,
      expires_at: token.expires_at,
      ...prepared.details,
    };
    const line = auditLine(by, 'token.issued', { customer_id, subject: token.jti, details });
    if (await store.tokens.insert(token, line)) return answer(text, token, kind);
    keys.forget(customer_id);
  }
  throw new WeirError('unavailable', {
    detail: 'the signing key was rotated repeatedly while this token was made; try again',
    retry_after_s: 1,
  });
}

async function findParent(store: AuthStore, kind: TokenKind, body: object, customer_id: string) {
  const reference = kind.parentOf(body as never);
  if (reference === null) return null;
  const parent =
    'jti' in reference ? await findByJti(store, reference.jti) : await store.tokens.findByHash(reference.token_hash);
  // Another customer's token is answered like one that does not exist.
  if (parent === null || parent.customer_id !== customer_id) {
    throw new WeirError('not_found', { detail: 'this customer has no such parent token' });
  }
  if (!kind.parents.includes(parent.kind)) {
    const wanted = kind.parents.join(' or ');
    throw invalid(
      '',
      `the parent is a token of kind \`${parent.kind}\`; a ${kind.name} token is derived from ${wanted}`,
    );
  }
  if (parent.state !== 'active') {
    throw new WeirError('unauthenticated', {
      detail: `the parent token is ${parent.state}; derive from one that is valid`,
    });
  }
  return parent;
}

async function findByJti(store: AuthStore, text: string): Promise<ParentToken | null> {
  const jti = parseUuid(text);
  return jti === null ? null : store.tokens.find(jti);
}

function describeToken(
  kind: TokenKind,
  body: Record<string, unknown>,
  customer_id: string,
  { parent, held }: { parent: ParentToken | null; held: HeldEvent | null },
  prepared: Prepared,
  now: string,
): NewToken {
  const jti = newId();
  const issued_s = Math.floor(Date.parse(now) / 1_000);
  const { field, default: absent, cut_at = MAX_TTL_S } = kind.ttl;
  const wanted = Math.min((body[field] as number | undefined) ?? absent, cut_at);
  const ttl_s = Math.min(wanted * TTL_UNITS[field], MAX_TTL_S);
  // A token of a few minutes loses no part of a second, and no token outlives what it is derived from.
  const from_s = held === null ? issued_s : Math.ceil(Date.parse(now) / 1_000);
  const end = parent?.expires_at ?? held?.hold.expires_at;
  const latest_s = end === undefined ? Number.POSITIVE_INFINITY : Math.floor(Date.parse(end) / 1_000);
  return {
    jti,
    customer_id,
    kind: kind.name,
    parent_jti: parent?.jti ?? null,
    path: [...(parent?.path ?? []), jti],
    delegation_depth: prepared.delegation_depth,
    issued_at: toIso(issued_s),
    expires_at: toIso(Math.min(from_s + ttl_s, latest_s)),
    key_id: null,
    token_hash: '',
    rbac: prepared.rbac as Record<string, unknown> | null,
    details: prepared.details,
    max_events: prepared.max_events,
  };
}

/** The token in the form its holder gets. Fills in the key that signed it. */
async function makeText(
  { keys, names }: IssueParts,
  kind: TokenKind,
  token: NewToken,
  prepared: Prepared,
  by: Requester,
) {
  if (kind.typ === null) return newSecret(names.prefix, kind.name);
  const signer = await keys.signer(token.customer_id, by);
  token.key_id = signer.key_id;
  const iat = Date.parse(token.issued_at) / 1_000;
  const claims: TokenClaims = {
    iss: names.issuer,
    sub: prepared.subject,
    aud: names.audience,
    iat,
    nbf: iat,
    exp: Date.parse(token.expires_at) / 1_000,
    jti: token.jti,
    customer_id: token.customer_id,
    ...(token.parent_jti !== null && { parent_jti: token.parent_jti }),
    typ: kind.typ,
    anc: token.path.slice(0, -1),
    delegation_depth: token.delegation_depth,
    ...prepared.details,
    ...(prepared.rbac !== null && { rbac: prepared.rbac }),
  };
  return tokenPrefix(names.prefix, kind.name) + signToken(signer, claims);
}

function answer(text: string, token: NewToken, kind: TokenKind): IssuedToken {
  const { jti, customer_id, expires_at, parent_jti, delegation_depth, rbac, token_hash, details } = token;
  return {
    token: text,
    jti,
    customer_id,
    expires_at,
    ...details,
    ...(parent_jti !== null && { parent_jti }),
    ...(kind.typ === null && { token_hash }),
    ...(rbac !== null && { rbac, delegation_depth }),
  };
}

async function recordRefusal(
  { store }: IssueParts,
  kind: TokenKind,
  body: Record<string, unknown>,
  by: Requester,
  { code, detail }: WeirError,
): Promise<void> {
  const reference = kind.parentOf(body as never);
  const event_id = kind.holdOf?.(body as never) ?? null;
  // A hash identifies the token, so only its beginning is recorded.
  const parent = reference === null ? null : 'jti' in reference ? reference.jti : reference.token_hash.slice(0, 8);
  const details = { kind: kind.name, parent, code, detail };
  await store.audit.append(
    auditLine(by, 'token.refused', { customer_id: parseUuid(String(body['customer_id'])), subject: event_id, details }),
  );
}

function invalid(path: string, message: string): WeirError {
  return new WeirError('invalid', {
    detail: path === '' ? message : `\`${path}\` ${message}`,
    errors: [{ path, message }],
  });
}

function toIso(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
