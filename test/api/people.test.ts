/** Named people: how they sign in, what their roles open, and how the policy's rules of approval bind them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { verifyDecision } from '../../src/verify.ts';
import { type Customer, call, fullEvent, newCustomer, problem, type Reply } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';

/** Somebody at a browser: a cookie, and the value that goes with it. */
interface SignedIn {
  person_id: string;
  cookie: string;
  csrf_token: string;
}

const PASSWORD = 'correct horse battery staple';

describe('people', () => {
  let weir: HostedWeir;
  let customer: Customer;
  before(async () => {
    weir = await startHostedWeir();
    customer = await newCustomer(weir);
  });
  after(() => weir.stop());

  const add = async (email: string, role: string, of = customer) => {
    const body = { customer_id: of.customer_id, email, role };
    const reply = await call(`${weir.auth}/people`, { key: of.api_key, body });
    assert.equal(reply.status, 201, reply.text);
    return { person_id: String(reply.json['person_id']), link: linkOf(reply) };
  };
  const linkOf = ({ json }: Reply): string => {
    const url = new URL(String(json['sign_in_url']));
    assert.equal(url.origin, weir.auth);
    return url.hash.slice(1);
  };
  const signIn = async (body: object): Promise<SignedIn> => {
    const reply = await call(`${weir.auth}/sign-in`, { body, is_anonymous: true });
    assert.equal(reply.status, 200, reply.text);
    const [set = ''] = reply.headers.getSetCookie();
    assert.match(set, /^weir_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    const { person_id } = reply.json['person'] as { person_id: string };
    return { person_id, cookie: set.split(';')[0]!, csrf_token: String(reply.json['csrf_token']) };
  };
  const person = async (email: string, role: string, of = customer) =>
    signIn({ link: (await add(email, role, of)).link });
  const as = ({ cookie, csrf_token }: SignedIn, url: string, options: Parameters<typeof call>[1] = {}) =>
    call(url, { ...options, is_anonymous: true, headers: { cookie, 'x-csrf-token': csrf_token, ...options.headers } });
  const setPolicy = async (policy: object, of = customer) => {
    const reply = await call(`${weir.api}/policies/${of.customer_id}`, { key: of.api_key, body: policy });
    assert.ok([200, 201].includes(reply.status), reply.text);
  };
  const hold = async (of = customer, user_id = 'agent-user'): Promise<string> => {
    const event = { ...fullEvent(), action: 'db:prod:drop', session: { session_id: randomUUID(), user_id } };
    const reply = await call(`${weir.api}/events`, { key: of.api_key, body: event });
    assert.equal((reply.json['hold'] as { state: string } | null)?.state, 'held', reply.text);
    return event.event_id;
  };
  const decideUrl = (event_id: string) => `${weir.auth}/overrides/${event_id}/decide`;
  const decide = (who: SignedIn, event_id: string, decision = 'approve', reason: string | null = 'seen') =>
    as(who, decideUrl(event_id), { body: { decision, ...(reason !== null && { reason }) } });

  test('a link signs in once, sets a password if wanted, and a new one ends it', async () => {
    const { link } = await add('link@example.com', 'viewer');
    const first = await signIn({ link, password: PASSWORD });
    problem(await call(`${weir.auth}/sign-in`, { body: { link }, is_anonymous: true }), 401);
    const second = await signIn({ email: 'Link@Example.com', password: PASSWORD });
    assert.notEqual(first.cookie, second.cookie);
    for (const password of ['wrong horse battery staple', 'short'])
      problem(await call(`${weir.auth}/sign-in`, { body: { email: 'link@example.com', password } }), 401);
    problem(await call(`${weir.auth}/sign-in`, { body: { email: 'nobody@example.com', password: PASSWORD } }), 401);
    problem(await call(`${weir.auth}/sign-in`, { body: { link: 'x', password: 'short' } }), 400);
    problem(await call(`${weir.auth}/sign-in`, { body: {} }), 400);
    const key = customer.api_key;
    const again = async () =>
      linkOf(await call(`${weir.auth}/people/${first.person_id}/link`, { key, method: 'POST' }));
    const [old, fresh] = [await again(), await again()];
    problem(await call(`${weir.auth}/sign-in`, { body: { link: old }, is_anonymous: true }), 401);
    await signIn({ link: fresh });
  });

  test('after ten passwords for one email the next has to wait', async () => {
    await add('guessed@example.com', 'viewer');
    const statuses = [];
    for (let n = 0; n < 12; n += 1) {
      const body = { email: 'guessed@example.com', password: `guess number ${n}` };
      statuses.push((await call(`${weir.auth}/sign-in`, { body, is_anonymous: true })).status);
    }
    assert.equal(statuses.at(-1), 429);
  });

  test('a session reads at once, and changes things only with its CSRF token and from a page of ours', async () => {
    const editor = await person('editor@example.com', 'policy_editor');
    const policy = `${weir.api}/policies/${customer.customer_id}`;
    assert.equal((await as(editor, policy, { body: { blocked_actions: ['db:prod:drop'] } })).status, 201);
    const { cookie, csrf_token } = editor;
    const body = { blocked_actions: ['db:prod:drop'] };
    problem(await call(policy, { body, headers: { cookie } }), 403);
    problem(await call(policy, { body, headers: { cookie, 'x-csrf-token': csrf_token.replace(/^./, '_') } }), 403);
    problem(await as(editor, policy, { body, headers: { origin: 'https://evil.example' } }), 403);
    problem(await as(editor, policy, { body, headers: { 'sec-fetch-site': 'same-site' } }), 403);
    assert.equal((await as(editor, policy, { body, headers: { origin: new URL(weir.api).origin } })).status, 200);
    assert.equal(
      (await call(`${weir.api}/scores/${customer.customer_id}/summary`, { headers: { cookie } })).status,
      200,
    );
    problem(
      await call(`${weir.api}/scores/${customer.customer_id}/summary`, { headers: { cookie: 'weir_session=no' } }),
      401,
    );
    const other = await newCustomer(weir);
    problem(await as(editor, `${weir.api}/policies/${other.customer_id}`, { body }), 403);
    const seen = await as(editor, `${weir.auth}/session`);
    assert.equal((seen.json['person'] as { email: string }).email, 'editor@example.com');
    assert.equal((await as(editor, `${weir.auth}/session`, { method: 'DELETE' })).status, 200);
    problem(await as(editor, policy, { body }), 401);
  });

  test('a role opens what it says, and losing it ends the session', async () => {
    const roles = {
      viewer: [403, 403, 403],
      approver: [403, 404, 403],
      policy_editor: [200, 403, 403],
      admin: [200, 404, 200],
    };
    for (const [role, expected] of Object.entries(roles)) {
      const who = await person(`${role}@roles.example.com`, role);
      const statuses = [
        await as(who, `${weir.api}/policies/${customer.customer_id}`, { body: { blocked_actions: ['db:prod:drop'] } }),
        await decide(who, 'no-such-event'),
        await as(who, `${weir.auth}/people/${customer.customer_id}`),
      ].map(({ status }) => status);
      assert.deepEqual(statuses, expected, role);
      problem(await as(who, `${weir.auth}/metrics`), 403);
    }
    const admin = await person('boss@roles.example.com', 'admin');
    const gone = await person('gone@roles.example.com', 'approver');
    const url = `${weir.auth}/people/${gone.person_id}`;
    assert.equal((await as(admin, `${url}/role`, { body: { role: 'viewer' } })).status, 200);
    problem(await as(gone, `${weir.api}/policies/${customer.customer_id}`), 401);
    assert.equal((await as(admin, url, { method: 'DELETE' })).status, 200);
    problem(await as(admin, url, { method: 'DELETE' }), 404);
    problem(
      await as(admin, `${weir.auth}/people`, {
        body: { customer_id: customer.customer_id, email: 'boss@roles.example.com', role: 'admin' },
      }),
      409,
    );
    const stranger = await newCustomer(weir);
    problem(
      await call(`${url.replace(gone.person_id, admin.person_id)}/link`, { key: stranger.api_key, method: 'POST' }),
      404,
    );
  });

  test('a decision names its person: in the hold, the cosignature and the audit log', async () => {
    const own = await newCustomer(weir);
    await setPolicy({ blocked_actions: ['db:prod:drop'] }, own);
    const ada = await person('ada@example.com', 'approver', own);
    const event_id = await hold(own);
    const decided = await decide(ada, event_id);
    assert.equal(decided.status, 200, decided.text);
    const { key_id: _, ...expected } = {
      key_id: '',
      kind: 'person',
      id: ada.person_id,
      name: 'ada@example.com',
      email: 'ada@example.com',
      signed_in: 'link',
      address: '127.0.0.1',
    };
    assert.deepEqual(decided.json['decided_by'], [expected]);
    const { json } = await call(`${weir.api}/scores/event/${event_id}`, { key: own.api_key });
    const { decided_by, cosignature } = json['hold'] as { decided_by: unknown; cosignature: string };
    assert.deepEqual(decided_by, [expected]);
    const keys = await call(`${weir.auth}/keys/jwks/${own.customer_id}`, { key: own.api_key });
    const proof = verifyDecision(cosignature, keys.json as never, json['event'] as never);
    assert.deepEqual(proof?.decided_by, [expected]);
    const audit = await call(`${weir.auth}/audit?customer_id=${own.customer_id}`, { key: own.api_key });
    const line = (audit.json['entries'] as { action: string; actor: string; details: object }[]).find(
      ({ action }) => action === 'event.decided',
    )!;
    assert.equal(line.actor, 'person ada@example.com@127.0.0.1');
    assert.deepEqual((line.details as { decided_by: unknown }).decided_by, [expected]);
    problem(await decide(ada, event_id, 'reject'), 409);
    const second = await hold(own);
    const by_key = await call(decideUrl(second), { key: own.api_key, body: { decision: 'reject' } });
    assert.deepEqual(by_key.json['decided_by'], [
      { kind: 'api_key', id: own.key_id, name: null, email: null, signed_in: 'api_key', address: '127.0.0.1' },
    ]);
  });

  test('rules of approval: named people, roles, reasons, never the own session, four eyes', async () => {
    const own = await newCustomer(weir);
    const ada = await person('ada@rules.example.com', 'approver', own);
    const bob = await person('bob@rules.example.com', 'admin', own);
    const eve = await person('eve@rules.example.com', 'approver', own);
    await setPolicy(
      {
        blocked_actions: ['db:prod:drop'],
        approvals: [
          {
            levels: ['critical'],
            by: ['admin', 'ada@rules.example.com'],
            people: 2,
            not_own: true,
            needs_reason: true,
          },
        ],
      },
      own,
    );
    const event_id = await hold(own, 'Bob@rules.example.com');
    const refused = async (reply: Promise<Reply>, status: number, pattern: RegExp) =>
      assert.match(String(problem(await reply, status)['detail']), pattern);
    await refused(
      call(decideUrl(event_id), { key: own.api_key, body: { decision: 'approve', reason: 'x' } }),
      403,
      /named people/,
    );
    const operator = { customer_id: own.customer_id, decision: 'approve', reason: 'x' };
    await refused(call(decideUrl(event_id), { body: operator }), 403, /named people/);
    const right = { customer_id: own.customer_id, event_id, allowed_decisions: ['approve'] };
    const issued = await call(`${weir.auth}/tokens/override`, { key: own.api_key, body: right });
    const with_token = { override_token: issued.json['token'], decision: 'approve', reason: 'x' };
    await refused(call(decideUrl(event_id), { key: own.api_key, body: with_token }), 403, /named people/);
    await refused(decide(eve, event_id), 403, /admin, ada@rules.example.com; you are not among them/);
    await refused(decide(bob, event_id), 403, /session of their own/);
    await refused(decide(ada, event_id, 'approve', ' '), 400, /reason/);
    const waiting = await decide(ada, event_id);
    assert.deepEqual([waiting.status, waiting.json['status'], waiting.json['missing']], [202, 'held', 1], waiting.text);
    await refused(decide(ada, event_id), 409, /counts already/);
    const cat = await person('cat@rules.example.com', 'admin', own);
    const decided = await decide(cat, event_id);
    assert.equal(decided.status, 200, decided.text);
    const emails = (decided.json['decided_by'] as { email: string }[]).map(({ email }) => email);
    assert.deepEqual(emails, ['ada@rules.example.com', 'cat@rules.example.com']);
    const other = await hold(own, 'bob');
    await refused(decide(bob, other), 403, /session of their own/);
    assert.equal((await decide(bob, other, 'reject')).status, 200, 'one may always stop one’s own');
  });

  test('a right that is lent is used in the lender’s name, and counts once', async () => {
    const own = await newCustomer(weir);
    const ada = await person('ada@lent.example.com', 'approver', own);
    const bob = await person('bob@lent.example.com', 'approver', own);
    const rule = { levels: ['critical'], by: ['ada@lent.example.com'], people: 2 };
    await setPolicy({ blocked_actions: ['db:prod:drop'], approvals: [rule] }, own);
    const event_id = await hold(own);
    problem(await decide(bob, event_id), 403);
    const { customer_id } = own;
    problem(
      await as(bob, `${weir.auth}/delegations`, {
        body: { customer_id, from: 'ada@lent.example.com', to: 'bob@lent.example.com', minutes: 60 },
      }),
      403,
    );
    const lent = await as(ada, `${weir.auth}/delegations`, {
      body: { customer_id, to: 'bob@lent.example.com', minutes: 60 },
    });
    assert.equal(lent.status, 201, lent.text);
    assert.equal((await decide(ada, event_id)).status, 202);
    problem(await decide(bob, event_id), 409);
    await setPolicy({ blocked_actions: ['db:prod:drop'], approvals: [{ ...rule, people: 1 }] }, own);
    const second = await hold(own);
    const decided = await decide(bob, second);
    assert.equal(decided.status, 200, decided.text);
    const [by] = decided.json['decided_by'] as [{ email: string; on_behalf_of: object }];
    assert.deepEqual(
      [by.email, by.on_behalf_of],
      ['bob@lent.example.com', { id: ada.person_id, email: 'ada@lent.example.com' }],
    );
    const url = `${weir.auth}/delegations/${String(lent.json['delegation_id'])}?customer_id=${customer_id}`;
    problem(await as(bob, url, { method: 'DELETE' }), 403);
    assert.equal((await as(ada, url, { method: 'DELETE' })).status, 200);
    problem(await decide(bob, await hold(own)), 403);
  });

  test('the first start invites its first person', async () => {
    const link = new URL(weir.sign_in_url).hash.slice(1);
    const owner = await signIn({ link });
    const { json } = await as(owner, `${weir.auth}/people/${weir.customer_id}`);
    assert.deepEqual(
      (json['people'] as { role: string }[]).map(({ role }) => role),
      ['admin'],
    );
  });

  test('the sign-in page loads nothing from elsewhere and no framing page', async () => {
    const reply = await call(`${weir.auth}/sign-in`, { is_anonymous: true });
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    assert.doesNotMatch(reply.text, /(?:src|href)="https?:/);
  });
});
