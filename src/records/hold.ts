/** Held events as they are kept, and the life of one in a table: what is not in it cannot happen. */
import { LEVELS } from '../scoring/level.ts';
import type { RiskLevel } from '../scoring/types.ts';

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

/** A held event and the database's time of the read. */
export interface HeldEvent {
  hold: StoredHold;
  now: string;
}

/** What can happen to a hold: somebody decides, or its time runs out. */
export type Occurrence = Decision | 'expire';

/** From each state, what can happen and where it leads. Only the first state has a way out. */
export const transitions = {
  held: { approve: 'approved', reject: 'rejected', expire: 'expired' },
  approved: {},
  rejected: {},
  expired: {},
} as const satisfies Record<HoldState, Partial<Record<Occurrence, HoldState>>>;

export const holdStates = Object.keys(transitions) as HoldState[];
export const decisions = ['approve', 'reject'] as const satisfies readonly Decision[];

/** Where a decision leads from this state; `null` where none can be made. */
export function decided(state: HoldState, decision: Decision): DecidedState | null {
  return state === 'held' ? transitions.held[decision] : null;
}

/** The decision that led to a state; `null` for a state that nobody decided. */
export function decisionBehind(state: HoldState): Decision | null {
  return decisions.find((decision) => transitions.held[decision] === state) ?? null;
}

/** Lowest level that is held; `none` holds nothing. */
export type HoldThreshold = RiskLevel;

/** Whether an event of this level waits for a person. */
export function isHeldAt(level: RiskLevel, threshold: HoldThreshold): boolean {
  return threshold !== 'none' && LEVELS.indexOf(level) >= LEVELS.indexOf(threshold);
}
