/**
 * Who calls: what a request shows of its caller, what the caller may do, and whether it still waits for the answer. The doors of
 * HTTP and gRPC share it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { WeirError } from './errors.ts';

/** Of one customer; `customer_id` is empty for the operator and on public endpoints. */
export interface Caller {
  customer_id: string;
  key_id: string;
  /** What the credentials allow; `checkScope` compares them with the endpoint's. */
  scopes: readonly string[];
  /** Who is signed in; absent for keys and for the operator. */
  person?: SignedInPerson;
}

export interface SignedInPerson {
  person_id: string;
  email: string;
  name: string;
  role: string;
  /** How: `link`, `password`, `oidc`. */
  signed_in: string;
}

/**
 * The parts of a request that identify its caller. An HTTP request has them; gRPC builds them from a call's metadata.
 */
export interface Credentials {
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were sent; absent for gRPC. */
  rawHeaders?: readonly string[];
  url?: string | undefined;
  /** Absent for gRPC. */
  method?: string | undefined;
  socket: { remoteAddress?: string | undefined };
}

/**
 * Authenticates a request, or throws. Answers synchronously where it can: most requests carry a key that was verified a
 * moment ago.
 */
export type Admit = (request: Credentials) => Caller | Promise<Caller>;

/** The person of a session cookie; `null` without one. */
export type AdmitPerson = (request: Credentials) => Promise<Caller> | null;

/** The scoring API: a caller with an API key, or a signed-in person on a page of this service. */
export function orPerson(admitKey: Admit, admitPerson: AdmitPerson): Admit {
  return (request) => {
    if (request.headers['x-api-key'] !== undefined || request.headers.cookie === undefined) return admitKey(request);
    const person = admitPerson(request);
    if (person === null) return admitKey(request);
    refuseForeignPage(request);
    return person;
  };
}

/** Where a request comes from, as browsers say it (Fetch Metadata): the service's own pages, or typed by a person. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** A browser names the page behind a request in `Origin` and `Sec-Fetch-Site`; other programs send neither. */
export function refuseForeignPage({ headers, rawHeaders = [] }: Pick<Credentials, 'headers' | 'rawHeaders'>): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1) throw new WeirError('forbidden', { detail: 'send one `Host` header, not several' });
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  const is_own_origin = origin === undefined || URL.parse(origin)?.host === host.toLowerCase();
  if (is_own_origin && (site === undefined || OWN_SITES.has(String(site)))) return;
  throw new WeirError('forbidden', { detail: 'this service takes no calls from pages of other sites' });
}

/** Includes every other scope: anyone who makes keys can make one with any scope. */
const ADMIN = 'admin';

/** The operator on the management plane is bound to no customer and to no scope. */
export function isOperator({ customer_id }: Pick<Caller, 'customer_id'>): boolean {
  return customer_id === '';
}

/** Throws `forbidden` and names the scope when the caller lacks it. */
export function checkScope(caller: Caller, scope: string): void {
  if (isOperator(caller) || caller.scopes.includes(scope) || caller.scopes.includes(ADMIN)) return;
  throw new WeirError('forbidden', {
    detail: `this needs the scope \`${scope}\`, which these credentials do not have; they have ${listed(caller.scopes)}`,
    members: { missing_scope: scope },
  });
}

function listed(scopes: readonly string[]): string {
  return scopes.length === 0 ? 'none' : scopes.map((scope) => `\`${scope}\``).join(', ');
}

const BEARER = /^Bearer +(\S+)$/i;

/**
 * The token of the `Authorization` headers or of gRPC metadata, `null` without one. Throws for any other content. Two
 * tokens are refused; such a call must not count as one without a token.
 */
export function bearerOf([authorization = '', ...more]: readonly string[]): string | null {
  if (more.length > 0)
    throw new WeirError('unauthenticated', { detail: 'send one token in `authorization`, not several' });
  if (authorization === '') return null;
  const token = BEARER.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new WeirError('unauthenticated', {
    detail: 'send the token as `Authorization: Bearer <token>`, or no such header',
  });
}

/** Anyone who waits for an answer, and how long. */
export interface Waiter {
  /** Throws when the caller no longer waits. Call it before each piece of work that can be skipped. */
  checkWanted(): void;
  /** Aborted when the caller has left before its answer: long calls for it alone end then. */
  left(): AbortSignal;
  /** Milliseconds until the caller no longer waits; `Infinity` where it does not say. */
  timeLeft(): number;
}

/** @param onLeft registers what is called when the caller leaves; called once, when the signal is first asked for */
export function leftOnce(onLeft: (abort: () => void) => void): () => AbortSignal {
  let signal: AbortSignal | null = null;
  return () => {
    if (signal !== null) return signal;
    const controller = new AbortController();
    signal = controller.signal;
    onLeft(() => controller.abort());
    return signal;
  };
}
