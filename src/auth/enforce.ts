/**
 * What a token means for an event: it must be good, its rights must cover the event, a session's count must not be
 * spent, and who acts is what the token says. One function for every door that takes events.
 */
import type { Submission } from '../engine/submission.ts';
import { parseAction } from '../lang/patterns.ts';
import { canonicalJson } from '../platform/canonical.ts';
import type { Caller } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import { sha256 } from '../platform/ids.ts';
import { legacyReading } from '../scoring/legacy.ts';
import type { AgentEvent } from '../scoring/types.ts';
import type { AuthStore } from '../storage/auth-ports.ts';
import { auditLine } from './audit.ts';
import { type RbacRequest, type Refusal, refusalOf } from './rbac/evaluate.ts';
import type { RevocationView } from './revocation/view.ts';
import type { VerifiedToken, VerifyToken } from './verify/verify.ts';

/** An event that may be scored, as the token has it. */
export interface AdmittedEvent extends Submission {
  /** Gives the session its count back: nothing new was recorded for it. */
  release(): Promise<void>;
  /** The same if it is a retry; answers whether a count was given back. */
  releaseRetry(): Promise<boolean>;
}

/**
 * Throws `unauthenticated` (401), `forbidden` (403) and `rate_limited` (429); the last two are in the audit log before
 * they are answered. `bearer`: the text after `Bearer `. `makeRoom` is asked when a session's count is spent: whether it
 * could give back a count that was taken for nothing.
 */
export type AdmitEvent = (
  bearer: string,
  caller: Caller,
  submission: Submission,
  request_id: string,
  makeRoom?: () => Promise<boolean>,
) => Promise<AdmittedEvent>;

export interface EnforceParts {
  verify: VerifyToken;
  store: Pick<AuthStore, 'tokens' | 'audit'>;
  /** Knows the database's time. */
  view: Pick<RevocationView, 'now'>;
  /** What is known of the target's sensitivity when the event does not say. */
  sensitivityOf: (event: AgentEvent) => number;
  /** Whether this customer has an event with this id, scored or accepted: sending it again adds no record. */
  isKnown: (customer_id: string, event_id: string) => Promise<boolean>;
}

const REASONS: Readonly<Record<Refusal, string>> = {
  action_is_not_allowed: 'its rbac allows no such action',
  action_is_denied: 'its rbac denies this action',
  resource_is_not_allowed: 'its rbac allows no such resource',
  resource_is_denied: 'its rbac denies this resource',
  sensitivity_is_too_high: 'the target is more sensitive than its rbac allows',
};

export function createAdmitEvent({ verify, store, view, sensitivityOf, isKnown }: EnforceParts): AdmitEvent {
  return async (bearer, caller, submission, request_id, makeRoom = async () => false) => {
    const { event } = submission;
    const token = await verify(bearer, caller.customer_id);
    const requests = requestsOf(event, sensitivityOf);
    const deny = async (reason: string, request: RbacRequest): Promise<void> => {
      const by = { actor: `api_key ${caller.key_id}`, request_id };
      await store.audit.append(
        auditLine(by, 'event.denied', {
          customer_id: caller.customer_id,
          subject: event.event_id,
          details: describeAttempt(token, event, request, reason),
        }),
      );
    };
    for (const request of requests) {
      const refusal = token.rbac === null ? 'action_is_not_allowed' : refusalOf(token.rbac, request);
      if (refusal === null) continue;
      await deny(refusal, request);
      throw new WeirError('forbidden', {
        detail: `the token does not permit \`${event.action}\` on this target: ${REASONS[refusal]}`,
        members: { reason: refusal },
      });
    }
    const count = async (): Promise<boolean> => token.max_events !== null && (await store.tokens.countEvent(token.jti));
    const isRetry = (): Promise<boolean> => isKnown(caller.customer_id, event.event_id);
    let is_counted = await count();
    // A retry of what was counted before needs no count: the answer to a session's last event may get lost as any other.
    const needs_room = token.max_events !== null && !is_counted && !(await isRetry());
    if (needs_room) is_counted = (await makeRoom()) && (await count());
    if (needs_room && !is_counted) {
      await deny('session_is_spent', requests[0]!);
      throw new WeirError('rate_limited', {
        detail: `the session token was good for ${token.max_events} events and all are used; derive a new one`,
        // It never refills, so this is the rest of its life.
        retry_after_s: Math.max(1, Math.ceil(token.expires_s - view.now() / 1_000)),
        members: { reason: 'session_is_spent' },
      });
    }
    const release = async (): Promise<void> => {
      if (!is_counted) return;
      is_counted = false;
      await store.tokens.uncountEvent(token.jti);
    };
    const releaseRetry = async (): Promise<boolean> => {
      if (!is_counted || !(await isRetry())) return false;
      await release();
      return true;
    };
    return { ...asActor(submission, token), release, releaseRetry };
  };
}

/** One for each way to read the event, its own first: whichever is meant must be permitted. */
function requestsOf(event: AgentEvent, sensitivityOf: EnforceParts['sensitivityOf']): RbacRequest[] {
  const legacy = legacyReading(event);
  const readings = legacy === null ? [event] : [event, legacy.event];
  return readings.map((one) => requestOf(one, sensitivityOf));
}

/** An empty type or id is one that is not there. */
function requestOf(event: AgentEvent, sensitivityOf: EnforceParts['sensitivityOf']): RbacRequest {
  const { resource_type, resource_id, sensitivity_level } = event.target ?? {};
  return {
    action: parseAction(event.action)!,
    resource_type: resource_type || undefined,
    resource_id: resource_id || undefined,
    // Not to say how sensitive a target is must not make it harmless.
    sensitivity_level: sensitivity_level ?? sensitivityOf(event),
  };
}

/** Who acts is what the token says, whatever the body claims. */
function asActor(submission: Submission, { agent_id, session_id }: VerifiedToken): Submission {
  const { event, content_hash, deed_hash, deed_length } = submission;
  const who = canonicalJson([agent_id, session_id]);
  return {
    event: {
      ...event,
      ...(agent_id !== null && { agent: { ...event.agent, agent_id } }),
      ...(session_id !== null && { session: { ...event.session, session_id } }),
    },
    content_hash: sha256(`${content_hash} ${who}`),
    ...(deed_hash !== undefined && { deed_hash: sha256(`${deed_hash} ${who}`) }),
    ...(deed_length !== undefined && { deed_length }),
  };
}

function describeAttempt(token: VerifiedToken, event: AgentEvent, request: RbacRequest, reason: string) {
  const { jti, kind, agent_id, session_id } = token;
  const { resource_type = null, resource_id = null, sensitivity_level } = request;
  return {
    reason,
    jti,
    kind,
    agent_id,
    session_id,
    action: event.action,
    resource_type,
    resource_id,
    sensitivity_level,
  };
}

const BEARER = /^Bearer +(\S+)$/i;

/** The token of an `Authorization` header or of gRPC metadata, `null` without one. Throws for anything else in it. */
export function bearerOf(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization === '') return null;
  const token = BEARER.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new WeirError('unauthenticated', {
    detail: 'send the token as `Authorization: Bearer <token>`, or no such header',
  });
}
