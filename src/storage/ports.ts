/**
 * What Weir needs from a store, in its own words. Every backend passes `contract.ts`; only `compose.ts` knows which runs.
 *
 * Every method may reject with `StoreUnavailable` while the backend is out of reach; doors answer 503 then.
 */
import type { AssessmentJson } from '../scoring/assessment-json.ts';
import type { Memory } from '../scoring/history/memory.ts';
import type { StoredTrace, Trace } from '../scoring/history/trace.ts';
import type { AgentEvent, Assessment, History, JsonObject, RiskLevel } from '../scoring/types.ts';
import type { AuthStore, NoRoom } from './auth-ports.ts';
import type { HoldState, HoldStore, HoldTerms, StoredHold } from './hold-ports.ts';
import type { WebhookStore } from './webhook-ports.ts';

/** The backend cannot be reached or did not answer in time. Nothing is known about whether the call took effect. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** The backend is there and cannot keep this record, for instance text with U+0000. Nothing was written; others are not touched. */
export class RecordRefused extends Error {
  override name = 'RecordRefused';
}

/** What an event had to do with the memory of its agent and session. */
export interface Past {
  /** Hashes of the ids, 32 hex digits; null for one that the event does not name. */
  agent_key: string | null;
  session_key: string | null;
  /** What the event leaves in the memory. */
  trace: Trace;
  /** What the memory said about it: evidence of its score. */
  history: History | null;
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
  /** Null for an event that names neither agent nor session. */
  past: Past | null;
  /** The event waits for a person's decision; null: it does not. Kept by the statement that keeps the score. */
  hold: HoldTerms | null;
  /** JSON of the large fields, where somebody has made it already or makes it for others too. */
  json?: RecordJson;
}

export interface RecordJson {
  event?: string;
  assessment: AssessmentJson;
  /** By `pastJson`. */
  past?: string | null;
}

/** JSON of a past, with the history last: whoever reads traces leaves it out unread. `history_json`: where somebody has made it already. */
export function pastJson(
  { agent_key, session_key, trace, history }: Past,
  history_json = JSON.stringify(history),
): string {
  return `${JSON.stringify({ agent_key, session_key, trace }).slice(0, -1)},"history":${history_json}}`;
}

