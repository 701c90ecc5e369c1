/** Signing in at an OpenID provider: a real one on loopback, and a browser that follows its redirects and fills in its forms. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, describe, test } from 'node:test';
import Provider from 'oidc-provider';
import { call, newCustomer, problem } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';
import { freePort } from '../support/port.ts';

/** Accounts of the provider by name; the last has an email that it does not vouch for. */
const ACCOUNTS: Record<string, { email: string; email_verified: boolean }> = {
  ada: { email: 'ada@team.example', email_verified: true },
  imposter: { email: 'ada@team.example', email_verified: true },
  stranger: { email: 'stranger@elsewhere.example', email_verified: true },
  unverified: { email: 'bob@team.example', email_verified: false },
};

async function startProvider(redirect_uri: string): Promise<{ issuer: string; server: Server }> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'weir', client_secret: 'the secret of the client', redirect_uris: [redirect_uri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key for tests'] },
    pkce: { required: () => true },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...ACCOUNTS[id]! }) }),
  });
  const server = createServer(provider.callback());
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return { issuer, server };
}

/** Follows redirects, keeps cookies by host, and posts the forms that the provider shows. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async open(url: string, form?: Record<string, string>): Promise<{ url: string; status: number; text: string }> {
    const { host } = new URL(url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split(/=(.*)/s) as [string, string];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    const text = await response.text();
    if (location !== null) return await this.open(new URL(location, url).href);
    return { url, status: response.status, text };
  }

  /** From our page through the provider's forms and back. */
  async signIn(start: string, login: string) {
    let page = await this.open(start);
    for (let forms = 0; forms < 3 && page.text.includes('name="prompt"'); forms += 1) {
      const action = new URL(/action="([^"]+)"/.exec(page.text)![1]!, page.url).href;
      const prompt = /name="prompt" value="(\w+)"/.exec(page.text)![1]!;
      page = await this.open(action, { prompt, ...(prompt === 'login' && { login, password: 'any' }) });
    }
    return page;
  }

  cookieOf(url: string): string {
    return [...(this.#cookies.get(new URL(url).host) ?? [])].map((pair) => pair.join('=')).join('; ');
  }
}

describe('with an OpenID provider', () => {
  let weir: HostedWeir;
  let provider: Server;
  let customer: Awaited<ReturnType<typeof newCustomer>>;
  before(async () => {
    const port = await freePort();
    const started = await startProvider(`http://127.0.0.1:${port}/sign-in/oidc/callback`);
    provider = started.server;
    weir = await startHostedWeir({
      env: {
        AUTH_PORT: String(port),
        OIDC_ISSUER: started.issuer,
        OIDC_CLIENT_ID: 'weir',
        OIDC_CLIENT_SECRET: 'the secret of the client',
      },
    });
    customer = await newCustomer(weir);
    for (const email of ['ada@team.example', 'bob@team.example']) {
      const body = { customer_id: customer.customer_id, email, role: 'approver' };
      assert.equal((await call(`${weir.auth}/people`, { key: customer.api_key, body })).status, 201);
    }
  });
  after(async () => {
    await weir.stop();
    provider.close();
    provider.closeAllConnections();
  });

  const start = () => `${weir.auth}/sign-in/oidc`;

  test('a person who was added signs in, and stays bound to that account', async () => {
    const browser = new Browser();
    const page = await browser.signIn(start(), 'ada');
    assert.equal(page.status, 200, page.text);
    assert.equal(new URL(page.url).pathname, '/sign-in');
    const cookie = browser.cookieOf(weir.auth);
    const seen = await call(`${weir.auth}/session`, { headers: { cookie }, is_anonymous: true });
    const person = seen.json['person'] as { email: string; signed_in: string; role: string };
    assert.deepEqual(
      [person.email, person.signed_in, person.role],
      ['ada@team.example', 'oidc', 'approver'],
      seen.text,
    );
    const again = await new Browser().signIn(start(), 'ada');
    assert.equal(again.status, 200);
    const other = await new Browser().signIn(start(), 'imposter');
    assert.deepEqual([other.status, /another account/.test(other.text)], [403, true], other.text);
  });

  test('nobody gets in who was not added, or whose email the provider does not vouch for', async () => {
    const stranger = await new Browser().signIn(start(), 'stranger');
    assert.deepEqual([stranger.status, /weir people add/.test(stranger.text)], [403, true], stranger.text);
    const unverified = await new Browser().signIn(start(), 'unverified');
    assert.deepEqual([unverified.status, /does not vouch/.test(unverified.text)], [403, true], unverified.text);
  });

  test('an answer that this browser did not ask for is refused', async () => {
    const callback = `${start()}/callback?code=made-up&state=made-up`;
    problem(await call(callback, { is_anonymous: true }), 401);
    const begun = await fetch(start(), { redirect: 'manual' });
    const cookie = begun.headers.getSetCookie()[0]!.split(';')[0]!;
    const { searchParams } = new URL(begun.headers.get('location')!);
    assert.equal(searchParams.get('code_challenge_method'), 'S256');
    problem(await call(callback, { is_anonymous: true, headers: { cookie } }), 401);
    const state = searchParams.get('state')!;
    const with_state = `${start()}/callback?code=made-up&state=${state}`;
    problem(await call(with_state, { is_anonymous: true, headers: { cookie } }), 401);
    const forged = cookie.replace(/\.[^.]+$/, '.AAAA');
    problem(await call(with_state, { is_anonymous: true, headers: { cookie: forged } }), 401);
  });
});
