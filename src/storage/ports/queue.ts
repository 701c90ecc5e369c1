/**
 * Events accepted for later, as a store keeps them, and how workers on other nodes hear of them. As in ports.ts, every method
 * may reject with `StoreUnavailable`.
 */
import type { AgentEvent } from '../../events/event.ts';
import type { NoRoom } from './auth.ts';
import type { BackendHealth } from './health.ts';

/** One event accepted for later. */
export interface QueuedEvent {
  event_id: string;
  content_hash: string;
  event: AgentEvent;
  /** JSON of `event`, where somebody has made it already. */
  json?: string;
  /** What else was found out about it (events/submission.ts). Not stored: it comes back with the event only where both are at hand. */
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
  /** How often a worker began it alone and died; `null` when no worker died with its chunk in hand. */
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

/** Which of the events that were set aside: those that match every field that is given. */
export interface BuriedFilter {
  customer_id?: string;
  /** Text that stands in the reason, letter by letter. */
  reason?: string;
}

export interface QueueStats {
  /** Accepted and not scored yet. In chunks that no worker has taken, events that a door scored meanwhile count as well. */
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
   * accepted together: chunks of at most `limit` events in all, or one chunk. Asking again means that those taken before are
   * done with. Events that a worker died over come one at a time, and so do those that it left unscored without saying so.
   */
  take(lane: Lane, holder: string, limit: number): Promise<TakenEvent[]>;
  /**
   * Counts a death over an event with `deaths` before a worker scores it, because a worker that dies cannot count any more;
   * `absolve` takes it back. `false` when the lease was lost. When it rejects, nobody knows whether it counted.
   */
  begin(event: TakenEvent, holder: string): Promise<boolean>;
  /**
   * Takes back what `begin` counted, if it did: the worker lives, and the event is not scored for another's fault. Its count is
   * again the one with which it was taken, so that doing it twice takes back no more.
   */
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
  health(): Promise<BackendHealth>;
  close(): Promise<void>;
}
