/**
 * What Weir needs from a store. Every backend passes the suite in test/contract; only `compose.ts` knows which backend
 * runs. This file has scores, policies and API keys; tokens, holds, the queue, webhooks and the cache have files of
 * their own beside it.
 *
 * Every method may reject with `StoreUnavailable` while the backend is out of reach; doors answer 503 then.
 */
import type { JsonObject } from '../../lang/json.ts';
import type { ActionPattern } from '../../lang/patterns.ts';
import type { HoldState, StoredHold } from '../../records/hold.ts';
import type { StoredPolicy } from '../../records/policy.ts';
import type { ScoreRecord, StoredScore } from '../../records/record.ts';
import type { StoredTrace } from '../../scoring/history/trace.ts';
import type { RiskLevel } from '../../scoring/types.ts';
import type { ActivitySource } from './activity.ts';
import type { AuthStore } from './auth.ts';
import type { ControlStore, GraphStore } from './graph.ts';
import type { BackendHealth } from './health.ts';
import type { HoldStore } from './holds.ts';
import type { PeopleStore } from './people.ts';
import type { QueueStore } from './queue.ts';
import type { WebhookStore } from './webhooks.ts';

/**
 * The backend works and cannot store this record, for instance text with U+0000. Nothing was written; other records are
 * not affected.
 */
export class RecordRefused extends Error {
  override name = 'RecordRefused';
}

export type RecordOutcome =
  /** Durable now. */
  | { kind: 'stored'; scored_at: string; hold: StoredHold | null }
  /** This event_id is stored already; compare `content_hash` to tell a retry from a conflict. */
  | { kind: 'exists'; record: StoredScore }
  /** This event_id was accepted for later with other content, which is not scored yet; nothing was written. */
  | { kind: 'queued'; content_hash: string }
  /** The record was made with a policy version that is no longer in force; nothing was written: score again. */
  | { kind: 'policy_changed' };

export type SentId = Pick<ScoreRecord, 'event_id' | 'content_hash'>;

export interface ScoreFilter {
  risk_level?: RiskLevel;
  /** Only events that were held and have this state now. */
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
  /** Events that would have been held and were only observed. */
  would_hold_count: number;
}

/** What a list can be narrowed to, beside the filters of `ScoreFilter`; all that are given must hold. */
export interface FacetFilter {
  agent_id?: string;
  session_id?: string;
  user_id?: string;
  /** A violated rule. */
  rule?: string;
  action?: ActionPattern;
  would_hold?: boolean;
}

/** `risk`: highest score first, of equal ones the newest. */
export type ScoreOrder = 'newest' | 'oldest' | 'risk';

/** A record's place in every order. */
export interface ScorePosition {
  score: number;
  scored_at: string;
  event_id: string;
}

export interface ScoreSearch {
  filter: ScoreFilter & FacetFilter;
  order: ScoreOrder;
  /** A page, from 1; or behind this record, wherever it is now. */
  from: { page: number } | { after: ScorePosition };
  /** Records of the answer. */
  limit: number;
}

export interface FoundScores {
  records: StoredScore[];
  /** All that match the filter, exact, counted in the same snapshot. */
  total: number;
  /** The last record of the answer; null: none follows. */
  next: ScorePosition | null;
}

/** A score, or a decision about a held event or the end of its hold, with its time. */
export interface Change {
  kind: 'scored' | 'decided';
  event_id: string;
  at: string;
}

export interface Changes {
  /** By time; at most as many as were asked for. */
  changes: Change[];
  /** Database time of the read. */
  now: string;
}

/** The longest time between a change's own time and its commit, in seconds: statements take two, a decision is timed before it is signed. */
export const CHANGES_SETTLE_S = 10;

/** Scores that one commit may store in their order. */
export const MOST_IN_ORDER = 64;

export interface ScoreStore {
  /**
   * Writes one score; concurrent calls share a multi-row insert, and each is answered after its own commit.
   * `assessment.policy_version` must be the version in force when the insert begins, otherwise `policy_changed`: a
   * score recorded after a policy change was acknowledged never rests on the previous policy.
   */
  record(record: ScoreRecord): Promise<RecordOutcome>;
  /**
   * Writes consecutive scores, at most `MOST_IN_ORDER`, in one commit: all are durable or none, and each has a later
   * `scored_at` than the one before. Resolves to an outcome for each, in order; an error where `record` would reject.
   * If one record cannot be stored, the records are written in turn, up to the first that finds the store
   * away.
   */
  recordInOrder(records: readonly ScoreRecord[]): Promise<(RecordOutcome | Error)[]>;
  /** The ids of events that `record` would not store: they are scored already, or queued with other content. */
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
  /** Any order and filter. Where `FacetFilter` takes part, the time it takes grows with the events in the dates. */
  search(customer_id: string, search: ScoreSearch): Promise<FoundScores>;
  /**
   * What happened after `since`, oldest first. A change may become visible up to `CHANGES_SETTLE_S` after its time, so
   * who follows reads that much again.
   */
  changes(customer_id: string, since: string, limit: number): Promise<Changes>;
  /** Those of these events that are scored, in any order. */
  findMany(customer_id: string, event_ids: readonly string[]): Promise<StoredScore[]>;
  summary(customer_id: string): Promise<ScoreSummary>;
  /** The newest `limit` traces of each owner. One statement, on an index. */
  traces(owners: readonly TraceOwner[], limit: number): Promise<Traces[]>;
  /**
   * Counts the events of each agent and session, and those with a mark of each customer, per second, over a short stretch of time from `since` on (null: a
   * minute ago). The stretch ends a few seconds before now, because later seconds may still get events; empty time at
   * its beginning is skipped.
   */
  countOwners(since: number | null): Promise<OwnerCounts>;
  /** Identifies this database; the same for all nodes on it. */
  origin(): Promise<string>;
}

