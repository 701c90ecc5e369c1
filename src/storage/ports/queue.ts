/**
 * Events accepted for later, as a store keeps them, and how workers on other nodes hear of them. As in storage.ts,
 * every method may reject with `StoreUnavailable`.
 */
import type { AgentEvent } from '../../events/event.ts';
import type { NoRoom } from './auth.ts';
import type { BackendHealth } from './health.ts';

/** One event accepted for later. */
export interface QueuedEvent {
  event_id: string;
  content_hash: string;
  event: AgentEvent;
  /** The API key that it came with; absent after the event was set aside. */
  key_id?: string;
  /** JSON of `event`, where it was already made. */
  json?: string;
  /**
   * Results of reading it (events/submission.ts). Not stored: returned with the event only when this process still has
   * both.
   */
  scored_hash?: string;
  scored_length?: number;
  /**
   * 0 to `LANES` − 1. Events of one lane are scored in order of arrival, so those of one session belong in one lane.
   */
  lane: number;
}

/** Lanes of one customer: how many workers can score its events at the same time. */
export const LANES = 16;

export type AcceptOutcome =
  /** Durable now. `event_ids`: the new ones; the others were known with the same content and are not queued again. */
  | { kind: 'accepted'; event_ids: string[] }
  /** The event at `index` was used before with other content; nothing was written. */
  | { kind: 'conflict'; index: number }
  /** The session token has no room for the new events; nothing was written. */
  | NoRoom;

/** A lane that one worker holds exclusively until its lease ends. */
export interface Lane {
  customer_id: string;
  lane: number;
}

export interface TakenEvent extends QueuedEvent {
  customer_id: string;
  /** How often a worker began this event alone and died; `null` when no worker died holding its chunk. */
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

/** Selects set-aside events: those that match every given field. */
export interface BuriedFilter {
  customer_id?: string;
  /** Text that the reason contains, compared literally. */
  reason?: string;
}

export interface QueueStats {
  /**
   * Accepted and not scored yet. In chunks that no worker has taken, events that a door scored meanwhile count as well.
   */
  waiting: number;
  /** Age of the oldest of them in seconds, 0 when there is none. */
  oldest_s: number;
  /** Lanes that are leased now. */
  leased_lanes: number;
  /** Events that no worker could score; they wait for an operator. */
  dead: number;
}

/**
 * Events accepted for later. An event stays in the queue until its score is stored or it is set aside, by whichever
 * node, and whichever node dies meanwhile. A lease only preserves order and saves work: two workers on one event still
 * store one score.
 */
export interface QueueStore {
  /**
   * All of them in one transaction, or none. `session_jti`: the token whose session counts the new ones, as
   * `TokenStore.countEvents`.
   */
  accept(customer_id: string, events: readonly QueuedEvent[], session_jti?: string | null): Promise<AcceptOutcome>;
  /**
   * Leases, for `lease_ms`, the lane with work that was not served for longest; `null` when there is none. `of`
   * restricts it to one lane, or to lanes that were not served for a while. `holder`: a new id for each lease.
   */
  lease(holder: string, lease_ms: number, of?: { lane?: Lane; idle_ms?: number }): Promise<Lane | null>;
  /**
   * The next events of a leased lane, oldest first; empty when there are none or the lease was lost. They come as they
   * were accepted together: chunks of at most `limit` events in all, or one chunk. Calling it again marks the previous
   * ones as done. Events that a worker died over come one at a time, and so do those that it left unscored without
   * reporting.
   */
  take(lane: Lane, holder: string, limit: number): Promise<TakenEvent[]>;
  /**
   * Counts a death over an event with `deaths` before a worker scores it, because a worker that dies cannot count any
   * more; `absolve` takes it back. `false` when the lease was lost. When it rejects, it is unknown whether it counted.
   */
  begin(event: TakenEvent, holder: string): Promise<boolean>;
  /**
   * Takes back what `begin` counted, if it did: the worker lives, and the event was not scored for another reason.
   * Restores the count with which it was taken, so calling it twice has the same effect as once.
   */
  absolve(event: TakenEvent): Promise<void>;
  /** Prolongs a lease; `false` when another worker has the lane. */
  renew(lane: Lane, holder: string, lease_ms: number): Promise<boolean>;
  /**
   * Returns the lane; it comes up again while there is work. `is_unfinished`: some of the taken events are left, for a
   * reason other than the events. Resolves to whether there is more work.
   */
  release(lane: Lane, holder: string, is_unfinished?: boolean): Promise<boolean>;
  /** Sets aside an event that cannot be scored, with the reason. */
  bury(event: TakenEvent, reason: string): Promise<void>;
  /** A page of set-aside events, oldest first, and their number. */
  buried(filter: BuriedFilter, page: number, per_page: number): Promise<{ events: BuriedEvent[]; total: number }>;
  /** Puts a set-aside event back into the queue; `false` when there is no such event. */
  revive(customer_id: string, event_id: string): Promise<boolean>;
  /**
   * Puts back all set-aside events that were accepted before now, oldest first, in transactions of at most a thousand;
   * returns how many. Events that are set aside again meanwhile stay so. `onPart` is called after each transaction with
   * the number so far, which is durable.
   */
  reviveAll(filter: BuriedFilter, onPart?: (count: number) => void): Promise<number>;
  /** Of one customer, or of all. */
  stats(customer_id?: string): Promise<QueueStats>;
  /** Calls back whenever some node accepted events. Returns a function that unsubscribes. */
  onWork(callback: () => void): () => void;
}

/**
 * Tells workers on other nodes which lanes have work. The queue stays in the store: an announcement may be lost, and
 * workers look for forgotten lanes from time to time.
 */
export interface Dispatch {
  /** Rejects immediately while the backend is away. */
  announce(lanes: readonly Lane[]): Promise<void>;
  /** Whether announcements arrive now. While they do not, workers poll for all work. */
  isUp(): boolean;
  /**
   * Calls back for announced lanes, up to `count` at a time on this node, each on one node only. The callback returns
   * whether there is more work in the lane; when it rejects, the lane is delivered again.
   */
  serve(count: number, callback: (lane: Lane) => Promise<boolean>): void;
  /** Reports an event that cannot be scored to operators. */
  bury(customer_id: string, event_id: string, reason: string): Promise<void>;
  /** Pings the backend, bounded to one second; never rejects. */
  health(): Promise<BackendHealth>;
  close(): Promise<void>;
}
