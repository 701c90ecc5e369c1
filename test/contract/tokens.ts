import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { auditOf, endedBy, makeChain, makeToken, revoke, statesOf } from './auth-start.ts';
import { type Bench, makeRecord, newCustomer, range } from './start.ts';

const makeCounted = (event_id: string = randomUUID(), content_hash = 'content') => ({ event_id, content_hash });

/** A token that is good for so many events. */
async function makeSession({ nodes: [near, far] }: Bench, max_events: number) {
  const customer_id = newCustomer();
  const [root] = await makeChain(near.auth, customer_id, 1);
  const { jti, ...token } = makeToken(customer_id, root!, { max_events });
  await near.auth.tokens.insert({ jti, ...token }, auditOf());
  return { customer_id, jti, used: async () => (await far.auth.tokens.usage(jti))?.used };
}

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

    test('a rebuild that is counted on one node is seen by every other', async () => {
      const [one, other] = bench.nodes;
      const before = (await other.auth.revocations.logEnd(0)).rebuilds;
      await Promise.all([one.auth.revocations.countRebuild(), other.auth.revocations.countRebuild()]);
      for (const { auth } of bench.nodes) assert.equal((await auth.revocations.logEnd(0)).rebuilds, before + 2);
    });

    test('the log is read in order, without gaps, by anyone who follows it', async () => {
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
      await auth.tokens.countEvents(session.jti, customer_id, [makeCounted()]);
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
      const { customer_id, jti, used } = await makeSession(bench, 25);
      const counted = await Promise.all(
        range(60).map((n) => bench.nodes[n % 2 ? 1 : 0].auth.tokens.countEvents(jti, customer_id, [makeCounted()])),
      );
      assert.equal(counted.filter(({ kind }) => kind === 'counted').length, 25);
      assert.ok(counted.every((one) => one.kind === 'counted' || (one.room === 0 && one.wanted === 1)));
      assert.equal(await used(), 25);
      const unknown = await bench.nodes[0].auth.tokens.countEvents(randomUUID(), customer_id, [makeCounted()]);
      assert.deepEqual(unknown, { kind: 'no_room', room: 0, wanted: 1 });
    });

    test('an event is counted once, however often it comes, also on two nodes at once and when nothing is left', async () => {
      const [near, far] = bench.nodes;
      for (let round = 0; round < 10; round += 1) {
        const { customer_id, jti, used } = await makeSession(bench, 2);
        const events = [makeCounted('e-1'), makeCounted('e-2')];
        const outcomes = await Promise.all(
          range(6).map((n) =>
            (n % 2 ? far : near).auth.tokens.countEvents(jti, customer_id, n % 3 ? events : events.toReversed()),
          ),
        );
        const is_new = outcomes.map((one) => (one.kind === 'counted' ? one.is_new.join() : one.kind));
        assert.deepEqual(is_new.sort(), [...Array(5).fill('false,false'), 'true,true'], `round ${round}`);
        assert.equal(await used(), 2);
        const other = await far.auth.tokens.countEvents(jti, customer_id, [makeCounted('e-1', 'other')]);
        assert.deepEqual(other, { kind: 'no_room', room: 0, wanted: 1 }, 'other content is another event');
      }
    });

    test('events are counted all or none, and of those that do not fit together some always do', async () => {
      const [near, far] = bench.nodes;
      for (let round = 0; round < 10; round += 1) {
        const { customer_id, jti, used } = await makeSession(bench, 10);
        const outcomes = await Promise.all(
          [near, far, near].map((node) =>
            node.auth.tokens.countEvents(
              jti,
              customer_id,
              range(6).map(() => makeCounted()),
            ),
          ),
        );
        assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['counted', 'no_room', 'no_room']);
        assert.deepEqual(
          outcomes.find(({ kind }) => kind === 'no_room'),
          { kind: 'no_room', room: 4, wanted: 6 },
        );
        assert.equal(await used(), 6);
      }
      const { customer_id, jti, used } = await makeSession(bench, 2);
      const twice = [makeCounted('e'), makeCounted('e'), makeCounted('f')];
      const outcome = await near.auth.tokens.countEvents(jti, customer_id, twice);
      assert.deepEqual(outcome, { kind: 'counted', is_new: [true, false, true] });
      assert.equal(await used(), 2);
    });

    test('what is given back can be used again, unless the event was sent again meanwhile', async () => {
      const [near, far] = bench.nodes;
      const { customer_id, jti, used } = await makeSession(bench, 2);
      const [alone, shared] = [makeCounted('alone'), makeCounted('shared')];
      await near.auth.tokens.countEvents(jti, customer_id, [alone, shared]);
      await far.auth.tokens.countEvents(jti, customer_id, [shared]);
      for (const _ of [1, 2]) await near.auth.tokens.uncountEvents(jti, [alone, shared, makeCounted()]);
      assert.equal(await used(), 1);
      const again = await far.auth.tokens.countEvents(jti, customer_id, [shared, alone]);
      assert.deepEqual(again, { kind: 'counted', is_new: [false, true] });
    });

    test('an id that is known needs no count: scored or waiting, with this content or another', async () => {
      const [near, far] = bench.nodes;
      const { customer_id, jti, used } = await makeSession(bench, 1);
      await near.scores.record(makeRecord(customer_id, { event_id: 'scored' }));
      const { event, content_hash } = makeRecord(customer_id, { event_id: 'waits' });
      await near.queue.accept(customer_id, [{ event_id: 'waits', event, content_hash, lane: 0 }]);
      const events = [makeCounted('scored'), makeCounted('waits', content_hash), makeCounted('new')];
      const outcome = await far.auth.tokens.countEvents(jti, customer_id, events);
      assert.deepEqual(outcome, { kind: 'counted', is_new: [false, false, true] });
      assert.equal(await used(), 1);
      const strange = await far.auth.tokens.countEvents(jti, newCustomer(), [makeCounted('scored')]);
      assert.equal(strange.kind, 'no_room', 'known to another customer');
    });
  });
}
