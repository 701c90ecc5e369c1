/** What webhooks need from a store. Every time here is the database's: ISO 8601 with microseconds, UTC. */
import type { AuditEntry, SealedKey } from './auth.ts';

export interface NewWebhook {
  webhook_id: string;
  customer_id: string;
  /** `mailto:` and an address where the format is `email`. */
  endpoint_url: string;
  event_types: string[];
  format: WebhookFormat;
}

/** The form in which an endpoint takes messages. */
export type WebhookFormat = 'standard' | 'slack' | 'teams' | 'email';

/** An endpoint; another customer's is treated as missing. */
export type WebhookKey = Pick<NewWebhook, 'webhook_id' | 'customer_id'>;

export interface StoredWebhook extends NewWebhook {
  created_at: string;
  /** Since when and why nothing is sent there; its messages wait. */
  disabled_at: string | null;
  disabled_reason: string | null;
  /** Since when every attempt has failed. */
  failing_since: string | null;
  /** Deliveries that wait for an attempt. */
  pending: number;
  /** Deliveries that were given up. */
  dead: number;
}

/** An encrypted secret: `private_key` holds it. */
export interface SealedSecret extends SealedKey {
  secret_id: string;
}

export type DeliveryState = 'pending' | 'delivered' | 'dead';

export interface StoredAttempt {
  attempted_at: string;
  duration_ms: number;
  /** HTTP status; `null` when there was no answer. */
  status: number | null;
  /** Why it failed; `null` when the message was accepted. */
  reason: string | null;
}

export interface StoredDelivery {
  delivery_id: number;
  message_id: string;
  type: string;
  state: DeliveryState;
  /** Attempts since it was published or replayed. */
  attempts: number;
  created_at: string;
  /** `null` unless it is pending. */
  next_attempt_at: string | null;
  last_status: number | null;
  last_reason: string | null;
  /** Newest first, at most 50. */
  attempt_log: StoredAttempt[];
}

/** One message that one worker may send to one endpoint, exclusively until the lease ends. */
export interface ClaimedDelivery {
  claim_id: string;
  /** Database time, milliseconds since 1970: messages carry the database's clock, not a node's. */
  claimed_at_ms: number;
  webhook_id: string;
  customer_id: string;
  endpoint_url: string;
  format: WebhookFormat;
  /** Consecutive failed attempts at this endpoint, for any message. */
  failures: number;
  delivery_id: number;
  message_id: string;
  /** JSON text, sent unchanged in the format `standard`. */
  body: string;
  /** Attempts so far. */
  attempts: number;
  /** The secrets that sign now, the current one first. */
  secrets: SealedSecret[];
}

/** The result of one attempt, and what follows. */
export type AttemptOutcome = { status: number | null; duration_ms: number } & (
  | { state: 'delivered' }
  /** `retry_in_s`: when this message is due again. */
  | { state: 'pending'; reason: string; retry_in_s: number; endpoint: EndpointTrouble }
  | { state: 'dead'; reason: string; endpoint: EndpointTrouble }
);

export interface EndpointTrouble {
  /** Seconds in which nothing is sent to the endpoint. */
  pause_s: number;
  /** Why it is disabled immediately; `null`: it is not. */
  disable: string | null;
  /** Disabled, with this reason, when it has failed for longer than this many seconds. */
  give_up: { after_s: number; reason: string };
}

export type ReplayOutcome =
  | { kind: 'unknown' }
  /** This delivery is not dead. */
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
  /** Seconds that the oldest attempt at an enabled endpoint is overdue. */
  overdue_s: number;
  /** Deliveries that were given up. */
  dead: number;
}

export interface WebhookStore {
  /** Creates the customer when it is new. `null`: it has `max` endpoints already. */
  register(webhook: NewWebhook, secret: SealedSecret, max: number, audit: AuditEntry): Promise<StoredWebhook | null>;
  /** Oldest first. */
  list(customer_id: string): Promise<StoredWebhook[]>;
  /** The new secret signs from now on, the previous one beside it for `keep_s` seconds; false: no such endpoint. */
  rotateSecret(webhook: WebhookKey, secret: SealedSecret, keep_s: number, audit: AuditEntry): Promise<boolean>;
  /** `reason`: why nothing is sent there from now on; `null` enables it again. Resolves to `null`: no such endpoint. */
  setDisabled(webhook: WebhookKey, reason: string | null, audit: AuditEntry): Promise<StoredWebhook | null>;
  /**
   * Publishes a message to this endpoint only, whatever it subscribes to; resolves to its id, `null`: no such endpoint.
   */
  publishTo(
    webhook: WebhookKey,
    type: string,
    data: Record<string, unknown>,
    audit: AuditEntry,
  ): Promise<string | null>;
  /** Newest first; `null`: no such endpoint. */
  deliveries(webhook: WebhookKey, filter: DeliveryFilter): Promise<StoredDelivery[] | null>;
  /** Resets a dead delivery to its first attempt, under its own id; without `message_id` all of the endpoint. */
  replay(webhook: WebhookKey, message_id: string | null, audit: AuditEntry): Promise<ReplayOutcome>;
  /**
   * Up to `limit` messages that are due, each to a different endpoint that no worker is sending to, longest waiting
   * first; at most `per_customer` endpoints of one customer at a time. A claim ends with `finish`, `release` or its
   * lease.
   */
  claim(limit: number, per_customer: number, lease_ms: number): Promise<ClaimedDelivery[]>;
  /**
   * Records an attempt. Resolves to the reason why it disabled the endpoint, `null`: it did not. Durable when it
   * resolves.
   */
  finish(claim: ClaimedDelivery, outcome: AttemptOutcome): Promise<string | null>;
  /** Returns a claim without an attempt; nothing is sent there for `pause_s` seconds. */
  release(claim: ClaimedDelivery, pause_s: number): Promise<void>;
  /** Removes messages older than `days` that no enabled endpoint waits for, and secrets that no longer sign. */
  dropOld(days: number): Promise<void>;
  /** Over all customers. */
  stats(): Promise<OutboxStats>;
  /** Calls back whenever some node published a message. Returns a function that unsubscribes. */
  onWork(callback: () => void): () => void;
  /** For a new master key, as in `SigningKeyStore`; `key_id` is the secret's id. */
  sealedOtherwise(master_key_id: string, after: string, limit: number): Promise<(SealedKey & { key_id: string })[]>;
  rewrap(key_id: string, from: string, to: Pick<SealedKey, 'data_key' | 'master_key_id'>): Promise<boolean>;
}
