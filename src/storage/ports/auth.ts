/** What the auth service needs from a store. Every time here is the database's: ISO 8601 with microseconds, UTC. */

/** One line of the audit log as written. `actor`: the caller, such as `operator@127.0.0.1`. */
export interface AuditEntry {
  customer_id: string | null;
  /** The action: `token.issued`, `key.rotated`, `event.denied` … */
  action: string;
  actor: string;
  request_id: string;
  /** Its subject: a jti, a key_id, an event_id. */
  subject: string | null;
  details: Record<string, unknown>;
}

export interface StoredAuditEntry extends AuditEntry {
  audit_id: number;
  at: string;
}

/** An entry with its place in its hash chain. */
export interface ChainedEntry extends Omit<StoredAuditEntry, 'details'> {
  /** From 1, without gaps, for each customer and for entries of no customer. */
  seq: number;
  /** SHA-256 hex over the hash before it and the entry. */
  hash: string;
  /** `details` as they are stored, to the byte. */
  details_text: string;
}

/** The end of a chain. */
export interface AuditChain {
  /** Null: entries of no customer. */
  customer_id: string | null;
  seq: number;
  hash: string;
}

/** All that are given must hold. `action`: one, or with a final `.` all that begin so. */
export interface AuditFilter {
  action?: string;
  actor?: string;
  subject?: string;
  /** Inclusive, ISO 8601. */
  since?: string;
  until?: string;
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
  /** The master key that `data_key` is encrypted under. */
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
  /**
   * Makes `key` the active one. An existing active key becomes `verify_only`, unless `only_if_none`: then that key is
   * returned.
   */
  put(key: NewKey, options: { only_if_none: boolean }, audit: AuditEntry): Promise<StoredKey>;
  /**
   * Replaces the active key `key_id` by `next` in one step; of two concurrent calls one succeeds. `disable` ends the
   * old key for verifying as well, also when it was retired before.
   */
  rotate(key_id: string, next: NewKey, options: { disable: boolean }, audit: AuditEntry): Promise<RotateOutcome>;
  active(customer_id: string): Promise<(StoredKey & SealedKey) | null>;
  /** Every key of a customer, newest first. */
  list(customer_id: string): Promise<StoredKey[]>;
  /** Up to `limit` keys under another master key than this one, ordered by id. */
  sealedOtherwise(master_key_id: string, after: string, limit: number): Promise<(SealedKey & { key_id: string })[]>;
  /** Replaces a data key; false when it was replaced meanwhile. */
  rewrap(key_id: string, from: string, to: Pick<SealedKey, 'data_key' | 'master_key_id'>): Promise<boolean>;
}

export interface NewToken {
  jti: string;
  customer_id: string;
  kind: string;
  parent_jti: string | null;
  /** Path from the root to the token itself. */
  path: string[];
  delegation_depth: number;
  issued_at: string;
  expires_at: string;
  /** The key that signed it; `null` for an opaque token. */
  key_id: string | null;
  /** SHA-256 hex of its text. */
  token_hash: string;
  rbac: Record<string, unknown> | null;
  /** The requested claims: agent_id, session_id, name … */
  details: Record<string, unknown>;
  /** Events that the token may be used for; `null`: no limit. */
  max_events: number | null;
}

export type TokenState = 'active' | 'expired' | 'revoked';

export interface StoredToken extends Omit<NewToken, 'max_events' | 'token_hash'> {
  /** By the database's clock and the current log. A disabled key revokes the tokens that it signed. */
  state: TokenState;
}

/** A token with everything that deriving from it needs, from one read. */
export interface ParentToken extends StoredToken {
  /** Database time of the read. */
  now: string;
}

export interface TokenNode extends StoredToken {
  /** Events used so far; `null` when they are not counted. */
  used_events: number | null;
  max_events: number | null;
}

/** The identity of an event within a session's count. */
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
  /** `is_new`, for each event: this call counted it. The others were counted before or need no count. */
  { kind: 'counted'; is_new: boolean[] } | NoRoom;

export interface TokenStore {
  /**
   * Writes a token and its audit line, if its parent is valid, its signing key active and no subtree above it revoked
   * at that moment. `false`: one of these no longer holds, and nothing was written. Creates the customer if it is new.
   */
  insert(token: NewToken, audit: AuditEntry): Promise<boolean>;
  find(jti: string): Promise<ParentToken | null>;
  /** A token by the SHA-256 hex of its text. */
  findByHash(token_hash: string): Promise<ParentToken | null>;
  /** Ancestors and descendants, nearest the root first, at most `limit`; `total` counts all of them. */
  tree(jti: string, limit: number): Promise<{ nodes: TokenNode[]; total: number }>;
  /**
   * Counts events against a session token, all of them or none, and each once: an event that was counted for this token
   * before, or whose id the customer used before, is not counted again. Never exceeds `max_events`, under any race.
   */
  countEvents(jti: string, customer_id: string, events: readonly CountedEvent[]): Promise<CountOutcome>;
  /**
   * Takes back this caller's counts for events that added no record. An event that was sent again meanwhile stays
   * counted: that one may have added a record.
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

/** The end of the log, and the database's time then. */
export interface LogEnd {
  last_log_id: number;
  /** Stamp of the requested row; `null` when there is no such row. */
  stamp: string | null;
  /** Revocations of tokens in the log. */
  entries: number;
  /** Times that `countRebuild` was called in this history of the database. */
  rebuilds: number;
  now: string;
}

export interface LogRow {
  log_id: number;
  customer_id: string;
  subject: string;
  mode: RevocationMode | 'key';
  /** Differs for the same id in another history of the database. */
  stamp: string;
}

export interface RevocationStore {
  /** Durable and in force when it resolves; `null` when there is no such token. */
  revoke(jti: string, mode: RevocationMode, reason: string | null, audit: AuditEntry): Promise<Revocation | null>;
  /**
   * Tokens that this revocation ended: valid just before it, invalid since. In pages, so that no statement is long;
   * waits for derivations in progress, so that none is missed.
   */
  endedBy(revocation: Revocation, onPage: (jtis: string[]) => void): Promise<void>;
  /** `log_id`: the row whose stamp is requested as well. */
  logEnd(log_id: number): Promise<LogEnd>;
  /** Has every follower of the log distrust what it made from it: `rebuilds` of `logEnd` is one more. */
  countRebuild(): Promise<void>;
  /** Rows after `log_id` up to `until`, in order, at most `limit`. */
  logAfter(log_id: number, until: number, limit: number): Promise<LogRow[]>;
  /**
   * Whether a token with this path, signed by this key, is revoked now. The exact answer, for when the filter says
   * maybe.
   */
  isRevoked(path: string[], key_id: string | null): Promise<{ is_revoked: boolean; now: string }>;
}

export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first, ids below `before`. */
  list(customer_id: string, before: number, limit: number, filter?: AuditFilter): Promise<StoredAuditEntry[]>;
  /** A chain in its order, entries after `seq`. */
  chain(customer_id: string | null, after_seq: number, limit: number): Promise<ChainedEntry[]>;
  /** Every chain, ordered by customer. */
  chains(): Promise<AuditChain[]>;
}

export interface AuthStore {
  keys: SigningKeyStore;
  tokens: TokenStore;
  revocations: RevocationStore;
  audit: AuditStore;
}
