/** Named people of a customer: who there is, with which role, and how each gets in for the first time. */
import { randomBytes } from 'node:crypto';
import { invalidAt, WeirError } from '../platform/errors.ts';
import { newId, parseUuid, sha256 } from '../platform/ids.ts';
import { isPlainText } from '../platform/json/odd-characters.ts';
import type { PeopleStore, StoredPerson } from '../storage/ports/people.ts';
import { auditLine, type Requester } from '../tokens/audit.ts';
import { isRole, roles } from './roles.ts';

export interface NewPerson {
  customer_id: string;
  email: string;
  /** Default: the email. */
  name?: string;
  role: string;
}

/** A one-time link, shown this once: only its hash is stored. */
export interface SignInLink {
  /** The secret at the end of the address. */
  link: string;
  minutes: number;
}

export interface People {
  /** Throws `invalid`, and `conflict` when this customer has a person with this email. */
  add(person: NewPerson, by: Requester): Promise<StoredPerson & SignInLink>;
  list(customer_id: string): Promise<StoredPerson[]>;
  /** `null` when there is no such person. */
  find(person_id: string): Promise<StoredPerson | null>;
  /** A person of this customer by email or id. Throws `not_found`. */
  named(customer_id: string, email_or_id: string): Promise<StoredPerson>;
  /** Both end the sessions of the person. Throw `not_found`. */
  setRole(person: StoredPerson, role: string, by: Requester): Promise<void>;
  remove(person: StoredPerson, by: Requester): Promise<void>;
  /** A new link; earlier ones end. */
  link(person: StoredPerson, by: Requester): Promise<SignInLink>;
}

export interface PeopleParts {
  store: PeopleStore;
  audit: { append(entry: ReturnType<typeof auditLine>): Promise<void> };
}

/** The address of a one-time link: the secret is in the fragment, which no server sees. */
export const signInUrl = (public_url: string, link: string): string => `${public_url}/sign-in#${link}`;

/** A day: enough for a message to be read, too short to lie around. */
const LINK_MINUTES = 1_440;
const SECRET_BYTES = 32;
const MAX_EMAIL = 254;
const MAX_NAME = 100;
/** One `@` between two parts without spaces: the provider and the mail server know the rest. */
const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;

export function createPeople({ store, audit }: PeopleParts): People {
  const link = async (person: StoredPerson, by: Requester): Promise<SignInLink> => {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    await store.addLink(person.person_id, sha256(secret), LINK_MINUTES);
    const { customer_id, person_id, email } = person;
    await audit.append(auditLine(by, 'person.linked', { customer_id, subject: person_id, details: { email } }));
    return { link: secret, minutes: LINK_MINUTES };
  };
  return {
    add: async ({ customer_id, email: sent, name = sent, role }, by) => {
      const email = readEmail(sent);
      checkRole(role);
      if (!isPlainText(name) || name.length > MAX_NAME || name.trim() === '')
        throw invalidAt('/name', `must be a text of at most ${MAX_NAME} characters`);
      const person = { person_id: newId(), customer_id, email, name, role };
      const facts = { customer_id, subject: person.person_id, details: { email, role } };
      if (!(await store.add(person, auditLine(by, 'person.added', facts))))
        throw new WeirError('conflict', { detail: `this customer has a person with the email \`${email}\`` });
      const stored = (await store.find(person.person_id))!;
      return { ...stored, ...(await link(stored, by)) };
    },
    list: (customer_id) => store.list(customer_id),
    find: async (person_id) => {
      const known = parseUuid(person_id);
      return known === null ? null : await store.find(known);
    },
    named: async (customer_id, text) => {
      const person_id = parseUuid(text);
      const found =
        person_id === null
          ? (await store.findByEmail(text.toLowerCase(), customer_id))[0]
          : await store.find(person_id);
      if (found == null || found.customer_id !== customer_id)
        throw new WeirError('not_found', { detail: 'this customer has no person with this email or id' });
      const { person_id: id, email, name, role, created_at } = found;
      return { person_id: id, customer_id, email, name, role, created_at };
    },
    setRole: async ({ person_id, customer_id, email }, role, by) => {
      checkRole(role);
      const line = auditLine(by, 'person.role', { customer_id, subject: person_id, details: { email, role } });
      if (!(await store.setRole(person_id, role, line))) throw unknown();
    },
    remove: async ({ person_id, customer_id, email }, by) => {
      const line = auditLine(by, 'person.removed', { customer_id, subject: person_id, details: { email } });
      if (!(await store.remove(person_id, line))) throw unknown();
    },
    link,
  };
}

function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_EMAIL || !EMAIL.test(email) || !isPlainText(email))
    throw invalidAt('/email', `must be an address such as ada@example.com, of at most ${MAX_EMAIL} characters`);
  return email;
}

function checkRole(role: string): void {
  if (!isRole(role)) throw invalidAt('/role', `must be one of ${roles.join(', ')}`);
}

function unknown(): WeirError {
  return new WeirError('not_found', { detail: 'there is no such person' });
}
