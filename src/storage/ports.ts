/**
 * What Weir needs from a store, in its own words. Every backend passes `contract.ts`; only `compose.ts` knows which runs.
 *
 * Every method may reject with `StoreUnavailable` while the backend is out of reach; doors answer 503 then.
 */
import type { AgentEvent, Assessment, JsonObject, RiskLevel } from '../scoring/types.ts';

/** The backend cannot be reached or did not answer in time. Nothing is known about whether the call took effect. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** The backend is there and cannot keep this record, for instance text with U+0000. Nothing was written; others are not touched. */
export class RecordRefused extends Error {
  override name = 'RecordRefused';
}

/** One scored event as it is kept: what was asked, what was answered, and by which versions. */
export interface ScoreRecord {
  customer_id: string;
  event_id: string;
  /** SHA-256 hex of the event's canonical content as the caller sent it; decides same content (200) or conflict (409). */
  content_hash: string;
  event: AgentEvent;
  assessment: Assessment;
  risk_level: RiskLevel;
  cache_hit: boolean;
}

export interface StoredScore extends ScoreRecord {
  /** Database time of the write, ISO 8601 with microseconds, UTC. */
  scored_at: string;
}

export type RecordOutcome =
  /** Durable now. */
  | { kind: 'stored'; scored_at: string }
  /** This event_id was there already; compare `content_hash` to tell a retry from a conflict. */
  | { kind: 'exists'; record: StoredScore }
  /** The record was made with a policy version that is no longer in force; nothing was written: score again. */
  | { kind: 'policy_changed' };

export interface ScoreFilter {
  risk_level?: RiskLevel;
  /** Inclusive, ISO 8601. */
  from_date?: string;
  to_date?: string;
}

export interface ScoreSummary {
  total_events: number;
  /** Mean score, 0 when there are no events. */
  avg_score: number;
  none_count: number;
  low_count: number;
  medium_count: number;
  high_count: number;
  critical_count: number;
}

export interface ScoreStore {
  /**
   * Writes one score; concurrent calls share a multi-row insert, and each is answered after its own commit.
   * `assessment.policy_version` must be the version in force when the insert begins, else `policy_changed`: what is
   * recorded after a policy was answered never rests on the one before.
   */
  record(record: ScoreRecord): Promise<RecordOutcome>;
  find(customer_id: string, event_id: string): Promise<StoredScore | null>;
  /** Newest first (`scored_at`, then `event_id`, both descending); `total` is exact and counted in the same snapshot. */
  list(
    customer_id: string,
    filter: ScoreFilter,
    page: number,
    per_page: number,
  ): Promise<{ records: StoredScore[]; total: number }>;
  summary(customer_id: string): Promise<ScoreSummary>;
}

export interface StoredPolicy {
  customer_id: string;
  /** 1 for the first; every version is kept. */
  version: number;
  policies: JsonObject;
  updated_at: string;
}

export interface PolicyStore {
  /** Appends a version and puts it in force. */
  put(customer_id: string, policies: JsonObject): Promise<StoredPolicy>;
  current(customer_id: string): Promise<StoredPolicy | null>;
  version(customer_id: string, version: number): Promise<StoredPolicy | null>;
}

export interface StoredApiKey {
  key_id: string;
  customer_id: string;
  name: string;
  created_at: string;
  revoked_at: string | null;
}

export interface ApiKeyStore {
  /** Makes the customer known when it is new. `key_hash`: SHA-256 hex of the whole key. Idempotent by `key_hash`. */
  create(key: { key_id: string; customer_id: string; name: string; key_hash: string }): Promise<StoredApiKey>;
  /** The key with this hash, revoked ones included. */
  findByHash(key_hash: string): Promise<StoredApiKey | null>;
  list(customer_id: string): Promise<StoredApiKey[]>;
  /** Durable before it answers; `null` when there is no such key. Revoking twice keeps the first time. */
  revoke(key_id: string): Promise<StoredApiKey | null>;
  /** How many keys exist at all: 0 means a first start. */
  count(): Promise<number>;
}

export interface StoreHealth {
  status: 'ok' | 'error';
  latency_ms: number;
  /** Number of the last migration that was applied. */
  migration: number;
  detail?: string;
}

export interface Storage {
  scores: ScoreStore;
  policies: PolicyStore;
  api_keys: ApiKeyStore;
  /** Asks the backend, bounded to one second; never rejects. */
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
}

/** Shared short-lived state. Never the only home of a truth: losing it may slow an answer, not change it. */
export interface Cache {
  get(key: string): Promise<string | null>;
  /** `ttl_ms` is required: nothing lives here for ever. */
  set(key: string, value: string, ttl_ms: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Adds to a counter and returns its new value; a new counter lives for `ttl_ms`. */
  increment(key: string, by: number, ttl_ms: number): Promise<number>;
  /** Asks the backend, bounded to one second; never rejects. */
  health(): Promise<{ status: 'ok' | 'error'; latency_ms: number; detail?: string }>;
  close(): Promise<void>;
}