export interface StoredScore extends Omit<ScoreRecord, 'hold'> {
  /** Null for an event that was never held. */
  hold: StoredHold | null;
  /** Database time of the write, ISO 8601 with microseconds, UTC. */
  scored_at: string;
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

export interface ScoreStore {
  /**
   * Writes one score; concurrent calls share a multi-row insert, and each is answered after its own commit.
   * `assessment.policy_version` must be the version in force when the insert begins, else `policy_changed`: what is
   * recorded after a policy was answered never rests on the one before.
   */
  record(record: ScoreRecord): Promise<RecordOutcome>;
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
   * How many events each agent and session has in each second, over a short stretch from `since` on (null: a minute ago),
   * and only where no more can come: a few seconds back. What is empty at its beginning is passed over.
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

/** One event accepted for later. */
export interface QueuedEvent {
  event_id: string;
  content_hash: string;
  event: AgentEvent;
  /** JSON of `event`, where somebody has made it already. */
  json?: string;
  /** What else was found out about it (engine/submission.ts). Not stored: it comes back with the event only where both are at hand. */
  deed_hash?: string;
  deed_length?: number;
  /** 0 to `LANES` − 1. Events of one lane are scored in order of arrival, so those of one session belong in one. */
  lane: number;
}

/** Lanes of one customer: how many workers can score its events at the same time. */
export const LANES = 16;

export type AcceptOutcome =
  /** Durable now. `event_ids`: those that are new; the others were there with the same content and are not queued again. */
  | { kind: 'accepted'; event_ids: string[] }
  /** The event at `index` was used before with other content; nothing was written. */
  | { kind: 'conflict'; index: number }
  /** The session token has no room for those that are new; nothing was written. */
  | NoRoom;

/** A lane that one worker has for itself until its lease ends. */
export interface Lane {
  customer_id: string;
  lane: number;
}

export interface TakenEvent extends QueuedEvent {
  customer_id: string;
  /** How often a worker began it alone and did not come back; `null` for one that no worker died over, nor beside. */
  deaths: number | null;
}

/** An accepted event that no worker could score. */
export interface BuriedEvent {
  customer_id: string;
  event_id: string;
  reason: string;
  /** ISO 8601 with microseconds, UTC. */
  accepted_at: string;
}

/** Which of the events that were set aside; all that is said holds. */
export interface BuriedFilter {
  customer_id?: string;
  /** Text that stands in the reason, letter by letter. */
  reason?: string;
}

export interface QueueStats {
  /** Accepted and not scored yet; of what no worker has begun, also those that were scored at a door meanwhile. */
  waiting: number;
  /** Age of the oldest of them in seconds, 0 when there is none. */
  oldest_s: number;
  /** Lanes that are being worked on. */
  leased_lanes: number;
  /** Events that no worker could score; they wait for a person. */
  dead: number;
}

/**
 * Events accepted for later. An event is in the queue until its score is stored or it is set aside, whoever does that and
 * whoever dies meanwhile. A lease only keeps order and saves work: two workers on one event still store one score.
 */
export interface QueueStore {
  /** All of them in one transaction, or none. `session_jti`: the token whose session counts those that are new, as `TokenStore.countEvents`. */
  accept(customer_id: string, events: readonly QueuedEvent[], session_jti?: string | null): Promise<AcceptOutcome>;
  /**
   * The lane with work that was not served for longest, for `lease_ms`; `null` when there is none. `of` narrows it to one
   * lane, or to lanes that nobody served for a while. `holder`: a new id for each lease.
   */
  lease(holder: string, lease_ms: number, of?: { lane?: Lane; idle_ms?: number }): Promise<Lane | null>;
  /**
   * The next events of a leased lane, oldest first; empty when there are none or the lease was lost. They come as they were
   * accepted together: at most `limit`, or one such part. Asking again means that those taken before are done with. Events
   * that a worker died over come one at a time, and so do any that are not scored when they should be.
   */
  take(lane: Lane, holder: string, limit: number): Promise<TakenEvent[]>;
  /**
   * Counts a death over an event with `deaths`, before a worker scores it: if it dies, nobody could count any more. `false`
   * when the lease was lost.
   */
  begin(event: TakenEvent, holder: string): Promise<boolean>;
  /** Takes back what `begin` counted: the worker lives, and the event is not scored for another's fault. */
  absolve(event: TakenEvent): Promise<void>;
  /** Prolongs a lease; `false` when another worker has the lane. */
  renew(lane: Lane, holder: string, lease_ms: number): Promise<boolean>;
  /**
   * Gives the lane back; it comes up again while there is work. `is_unfinished`: some of the events taken are left, and
   * not because of them. Answers whether there is more to do.
   */
  release(lane: Lane, holder: string, is_unfinished?: boolean): Promise<boolean>;
  /** Sets an event aside that cannot be scored, with the reason. */
  bury(event: TakenEvent, reason: string): Promise<void>;
  /** A page of those set aside, oldest first, and how many there are. */
  buried(filter: BuriedFilter, page: number, per_page: number): Promise<{ events: BuriedEvent[]; total: number }>;
  /** Puts an event that was set aside back into the queue; `false` when there is no such event. */
  revive(customer_id: string, event_id: string): Promise<boolean>;
  /**
   * Puts all of them back that were accepted before now, oldest first, in transactions of at most a thousand; answers how many. What
   * is set aside again meanwhile stays so. `onPart` hears how many are back, after each transaction: these stay, whatever happens then.
   */
  reviveAll(filter: BuriedFilter, onPart?: (count: number) => void): Promise<number>;
  /** Of one customer, or of all. */
  stats(customer_id?: string): Promise<QueueStats>;
  /** Calls back whenever some node accepted something. Answers how to stop. */
  onWork(callback: () => void): () => void;
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
  load(): StoreLoad;
  close(): Promise<void>;
}

/** The memories of agents and sessions. One that is lost is made again from stored traces. */
export interface MemoryCache {
  /** In one round trip; null where nothing is kept. The kept object itself may come back: read it, do not change it. */
  read(keys: readonly string[]): Promise<(Memory | null)[]>;
  /**
   * Replaces a memory by what `change` makes of it, whatever other nodes do at the same time; null leaves it as it is.
   * `change` may alter what it is given, and is asked again when another node was faster. Lives for `ttl_ms` from now.
   */
  update(key: string, change: (memory: Memory | null) => Memory | null, ttl_ms: number): Promise<void>;
  /** The memories themselves, where they are in this process and nobody has to be waited for. */
  here?: MemoriesHere;
  /** Comparing them with what is stored, where several processes share them. */
  shared?: MemoriesShared;
}

export interface MemoriesHere {
  get(key: string): Memory | null;
  set(key: string, memory: Memory, ttl_ms: number): void;
}

/**
 * One process at a time compares, and how far it came is kept beside the memories: a cache that goes back in time takes it
 * along. `origin`: of the storage.
 */
export interface MemoriesShared {
  /** It is this process's turn for `lease_ms`; answers how far all is compared, null where nobody began. Null: it is another's turn. */
  takeTurn(origin: string, lease_ms: number): Promise<{ compared_to: number | null } | null>;
  /** Removes each memory that does not have all of these; answers how many. Of a second, all actions have to be told at once. */
  removeShort(counts: readonly SecondCount[]): Promise<number>;
  /** Notes that all before `to` is compared, unless it is at another place than `from`. */
  moveOn(origin: string, from: number | null, to: number): Promise<void>;
}

/** So many actions in that second (since 1970) belong in the memory under the key. */
export interface SecondCount {
  key: string;
  second: number;
  n: number;
}

/**
 * Tells workers on other nodes which lanes have work. The queue stays in the store: an announcement may be lost, and
 * workers look for forgotten lanes from time to time.
 */
export interface Dispatch {
  /** Rejects at once while the backend is away. */
  announce(lanes: readonly Lane[]): Promise<void>;
  /** Whether announcements arrive now. While they do not, workers look for all work themselves. */
  isUp(): boolean;
  /**
   * Calls back for announced lanes, up to `count` at a time on this node, each on one node only. The callback answers
   * whether there is more to do in the lane; when it rejects, the lane comes again.
   */
  serve(count: number, callback: (lane: Lane) => Promise<boolean>): void;
  /** Makes an event that cannot be scored known to operators. */
  bury(customer_id: string, event_id: string, reason: string): Promise<void>;
  /** Asks the backend, bounded to one second; never rejects. */
  health(): Promise<{ status: 'ok' | 'error'; latency_ms: number; detail?: string }>;
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
  memories: MemoryCache;
  /** Asks the backend, bounded to one second; never rejects. */
  health(): Promise<{ status: 'ok' | 'error'; latency_ms: number; detail?: string }>;
  close(): Promise<void>;
}
