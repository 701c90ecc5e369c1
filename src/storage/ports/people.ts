/** Named people, their sessions and what they lend each other, as a store keeps them. Times are the database's, ISO 8601, UTC. */
import type { Decider } from '../../records/hold.ts';
import type { AuditEntry } from './auth.ts';

export interface StoredPerson {
  person_id: string;
  customer_id: string;
  /** Lower case. */
  email: string;
  name: string;
  /** `people/roles.ts`. */
  role: string;
  created_at: string;
}

/** With what signing in compares. */
export interface PersonSecrets extends StoredPerson {
  password_hash: string | null;
  issuer: string | null;
  subject: string | null;
}

export interface NewSession {
  /** SHA-256 hex of the cookie's value. */
  session_hash: string;
  person_id: string;
  /** How: `link`, `password`, `oidc`. */
  signed_in: string;
  address: string;
  ttl_minutes: number;
}

export interface FoundSession {
  person: StoredPerson;
  signed_in: string;
  expires_at: string;
}

export interface StoredDelegation {
  delegation_id: string;
  customer_id: string;
  from: StoredPerson;
  to: StoredPerson;
  expires_at: string;
}

export interface PeopleStore {
  /** Creates the customer when it is new. `false`: a person of this customer has this email, and nothing was written. */
  add(person: Omit<StoredPerson, 'created_at'>, audit: AuditEntry): Promise<boolean>;
  /** Without those who were removed, oldest first. */
  list(customer_id: string): Promise<StoredPerson[]>;
  find(person_id: string): Promise<StoredPerson | null>;
  /** Everyone with this email, of one customer or of all. */
  findByEmail(email: string, customer_id: string | null): Promise<PersonSecrets[]>;
  /** Both end every session of the person, in the same transaction. `false`: there is no such person. */
  setRole(person_id: string, role: string, audit: AuditEntry): Promise<boolean>;
  remove(person_id: string, audit: AuditEntry): Promise<boolean>;
  setPassword(person_id: string, password_hash: string): Promise<void>;
  /** Binds the person to an account at a provider, unless it is bound; `false`: it is bound to another one. */
  bind(person_id: string, issuer: string, subject: string): Promise<boolean>;
  /** `link_hash`: SHA-256 hex. Earlier links of the person end. */
  addLink(person_id: string, link_hash: string, ttl_minutes: number): Promise<void>;
  /** Uses a link up; `null`: there is none, or it was used, or its time is over. At most one call per link succeeds. */
  useLink(link_hash: string): Promise<StoredPerson | null>;
  startSession(session: NewSession, audit: AuditEntry): Promise<void>;
  /** A session that is in force, of a person who was not removed. */
  findSession(session_hash: string): Promise<FoundSession | null>;
  endSession(session_hash: string): Promise<void>;
  /** Removes sessions and links whose time was over a day ago, at most `limit` of each; returns how many. */
  dropOver(limit: number): Promise<number>;
  /** Lends the right of one person to another of the same customer. */
  delegate(
    delegation: { delegation_id: string; customer_id: string; from: string; to: string; ttl_minutes: number },
    audit: AuditEntry,
  ): Promise<void>;
  /** Those in force. */
  delegations(customer_id: string): Promise<StoredDelegation[]>;
  /** `false`: this customer has no such delegation in force. */
  endDelegation(customer_id: string, delegation_id: string, audit: AuditEntry): Promise<boolean>;
  /**
   * Records one approval of an event that needs several, with its audit line. Returns everyone who approved so far, in
   * order. `is_new` is false when this person, or somebody with the same authority, approved before: then nothing was written.
   */
  approve(
    approval: { customer_id: string; event_id: string; person_id: string; authority: string; decided_by: Decider },
    audit: AuditEntry,
  ): Promise<{ all: Decider[]; is_new: boolean }>;
}
