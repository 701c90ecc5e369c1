/**
 * Signing in at an OpenID provider: authorization code flow with PKCE, state and nonce, by openid-client. What the callback needs is
 * kept in a short-lived, signed, http-only cookie, so that any node can finish what another began.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Configuration } from 'openid-client';
import { WeirError } from '../platform/errors.ts';
import type { ProvenIdentity } from './sessions.ts';

export interface Oidc {
  /** Where the browser goes, and the cookie that it keeps meanwhile. Throws `unavailable` when the provider does not answer. */
  begin(customer_id: string | null): Promise<{ url: string; cookie: string }>;
  /** Who came back. Throws `unauthenticated` for anything that the provider did not answer to this browser's own request. */
  finish(
    query: Record<string, string | undefined>,
    cookies: string,
  ): Promise<{ identity: ProvenIdentity; customer_id: string | null }>;
}

export interface OidcOptions {
  issuer: string;
  client_id: string;
  client_secret: string | null;
  /** Where people reach the auth service, without a final slash. */
  public_url: () => string;
  /** Signs the cookie. */
  cookie_key: () => Promise<Buffer>;
  /** Whether the provider may be reached by plain http: on loopback, for tests and development. */
  allow_http: boolean;
}

interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  customer_id: string | null;
  /** Milliseconds since 1970. */
  expires_at: number;
}

const COOKIE = 'weir_sign_in';
const PATH = '/sign-in/oidc';
const MINUTES = 10;
const PATIENCE_S = 10;
const SCOPE = 'openid email profile';

export function createOidc(options: OidcOptions): Oidc {
  const { issuer, client_id, client_secret, public_url, cookie_key, allow_http } = options;
  // Asked anew: the port may be known only once the service listens.
  const redirectUri = (): string => `${public_url()}${PATH}/callback`;
  let asked: Promise<Configuration> | null = null;
  const load = () => import('openid-client');

  /** The provider's own description, asked once; a failure is asked again. */
  const configuration = async (): Promise<Configuration> => {
    const client = await load();
    const authentication = client_secret === null ? client.None() : client.ClientSecretBasic(client_secret);
    asked ??= client.discovery(new URL(issuer), client_id, undefined, authentication, {
      timeout: PATIENCE_S,
      ...(allow_http && { execute: [client.allowInsecureRequests] }),
    });
    try {
      return await asked;
    } catch (error) {
      asked = null;
      throw new WeirError('unavailable', { detail: 'the OpenID provider cannot be reached; try again', cause: error });
    }
  };

  const seal = async (begun: Begun): Promise<string> => {
    const text = Buffer.from(JSON.stringify(begun)).toString('base64url');
    return `${text}.${await macOf(text)}`;
  };
  const macOf = async (text: string): Promise<string> =>
    createHmac('sha256', await cookie_key())
      .update(text)
      .digest('base64url');
  const open = async (cookies: string): Promise<Begun | null> => {
    const [sent] = cookies.split(/; */).filter((one) => one.startsWith(`${COOKIE}=`));
    const [text = '', mac = ''] = (sent ?? '').slice(COOKIE.length + 1).split('.');
    const expected = await macOf(text);
    if (mac.length !== expected.length || !timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return null;
    const begun = JSON.parse(Buffer.from(text, 'base64url').toString()) as Begun;
    return begun.expires_at > Date.now() ? begun : null;
  };

  return {
    begin: async (customer_id) => {
      const [client, config] = await Promise.all([load(), configuration()]);
      const begun: Begun = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        customer_id,
        expires_at: Date.now() + MINUTES * 60_000,
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri(),
        scope: SCOPE,
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      });
      const secure = public_url().startsWith('https:') ? '; Secure' : '';
      const cookie = `${COOKIE}=${await seal(begun)}; Path=${PATH}; Max-Age=${MINUTES * 60}; HttpOnly; SameSite=Lax${secure}`;
      return { url: url.href, cookie };
    },

    finish: async (query, cookies) => {
      const begun = await open(cookies);
      if (begun === null)
        throw refused('the sign-in was not begun in this browser, or took longer than ten minutes; begin again');
      const [client, config] = await Promise.all([load(), configuration()]);
      const url = new URL(redirectUri());
      for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
      const tokens = await client
        .authorizationCodeGrant(config, url, {
          expectedState: begun.state,
          expectedNonce: begun.nonce,
          pkceCodeVerifier: begun.verifier,
          idTokenExpected: true,
        })
        .catch((error: unknown) => {
          throw refused('the answer of the OpenID provider is not valid; begin again', error);
        });
      const claims = tokens.claims()!;
      const { iss, sub } = claims;
      // Many providers put the email into the answer of their user info endpoint only.
      const { email, email_verified } =
        claims['email'] === undefined
          ? await client.fetchUserInfo(config, tokens.access_token, sub).catch((error: unknown) => {
              throw refused('the OpenID provider does not tell who this is; begin again', error);
            })
          : claims;
      if (typeof email !== 'string' || email_verified !== true)
        throw new WeirError('forbidden', { detail: 'the OpenID provider does not vouch for an email of this account' });
      return { identity: { issuer: iss, subject: sub, email }, customer_id: begun.customer_id };
    },
  };
}

function refused(detail: string, cause?: unknown): WeirError {
  return new WeirError('unauthenticated', { detail, cause });
}