export interface Traces {
  /** Oldest first. */
  traces: StoredTrace[];
  /** Time of the query, in whole seconds since 1970 by the database's clock. */
  asked_at: number;
}

/** Times are whole seconds since 1970 by the database's clock. */
export interface OwnerCounts {
  /** Begin of the next stretch. */
  until: number;
  /** No later second can be counted yet. */
  is_last: boolean;
  counts: OwnerCount[];
}

export interface OwnerCount extends TraceOwner {
  second: number;
  n: number;
}

/** An agent or a session, by its key in `Past`; or a customer, whose traces are those with a mark, by `SHARED_KEY`. */
export interface TraceOwner {
  customer_id: string;
  kind: 'agent' | 'session' | 'shared';
  key: string;
}

/** The key of each customer's own memory. */
export const SHARED_KEY = '0'.repeat(32);

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
  /** What it may do (`tokens/api-keys/scopes.ts`). */
  scopes: readonly string[];
  created_at: string;
  revoked_at: string | null;
}

/** A key to be stored. `key_hash`: SHA-256 hex of the whole key. */
export interface NewApiKey extends Pick<StoredApiKey, 'key_id' | 'customer_id' | 'name' | 'scopes'> {
  key_hash: string;
}

export interface ApiKeyStore {
  /** Creates the customer when it is new. Idempotent by `key_hash`: a key that exists for this customer gets these scopes. */
  create(key: NewApiKey): Promise<StoredApiKey>;
  /** The key with this id, revoked ones included. */
  find(key_id: string): Promise<StoredApiKey | null>;
  /** The key with this hash, revoked ones included. */
  findByHash(key_hash: string): Promise<StoredApiKey | null>;
  /** Those of these hashes that belong to keys, in one query. */
  findByHashes(key_hashes: readonly string[]): Promise<ReadonlyMap<string, StoredApiKey>>;
  list(customer_id: string): Promise<StoredApiKey[]>;
  /** Durable when it resolves; `null` when there is no such key. Revoking twice keeps the first time. */
  revoke(key_id: string): Promise<StoredApiKey | null>;
  /** Number of all keys: 0 means a first start. */
  count(): Promise<number>;
}

export interface StoreHealth extends BackendHealth {
  /** Number of the last migration that was applied. */
  migration: number;
}

/** Current load of a store in this process. */
export interface StoreLoad {
  /** Open connections, and the idle ones among them. */
  connections: number;
  idle: number;
  /** Calls that wait for a connection. */
  waiting: number;
  /** Scores that wait to be written. */
  unwritten: number;
}

export interface Storage {
  scores: ScoreStore;
  /** Events accepted for later: see queue.ts. */
  queue: QueueStore;
  policies: PolicyStore;
  api_keys: ApiKeyStore;
  /** Named people, their sessions and approvals: see people.ts. */
  people: PeopleStore;
  /** Tokens, their keys and revocations: see auth.ts. */
  auth: AuthStore;
  /** Endpoints, and the outbox of messages to them: see webhooks.ts. */
  webhooks: WebhookStore;
  /** Decisions about held events; `ScoreStore.record` makes a hold. */
  holds: HoldStore;
  /** Controls and internal policies of customers: see graph.ts. */
  controls: ControlStore;
  /** The graphs in this database: the default, and what answers while an external one does not. */
  graph: GraphStore;
  /** Stored events, for the graph of activity: see activity.ts. */
  activity: ActivitySource;
  /** Pings the backend, bounded to one second; never rejects. */
  health(): Promise<StoreHealth>;
  /**
   * Runs a part of the start, possibly several times, until the backend succeeds: a transient fault ends a start only
   * when it lasts longer than the time allowed for opening, in total.
   */
  whenUp<T>(work: () => Promise<T>): Promise<T>;
  load(): StoreLoad;
  close(): Promise<void>;
}
