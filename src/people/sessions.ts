/**
 * Signed-in people: a session is a random value in an http-only cookie, of which the store has the hash. A request that changes
 * something also carries a value that only a page of ours can know, so that another site cannot send it (CSRF).
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller, Credentials } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { WeirError } from '../platform/errors.ts';
import { createRates } from '../platform/http/rates.ts';
import { sha256 } from '../platform/ids.ts';
import type { PeopleStore, StoredPerson } from '../storage/ports/people.ts';
import { auditLine } from '../tokens/audit.ts';
import { hashPassword, isPassword, MAX_PASSWORD, MIN_PASSWORD } from './passwords.ts';
import { scopesOf } from './roles.ts';

/** Where somebody signs in. */
export interface Place {
  address: string;
  request_id: string;
}

export interface SignedIn {
  person: StoredPerson;
  /** Value of the header `set-cookie`. */
  cookie: string;
  /** For the header `x-csrf-token` of each request that changes something. */
  csrf_token: string;
}

/** Who an OpenID provider says it is. */
export interface ProvenIdentity {
  issuer: string;
  subject: string;
  /** Verified by the provider. */
  email: string;
}

export interface Sessions {
  /** Uses a one-time link up; with `password`, the person signs in with that from that point on. Throws `unauthenticated`, `invalid`. */
  byLink(link: string, password: string | null, at: Place): Promise<SignedIn>;
  /** `customer_id`: needed only by people of several customers. Throws `unauthenticated`, `conflict`, `rate_limited`. */
  byPassword(email: string, password: string, customer_id: string | null, at: Place): Promise<SignedIn>;
  /** Throws `forbidden` when no person of ours has this email, or has it with another account. */
  byProvider(identity: ProvenIdentity, customer_id: string | null, at: Place): Promise<SignedIn>;
  /** The person of the session cookie; `null` without one. Throws `unauthenticated`, and `forbidden` for a foreign page's request. */
  admit(request: Credentials): Promise<Caller> | null;
  /** The token for the cookie of this request; `null` without one. */
  csrfToken(request: Pick<Credentials, 'headers'>): string | null;
  /** Ends the session of a request; answers with the `set-cookie` that removes the cookie. */
  end(request: Pick<Credentials, 'headers'>): Promise<string>;
}

export interface SessionParts {
  store: PeopleStore;
  clock: Clock;
  /** Whether people reach the service by https, so that the cookie goes over nothing else. */
  isSecure: () => boolean;
}

