/**
 * What lists are filtered by: facts of a record in columns of their own, of bounded size, so that one index holds them
 * all. Ids and rules are hashes there, because an id may hold any text; the migration `0019-facets` computes the same.
 */
import { hash } from 'node:crypto';
import type { ScoreRecord } from './record.ts';

/** Whose id a key stands for. A hash includes it, so that an agent is never taken for a session. */
export type OwnerKind = 'agent' | 'session' | 'user';

const KEY_DIGITS = 32;
/** Rules of one record that the index holds: more do not fit into an entry of it. Rules come in order of importance. */
const MOST_RULES = 128;
/** Rules repeat from event to event; customers' own ones are bounded as well, by their policies. */
const MOST_KNOWN = 10_000;

/** The key of an agent_id, session_id or user_id: 32 hex digits. */
export function ownerKey(kind: OwnerKind, id: string): string {
  return hash('sha256', `${kind} ${id}`, 'hex').slice(0, KEY_DIGITS);
}

const known_rules = new Map<string, number>();

/** The key of a rule id: a signed 32-bit integer, the first four bytes of its SHA-256. */
export function ruleKey(rule: string): number {
  let key = known_rules.get(rule);
  if (key === undefined) {
    key = Number.parseInt(hash('sha256', rule, 'hex').slice(0, 8), 16) | 0;
    if (known_rules.size >= MOST_KNOWN) known_rules.clear();
    known_rules.set(rule, key);
  }
  return key;
}

export interface Facets {
  action: string;
  /** Null for an event that names no user. */
  user_key: string | null;
  /** Keys of the violated rules. */
  rules: readonly number[];
}

export function facetsOf({ event, assessment }: Pick<ScoreRecord, 'event' | 'assessment'>): Facets {
  const user_id = event.session?.user_id;
  return {
    action: event.action,
    user_key: user_id === undefined || user_id === '' ? null : ownerKey('user', user_id),
    rules: assessment.violations.slice(0, MOST_RULES).map(ruleKey),
  };
}
