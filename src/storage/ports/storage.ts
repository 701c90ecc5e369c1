/**
 * What Weir needs from a store, in its own words. Every backend passes `contract.ts`; only `compose.ts` knows which runs.
 * Here are scores, policies and API keys; tokens, holds, the queue, webhooks and the cache have files of their own (`*-ports.ts`).
 *
 * Every method may reject with `StoreUnavailable` while the backend is out of reach; doors answer 503 then.
 */
import type { JsonObject } from '../../lang/json.ts';
import type { HoldState, StoredHold } from '../../records/hold.ts';
import type { RuleTexts } from '../../records/kept-assessment.ts';
import type { StoredPolicy } from '../../records/policy.ts';
import type { ScoreRecord, StoredScore } from '../../records/record.ts';
import type { StoredTrace } from '../../scoring/history/trace.ts';
import type { RiskLevel } from '../../scoring/types.ts';
import type { AuthStore } from './auth.ts';
import type { BackendHealth } from './health.ts';
import type { HoldStore } from './holds.ts';
import type { QueueStore } from './queue.ts';
import type { WebhookStore } from './webhooks.ts';

/** The backend is there and cannot keep this record, for instance text with U+0000. Nothing was written; others are not touched. */
export class RecordRefused extends Error {
  override name = 'RecordRefused';
}

export type RecordOutcome =
  /** Durable now. */
  | { kind: 'stored'; scored_at: string; hold: StoredHold | null }
  /** This event_id was there already; compare `content_hash` to tell a retry from a conflict. */
  | { kind: 'exists'; record: StoredScore }
  /** This event_id was accepted for later with other content, which is not scored yet; nothing was written. */
  | { kind: 'queued'; content_hash: string }
  /** The record was made with a policy version that is no longer in force; nothing was written: score again. */
  | { kind: 'policy_changed' };

export type SentId = Pick<ScoreRecord, 'event_id' | 'content_hash'>;

export interface ScoreFilter {
  risk_level?: RiskLevel;
  /** Only events that were held and are in this state now. */
  hold?: HoldState;
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

/** Scores that one commit may take in their order. */
export const MOST_IN_ORDER = 64;

export interface ScoreStore {
  /**
   * Keeps the texts that assessments of this version of the rules refer to (`AssessmentJson.kept`), durable when it resolves: call it
   * before the first of them is recorded. Idempotent. Resolves with the texts that are kept, the first that came: assessments have to
   * refer to these, because another release may list the texts of the same rules in another way.
   */
  keepRuleTexts(rule_set_version: string, texts: RuleTexts): Promise<RuleTexts>;
  /**
   * Writes one score; concurrent calls share a multi-row insert, and each is answered after its own commit.
   * `assessment.policy_version` must be the version in force when the insert begins, else `policy_changed`: what is
   * recorded after a policy was answered never rests on the one before.
   */
  record(record: ScoreRecord): Promise<RecordOutcome>;
  /**
   * Writes scores that follow on each other, at most `MOST_IN_ORDER`, in one commit: all are durable or none, and each has a later
   * `scored_at` than the one before. Answers for each, in order; an error where `record` would reject. A record that cannot be
   * kept takes the others apart: then they are written one after the other, up to the first that finds the store away.
   */
  recordInOrder(records: readonly ScoreRecord[]): Promise<(RecordOutcome | Error)[]>;
  /** The ids of those that `record` would not store: they are scored already, or wait to be with other content. */
  usedIds(customer_id: string, events: readonly SentId[]): Promise<Set<string>>;
  find(customer_id: string, event_id: string): Promise<StoredScore | null>;
  /** The same, and `queued` for an event that is accepted and not scored yet. */
  lookUp(customer_id: string, event_id: string): Promise<StoredScore | 'queued' | null>;
  /** Newest first (`scored_at`, then `event_id`, both descending); `total` is exact and counted in the same snapshot. */
  list(
    customer_id: string,
    filter: ScoreFilter,
    page: number,
    per_page: number,
  ): Promise<{ records: StoredScore[]; total: number }>;
  summary(customer_id: string): Promise<ScoreSummary>;
  /** For each owner its newest `limit` traces. One statement, on an index. */
  traces(owners: readonly TraceOwner[], limit: number): Promise<Traces[]>;
  /**
   * How many events each agent and session has in each second, over a short stretch of time from `since` on (null: a minute
   * ago). It ends a few seconds before now, because later seconds may still get events; time without any at its beginning is
   * skipped.
   */
  countOwners(since: number | null): Promise<OwnerCounts>;
  /** Tells this database from every other; the same for all nodes on it. */
  origin(): Promise<string>;
}

export interface Traces {
  /** Oldest first. */
  traces: StoredTrace[];
  /** When the database was asked, in whole seconds since 1970 by its clock. */
  asked_at: number;
}

/** Times are whole seconds since 1970 by the database's clock. */
export interface OwnerCounts {
  /** Where the next stretch begins. */
  until: number;
  /** Nothing later can be counted yet. */
  is_last: boolean;
  counts: OwnerCount[];
}

export interface OwnerCount extends TraceOwner {
  second: number;
  n: number;
}

/** An agent or a session, by its key in `Past`. */
export interface TraceOwner {
  customer_id: string;
  kind: 'agent' | 'session';
  key: string;
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

export interface StoreHealth extends BackendHealth {
  /** Number of the last migration that was applied. */
  migration: number;
}

/** What a store is busy with in this process, now. */
export interface StoreLoad {
  /** Connections that are open, and those of them that wait for work. */
  connections: number;
  idle: number;
  /** Calls that wait for a connection. */
  waiting: number;
  /** Scores that wait to be written. */
  unwritten: number;
}

export interface Storage {
  scores: ScoreStore;
  /** Events accepted for later: see queue-ports.ts. */
  queue: QueueStore;
  policies: PolicyStore;
  api_keys: ApiKeyStore;
  /** Tokens, their keys and revocations: see auth-ports.ts. */
  auth: AuthStore;
  /** Endpoints, and the outbox of messages to them: see webhook-ports.ts. */
  webhooks: WebhookStore;
  /** Decisions about held events; an event is held by `ScoreStore.record`. */
  holds: HoldStore;
  /** Asks the backend, bounded to one second; never rejects. */
  health(): Promise<StoreHealth>;
  /**
   * Runs a part of the start, which may run several times, until the backend does it: a passing fault of it ends a start only when it
   * lasts for longer than opening waits, all in all.
   */
  whenUp<T>(work: () => Promise<T>): Promise<T>;
  load(): StoreLoad;
  close(): Promise<void>;
}
