/** One scored event as it is stored. */
import type { AgentEvent } from '../events/event.ts';
import type { Assessment, RiskLevel } from '../scoring/types.ts';
import type { HoldTerms, StoredHold } from './hold.ts';
import type { AssessmentJson, EventPast } from './texts.ts';

/** The past of an event: what the memory said about it, and what it adds to the memory. */
export interface Past extends EventPast {
  /** Hashes of the ids, 32 hex digits; null for one that the event does not name. */
  agent_key: string | null;
  session_key: string | null;
}

/** One scored event as it is stored: the event, its assessment, and the versions of policy and rules. */
export interface ScoreRecord {
  customer_id: string;
  event_id: string;
  /** SHA-256 hex of the event's canonical content as the caller sent it; tells a retry (200) from a conflict (409). */
  content_hash: string;
  event: AgentEvent;
  assessment: Assessment;
  risk_level: RiskLevel;
  cache_hit: boolean;
  /** Null for an event that names neither agent nor session. */
  past: Past | null;
  /** The terms of its hold, stored by the same statement as the score; null: it is not held. */
  hold: HoldTerms | null;
  /** It would have been held, but its customer, agent or API key is only observed. */
  would_hold: boolean;
  /** JSON of the large fields, where it was written already or serves other records too. */
  json?: RecordJson;
}

export interface RecordJson {
  event?: string;
  assessment: AssessmentJson;
  /** As `pastJson` (texts.ts) writes it. */
  past?: string | null;
}

export interface StoredScore extends Omit<ScoreRecord, 'hold'> {
  /** Null for an event that was never held. */
  hold: StoredHold | null;
  /** Database time of the write, ISO 8601 with microseconds, UTC. */
  scored_at: string;
  /** Which part of the assessment is lost, in a sentence that its reasoning repeats; absent: none. */
  lost?: string;
}
