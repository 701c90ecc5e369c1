/**
 * Decides about a held event with an override token: exactly once per event, under any race. The statement that writes
 * checks every condition again; the checks before it only serve a precise error.
 */

import { WeirError } from '../platform/errors.ts';
import type { DecidedState, Decision } from '../records/hold.ts';
import { decided, type HeldEvent } from '../records/hold.ts';
import type { AuthStore } from '../storage/ports/auth.ts';
import type { HoldStore } from '../storage/ports/holds.ts';
import { auditLine, type Requester } from '../tokens/audit.ts';
import type { TokenNames } from '../tokens/issue/claims.ts';
import type { SigningKeys } from '../tokens/keys/signing-keys.ts';
import { claimedCustomer } from '../tokens/verify/claimed-customer.ts';
import type { VerifiedToken, VerifyToken } from '../tokens/verify/verify.ts';
import { cosign } from './cosign.ts';
import { findHeldEvent } from './held-event.ts';

export interface DecisionRequest {
  override_token: string;
  decision: Decision;
  reason: string | null;
}

/** A durable decision. */
export interface Decided {
  event_id: string;
  customer_id: string;
  decision: Decision;
  status: DecidedState;
  decided_at: string;
  reason: string | null;
  action_hash: string;
  cosignature: string;
}

/**
 * Throws `unauthenticated` (no valid override token), `forbidden` (it is for another event, or not for this decision),
 * `conflict` (decided or expired; the error names the decision that stands), `StoreUnavailable` (the outcome is
 * unknown: try again, and a conflict names the decision).
 */
export type Decide = (event_id: string, request: DecisionRequest, by: Requester) => Promise<Decided>;

export interface DecideParts {
  store: Pick<AuthStore, 'audit' | 'tokens'>;
  holds: HoldStore;
  keys: Pick<SigningKeys, 'signer' | 'forget'>;
  /** Accepts override tokens only. */
  verify: VerifyToken;
  names: TokenNames;
}

/** Key rotations that may overtake one decision before it is refused as unavailable. */
const MAX_ATTEMPTS = 5;

export function createDecide(parts: DecideParts): Decide {
  return async (event_id, request, by) => {
    const customer_id = claimedCustomer(request.override_token);
    if (customer_id === null) throw noToken();
    const token = await parts.verify(request.override_token, customer_id);
    try {
      return await decideOnce(parts, token, event_id, request, by);
    } catch (error) {
      if (error instanceof WeirError && error.row.status < 500) {
        const details = { jti: token.jti, decision: request.decision, code: error.code, detail: error.detail };
        const facts = { customer_id: token.customer_id, subject: event_id, details };
        await parts.store.audit.append(auditLine(by, 'decision.refused', facts));
      }
      throw error;
    }
  };
}

async function decideOnce(
  parts: DecideParts,
  token: VerifiedToken,
  event_id: string,
  request: DecisionRequest,
  by: Requester,
): Promise<Decided> {
  checkBinding(token, event_id, request.decision);
  const { customer_id } = token;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const held = await findHeldEvent(parts.holds, customer_id, event_id);
    if (held.hold.action_hash !== token.claims.action_hash)
      throw forbidden('it is bound to another action than the one that was scored');
    const written = await write(parts, token, event_id, held, request, by);
    if (written !== null) return written;
    // Another decision came first (the next read shows it), the token was revoked, or the key was rotated.
    parts.keys.forget(customer_id);
    const row = await parts.store.tokens.find(token.jti);
    if (row?.state !== 'active') {
      throw new WeirError('unauthenticated', { detail: `the token is not valid: it is ${row?.state ?? 'unknown'}` });
    }
  }
  throw new WeirError('unavailable', {
    detail: 'the signing key was rotated repeatedly during this decision; nothing was decided, try again',
    retry_after_s: 1,
  });
}

function checkBinding({ claims }: VerifiedToken, event_id: string, decision: Decision): void {
  if (claims.event_id !== event_id) throw forbidden('it is for another event');
  if (claims.allowed_decisions?.includes(decision) !== true) {
    throw forbidden(`it does not allow \`${decision}\`; it allows ${claims.allowed_decisions?.join(' and ')}`);
  }
}

/** `null` when one of the conditions no longer holds. */
async function write(
  { holds, keys, names }: DecideParts,
  { customer_id, jti }: VerifiedToken,
  event_id: string,
  { hold, now: decided_at }: HeldEvent,
  { decision, reason }: DecisionRequest,
  by: Requester,
): Promise<Decided | null> {
  const status = decided(hold.state, decision)!;
  const { action_hash } = hold;
  const signer = await keys.signer(customer_id, by);
  const cosignature = cosign(signer, {
    iss: names.issuer,
    iat: Math.floor(Date.parse(decided_at) / 1_000),
    jti,
    customer_id,
    event_id,
    action_hash,
    decision,
    decided_at,
  });
  const details = { decision, reason, jti, action_hash, key_id: signer.key_id };
  const is_ours = await holds.decide(
    { customer_id, event_id, state: status, decided_at, reason, jti, key_id: signer.key_id, cosignature },
    auditLine(by, 'event.decided', { customer_id, subject: event_id, details }),
  );
  if (!is_ours) return null;
  return { event_id, customer_id, decision, status, decided_at, reason, action_hash, cosignature };
}

function noToken(): WeirError {
  return new WeirError('unauthenticated', { detail: 'the token is not valid: it is not a complete override token' });
}

function forbidden(why: string): WeirError {
  return new WeirError('forbidden', { detail: `the override token does not permit this: ${why}` });
}
