/** PURE: the life of a held event, in one table. What is not in it cannot happen. */

import { LEVELS } from '../scoring/level.ts';
import type { RiskLevel } from '../scoring/types.ts';
import type { DecidedState, Decision, HoldState } from '../storage/ports/holds.ts';

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
