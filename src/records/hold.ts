/** Held events as they are stored, and the table of their states: a transition that is not in the table cannot happen. */

import type { RiskLevel } from '../scoring/types.ts';

export type HoldState = 'held' | 'approved' | 'rejected' | 'expired';
export type Decision = 'approve' | 'reject';
/** States that a decision leads to. */
export type DecidedState = 'approved' | 'rejected';

/** The terms of a hold, stored with the record. */
export interface HoldTerms {
  /** Minutes, by the database's clock, after which the hold expires. */
  ttl_minutes: number;
  /** SHA-256 hex of the action as scored (`holds/action-hash.ts`). */
  action_hash: string;
  /** The page where a person decides about it, for messages. Absent: unknown. */
  link?: string;
}

/** Somebody behind a decision: who, how signed in, from where. */
export interface Decider {
  kind: 'person' | 'api_key' | 'operator' | 'command_line';
  /** person_id or key_id; `null` for the operator. */
  id: string | null;
  name: string | null;
  email: string | null;
  /** `link`, `password`, `oidc`, `api_key`, `admin_key`. */
  signed_in: string;
  /** Address of the request; `null` on the command line. */
  address: string | null;
  /** The person whose right was used, where it was lent. */
  on_behalf_of?: { id: string; email: string };
}

export interface StoredHold {
  /** As of the read: `held` beyond `expires_at` reads as `expired`. */
  state: HoldState;
  expires_at: string;
  /** `null` until a person decides; an expiry is not a decision. */
  decided_at: string | null;
  reason: string | null;
  /** Everyone behind the decision, in the order of their approvals; `null` before it, and for decisions of earlier versions. */
  decided_by: readonly Decider[] | null;
  action_hash: string;
  /** Compact JWS over the decision (`holds/cosign.ts`). */
  cosignature: string | null;
}

/** A held event and the database's time of the read. */
export interface HeldEvent {
  hold: StoredHold;
  now: string;
  /** When it was held. */
  held_at: string;
  risk_level: RiskLevel;
  /** `session.user_id` of the event; `null` without one. */
  session_user: string | null;
}

/** What can happen to a hold: a decision, or its expiry. */
export type Occurrence = Decision | 'expire';

/** From each state, the occurrences that are possible and the state that each leads to. Only `held` can be left. */
export const transitions = {
  held: { approve: 'approved', reject: 'rejected', expire: 'expired' },
  approved: {},
  rejected: {},
  expired: {},
} as const satisfies Record<HoldState, Partial<Record<Occurrence, HoldState>>>;

export const holdStates = Object.keys(transitions) as HoldState[];
export const decisions = ['approve', 'reject'] as const satisfies readonly Decision[];

/** The state that a decision leads to; `null` in states in which none can be made. */
export function decided(state: HoldState, decision: Decision): DecidedState | null {
  return state === 'held' ? transitions.held[decision] : null;
}

/** The decision that led to a state; `null` for `held` and `expired`. */
export function decisionBehind(state: HoldState): Decision | null {
  return decisions.find((decision) => transitions.held[decision] === state) ?? null;
}
