/**
 * What a token means for an event: the token must be valid, its rights must cover the event, and it determines the
 * acting agent. One function for every door that takes events; admit.ts counts.
 */

import type { AgentEvent } from '../events/event.ts';
import { legacyReading } from '../events/legacy.ts';
import type { Submission } from '../events/submission.ts';
import { parseAction } from '../lang/patterns.ts';
import type { Caller } from '../platform/caller.ts';
import { WeirError } from '../platform/errors.ts';
import { sha256 } from '../platform/ids.ts';
import { canonicalJson } from '../platform/json/canonical.ts';
import type { AuthStore, NoRoom } from '../storage/ports/auth.ts';
import { auditLine } from './audit.ts';
import { type RbacRequest, type Refusal, refusalOf } from './rbac/evaluate.ts';
import type { RevocationView } from './revocation/view.ts';
import type { VerifiedToken, VerifyToken } from './verify/verify.ts';

/** An event that the rights of a token cover. */
export interface PermittedEvent {
  /** The event with the identities of the token. */
  submission: Submission;
  /** Null for a token whose events are not counted. */
  session: CountedSession | null;
}

/** A session token that is valid for a limited number of events. */
export interface CountedSession {
  jti: string;
  /** The error to throw when it has no room; the audit log records it before it is answered. */
  refusal(no_room: NoRoom): Promise<WeirError>;
}

/**
 * Throws `unauthenticated` (401) and `forbidden` (403), which the audit log records before it is answered. `bearer`:
 * the text after `Bearer `.
 */
export type PermitEvent = (
  bearer: string,
  caller: Caller,
  submission: Submission,
  request_id: string,
) => Promise<PermittedEvent>;

export interface EnforceParts {
  verify: VerifyToken;
  store: Pick<AuthStore, 'audit'>;
  /** Knows the database's time. */
  view: Pick<RevocationView, 'now'>;
  /** The sensitivity of the target: the larger of what the event declares and what is known. */
  sensitivityOf: (event: AgentEvent) => number;
}

/** Of `target.sensitivity_level`. */
const HIGHEST_LEVEL = 4;

const REASONS: Readonly<Record<Refusal, string>> = {
  action_is_not_allowed: 'its rbac allows no such action',
  action_is_denied: 'its rbac denies this action',
  resource_is_not_allowed: 'its rbac allows no such resource',
  resource_is_denied: 'its rbac denies this resource',
  sensitivity_is_too_high: 'the target is more sensitive than its rbac allows',
};

export function createPermitEvent({ verify, store, view, sensitivityOf }: EnforceParts): PermitEvent {
  return async (bearer, caller, submission, request_id) => {
    const { event } = submission;
    const token = await verify(bearer, caller.customer_id);
    const requests = requestsOf(event, (one) => levelFor(token, one, sensitivityOf));
    const deny = async (reason: string, request: RbacRequest, more: object = {}): Promise<void> => {
      const by = { actor: `api_key ${caller.key_id}`, request_id };
      await store.audit.append(
        auditLine(by, 'event.denied', {
          customer_id: caller.customer_id,
          subject: event.event_id,
          details: { ...describeAttempt(token, event, request, reason), ...more },
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
    const refusal = async ({ room, wanted }: NoRoom): Promise<WeirError> => {
      await deny('session_is_spent', requests[0]!, { room, wanted });
      return new WeirError('rate_limited', {
        detail: describeNoRoom(token, room, wanted),
        // The count never refills, so this is the rest of the token's life.
        retry_after_s: Math.max(1, Math.ceil(token.expires_s - view.now() / 1_000)),
        members: { reason: 'session_is_spent' },
      });
    };
    return {
      submission: asActor(submission, token),
      session: token.max_events === null ? null : { jti: token.jti, refusal },
    };
  };
}

function describeNoRoom({ max_events }: VerifiedToken, room: number, wanted: number): string {
  if (room === 0) return `the session token allowed \`${max_events}\` events and all are used; derive a new one`;
  return `the session token allows \`${max_events}\` events and \`${room}\` are left, but this batch has \`${wanted}\` new ones; nothing was accepted, send fewer or derive a new token`;
}

/**
 * The level of the target as far as this token's rights depend on it. Rights up to the highest level cover every target, so
 * that the content of the event need not be read for them.
 */
function levelFor(token: VerifiedToken, event: AgentEvent, sensitivityOf: EnforceParts['sensitivityOf']): number {
  const is_limited = (token.rbac?.max_sensitivity_level ?? 0) < HIGHEST_LEVEL;
  return is_limited ? sensitivityOf(event) : (event.target?.sensitivity_level ?? HIGHEST_LEVEL);
}

/** One request per reading of the event, its own fields first: every reading must be permitted. */
function requestsOf(event: AgentEvent, sensitivityOf: EnforceParts['sensitivityOf']): RbacRequest[] {
  const legacy = legacyReading(event);
  const readings = legacy === null ? [event] : [event, legacy.event];
  return readings.map((one) => requestOf(one, sensitivityOf));
}

/** An empty type or id counts as absent. */
function requestOf(event: AgentEvent, sensitivityOf: EnforceParts['sensitivityOf']): RbacRequest {
  const { resource_type, resource_id } = event.target ?? {};
  return {
    action: parseAction(event.action)!,
    resource_type: resource_type || undefined,
    resource_id: resource_id || undefined,
    // Neither leaving out the sensitivity of a target nor declaring a low one makes it harmless.
    sensitivity_level: sensitivityOf(event),
  };
}

/** The token determines who acts, whatever the body claims. */
function asActor(submission: Submission, { agent_id, session_id }: VerifiedToken): Submission {
  const { event, content_hash, scored_hash, scored_length } = submission;
  const who = canonicalJson([agent_id, session_id]);
  return {
    event: {
      ...event,
      ...(agent_id !== null && { agent: { ...event.agent, agent_id } }),
      ...(session_id !== null && { session: { ...event.session, session_id } }),
    },
    content_hash: sha256(`${content_hash} ${who}`),
    ...(scored_hash !== undefined && { scored_hash: sha256(`${scored_hash} ${who}`) }),
    ...(scored_length !== undefined && { scored_length }),
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
