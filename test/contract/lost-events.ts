import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ScoreRecord } from '../../src/records/record.ts';
import type { RecordOutcome, Storage } from '../../src/storage/ports/storage.ts';
import { auditOf, makeChain, makeToken } from './auth-start.ts';
import { makeQueued } from './queue-start.ts';
import { type Bench, makeRecord, newCustomer, range, tally } from './start.ts';

/** Events that somebody deleted by hand and left their keys: their ids are free, for one who scores each. */
export function lostEventTests(bench: Bench): void {
  const remove = (customer_id: string) => bench.backend.run('delete from events where customer_id = $1', [customer_id]);
  /** As the engine does: another node may have freed the id and not have written yet. */
  async function record(node: Storage, one: ScoreRecord, attempts = 3): Promise<RecordOutcome> {
    const outcome = await node.scores.record(one);
    return outcome.kind === 'policy_changed' && attempts > 1 ? record(node, one, attempts - 1) : outcome;
  }
  const hold = { ttl_minutes: 10, action_hash: 'a'.repeat(64) };

  describe('events that were deleted by hand', () => {
    test('are scored again when they come again, held anew or not at all, and those beside them once', async () => {
      const [near, far] = bench.nodes;
      const customer_id = newCustomer();
      const ids = range(12).map((n) => `e-${n}`);
      await Promise.all(ids.map((event_id) => near.scores.record(makeRecord(customer_id, { event_id, hold }))));
      await remove(customer_id);
      const kept = makeRecord(customer_id, { event_id: 'kept' });
      await near.scores.record(kept);
      assert.equal(await far.holds.find(customer_id, 'e-0'), null, 'a hold goes with its event');

      const again = ids.map((event_id, n) =>
        makeRecord(customer_id, { event_id, text: 'new', hold: n % 2 ? hold : null }),
      );
      const outcomes = await Promise.all([...again, kept, ...again].map((one, n) => record(n % 2 ? near : far, one)));
      assert.deepEqual(tally(outcomes), { stored: 12, exists: 13, policy_changed: 0 });
      for (const [n, { event_id, content_hash }] of again.entries()) {
        const found = await far.scores.find(customer_id, event_id);
        assert.equal(found?.content_hash, content_hash);
        assert.equal(found.hold?.state, n % 2 ? 'held' : undefined);
      }
    });

    test('one that comes to many callers of two nodes at once is scored once', async () => {
      for (const round of range(10)) {
        const customer_id = newCustomer();
        const records = range(20).map((n) => makeRecord(customer_id, { event_id: `e-${n}` }));
        await Promise.all(records.map(bench.nodes[0].scores.record));
        await remove(customer_id);
        const outcomes = await Promise.all([
          ...records.map((one) => record(bench.nodes[0], one)),
          ...records.toReversed().map((one) => record(bench.nodes[1], one)),
        ]);
        assert.deepEqual(tally(outcomes), { stored: 20, exists: 20, policy_changed: 0 }, `round ${round}`);
      }
    });

    test('with an old policy one is not written, and with the one in force it is', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      await node.scores.record(makeRecord(customer_id, { event_id: 'e' }));
      await remove(customer_id);
      await node.policies.put(customer_id, {});
      const kindWith = async (policy_version: number) =>
        (await node.scores.record(makeRecord(customer_id, { event_id: 'e', policy_version }))).kind;
      assert.equal(await kindWith(0), 'policy_changed');
      assert.equal(await kindWith(1), 'stored');
    });

    test('are queued once when batches bring them, anyone who races and whatever they say now', async () => {
      const customer_id = newCustomer();
      const ids = range(20).map((n) => `e-${n}`);
      await Promise.all(ids.map((event_id) => bench.nodes[0].scores.record(makeRecord(customer_id, { event_id }))));
      await remove(customer_id);
      await bench.nodes[0].scores.record(makeRecord(customer_id, { event_id: 'kept' }));
      const batch = ['new', 'kept', ...ids].map((event_id) =>
        makeQueued(customer_id, { event_id, ...(event_id !== 'kept' && { text: 'new' }) }),
      );
      const outcomes = await Promise.all(
        range(8).map((n) => bench.nodes[n % 2]!.queue.accept(customer_id, n % 3 ? batch : batch.toReversed())),
      );
      const accepted = outcomes.flatMap((outcome) => {
        assert(outcome.kind === 'accepted');
        return outcome.event_ids;
      });
      assert.deepEqual(accepted.sort(), [...ids, 'new'].sort());
      for (const id of ids) assert.equal(await bench.nodes[1].scores.lookUp(customer_id, id), 'queued');
      const other = [makeQueued(customer_id, { event_id: 'e-3', text: 'something else' })];
      assert.deepEqual(await bench.nodes[0].queue.accept(customer_id, other), { kind: 'conflict', index: 0 });
    });

    test('count for a session as new ones do', async () => {
      const [near, far] = bench.nodes;
      const customer_id = newCustomer();
      const lost = range(2).map((n) => makeRecord(customer_id, { event_id: `lost-${n}` }));
      await Promise.all(lost.map(near.scores.record));
      await remove(customer_id);
      const kept = makeRecord(customer_id, { event_id: 'kept' });
      await near.scores.record(kept);
      const [root] = await makeChain(near.auth, customer_id, 1);
      const token = makeToken(customer_id, root!, { max_events: 2 });
      await near.auth.tokens.insert(token, auditOf());
      const [first, second] = lost as [(typeof lost)[number], (typeof lost)[number]];
      const fresh = makeRecord(customer_id);
      const all = await far.auth.tokens.countEvents(token.jti, customer_id, [fresh, kept, ...lost]);
      assert.deepEqual(all, { kind: 'no_room', room: 2, wanted: 3 });
      const both = await far.auth.tokens.countEvents(token.jti, customer_id, [first, kept, second]);
      assert.deepEqual(both, { kind: 'counted', is_new: [true, false, true] });
      assert.equal((await near.auth.tokens.usage(token.jti))?.used, 2);
    });
  });
}
