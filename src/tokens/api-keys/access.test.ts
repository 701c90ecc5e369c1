import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import type { WeirError } from '../../platform/errors.ts';
import { isApiKeyShaped, newApiKey, sha256 } from '../../platform/ids.ts';
import type { StoredApiKey } from '../../storage/ports/storage.ts';
import { createKeyAccess } from './access.ts';

const KEY = newApiKey('weir');

function setUp(options: { rate_limit_rpm?: number; customer_rate_limit_rpm?: number } = {}) {
  let ticks = 0;
  const asked: string[] = [];
  const stored = new Map<string, StoredApiKey>();
  const store = (api_key: string, key_id: string) =>
    stored.set(sha256(api_key), {
      key_id,
      customer_id: `customer of ${key_id}`,
      name: '',
      scopes: ['events:write'],
      created_at: '',
      revoked_at: null,
    });
  store(KEY, 'k1');
  const access = createKeyAccess({
    store: {
      findByHash: async (key_hash) => {
        asked.push(key_hash);
        return stored.get(key_hash) ?? null;
      },
      findByHashes: async (key_hashes) => {
        asked.push(key_hashes.join());
        await new Promise((done) => setImmediate(done));
        return new Map(
          key_hashes.flatMap((key_hash) => (stored.has(key_hash) ? [[key_hash, stored.get(key_hash)!]] : [])),
        );
      },
    },
    prefix: 'weir',
    rate_limit_rpm: options.rate_limit_rpm ?? 0,
    customer_rate_limit_rpm: options.customer_rate_limit_rpm ?? 0,
    clock: { now: () => 0, ticks: () => ticks },
  });
  const call = async (headers: Record<string, string>, url = '/events', address = '10.0.0.1') =>
    access.admit({ headers, url, socket: { remoteAddress: address } } as unknown as IncomingMessage);
  const refused = async (...args: Parameters<typeof call>): Promise<WeirError> => {
    try {
      await call(...args);
    } catch (error) {
      return error as WeirError;
    }
    return assert.fail('was let in');
  };
  const pass = (ms: number) => {
    ticks += ms;
  };
  const revoke = (api_key: string) => {
    stored.set(sha256(api_key), { ...stored.get(sha256(api_key))!, revoked_at: 'now' });
  };
  return { access, asked, store, call, refused, pass, revoke, stored };
}

