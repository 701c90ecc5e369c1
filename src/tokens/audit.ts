/** The audit log: every line is made here, so that the list of actions is in one place. */
import type { AuditEntry } from '../storage/ports/auth.ts';

/** The caller, for the audit log. */
export interface Requester {
  /** Such as `operator@127.0.0.1`, `command line`, `api_key <key_id>`. */
  actor: string;
  request_id: string;
}

export type AuditAction =
  | 'api_key.issued'
  | 'api_key.revoked'
  | 'key.created'
  | 'key.rotated'
  | 'key.disabled'
  | 'token.issued'
  | 'token.refused'
  | 'token.revoked'
  | 'tree.revoked'
  | 'filter.rebuilt'
  | 'event.denied'
  | 'webhook.registered'
  | 'webhook.tested'
  | 'webhook.secret_rotated'
  | 'webhook.disabled'
  | 'webhook.enabled'
  | 'webhook.replayed'
  | 'event.decided'
  | 'decision.refused'
  | 'event.approved'
  | 'person.added'
  | 'person.role'
  | 'person.removed'
  | 'person.linked'
  | 'person.signed_in'
  | 'delegation.made'
  | 'delegation.ended';

export interface AuditFacts {
  customer_id: string | null;
  /** A jti, a key_id, an event_id. */
  subject?: string | null;
  details?: Record<string, unknown>;
}

export function auditLine(by: Requester, action: AuditAction, facts: AuditFacts): AuditEntry {
  const { customer_id, subject = null, details = {} } = facts;
  return { customer_id, action, actor: by.actor, request_id: by.request_id, subject, details };
}
