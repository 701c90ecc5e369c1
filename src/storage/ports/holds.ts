/** Held events and decisions about them, as a store keeps them. Times are the database's: ISO 8601 with microseconds, UTC. */
import type { AuditEntry } from './auth.ts';

export type HoldState = 'held' | 'approved' | 'rejected' | 'expired';
export type Decision = 'approve' | 'reject';
/** States that a decision leads to. */
export type DecidedState = 'approved' | 'rejected';

/** What makes a record a held one when it is written. */
export interface HoldTerms {
  /** Minutes, by the database's clock, after which nobody can decide any more. */
  ttl_minutes: number;
  /** SHA-256 hex of the action as scored (`holds/action-hash.ts`). */
  action_hash: string;
}

export interface StoredHold {
  /** As of the read: `held` beyond `expires_at` reads as `expired`. */
  state: HoldState;
  expires_at: string;
  /** `null` until somebody decides; an expiry is no decision. */
  decided_at: string | null;
  reason: string | null;
  action_hash: string;
  /** Compact JWS over the decision (`holds/cosign.ts`). */
  cosignature: string | null;
}

export interface FoundEvent {
  /** `null` for an event that is not scored yet, or was never held. */
  hold: StoredHold | null;
  is_scored: boolean;
  /** Database time of the read. */
  now: string;
}

export interface NewDecision {
  customer_id: string;
  event_id: string;
  state: DecidedState;
  decided_at: string;
  reason: string | null;
  /** The override token that allowed it. */
  jti: string;
  /** The key that cosigned it. */
  key_id: string;
  cosignature: string;
}

/** The event that something was decided about; `null`: it is not known which, so look again. */
export type DecidedEvent = { customer_id: string; event_id: string } | null;

export interface HoldStore {
  /** `null` when this customer never sent such an event. */
  find(customer_id: string, event_id: string): Promise<FoundEvent | null>;
  /**
   * Writes a decision and its audit line if, at that moment, the event is held and not expired, the token alive and the
   * signing key active. `false`: one of these does not hold, and nothing was written. At most one call for an event ever
   * gets `true`, whoever races.
   */
  decide(decision: NewDecision, audit: AuditEntry): Promise<boolean>;
  /**
   * Writes the end of up to `limit` holds whose time ran out, each with its message; answers how many. A hold is ended
   * once, whichever nodes do this at a time, and never one that somebody decided.
   */
  expire(limit: number): Promise<number>;
  /** Calls back whenever some node decided, or ended a hold. A hint, never the only way to learn of it. Answers how to stop. */
  onDecision(callback: (event: DecidedEvent) => void): () => void;
}