const COOKIE = 'weir_session';
const SECRET_BYTES = 32;
/** A working day. */
const SESSION_MINUTES = 720;
/** Sign-ins with a password by one email: a burst, then one each 30 s. Links and the provider stay open meanwhile. */
const GUESSES = 10;
const GUESSES_PER_SECOND = 1 / 30;
/** The same by one address, which may be a whole company. */
const ADDRESS_GUESSES = 100;
const ADDRESS_GUESSES_PER_SECOND = 1;
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export function createSessions({ store, clock, isSecure }: SessionParts): Sessions {
  const of_email = createRates(GUESSES, GUESSES_PER_SECOND, clock);
  const of_address = createRates(ADDRESS_GUESSES, ADDRESS_GUESSES_PER_SECOND, clock);

  const start = async (person: StoredPerson, signed_in: string, at: Place): Promise<SignedIn> => {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const { person_id, customer_id, email } = person;
    const by = { actor: `person ${email}@${at.address}`, request_id: at.request_id };
    const line = auditLine(by, 'person.signed_in', { customer_id, subject: person_id, details: { signed_in } });
    const session_hash = sha256(secret);
    await store.startSession(
      { session_hash, person_id, signed_in, address: at.address, ttl_minutes: SESSION_MINUTES },
      line,
    );
    return { person, cookie: cookieOf(secret, SESSION_MINUTES * 60, isSecure()), csrf_token: csrfOf(secret) };
  };

  const admitted = async (secret: string, { method = 'GET', headers }: Credentials): Promise<Caller> => {
    const found = await store.findSession(sha256(secret));
    if (found === null) throw new WeirError('unauthenticated', { detail: 'the session is over; sign in again' });
    if (!READING.has(method) && !isSame(String(headers['x-csrf-token'] ?? ''), csrfOf(secret)))
      throw new WeirError('forbidden', { detail: 'send the `csrf_token` of the sign-in in the `X-CSRF-Token` header' });
    const { person_id, customer_id, email, name, role } = found.person;
    const person = { person_id, email, name, role, signed_in: found.signed_in };
    return { customer_id, key_id: '', scopes: scopesOf(role), person };
  };

  return {
    byLink: async (link, password, at) => {
      if (password !== null) checkPassword(password);
      const hash = password === null ? null : await hashPassword(password);
      const person = await store.useLink(sha256(link));
      if (person === null)
        throw new WeirError('unauthenticated', {
          detail: 'the link is not valid: it was used, or its time is over; ask for a new one',
        });
      if (hash !== null) await store.setPassword(person.person_id, hash);
      return await start(person, 'link', at);
    },

    byPassword: async (email, password, customer_id, at) => {
      const name = email.trim().toLowerCase();
      const wait_s = Math.max(of_address.take(at.address), of_email.take(name));
      if (wait_s > 0)
        throw new WeirError('rate_limited', { detail: 'too many attempts to sign in; wait', retry_after_s: wait_s });
      const found = (await store.findByEmail(name, customer_id)).filter(({ password_hash }) => password_hash !== null);
      const right = [];
      // Also for an email that nobody has: the time must not tell.
      for (const one of found.length === 0 ? [null] : found)
        if ((await isPassword(password, one?.password_hash ?? null)) && one !== null) right.push(one);
      return await start(
        onlyOne(right, () => wrong()),
        'password',
        at,
      );
    },

    byProvider: async ({ issuer, subject, email }, customer_id, at) => {
      const found = await store.findByEmail(email.trim().toLowerCase(), customer_id);
      const person = onlyOne(found, () => notInvited(email));
      if (!(await store.bind(person.person_id, issuer, subject)))
        throw new WeirError('forbidden', { detail: `\`${email}\` belongs to another account of the provider` });
      return await start(person, 'oidc', at);
    },

    admit: (request) => {
      const secret = secretIn(request);
      return secret === null ? null : admitted(secret, request);
    },

    csrfToken: (request) => {
      const secret = secretIn(request);
      return secret === null ? null : csrfOf(secret);
    },

    end: async (request) => {
      const secret = secretIn(request);
      if (secret !== null) await store.endSession(sha256(secret));
      return cookieOf('', 0, isSecure());
    },
  };
}

/** Somebody with the same email at several customers says which one. */
function onlyOne<T extends StoredPerson>(found: readonly T[], none: () => WeirError): StoredPerson {
  const [first, ...more] = found;
  if (first === undefined) throw none();
  if (more.length > 0)
    throw new WeirError('conflict', {
      detail: 'several customers have a person with this email; send `customer_id`',
      members: { customer_ids: found.map(({ customer_id }) => customer_id) },
    });
  const { person_id, customer_id, email, name, role, created_at } = first;
  return { person_id, customer_id, email, name, role, created_at };
}

function checkPassword(password: string): void {
  if (password.length >= MIN_PASSWORD && password.length <= MAX_PASSWORD) return;
  const message = `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`;
  throw new WeirError('invalid', {
    detail: `\`/password\` ${message}`,
    errors: [{ path: '/password', message }],
  });
}

function cookieOf(secret: string, max_age_s: number, is_secure: boolean): string {
  // Lax, not Strict: the page that a sign-in at a provider ends on is reached from that provider's site.
  const parts = [`${COOKIE}=${secret}`, 'Path=/', `Max-Age=${max_age_s}`, 'HttpOnly', 'SameSite=Lax'];
  return [...parts, ...(is_secure ? ['Secure'] : [])].join('; ');
}

function secretIn({ headers }: Pick<Credentials, 'headers'>): string | null {
  const found = (headers.cookie ?? '').split(/; */).filter((one) => one.startsWith(`${COOKIE}=`));
  // Two cookies of this name: another page may have set one.
  return found.length === 1 ? found[0]!.slice(COOKIE.length + 1) : null;
}

const csrfOf = (secret: string): string => sha256(`csrf ${secret}`);

function isSame(sent: string, expected: string): boolean {
  return sent.length === expected.length && timingSafeEqual(Buffer.from(sent), Buffer.from(expected));
}

function wrong(): WeirError {
  return new WeirError('unauthenticated', { detail: 'the email or the password is wrong' });
}

function notInvited(email: string): WeirError {
  return new WeirError('forbidden', {
    detail: `nobody here has the email \`${email}\`; an admin adds people with \`weir people add\``,
  });
}
