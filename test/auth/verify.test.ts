/** The verifier on two nodes and one PostgreSQL: what it accepts, and how soon it stops. */
import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { describe, test } from 'node:test';
import { isSignedBy, parseJws, parseObject, publicKeyFrom, rejectionOf } from 'weir/verify';
import { StoreUnavailable } from '../../src/platform/errors.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { NO_SERVER, useNodes } from '../support/test-database.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';
import {
  ALL_RIGHTS,
  assertBad,
  assertGood,
  by,
  issue,
  makeAuth,
  makeFamily,
  sessionOf,
  steppedClock,
  subagentOf,
} from './support.ts';

describe('the verifier', { skip: NO_SERVER ?? false }, () => {
  const shared = useNodes();

  /** Issues and revokes on one node, verifies on the other. */
  function nodes() {
    const clock = steppedClock();
    return {
      near: makeAuth(shared.storages[0]),
      far: makeAuth(shared.storages[1], { clock }),
      later: () => clock.step(1_000),
    };
  }

  test('says what the token says', async () => {
    const { near, far } = nodes();
    const { customer_id, app, bearer, agent } = await makeFamily(near);
    const child = await subagentOf(near, customer_id, agent.jti);
    const session = await sessionOf(near, customer_id, child.jti, { max_events: 7 });
    const token = await assertGood(far, session);
    assert.deepEqual(
      token.path,
      [app, bearer, agent, child, session].map(({ jti }) => jti),
    );
    const { kind, agent_id, session_id, max_events, delegation_depth } = token;
    assert.deepEqual([kind, agent_id, session_id, max_events, delegation_depth], ['session', 's-1', 'ses-1', 7, 1]);
    assert.equal(await far.verify(session.token, customer_id), token, 'the second time is the first again');
  });

  test('a key made on another node a moment ago is known', async () => {
    const { near, far } = nodes();
    const { customer_id, bearer, agent } = await makeFamily(near);
    await assertGood(far, agent);
    await near.keys.create(customer_id, by);
    const next = await issue(near, 'agent', { customer_id, bearer_jti: bearer.jti, agent_id: 'b', rbac: ALL_RIGHTS });
    await assertGood(far, next);
    await assertGood(far, agent);
  });

  test('another customer, another kind, another text', async () => {
    const { near, far } = nodes();
    const { bearer, agent } = await makeFamily(near);
    const other = await makeFamily(near);
    await assertGood(far, agent);
    await assertBad(far, { ...agent, customer_id: other.customer_id });
    await assertBad(far, bearer);
    const [head, body, signature] = agent.token.split('.') as [string, string, string];
    const flipped = signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'));
    for (const token of [
      `${head}.${body}.${flipped}`,
      `${head}.${other.agent.token.split('.')[1]}.${signature}`,
      agent.token.replace('weir_agent_', 'weir_subagent_'),
      agent.token.replace('weir_agent_', ''),
      `${agent.token}=`,
      `${agent.token}\n`,
      ` ${agent.token}`,
      '',
      'x'.repeat(100_000),
    ]) {
      await assertBad(far, { ...agent, token });
    }
  });

  test('what was seen as good is refused within a second of its revocation, and what was not is not', async () => {
    const { near, far, later } = nodes();
    const { customer_id, agent } = await makeFamily(near);
    const [a, b] = [await subagentOf(near, customer_id, agent.jti), await subagentOf(near, customer_id, agent.jti)];
    const below = await sessionOf(near, customer_id, a.jti);
    for (const one of [agent, a, b, below]) await assertGood(far, one);
    await near.revoke.cascade(a.jti, null, by);
    await near.revoke.one(agent.jti, null, by);
    later();
    for (const one of [a, below, agent]) await assertBad(far, one, /revoked/);
    await assertGood(far, b);
    await assertBad(near, below, /revoked/);
  });

  test('a retired key goes on vouching, a disabled one stops within a second', async () => {
    const { near, far, later } = nodes();
    const { customer_id, agent } = await makeFamily(near);
    const { key_id } = await near.keys.publicKey(customer_id);
    await assertGood(far, agent);
    await near.keys.rotate(customer_id, key_id, false, by);
    later();
    await assertGood(far, agent);
    await near.keys.rotate(customer_id, key_id, true, by);
    later();
    await assertBad(far, agent);
    await assertBad(near, agent);
  });

  test('what a retired key signs afterwards is not a token', async () => {
    const { near, far, later } = nodes();
    const { customer_id, agent } = await makeFamily(near);
    const { key_id } = await near.keys.publicKey(customer_id);
    await near.keys.rotate(customer_id, key_id, false, by);
    // As if it had been retired before the token was issued.
    await shared.database.run(
      `update signing_keys set retired_at = retired_at - interval '1 minute' where key_id = $1`,
      [key_id],
    );
    later();
    await assertBad(far, agent, /signature/);
  });

  test('it expires by the database’s clock, also when it was seen before', async () => {
    const { near, far, later } = nodes();
    const { agent } = await makeFamily(near);
    await assertGood(far, agent);
    const shift = (hours: number) =>
      shared.database.run(
        `create or replace function auth_now() returns timestamptz language sql volatile
         as $$ select clock_timestamp() + interval '${hours} hours' $$`,
      );
    await shift(25);
    later();
    await assertBad(far, agent, /expired/);
    await shift(0);
    later();
    await assertGood(far, agent);
  });

  test('while the database is away nothing is valid', async () => {
    const storage = await openPostgres(shared.database.url, WIDE_LIMITS);
    const clock = steppedClock();
    const far = makeAuth(storage, { clock });
    const { agent } = await makeFamily(makeAuth(shared.storages[0]));
    await assertGood(far, agent);
    await storage.close();
    clock.step(1_000);
    await assert.rejects(async () => far.verify(agent.token, agent.customer_id), StoreUnavailable);
  });

  test('`weir/verify` checks a token with nothing but the published keys', async () => {
    const { near } = nodes();
    const { customer_id, agent } = await makeFamily(near);
    const { keys } = await near.keys.jwks(customer_id);
    const jws = parseJws(agent.token.slice('weir_agent_'.length))!;
    const key = publicKeyFrom(keys.find(({ kid }) => kid === jws.header.kid) as Record<string, unknown>)!;
    assert.ok(isSignedBy(key, jws) && key.equals(createPublicKey((await near.keys.publicKey(customer_id)).public_key)));
    const policy = {
      issuer: 'weir-auth',
      audience: 'weir-api',
      typ: 'agent+jwt',
      max_ttl_s: 1e9,
      clock_tolerance_s: 5,
    };
    const claims = parseObject(jws.payload)!;
    assert.equal(rejectionOf(claims, jws.header.typ, policy, Date.now() / 1_000), null);
    assert.equal(rejectionOf(claims, jws.header.typ, policy, Number(claims['exp'])), 'expired');
  });

  test('the master key is changed by wrapping anew; with another one nothing is signed', async () => {
    const { customer_id, bearer } = await makeFamily(makeAuth(shared.storages[0]));
    const other = makeAuth(shared.storages[1], { settings: { MASTER_KEY: 'another' } });
    const derive = (auth: typeof other) =>
      issue(auth, 'agent', { customer_id, bearer_jti: bearer.jti, agent_id: 'a', rbac: ALL_RIGHTS });
    await assert.rejects(derive(other), { code: 'unavailable' });
    const { createMasterKey } = await import('../../src/tokens/keys/master-key.ts');
    const from = createMasterKey({ MASTER_KEY: 'a master key for tests', DATA_DIR: '/nowhere' });
    assert.ok((await other.keys.rewrap(from)).moved > 0);
    assert.equal((await other.keys.rewrap(from)).moved, 0);
    await assertGood(other, await derive(other));
    await assert.rejects(derive(makeAuth(shared.storages[0])), { code: 'unavailable' });
  });

  test('logs are append-only, whoever tries', async () => {
    for (const table of ['revocation_log', 'audit_log']) {
      for (const sql of [`delete from ${table}`, `truncate ${table}`, `update ${table} set customer_id = null`]) {
        await assert.rejects(shared.database.run(sql), /append-only/, sql);
      }
    }
  });
});
