/** What webhooks need from a store. Every time here is the database's: ISO 8601 with microseconds, UTC. */
import type { AuditEntry, SealedKey } from './auth.ts';

export interface NewWebhook {
  webhook_id: string;
  customer_id: string;
  endpoint_url: string;
  event_types: string[];
}

/** Which endpoint; another customer's is like one that does not exist. */
export type WebhookKey = Pick<NewWebhook, 'webhook_id' | 'customer_id'>;

export interface StoredWebhook extends NewWebhook {
  created_at: string;
  /** Since when nothing is sent there, and why; its messages wait. */
  disabled_at: string | null;
  disabled_reason: string | null;
  /** Since when every attempt has failed. */
  failing_since: string | null;
  /** Deliveries that wait for an attempt. */
  pending: number;
  /** Deliveries that were given up. */
  dead: number;
}

/** A secret, encrypted: `private_key` holds it. */
export interface SealedSecret extends SealedKey {
  secret_id: string;
}

export type DeliveryState = 'pending' | 'delivered' | 'dead';

export interface StoredAttempt {
  attempted_at: string;
  duration_ms: number;
  /** HTTP status; `null` when there was no answer. */
  status: number | null;
  /** Why it failed; `null` when the message was taken. */
  reason: string | null;
}

export interface StoredDelivery {
  delivery_id: number;
  message_id: string;
  type: string;
  state: DeliveryState;
  /** Made since it was published, or replayed. */
  attempts: number;
  created_at: string;
  /** `null` unless it is pending. */
  next_attempt_at: string | null;
  last_status: number | null;
  last_reason: string | null;
  /** Newest first, at most 50. */
  attempt_log: StoredAttempt[];
}

/** One message that one worker may send to one endpoint, and nobody else until the lease ends. */
export interface ClaimedDelivery {
  claim_id: string;
  /** Database time, milliseconds since 1970: messages carry the one clock, not a node's. */
  claimed_at_ms: number;
  webhook_id: string;
  customer_id: string;
  endpoint_url: string;
  /** Attempts in a row that failed at this endpoint, whatever the message. */
  failures: number;
  delivery_id: number;
  message_id: string;
  /** JSON text, to be sent as it is. */
  body: string;
  /** Made so far. */
  attempts: number;
  /** Those that sign now, the current one first. */
  secrets: SealedSecret[];
}

/** How one attempt ended, and what follows. */
export type AttemptOutcome = { status: number | null; duration_ms: number } & (
  | { state: 'delivered' }
  /** `retry_in_s`: when this message comes up again. */
  | { state: 'pending'; reason: string; retry_in_s: number; endpoint: EndpointTrouble }
  | { state: 'dead'; reason: string; endpoint: EndpointTrouble }
);

export interface EndpointTrouble {
  /** Seconds in which nothing at all is sent there. */
  pause_s: number;
  /** Why it is disabled at once; `null`: it is not. */
  disable: string | null;
  /** Disabled, with this reason, when it has failed for longer than so many seconds. */
  give_up: { after_s: number; reason: string };
}

export type ReplayOutcome =
  | { kind: 'unknown' }
  /** That one delivery is not dead. */
  | { kind: 'not_dead'; state: DeliveryState }
  | { kind: 'replayed'; count: number; left: number };

export interface DeliveryFilter {
  state?: DeliveryState;
  /** Only deliveries with a smaller id. */
  before: number;
  limit: number;
}

export interface OutboxStats {
  /** Deliveries that wait for an attempt, those of disabled endpoints included. */
  pending: number;
  /** How long the oldest attempt is overdue at endpoints that are in use, seconds. */
  overdue_s: number;
  /** Deliveries that were given up. */
  dead: number;
}

export interface WebhookStore {
  /** Makes the customer known when new. `null`: it has `max` endpoints already. */
  register(webhook: NewWebhook, secret: SealedSecret, max: number, audit: AuditEntry): Promise<StoredWebhook | null>;
  /** Oldest first. */
  list(customer_id: string): Promise<StoredWebhook[]>;
  /** The new secret signs from now on, the one before for `keep_s` seconds beside it; false: no such endpoint. */
  rotateSecret(webhook: WebhookKey, secret: SealedSecret, keep_s: number, audit: AuditEntry): Promise<boolean>;
  /** `reason`: why nothing is sent there from now on; `null` lets it go on. `null`: no such endpoint. */
  setDisabled(webhook: WebhookKey, reason: string | null, audit: AuditEntry): Promise<StoredWebhook | null>;
  /** Publishes a message to this endpoint alone, whatever it wants; answers its id, `null`: no such endpoint. */
  publishTo(
    webhook: WebhookKey,
    type: string,
    data: Record<string, unknown>,
    audit: AuditEntry,
  ): Promise<string | null>;
  /** Newest first; `null`: no such endpoint. */
  deliveries(webhook: WebhookKey, filter: DeliveryFilter): Promise<StoredDelivery[] | null>;
  /** Puts a dead delivery back to its first attempt, under its own id; without `message_id` all of the endpoint. */
  replay(webhook: WebhookKey, message_id: string | null, audit: AuditEntry): Promise<ReplayOutcome>;
  /**
   * Up to `limit` messages that are due, each to another endpoint that nobody is sending to, those that waited longest
   * first; at most `per_customer` endpoints of one customer at a time. A claim ends with `finish`, `release` or its lease.
   */
  claim(limit: number, per_customer: number, lease_ms: number): Promise<ClaimedDelivery[]>;
  /** Records an attempt. Answers why the endpoint was disabled by it, `null`: it was not. Durable when it answers. */
  finish(claim: ClaimedDelivery, outcome: AttemptOutcome): Promise<string | null>;
  /** Gives a claim back without an attempt; nothing is sent there for `pause_s` seconds. */
  release(claim: ClaimedDelivery, pause_s: number): Promise<void>;
  /** Removes messages older than `days` that no enabled endpoint waits for, and secrets that no longer sign. */
  dropOld(days: number): Promise<void>;
  /** Of all customers. */
  stats(): Promise<OutboxStats>;
  /** Calls back whenever some node published something. Answers how to stop. */
  onWork(callback: () => void): () => void;
  /** For a new master key, as in `SigningKeyStore`; `key_id` is the secret's id. */
  sealedOtherwise(master_key_id: string, after: string, limit: number): Promise<(SealedKey & { key_id: string })[]>;
  rewrap(key_id: string, from: string, to: Pick<SealedKey, 'data_key' | 'master_key_id'>): Promise<boolean>;
}