describe('API key access', () => {
  test('a valid key identifies its customer', async () => {
    const { call } = setUp();
    assert.deepEqual(await call({ 'x-api-key': KEY }), {
      customer_id: 'customer of k1',
      key_id: 'k1',
      scopes: ['events:write'],
    });
  });

  test('every invalid key gets the same answer', async () => {
    const { refused, revoke } = setUp();
    const unknown = newApiKey('weir');
    const answers = [
      await refused({}),
      await refused({ 'x-api-key': '' }),
      await refused({ 'x-api-key': 'short' }),
      await refused({ 'x-api-key': `${KEY.slice(0, -1)}#` }),
      await refused({ 'x-api-key': `${KEY}, ${KEY}` }),
      await refused({ 'x-api-key': unknown }),
      await refused({ 'x-api-key': 'x'.repeat(10_000) }),
      await refused({ 'x-api-key': KEY }, `/events?api_key=${KEY}`),
      await refused({ 'x-api-key': KEY }, '/events?a=1&X-API-Key=x'),
      await refused({ authorization: `Bearer ${KEY}` }),
    ];
    revoke(KEY);
    answers.push(await refused({ 'x-api-key': KEY }));
    for (const answer of answers) {
      assert.equal(answer.code, 'unauthenticated');
      assert.equal(answer.detail, answers[0]!.detail);
    }
  });

  test('asks the store once a second, and only once for many at the same time', async () => {
    const { call, asked, pass } = setUp();
    await Promise.all([call({ 'x-api-key': KEY }), call({ 'x-api-key': KEY }), call({ 'x-api-key': KEY })]);
    await call({ 'x-api-key': KEY });
    assert.equal(asked.length, 1);
    pass(1_000);
    await call({ 'x-api-key': KEY });
    assert.equal(asked.length, 2);
  });

  test('a revocation on another node takes effect within a second, one on this node at once', async () => {
    const first = setUp();
    await first.call({ 'x-api-key': KEY });
    first.revoke(KEY);
    first.pass(1_000);
    await first.refused({ 'x-api-key': KEY });

    const second = setUp();
    await second.call({ 'x-api-key': KEY });
    second.revoke(KEY);
    second.access.keysChanged();
    await second.refused({ 'x-api-key': KEY });
  });

  test('an answer in flight during a revocation is not cached', async () => {
    const { call, revoke, access, refused } = setUp();
    const on_its_way = call({ 'x-api-key': KEY });
    revoke(KEY);
    access.keysChanged();
    await on_its_way;
    await refused({ 'x-api-key': KEY });
  });

  test('a key made here is valid at once, even if it was tried before', async () => {
    const { call, refused, store, access } = setUp();
    const fresh = newApiKey('weir');
    await refused({ 'x-api-key': fresh });
    store(fresh, 'k2');
    access.keysChanged();
    assert.equal((await call({ 'x-api-key': fresh })).key_id, 'k2');
  });

  test('mistyped keys never reach the store', async () => {
    const { refused, asked } = setUp();
    const wrong = KEY.slice(0, 20) + (KEY[20] === 'A' ? 'B' : 'A') + KEY.slice(21);
    await refused({ 'x-api-key': wrong });
    assert.equal(asked.length, 0);
    assert.equal(isApiKeyShaped(KEY, 'weir'), true);
    assert.equal(isApiKeyShaped('a-key-somebody-chose', 'weir'), true);
  });

  test('the rate of one key is limited and refills; another key is not touched', async () => {
    const { call, refused, store, pass } = setUp({ rate_limit_rpm: 60 });
    const other = newApiKey('weir');
    store(other, 'k2');
    for (let i = 0; i < 60; i++) await call({ 'x-api-key': KEY });
    const limited = await refused({ 'x-api-key': KEY });
    assert.equal(limited.code, 'rate_limited');
    assert.equal(limited.retry_after_s, 1);
    await call({ 'x-api-key': other });
    pass(1_000);
    await call({ 'x-api-key': KEY });
    await refused({ 'x-api-key': KEY });
  });

  test('a customer’s rate is shared by its keys and no other customer’s', async () => {
    const { call, refused, store, stored, pass } = setUp({ customer_rate_limit_rpm: 60 });
    const [second, foreign] = [newApiKey('weir'), newApiKey('weir')];
    store(second, 'k2');
    stored.set(sha256(second), { ...stored.get(sha256(second))!, customer_id: 'customer of k1' });
    store(foreign, 'k3');
    for (let i = 0; i < 60; i++) await call({ 'x-api-key': i % 2 === 0 ? KEY : second });
    const limited = await refused({ 'x-api-key': second });
    assert.equal(limited.code, 'rate_limited');
    assert.match(limited.detail, /^this customer may make 60 requests per minute; try again in 1 s$/);
    await call({ 'x-api-key': foreign });
    pass(1_000);
    await call({ 'x-api-key': KEY });
    await refused({ 'x-api-key': second });
  });

  test('guessing from one address hardly loads the store and locks out no valid key, seen before or not', async () => {
    const { call, refused, asked, store } = setUp();
    await call({ 'x-api-key': KEY });
    for (let i = 0; i < 1_000; i++) await refused({ 'x-api-key': newApiKey('weir') });
    const before = asked.length;
    const fresh = newApiKey('weir');
    store(fresh, 'k2');
    const guesses = Array.from({ length: 500 }, () => refused({ 'x-api-key': newApiKey('weir') }));
    assert.equal((await call({ 'x-api-key': fresh })).key_id, 'k2');
    assert.deepEqual(new Set((await Promise.all(guesses)).map(({ code }) => code)), new Set(['rate_limited']));
    assert.ok(asked.length - before <= 2, `${asked.length - before} queries`);
    assert.equal((await refused({ 'x-api-key': newApiKey('weir') }, '/', '10.0.0.2')).code, 'unauthenticated');
    await call({ 'x-api-key': KEY });
  });

  test('an unreachable store is not an unknown key', async () => {
    const access = createKeyAccess({
      store: {
        findByHash: () => Promise.reject(new Error('away')),
        findByHashes: () => Promise.reject(new Error('away')),
      },
      prefix: 'weir',
      rate_limit_rpm: 0,
      customer_rate_limit_rpm: 0,
      clock: { now: () => 0, ticks: () => 0 },
    });
    const request = { headers: { 'x-api-key': KEY }, socket: {} } as unknown as IncomingMessage;
    await assert.rejects(async () => access.admit(request), /away/);
    await assert.rejects(async () => access.admit(request), /away/);
  });
});
