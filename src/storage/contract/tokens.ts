import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { auditOf, endedBy, makeChain, makeToken, revoke, statesOf } from './auth-start.ts';
import { type Bench, newCustomer, range } from './start.ts';

/** Tokens form trees; what is revoked stays revoked, on every node, at once. */
export function tokenTests(bench: Bench): void {
  describe('tokens', () => {
    test('a token is found as it was written, by its jti and its hash', async () => {
      const customer_id = newCustomer();
      const [root, child] = (await makeChain(bench.nodes[0].auth, customer_id, 2)) as [never, never];
      for (const token of [root, child] as ReturnType<typeof makeToken>[]) {
        const found = await bench.nodes[1].auth.tokens.find(token.jti);
        const { max_events: _, token_hash, issued_at, expires_at, ...rest } = token;
        const { now, state, issued_at: stored_issued, expires_at: stored_expires, ...stored } = found!;
        assert.deepEqual(stored, rest);
        assert.deepEqual(
          [Date.parse(stored_issued), Date.parse(stored_expires)],
          [issued_at, expires_at].map(Date.parse),
        );
        assert.equal(state, 'active');
        assert.ok(Math.abs(Date.parse(now) - Date.now()) < 60_000);
        assert.equal((await bench.nodes[1].auth.tokens.findByHash(token_hash))?.jti, token.jti);
      }
      assert.equal(await bench.nodes[0].auth.tokens.find(randomUUID()), null);
      assert.equal(await bench.nodes[0].auth.tokens.findByHash('no such hash \0'), null);
    });

    test('nothing is derived from what is unknown, expired, revoked or below a revoked subtree', async () => {
      const { auth } = bench.nodes[0];
      const customer_id = newCustomer();
      const [root, child, grandchild] = await makeChain(auth, customer_id, 3);
      const derive = (from: ReturnType<typeof makeToken>) =>
        auth.tokens.insert(makeToken(customer_id, from), auditOf());
      const past = makeToken(customer_id, root!, { expires_at: new Date(Date.now() - 1_000).toISOString() });
      assert.equal(await auth.tokens.insert(past, auditOf()), true);
      assert.equal(await derive(past), false);
      assert.equal(await derive(makeToken(customer_id, root!)), false, 'a parent that is not there');
      await revoke(auth, child!.jti, 'single');
      assert.deepEqual([await derive(root!), await derive(child!), await derive(grandchild!)], [true, false, true]);
      await revoke(auth, root!.jti, 'subtree');
      assert.deepEqual([await derive(root!), await derive(child!), await derive(grandchild!)], [false, false, false]);
      assert.deepEqual(
        await statesOf(auth, [root!, child!, grandchild!, past]),
        range(4).map(() => 'revoked'),
      );
    });

    test('single ends one token, subtree all below; a second time changes nothing', async () => {
      const [near, far] = bench.nodes.map((node) => node.auth) as [
        (typeof bench.nodes)[0]['auth'],
        (typeof bench.nodes)[0]['auth'],
      ];
      const [root, a, b, c] = await makeChain(near, newCustomer(), 4);
      const first = await revoke(near, b!.jti, 'single');
      assert.deepEqual(await statesOf(far, [root!, a!, b!, c!]), ['active', 'active', 'revoked', 'active']);
      assert.deepEqual(await revoke(far, b!.jti, 'single'), { ...first, is_new: false });
      assert.deepEqual(await endedBy(near, a!.jti), [a!.jti, c!.jti].sort(), 'b was dead already');
      assert.deepEqual(await endedBy(far, a!.jti), []);
      assert.deepEqual(await endedBy(far, root!.jti), [root!.jti]);
      assert.deepEqual(
        await statesOf(far, [root!, a!, b!, c!]),
        range(4).map(() => 'revoked'),
      );
      assert.equal(await near.revocations.revoke(randomUUID(), 'subtree', null, auditOf()), null);
    });

    test('the log is read in order, without gaps, by whoever follows it', async () => {
      const { auth } = bench.nodes[0];
      const chain = await makeChain(auth, newCustomer(), 12);
      const start = await auth.revocations.logEnd(0);
      await Promise.all(
        chain.map(({ jti }, n) => revoke(bench.nodes[n % 2 ? 1 : 0].auth, jti, n % 3 === 0 ? 'subtree' : 'single')),
      );
      const end = await bench.nodes[1].auth.revocations.logEnd(0);
      assert.equal(end.entries - start.entries, 12);
      const rows = await auth.revocations.logAfter(start.last_log_id, end.last_log_id, 100);
      assert.deepEqual(
        rows.map((row) => row.log_id),
        range(12).map((n) => start.last_log_id + 1 + n),
      );
      assert.deepEqual(new Set(rows.map((row) => row.subject)), new Set(chain.map(({ jti }) => jti)));
      assert.equal((await auth.revocations.logEnd(rows[3]!.log_id)).stamp, rows[3]!.stamp);
      assert.equal((await auth.revocations.logEnd(end.last_log_id + 1)).stamp, null);
      assert.equal((await auth.revocations.logAfter(start.last_log_id, end.last_log_id, 5)).length, 5);
      assert.equal((await auth.revocations.logAfter(end.last_log_id, end.last_log_id, 5)).length, 0);
    });

    test('the truth about a path', async () => {
      const { auth } = bench.nodes[0];
      const [root, a, b] = await makeChain(auth, newCustomer(), 3);
      const ask = async (path: string[]) => (await auth.revocations.isRevoked(path, null)).is_revoked;
      await revoke(auth, a!.jti, 'single');
      assert.deepEqual([await ask(a!.path), await ask(b!.path), await ask(root!.path)], [true, false, false]);
      await revoke(auth, root!.jti, 'subtree');
      assert.deepEqual([await ask(a!.path), await ask(b!.path), await ask(root!.path)], [true, true, true]);
    });

    test('a tree shows ancestors and descendants, nearest the root first', async () => {
      const { auth } = bench.nodes[0];
      const customer_id = newCustomer();
      const [root, a, b] = await makeChain(auth, customer_id, 3);
      const session = makeToken(customer_id, b!, { max_events: 3 });
      const aside = makeToken(customer_id, root!);
      for (const one of [session, aside]) await auth.tokens.insert(one, auditOf());
      await auth.tokens.countEvent(session.jti);
      const { nodes, total } = await auth.tokens.tree(a!.jti, 10);
      assert.equal(total, 4);
      assert.deepEqual(
        nodes.map((node) => node.jti),
        [root!.jti, a!.jti, b!.jti, session.jti],
      );
      assert.deepEqual([nodes[3]!.used_events, nodes[3]!.max_events, nodes[0]!.used_events], [1, 3, null]);
      assert.equal((await auth.tokens.tree(a!.jti, 2)).nodes.length, 2);
      assert.deepEqual(await auth.tokens.tree(randomUUID(), 10), { nodes: [], total: 0 });
    });

    test('events are counted to the limit and no further, whoever counts', async () => {
      const customer_id = newCustomer();
      const [root] = await makeChain(bench.nodes[0].auth, customer_id, 1);
      const session = makeToken(customer_id, root!, { max_events: 25 });
      await bench.nodes[0].auth.tokens.insert(session, auditOf());
      const counted = await Promise.all(
        range(60).map((n) => bench.nodes[n % 2 ? 1 : 0].auth.tokens.countEvent(session.jti)),
      );
      assert.equal(counted.filter(Boolean).length, 25);
      await bench.nodes[0].auth.tokens.uncountEvent(session.jti);
      assert.deepEqual(await bench.nodes[1].auth.tokens.usage(session.jti), { used: 24, max_events: 25 });
      assert.equal(await bench.nodes[0].auth.tokens.countEvent(randomUUID()), false);
    });
  });
}
