/** Signing in and out: by a one-time link, a password, or an OpenID provider. */
import { Type } from 'typebox';
import { refuseForeignPage } from '../../../platform/caller.ts';
import { WeirError } from '../../../platform/errors.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { requiredText } from '../../../platform/http/parameters.ts';
import { customerIn, plainBody } from '../token-schemas.ts';
import { type PeopleDoorParts, sessionSchema, signedInSchema, signInBody } from './schemas.ts';
import { signInPage } from './sign-in-page.ts';

interface Body {
  link?: string;
  email?: string;
  password?: string;
  customer_id?: string;
}

/** What providers add to the address that they send the browser back to. */
const FROM_PROVIDER = [
  ...['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state', 'scope'],
  ...['authuser', 'prompt', 'hd'],
];

const oneText = (max_length: number, description: string) => ({
  ...requiredText(max_length, description),
  is_required: false,
  absent: undefined as string | undefined,
});

const common = { tag: 'people' } as const;
const page = Type.String();

export function signInEndpoints({ sessions, oidc }: Pick<PeopleDoorParts, 'sessions' | 'oidc'>) {
  return [
    endpoint({
      ...common,
      method: 'GET',
      path: '/sign-in',
      operation: 'sign_in_page',
      summary: 'The page on which people sign in',
      access: 'public',
      answers: { 200: { description: 'a page', schema: page, content_type: 'text/html' } },
      handle: () => signInPage(oidc !== null),
    }),
    endpoint({
      ...common,
      method: 'POST',
      path: '/sign-in',
      operation: 'sign_in',
      summary: 'Sign in with a one-time link, or with a password',
      description:
        'Answers with an http-only, SameSite cookie. A link works once; with `password` it also sets the password. Cookies of a session are accepted by the scoring API and by this service.',
      access: 'public',
      body: plainBody<Body>(signInBody),
      answers: { 200: { description: 'signed in', schema: signedInSchema } },
      errors: ['unauthenticated', 'forbidden', 'conflict', 'rate_limited'],
      handle: async ({ body, request }) => {
        refuseForeignPage(request);
        const { link, email, password } = body;
        const customer_id = body.customer_id === undefined ? null : customerIn(body.customer_id);
        if ((link === undefined) === (email === undefined))
          throw new WeirError('invalid', { detail: 'send `link`, or `email` with `password`' });
        if (link === undefined && password === undefined)
          throw new WeirError('invalid', { detail: '`/password` is missing' });
        const signed_in =
          link !== undefined
            ? await sessions.byLink(link, password ?? null, request)
            : await sessions.byPassword(email!, password!, customer_id, request);
        const { cookie, person, csrf_token } = signed_in;
        return { headers: { 'set-cookie': cookie, 'cache-control': 'no-store' }, body: { person, csrf_token } };
      },
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: '/session',
      operation: 'session',
      summary: 'Who is signed in',
      access: 'management',
      scope: 'scores:read',
      customerOf: async ({ caller }) => caller.customer_id,
      answers: { 200: { description: 'the person of the session', schema: sessionSchema } },
      errors: ['not_found'],
      handle: ({ caller, request }) => {
        const csrf_token = sessions.csrfToken(request);
        if (caller.person === undefined || csrf_token === null)
          throw new WeirError('not_found', { detail: 'no person is signed in' });
        return {
          body: { person: { ...caller.person, customer_id: caller.customer_id }, scopes: caller.scopes, csrf_token },
        };
      },
    }),
    endpoint({
      ...common,
      method: 'DELETE',
      path: '/session',
      operation: 'sign_out',
      summary: 'Sign out',
      access: 'management',
      scope: 'scores:read',
      customerOf: async ({ caller }) => caller.customer_id,
      answers: { 200: { description: 'signed out', schema: Type.Object({ status: Type.Literal('signed_out') }) } },
      handle: async ({ request }) => {
        const cookie = await sessions.end(request);
        return { headers: { 'set-cookie': cookie }, body: { status: 'signed_out' } };
      },
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: '/sign-in/oidc',
      operation: 'sign_in_at_provider',
      summary: 'Sign in at the OpenID provider',
      description: 'Sends the browser to the provider of OIDC_ISSUER (authorization code flow with PKCE).',
      access: 'public',
      query: { customer_id: oneText(36, 'for people of several customers') },
      answers: { 302: { description: 'to the provider', schema: page, content_type: 'text/html' } },
      errors: ['not_found', 'unavailable'],
      handle: async ({ query }) => {
        const customer_id = query.customer_id === undefined ? null : customerIn(query.customer_id, 'customer_id');
        const { url, cookie } = await configured(oidc).begin(customer_id);
        return redirect(302, url, cookie);
      },
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: '/sign-in/oidc/callback',
      operation: 'signed_in_at_provider',
      summary: 'Where the OpenID provider sends the browser back to',
      access: 'public',
      query: {
        ...Object.fromEntries(FROM_PROVIDER.map((name) => [name, oneText(4_096, 'of the provider')])),
      },
      answers: { 303: { description: 'signed in', schema: page, content_type: 'text/html' } },
      errors: ['not_found', 'unauthenticated', 'forbidden', 'conflict', 'unavailable'],
      handle: async ({ query, request }) => {
        const provider = configured(oidc);
        const { identity, customer_id } = await provider.finish(query, request.headers.cookie ?? '');
        const { cookie } = await sessions.byProvider(identity, customer_id, request);
        return redirect(303, '/sign-in#signed-in', cookie);
      },
    }),
  ];
}

function configured<T>(oidc: T | null): T {
  if (oidc !== null) return oidc;
  throw new WeirError('not_found', { detail: 'no OpenID provider is configured: set OIDC_ISSUER' });
}

function redirect(status: number, location: string, cookie: string) {
  const headers = { location, 'set-cookie': cookie, 'cache-control': 'no-store', 'content-type': 'text/html' };
  return { status, headers, body: '' };
}
