/** What the auth service needs from a store. Every time here is the database's: ISO 8601 with microseconds, UTC. */

/** One line of the audit log as it is written. `actor`: who asked, such as `operator@127.0.0.1`. */
export interface AuditEntry {
  customer_id: string | null;
  /** What happened: `token.issued`, `key.rotated`, `event.denied` … */
  action: string;
  actor: string;
  request_id: string;
  /** What it happened to: a jti, a key_id, an event_id. */
  subject: string | null;
  details: Record<string, unknown>;
}

export interface StoredAuditEntry extends AuditEntry {
  audit_id: number;
  at: string;
}

export type KeyState = 'active' | 'verify_only' | 'disabled';

/** The public side of a signing key. */
export interface StoredKey {
  key_id: string;
  customer_id: string;
  state: KeyState;
  /** PEM (SPKI). */
  public_key: string;
  created_at: string;
  /** When it ceased to sign; `null` while it is active. */
  retired_at: string | null;
}

/** The private side, encrypted. */
export interface SealedKey {
  private_key: Buffer;
  data_key: Buffer;
  /** Which master key `data_key` is encrypted under. */
  master_key_id: string;
}

export interface NewKey extends SealedKey {
  key_id: string;
  customer_id: string;
  public_key: string;
}

export type RotateOutcome =
  | { kind: 'rotated'; key: StoredKey }
  /** The key was no longer active; with `disable` it is disabled now. */
  | { kind: 'not_active'; state: KeyState; active: StoredKey | null }
  | { kind: 'unknown' };

export interface SigningKeyStore {
  /** Makes `key` the active one. An active key there is becomes `verify_only`, unless `only_if_none`: then it is answered. */
  put(key: NewKey, options: { only_if_none: boolean }, audit: AuditEntry): Promise<StoredKey>;
  /**
   * Replaces the active key `key_id` by `next` in one step; two at once have one winner. `disable` ends the old key for
   * verifying as well, also when it was retired before.
   */
  rotate(key_id: string, next: NewKey, options: { disable: boolean }, audit: AuditEntry): Promise<RotateOutcome>;
  active(customer_id: string): Promise<(StoredKey & SealedKey) | null>;
  /** Every key of a customer, newest first. */
  list(customer_id: string): Promise<StoredKey[]>;
  /** Up to `limit` keys under another master key than this one, in the order of their ids. */
  sealedOtherwise(master_key_id: string, after: string, limit: number): Promise<(SealedKey & { key_id: string })[]>;
  /** Replaces a data key; false when it was replaced meanwhile. */
  rewrap(key_id: string, from: string, to: Pick<SealedKey, 'data_key' | 'master_key_id'>): Promise<boolean>;
}

export interface NewToken {
  jti: string;
  customer_id: string;
  kind: string;
  parent_jti: string | null;
  /** From the root to itself. */
  path: string[];
  delegation_depth: number;
  issued_at: string;
  expires_at: string;
  /** What signed it; `null` for an opaque token. */
  key_id: string | null;
  /** SHA-256 hex of its text. */
  token_hash: string;
  rbac: Record<string, unknown> | null;
  /** What was asked for: agent_id, session_id, name … */
  details: Record<string, unknown>;
  /** Events that the token may be used for; `null` is without a limit. */
  max_events: number | null;
}

export type TokenState = 'active' | 'expired' | 'revoked';

export interface StoredToken extends Omit<NewToken, 'max_events' | 'token_hash'> {
  /** By the database's clock and the log as they are now. A key that was disabled revokes what it signed. */
  state: TokenState;
}

/** A token with what deriving from it needs, read in one go. */
export interface ParentToken extends StoredToken {
  /** Database time of the read. */
  now: string;
}

export interface TokenNode extends StoredToken {
  /** Events used so far; `null` when they are not counted. */
  used_events: number | null;
  max_events: number | null;
}

/** What makes two events of a session the same one. */
export interface CountedEvent {
  event_id: string;
  content_hash: string;
}

/** `wanted` events are not counted yet, and only `room` more may be: none was counted. */
export interface NoRoom {
  kind: 'no_room';
  room: number;
  wanted: number;
}

export type CountOutcome =
  /** `is_new`, for each event: it was counted by this call. The others were counted before or need no count. */
  { kind: 'counted'; is_new: boolean[] } | NoRoom;

export interface TokenStore {
  /**
   * Writes a token and its audit line, if its parent is alive, its signing key active and no subtree above it revoked
   * at that moment. `false`: one of these no longer holds, and nothing was written. Makes the customer known if new.
   */
  insert(token: NewToken, audit: AuditEntry): Promise<boolean>;
  find(jti: string): Promise<ParentToken | null>;
  /** A token by the SHA-256 hex of its text. */
  findByHash(token_hash: string): Promise<ParentToken | null>;
  /** Ancestors and descendants, nearest the root first, at most `limit`; `total` counts them all. */
  tree(jti: string, limit: number): Promise<{ nodes: TokenNode[]; total: number }>;
  /**
   * Counts events against a session token, all of them or none, and each once: an event that this token was counted for
   * before, or whose id the customer used before, is not counted again. Never more than `max_events`, whoever races.
   */
  countEvents(jti: string, customer_id: string, events: readonly CountedEvent[]): Promise<CountOutcome>;
  /**
   * Takes back what this caller counted, for events that nothing came of. One that was sent again meanwhile stays counted:
   * something may have come of that.
   */
  uncountEvents(jti: string, events: readonly CountedEvent[]): Promise<void>;
  usage(jti: string): Promise<{ used: number; max_events: number } | null>;
  /** Database time. */
  now(): Promise<string>;
}

export type RevocationMode = 'single' | 'subtree';

export interface Revocation {
  jti: string;
  customer_id: string;
  /** Position in the log. */
  log_id: number;
  revoked_at: string;
  /** False when it was revoked in this mode before: then nothing was written. */
  is_new: boolean;
}

/** Where the log ends, and the database's time then. */
export interface LogEnd {
  last_log_id: number;
  /** Stamp of the row that was asked about; `null` when there is no such row. */
  stamp: string | null;
  /** Revocations of tokens in the log. */
  entries: number;
  now: string;
}

export interface LogRow {
  log_id: number;
  customer_id: string;
  subject: string;
  mode: RevocationMode | 'key';
  /** Different for the same id in another history of the database. */
  stamp: string;
}

export interface RevocationStore {
  /** Durable and in force when it answers; `null` when there is no such token. */
  revoke(jti: string, mode: RevocationMode, reason: string | null, audit: AuditEntry): Promise<Revocation | null>;
  /**
   * Tokens that this revocation ended: alive just before it, dead since. In pages, so that no statement is long; waits
   * for derivations that were under way, so that none is missed.
   */
  endedBy(revocation: Revocation, onPage: (jtis: string[]) => void): Promise<void>;
  /** `log_id`: the row whose stamp is wanted as well. */
  logEnd(log_id: number): Promise<LogEnd>;
  /** Rows after `log_id` up to `until`, in order, at most `limit`. */
  logAfter(log_id: number, until: number, limit: number): Promise<LogRow[]>;
  /** Whether a token with this path, signed by this key, is revoked now. The truth, for when a filter says maybe. */
  isRevoked(path: string[], key_id: string | null): Promise<{ is_revoked: boolean; now: string }>;
}

export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first, ids below `before`. */
  list(customer_id: string, before: number, limit: number): Promise<StoredAuditEntry[]>;
}

export interface AuthStore {
  keys: SigningKeyStore;
  tokens: TokenStore;
  revocations: RevocationStore;
  audit: AuditStore;
}
