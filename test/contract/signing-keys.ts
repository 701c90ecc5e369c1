import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { StoredKey } from '../../src/storage/ports/auth.ts';
import { auditOf, makeChain, makeKey, makeToken, statesOf } from './auth-start.ts';
import { type Bench, newCustomer, range } from './start.ts';

/** One active key for each customer, anyone who makes and rotates keys. */
export function signingKeyTests(bench: Bench): void {
  describe('signing keys', () => {
    const put = (customer_id: string, only_if_none: boolean, node: 0 | 1 = 0): Promise<StoredKey> =>
      bench.nodes[node].auth.keys.put(makeKey(customer_id), { only_if_none }, auditOf('key.created'));
    const rotate = (key: StoredKey, disable = false, node: 0 | 1 = 0) =>
      bench.nodes[node].auth.keys.rotate(key.key_id, makeKey(key.customer_id), { disable }, auditOf('key.rotated'));

    test('first use makes one key, also when 20 are first', async () => {
      const customer_id = newCustomer();
      assert.equal(await bench.nodes[0].auth.keys.active(customer_id), null);
      const made = await Promise.all(range(20).map((n) => put(customer_id, true, n % 2 ? 1 : 0)));
      assert.equal(new Set(made.map((key) => key.key_id)).size, 1);
      assert.equal((await bench.nodes[1].auth.keys.list(customer_id)).length, 1);
    });

    test('what was put is found with its private side', async () => {
      const key = makeKey(newCustomer());
      await bench.nodes[0].auth.keys.put(key, { only_if_none: false }, auditOf());
      const found = await bench.nodes[1].auth.keys.active(key.customer_id);
      const { created_at: _, state, retired_at, ...rest } = found!;
      assert.deepEqual([rest, state, retired_at], [key, 'active', null]);
    });

    test('two rotations of one key have one winner, and one key is active at every read', async () => {
      const customer_id = newCustomer();
      let active = await put(customer_id, false);
      for (const _ of range(5)) {
        const outcomes = await Promise.all(range(4).map((n) => rotate(active, false, n % 2 ? 1 : 0)));
        const winners = outcomes.flatMap((one) => (one.kind === 'rotated' ? [one.key] : []));
        assert.equal(winners.length, 1);
        for (const one of outcomes) {
          if (one.kind === 'not_active') assert.deepEqual(one.active, winners[0]);
        }
        active = winners[0]!;
      }
      const states = (await bench.nodes[0].auth.keys.list(customer_id)).map((key) => key.state);
      assert.deepEqual(states, ['active', ...range(5).map(() => 'verify_only')]);
    });

    test('an unknown key and another customer’s are not rotated', async () => {
      const key = await put(newCustomer(), false);
      const foreign = { ...key, customer_id: newCustomer() };
      assert.deepEqual(await rotate(foreign), { kind: 'unknown' });
      assert.deepEqual(await rotate({ ...key, key_id: randomUUID() }), { kind: 'unknown' });
      assert.equal((await bench.nodes[0].auth.keys.active(key.customer_id))?.key_id, key.key_id);
    });

    test('a retired key signs no more; a disabled one ends what it signed, and the log tells', async () => {
      const { auth } = bench.nodes[0];
      const customer_id = newCustomer();
      const key = await put(customer_id, false);
      const [root] = await makeChain(auth, customer_id, 1);
      const signed = makeToken(customer_id, root!, { key_id: key.key_id });
      assert.equal(await auth.tokens.insert(signed, auditOf()), true);
      const before = await auth.revocations.logEnd(0);
      assert.equal((await rotate(key)).kind, 'rotated');
      assert.equal(await auth.tokens.insert(makeToken(customer_id, root!, { key_id: key.key_id }), auditOf()), false);
      assert.deepEqual(await statesOf(auth, [signed]), ['active']);
      const outcome = await rotate(key, true, 1);
      assert.deepEqual([outcome.kind, outcome.kind === 'not_active' && outcome.state], ['not_active', 'disabled']);
      assert.deepEqual(await statesOf(auth, [signed]), ['revoked']);
      assert.equal((await auth.revocations.isRevoked(signed.path, key.key_id)).is_revoked, true);
      const after = await auth.revocations.logEnd(0);
      const rows = await auth.revocations.logAfter(before.last_log_id, after.last_log_id, 10);
      assert.deepEqual(
        rows.map((row) => [row.mode, row.subject, row.customer_id]),
        range(2).map(() => ['key', key.key_id, customer_id]),
      );
      assert.equal(after.entries, before.entries, 'keys are no revoked tokens');
    });

    test('data keys are wrapped anew, each once', async () => {
      const master_key_id = `m-${randomUUID()}`;
      const key = { ...makeKey(newCustomer()), master_key_id };
      const { keys } = bench.nodes[0].auth;
      await keys.put(key, { only_if_none: false }, auditOf());
      const others = await keys.sealedOtherwise('m-other', '00000000-0000-0000-0000-000000000000', 1_000);
      assert.deepEqual(others.find((one) => one.key_id === key.key_id)?.data_key, key.data_key);
      const to = { data_key: Buffer.from('new'), master_key_id: 'm-new' };
      assert.deepEqual(
        [await keys.rewrap(key.key_id, master_key_id, to), await keys.rewrap(key.key_id, master_key_id, to)],
        [true, false],
      );
      assert.deepEqual((await keys.active(key.customer_id))?.data_key, to.data_key);
    });
  });

  describe('the audit log', () => {
    test('is listed newest first, in pages, by customer', async () => {
      const { audit } = bench.nodes[0].auth;
      const customer_id = newCustomer();
      for (const n of range(5)) await audit.append({ ...auditOf(`a-${n}`, 's'), customer_id });
      const first = await bench.nodes[1].auth.audit.list(customer_id, Number.MAX_SAFE_INTEGER, 3);
      assert.deepEqual(
        first.map(({ action }) => action),
        ['a-4', 'a-3', 'a-2'],
      );
      const rest = await audit.list(customer_id, first.at(-1)!.audit_id, 3);
      assert.deepEqual(
        rest.map(({ action }) => action),
        ['a-1', 'a-0'],
      );
      const { audit_id: _, at, ...entry } = rest[0]!;
      assert.deepEqual(entry, { ...auditOf('a-1', 's'), customer_id });
      assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      assert.deepEqual(await audit.list(newCustomer(), Number.MAX_SAFE_INTEGER, 3), []);
    });
  });
}
