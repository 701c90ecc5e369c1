/**
 * Decides about a held event, by the rules of the customer's policy: exactly once per event, under any race. The statement that writes
 * checks every condition again; the checks before it only serve a precise error.
 */

import { WeirError } from '../platform/errors.ts';
import type { DecidedState, Decider, Decision } from '../records/hold.ts';
import { decided, type HeldEvent } from '../records/hold.ts';
import type { ApprovalRule } from '../scoring/types.ts';
import type { AuthStore } from '../storage/ports/auth.ts';
import type { HoldStore } from '../storage/ports/holds.ts';
import type { PeopleStore } from '../storage/ports/people.ts';
import { auditLine, type Requester } from '../tokens/audit.ts';
import type { TokenNames } from '../tokens/issue/claims.ts';
import type { IssueToken } from '../tokens/issue/issue.ts';
import type { SigningKeys } from '../tokens/keys/signing-keys.ts';
import type { TokenKind } from '../tokens/kinds/kind.ts';
import { override } from '../tokens/kinds/override.ts';
import { claimedCustomer } from '../tokens/verify/claimed-customer.ts';
import type { VerifiedToken, VerifyToken } from '../tokens/verify/verify.ts';
import { standingOf, type Who } from './approval.ts';
import { cosign } from './cosign.ts';
import { findHeldEvent } from './held-event.ts';

export interface DecisionRequest {
  /** `null`: the caller's own right; then `customer_id` says whose event it is. */
  override_token: string | null;
  customer_id: string | null;
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
  decided_by: readonly Decider[];
  action_hash: string;
  cosignature: string;
}

/** An approval that is recorded, of an event that takes more of them. */
export interface Awaiting {
  event_id: string;
  customer_id: string;
  decision: 'approve';
  status: 'held';
  /** Who approved so far. */
  decided_by: readonly Decider[];
  /** Approvals that are missing. */
  missing: number;
}

/**
 * Throws `unauthenticated` (no valid override token), `forbidden` (it is for another event, or not for this decision; the policy
 * does not permit it), `conflict` (decided or expired; the error names the decision that stands), `StoreUnavailable` (the outcome is
 * unknown: try again, and a conflict names the decision).
 */
export type Decide = (
  event_id: string,
  request: DecisionRequest,
  by: Requester,
  who: Who,
) => Promise<Decided | Awaiting>;

export interface DecideParts {
  store: Pick<AuthStore, 'audit' | 'tokens'>;
  holds: HoldStore;
  keys: Pick<SigningKeys, 'signer' | 'forget'>;
  /** Accepts override tokens only. */
  verify: VerifyToken;
  issue: IssueToken;
  names: TokenNames;
  people: Pick<PeopleStore, 'approve' | 'delegations'>;
  /** The rules of the customer's policy in force, read now. */
  approvalsOf: (customer_id: string) => Promise<readonly ApprovalRule[]>;
}

/** Key rotations that may overtake one decision before it is refused as unavailable. */
const MAX_ATTEMPTS = 5;
/** Of an override token that is issued and used at once. */
const OWN_MINUTES = 1;

export function createDecide(parts: DecideParts): Decide {
  return async (event_id, request, by, who) => {
    const { override_token, decision } = request;
    const customer_id = override_token === null ? request.customer_id : claimedCustomer(override_token);
    if (customer_id === null) throw noToken();
    const sent = override_token === null ? null : await parts.verify(override_token, customer_id);
    try {
      if (sent !== null) checkBinding(sent, event_id, decision);
      const deciders = await approve(parts, customer_id, event_id, request, by, who);
      if (!Array.isArray(deciders)) return deciders;
      const token = sent ?? (await ownRight(parts, customer_id, event_id, decision, by));
      return await decideOnce(parts, token, event_id, { ...request, decided_by: deciders }, by);
    } catch (error) {
      if (error instanceof WeirError && error.row.status < 500) {
        const { decider } = who;
        const details = {
          jti: sent?.jti ?? null,
          decision,
          decided_by: decider,
          code: error.code,
          detail: error.detail,
        };
        const facts = { customer_id, subject: event_id, details };
        await parts.store.audit.append(auditLine(by, 'decision.refused', facts));
      }
      throw error;
    }
  };
}

/** Everyone behind the decision, when there are enough; else the state of the approvals. */
async function approve(
  { holds, people, approvalsOf }: DecideParts,
  customer_id: string,
  event_id: string,
  { decision, reason }: DecisionRequest,
  by: Requester,
  who: Who,
): Promise<Decider[] | Awaiting> {
  const [held, rules] = await Promise.all([findHeldEvent(holds, customer_id, event_id), approvalsOf(customer_id)]);
  const lent = who.person === null || rules.length === 0 ? [] : await people.delegations(customer_id);
  const { decider, authority, people: wanted } = standingOf(rules, held, { decision, reason }, who, lent);
  if (authority === null || wanted === 1) return [decider];
  const approval = {
    customer_id,
    event_id,
    person_id: who.person!.person_id,
    authority: authority.person_id,
    decided_by: decider,
  };
  const details = { decision, reason, decided_by: decider, wanted };
  const line = auditLine(by, 'event.approved', { customer_id, subject: event_id, details });
  const { all, is_new } = await people.approve(approval, line);
  if (all.length >= wanted) return all;
  if (!is_new)
    throw new WeirError('conflict', {
      detail: `your approval counts already; ${wanted - all.length} more of other people are missing`,
    });
  return { event_id, customer_id, decision: 'approve', status: 'held', decided_by: all, missing: wanted - all.length };
}

/** A right for this one decision, which the caller might as well have asked for in a call of its own. */
async function ownRight(
  { issue, verify }: DecideParts,
  customer_id: string,
  event_id: string,
  decision: Decision,
  by: Requester,
): Promise<VerifiedToken> {
  const body = { customer_id, event_id, allowed_decisions: [decision], ttl_minutes: OWN_MINUTES };
  const { token } = await issue(override as TokenKind, body, by);
  return await verify(token, customer_id);
}

interface FullRequest extends DecisionRequest {
  decided_by: readonly Decider[];
}

async function decideOnce(
  parts: DecideParts,
  token: VerifiedToken,
  event_id: string,
  request: FullRequest,
  by: Requester,
): Promise<Decided> {
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
  { decision, reason, decided_by }: FullRequest,
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
    decided_by,
  });
  const details = { decision, reason, decided_by, jti, action_hash, key_id: signer.key_id };
  const is_ours = await holds.decide(
    { customer_id, event_id, state: status, decided_at, reason, jti, key_id: signer.key_id, cosignature, decided_by },
    auditLine(by, 'event.decided', { customer_id, subject: event_id, details }),
  );
  if (!is_ours) return null;
  return { event_id, customer_id, decision, status, decided_at, reason, decided_by, action_hash, cosignature };
}

function noToken(): WeirError {
  return new WeirError('unauthenticated', { detail: 'the token is not valid: it is not a complete override token' });
}

function forbidden(why: string): WeirError {
  return new WeirError('forbidden', { detail: `the override token does not permit this: ${why}` });
}
