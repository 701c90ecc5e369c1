import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { type Bench, newCustomer, range } from './start.ts';

/** API keys: found by hash, made once, revoked for good. */
export function apiKeyTests(bench: Bench): void {
  describe('API keys', () => {
    const makeKey = (customer_id: string, name = 'ci') => ({
      key_id: randomUUID(),
      customer_id,
      name,
      scopes: ['events:write'],
      key_hash: createHash('sha256').update(randomUUID()).digest('hex'),
    });

    test('the count tells a first start from a later one', async () => {
      assert.equal(await bench.nodes[0].api_keys.count(), 0);
      await bench.nodes[0].api_keys.create(makeKey(newCustomer()));
      assert.equal(await bench.nodes[1].api_keys.count(), 1);
    });

    test('a key is found by its hash and in its customer’s list, newest first', async () => {
      const customer_id = newCustomer();
      const keys = ['one', 'it\'s \u{1f511} \\ "2"'].map((name) => makeKey(customer_id, name));
      for (const key of keys) {
        const created = await bench.nodes[0].api_keys.create(key);
        const { key_id, name, scopes } = key;
        const { created_at } = created;
        assert.deepEqual(created, { key_id, customer_id, name, scopes, created_at, revoked_at: null });
        assert.deepEqual(await bench.nodes[1].api_keys.find(key_id), created);
        assert.deepEqual(await bench.nodes[1].api_keys.findByHash(key.key_hash), created);
      }
      const listed = await bench.nodes[1].api_keys.list(customer_id);
      assert.deepEqual(
        listed.map((key) => key.key_id),
        keys.map((key) => key.key_id).reverse(),
      );
      assert.deepEqual(await bench.nodes[0].api_keys.list(newCustomer()), []);
      assert.equal(await bench.nodes[0].api_keys.findByHash('0'.repeat(64)), null);
    });

    test('many keys are found by their hashes at once', async () => {
      const keys = range(3).map(() => makeKey(newCustomer()));
      const created = await Promise.all(keys.map((key) => bench.nodes[0].api_keys.create(key)));
      const wanted = ['0'.repeat(64), ...keys.map(({ key_hash }) => key_hash), 'no such hash \0'];
      const found = await bench.nodes[1].api_keys.findByHashes(wanted);
      assert.deepEqual(found, new Map(keys.map(({ key_hash }, n) => [key_hash, created[n]!])));
      assert.equal((await bench.nodes[1].api_keys.findByHashes([])).size, 0);
    });

    test('making the same key again, also at once, changes nothing', async () => {
      const key = makeKey(newCustomer());
      const made = await Promise.all(
        range(20).map((n) =>
          bench.nodes[n % 2 ? 1 : 0].api_keys.create({ ...key, key_id: n === 0 ? key.key_id : randomUUID() }),
        ),
      );
      assert.equal(new Set(made.map((stored) => JSON.stringify(stored))).size, 1);
      assert.equal((await bench.nodes[0].api_keys.list(key.customer_id)).length, 1);
    });

    test('making it again gives it the scopes that are named then, for its own customer only', async () => {
      const key = makeKey(newCustomer());
      await bench.nodes[0].api_keys.create(key);
      const wider = { ...key, scopes: ['events:write', 'admin'] };
      assert.deepEqual((await bench.nodes[1].api_keys.create(wider)).scopes, wider.scopes);
      const foreign = { ...key, customer_id: newCustomer(), scopes: [] };
      assert.deepEqual((await bench.nodes[0].api_keys.create(foreign)).scopes, wider.scopes);
      assert.equal((await bench.nodes[0].api_keys.find(key.key_id))?.customer_id, key.customer_id);
      assert.equal(await bench.nodes[0].api_keys.find(randomUUID()), null);
    });

    test('revoking is seen at once everywhere, and the first time stays', async () => {
      const key = makeKey(newCustomer());
      await bench.nodes[0].api_keys.create(key);
      const revoked = await bench.nodes[0].api_keys.revoke(key.key_id);
      assert.match(revoked?.revoked_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      assert.deepEqual(await bench.nodes[1].api_keys.findByHash(key.key_hash), revoked);
      assert.deepEqual(await bench.nodes[1].api_keys.revoke(key.key_id), revoked);
      const again = await bench.nodes[0].api_keys.create({ ...key, key_id: randomUUID() });
      assert.deepEqual(again, revoked, 'making it again does not bring it back');
      assert.equal(await bench.nodes[0].api_keys.revoke(randomUUID()), null);
    });
  });
}
