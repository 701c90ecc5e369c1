import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Decider, HoldState } from '../../src/records/hold.ts';
import type { StoredScore } from '../../src/records/record.ts';
import type { NewDecision } from '../../src/storage/ports/holds.ts';
import { auditOf, makeKey, makeToken } from './auth-start.ts';
import { type Bench, makeRecord, newCustomer, range } from './start.ts';

const HASH = 'a'.repeat(64);

const DECIDER: Decider = {
  kind: 'person',
  id: randomUUID(),
  name: 'Ada "ä"',
  email: 'ada@example.com',
  signed_in: 'oidc',
  address: '192.0.2.7',
};

/** Held events: made with their score, decided about once, and found by their state. */
export function holdTests(bench: Bench): void {
  /** A customer with a signing key and a token to decide with. */
  async function makeDecider(kind = 'override') {
    const [{ auth }] = bench.nodes;
    const customer_id = newCustomer();
    const { key_id } = await auth.keys.put(makeKey(customer_id), { only_if_none: true }, auditOf());
    const token = makeToken(customer_id, null, { kind, key_id });
    assert.equal(await auth.tokens.insert(token, auditOf()), true);
    return { customer_id, key_id, jti: token.jti };
  }
  const hold = async (
    customer_id: string,
    event_id: string = randomUUID(),
    ttl_minutes = 10,
    score = 70,
  ): Promise<string> => {
    const record = makeRecord(customer_id, { event_id, score, hold: { ttl_minutes, action_hash: HASH } });
    assert.equal((await bench.nodes[0].scores.record(record)).kind, 'stored');
    return event_id;
  };
  const decisionOf = (by: { customer_id: string; key_id: string; jti: string }, event_id: string): NewDecision => ({
    ...by,
    event_id,
    state: 'approved',
    decided_at: '2026-05-01T12:00:00.123456Z',
    reason: 'ä "\\',
    cosignature: 'a.b.c',
    decided_by: [DECIDER],
  });
  const decide = (decision: NewDecision, node = 0) =>
    bench.nodes[node]!.holds.decide(decision, {
      ...auditOf('event.decided', decision.event_id),
      customer_id: decision.customer_id,
    });
  const stateOf = async (customer_id: string, event_id: string): Promise<HoldState | undefined> =>
    (await bench.nodes[1].holds.find(customer_id, event_id))?.hold?.state;

  describe('holds', () => {
    test('a score and its hold come together, and every read shows it', async () => {
      const customer_id = newCustomer();
      const record = makeRecord(customer_id, { hold: { ttl_minutes: 10, action_hash: HASH } });
      const outcome = await bench.nodes[0].scores.record(record);
      assert(outcome.kind === 'stored');
      const open = { state: 'held', decided_at: null, reason: null, decided_by: null };
      const expected = { ...open, action_hash: HASH, cosignature: null };
      assert.deepEqual(outcome.hold, { ...expected, expires_at: outcome.hold?.expires_at });
      const life_ms = Date.parse(outcome.hold.expires_at) - Date.parse(outcome.scored_at);
      assert.ok(Math.abs(life_ms - 600_000) < 1_000, String(life_ms));
      const again = await bench.nodes[1].scores.record(record);
      assert(again.kind === 'exists');
      const found = await bench.nodes[1].holds.find(customer_id, record.event_id);
      const { records } = await bench.nodes[1].scores.list(customer_id, {}, 1, 10);
      for (const one of [again.record.hold, found?.hold, records[0]?.hold]) assert.deepEqual(one, outcome.hold);
    });

    test('scores that are written together are answered each with its own hold', async () => {
      const [node] = bench.nodes;
      const customers = [newCustomer(), newCustomer()];
      const stored = customers.map((customer_id) =>
        makeRecord(customer_id, { hold: { ttl_minutes: 5, action_hash: 'old' } }),
      );
      for (const record of stored) await node.scores.record(record);
      const records = range(40).map((n) =>
        makeRecord(customers[n % 2]!, {
          event_id: `"${n}" \\ ü \u{1f980}`,
          policy_version: n % 5 === 0 ? 7 : 0,
          hold: n % 3 === 0 ? null : { ttl_minutes: n, action_hash: `${n}` },
        }),
      );
      const outcomes = await Promise.all([...records, ...stored].map((record) => node.scores.record(record)));
      for (const [n, outcome] of outcomes.slice(0, 40).entries()) {
        if (n % 5 === 0) {
          assert.equal(outcome.kind, 'policy_changed');
          continue;
        }
        assert(outcome.kind === 'stored');
        assert.equal(outcome.hold?.action_hash, n % 3 === 0 ? undefined : `${n}`);
        const found = await bench.nodes[1].scores.find(customers[n % 2]!, records[n]!.event_id);
        assert.deepEqual([found?.hold, found?.scored_at], [outcome.hold, outcome.scored_at]);
        if (outcome.hold === null) continue;
        const life_ms = Date.parse(outcome.hold.expires_at) - Date.parse(outcome.scored_at);
        assert.ok(Math.abs(life_ms - n * 60_000) < 1_000, String(life_ms));
      }
      for (const outcome of outcomes.slice(40)) {
        assert(outcome.kind === 'exists');
        assert.equal(outcome.record.hold?.action_hash, 'old');
      }
    });

    test('what was never held, is not scored yet, or is not this customer’s', async () => {
      const customer_id = newCustomer();
      const { event_id } = makeRecord(customer_id);
      await bench.nodes[0].scores.record(makeRecord(customer_id, { event_id }));
      const found = await bench.nodes[0].holds.find(customer_id, event_id);
      assert.deepEqual([found?.hold, found?.is_scored], [null, true]);
      const { event, content_hash } = makeRecord(customer_id, { event_id: 'later' });
      await bench.nodes[0].queue.accept(customer_id, [{ event_id: 'later', event, content_hash, lane: 0 }]);
      const waiting = await bench.nodes[0].holds.find(customer_id, 'later');
      assert.deepEqual([waiting?.hold, waiting?.is_scored], [null, false]);
      assert.equal(await bench.nodes[0].holds.find(newCustomer(), event_id), null);
      assert.equal(await bench.nodes[0].holds.find(customer_id, 'nul \0'), null);
    });

    test('of many decisions at once on two nodes one is made, with its audit line', async () => {
      const by = await makeDecider();
      const event_id = await hold(by.customer_id);
      const decided = await Promise.all(
        range(20).map((n) =>
          decide({ ...decisionOf(by, event_id), state: n % 2 ? 'approved' : 'rejected', reason: `${n}` }, n % 2),
        ),
      );
      assert.equal(decided.filter(Boolean).length, 1);
      const winner = decided.indexOf(true);
      const found = await bench.nodes[1].holds.find(by.customer_id, event_id);
      assert.deepEqual(found?.hold, {
        state: winner % 2 ? 'approved' : 'rejected',
        expires_at: found?.hold?.expires_at,
        decided_at: '2026-05-01T12:00:00.123456Z',
        reason: `${winner}`,
        decided_by: [DECIDER],
        action_hash: HASH,
        cosignature: 'a.b.c',
      });
      const lines = await bench.nodes[0].auth.audit.list(by.customer_id, 2 ** 40, 100);
      assert.equal(lines.filter(({ action }) => action === 'event.decided').length, 1);
    });

    test('a dead token, a token of another kind or customer, and a retired key decide nothing', async () => {
      const by = await makeDecider();
      const event_id = await hold(by.customer_id);
      const other = await makeDecider();
      const agent = await makeDecider('agent');
      const refused = [
        { ...decisionOf(by, event_id), jti: randomUUID() },
        { ...decisionOf(by, event_id), jti: other.jti },
        { ...decisionOf(by, event_id), jti: agent.jti },
        { ...decisionOf(by, event_id), key_id: randomUUID() },
        { ...decisionOf(by, event_id), customer_id: other.customer_id },
        decisionOf(by, 'no such event'),
      ];
      for (const decision of refused) assert.equal(await decide(decision), false);
      await bench.nodes[0].auth.keys.put(makeKey(by.customer_id), { only_if_none: false }, auditOf());
      assert.equal(await decide(decisionOf(by, event_id)), false, 'the key was replaced');
      const { key_id } = (await bench.nodes[0].auth.keys.active(by.customer_id))!;
      await bench.nodes[1].auth.revocations.revoke(by.jti, 'single', null, auditOf());
      assert.equal(await decide({ ...decisionOf(by, event_id), key_id }), false, 'the token was revoked');
      assert.equal(await stateOf(by.customer_id, event_id), 'held');
      const lines = await bench.nodes[0].auth.audit.list(by.customer_id, 2 ** 40, 100);
      assert.ok(lines.every(({ action }) => action !== 'event.decided'));
    });

    test('beyond its time a hold reads as expired, and nobody decides', async () => {
      const by = await makeDecider();
      const event_id = await hold(by.customer_id, 'late', 0);
      assert.equal(await stateOf(by.customer_id, event_id), 'expired');
      assert.equal(await decide(decisionOf(by, event_id)), false);
      assert.equal((await bench.nodes[0].scores.find(by.customer_id, event_id))?.hold?.state, 'expired');
    });

    test('the end of a hold is written once, whichever nodes look, and never over a decision', async () => {
      const by = await makeDecider();
      const late = await Promise.all(range(9).map((n) => hold(by.customer_id, `late ${n}`, 0)));
      const decided = await hold(by.customer_id);
      const open = await hold(by.customer_id);
      assert.equal(await decide(decisionOf(by, decided)), true);
      const rounds = await Promise.all(range(6).map((n) => bench.nodes[n % 2]!.holds.expire(2)));
      assert.ok(rounds.every((count) => count <= 2));
      // Holds of other tests are due as well, so that how many there are is not known.
      while ((await bench.nodes[0].holds.expire(100)) > 0);
      for (const event_id of late) {
        const found = await bench.nodes[0].holds.find(by.customer_id, event_id);
        const { state, decided_at, reason, cosignature } = found!.hold!;
        assert.deepEqual([state, decided_at, reason, cosignature], ['expired', null, null, null]);
        assert.equal(await decide(decisionOf(by, event_id)), false);
      }
      assert.deepEqual(
        [await stateOf(by.customer_id, decided), await stateOf(by.customer_id, open)],
        ['approved', 'held'],
      );
      const { total } = await bench.nodes[1].scores.list(by.customer_id, { hold: 'expired' }, 1, 10);
      assert.equal(total, late.length);
    });

    test('every node is told of a decision', async () => {
      const by = await makeDecider();
      const event_id = await hold(by.customer_id);
      const heard = Promise.withResolvers<void>();
      const listening = Promise.withResolvers<void>();
      const stop = bench.nodes[1].holds.onDecision((event) => {
        if (event === null) listening.resolve();
        else if (event.customer_id === by.customer_id && event.event_id === event_id) heard.resolve();
      });
      await listening.promise;
      assert.equal(await decide(decisionOf(by, event_id)), true);
      await heard.promise;
      stop();
    });

    test('lists by state have exact totals, and go with the other filters', async () => {
      const by = await makeDecider();
      const { customer_id } = by;
      for (const n of range(4)) await bench.nodes[0].scores.record(makeRecord(customer_id, { event_id: `free ${n}` }));
      for (const n of range(7)) await hold(customer_id, `held ${n}`, 10, n < 2 ? 90 : 70);
      for (const n of range(2)) await hold(customer_id, `late ${n}`, 0);
      await bench.nodes[0].holds.expire(1_000);
      // Written as expired, or not yet: nobody can tell.
      await hold(customer_id, 'late 2', 0);
      await decide(decisionOf(by, 'held 3'));
      await decide({ ...decisionOf(by, 'held 4'), state: 'rejected' });
      const list = async (filter: object, page = 1, per_page = 50): Promise<[number, string[]]> => {
        const { records, total } = await bench.nodes[1].scores.list(customer_id, filter, page, per_page);
        for (const record of records) assert.equal(record.customer_id, customer_id);
        return [total, records.map((record: StoredScore) => record.event_id)];
      };
      assert.deepEqual(await list({ hold: 'held' }), [5, ['held 6', 'held 5', 'held 2', 'held 1', 'held 0']]);
      assert.deepEqual(await list({ hold: 'held' }, 2, 2), [5, ['held 2', 'held 1']]);
      assert.deepEqual(await list({ hold: 'held' }, 9, 2), [5, []]);
      assert.deepEqual(await list({ hold: 'approved' }), [1, ['held 3']]);
      assert.deepEqual(await list({ hold: 'rejected' }), [1, ['held 4']]);
      assert.deepEqual(await list({ hold: 'expired' }), [3, ['late 2', 'late 1', 'late 0']]);
      assert.deepEqual(await list({ hold: 'held', risk_level: 'critical' }), [2, ['held 1', 'held 0']]);
      const from = (await bench.nodes[0].scores.find(customer_id, 'held 2'))!.scored_at;
      assert.deepEqual(await list({ hold: 'held', from_date: from }), [3, ['held 6', 'held 5', 'held 2']]);
      assert.deepEqual(await list({ hold: 'held', to_date: from }), [3, ['held 2', 'held 1', 'held 0']]);
      assert.equal((await list({}))[0], 14);
      assert.deepEqual(await bench.nodes[0].scores.list(newCustomer(), { hold: 'held' }, 1, 10), {
        records: [],
        total: 0,
      });
    });
  });
}
