/**
 * Held events and decisions about them, as a store keeps them. Times are the database's: ISO 8601 with microseconds,
 * UTC.
 */

import type { DecidedState, Decider, StoredHold } from '../../records/hold.ts';
import type { RiskLevel } from '../../scoring/types.ts';
import type { AuditEntry } from './auth.ts';

export interface FoundEvent {
  /** `null` for an event that is not scored yet, or was never held. */
  hold: StoredHold | null;
  is_scored: boolean;
  /** Of the hold; `null` without one. */
  held_at: string | null;
  risk_level: RiskLevel | null;
  /** `session.user_id` of the event; `null` without one. */
  session_user: string | null;
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
  /** Everyone behind it. */
  decided_by: readonly Decider[];
}

/** The event that was decided; `null`: unknown, so check again. */
export type DecidedEvent = { customer_id: string; event_id: string } | null;

export interface HoldStore {
  /** `null` when this customer never sent such an event. */
  find(customer_id: string, event_id: string): Promise<FoundEvent | null>;
  /**
   * Writes a decision and its audit line if, at that moment, the event is held and not expired, the token valid and the
   * signing key active. `false`: one of these does not hold, and nothing was written. At most one call per event ever
   * returns `true`, under any race.
   */
  decide(decision: NewDecision, audit: AuditEntry): Promise<boolean>;
  /**
   * Writes the expiry of up to `limit` holds whose time ran out, each with its message; returns how many. A hold ends
   * once, however many nodes do this concurrently, and never after a decision.
   */
  expire(limit: number): Promise<number>;
  /**
   * Calls back whenever some node decided or expired a hold. A hint, never the only source. Returns a function that
   * unsubscribes.
   */
  onDecision(callback: (event: DecidedEvent) => void): () => void;
}
