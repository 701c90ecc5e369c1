import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BuriedFilter, Lane } from '../../src/storage/ports/queue.ts';
import type { Storage } from '../../src/storage/ports/storage.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { acceptNumbered, drain, leaseOf, makeQueued, recordOf } from './queue-start.ts';
import { type Bench, newCustomer, range } from './start.ts';

/** Accepts so many events of one lane and sets all of them aside, for a reason each. */
async function buryNumbered(node: Storage, customer_id: string, count: number, reason: (n: number) => string) {
  await acceptNumbered(node, customer_id, count);
  const lane = await leaseOf(node, customer_id, 'bury');
  for (;;) {
    // Few at a time: a busy machine does not answer hundreds of calls at once within their time.
    const taken = await node.queue.take(lane, 'bury', 32);
    if (taken.length === 0) break;
    // Not in their order, as where sessions are scored side by side.
    await Promise.all(
      taken.toReversed().map((event) => node.queue.bury(event, reason(Number(event.event_id.slice(2))))),
    );
  }
  await node.queue.release(lane, 'bury');
}

/** Gives a lane without work back and fails. */
async function drainOrFail(node: Storage, lane: Lane): Promise<void> {
  const taken = await node.queue.take(lane, 'w', 10);
  await node.queue.release(lane, 'w');
  if (taken.length === 0) throw new Error('empty');
}

/** Accepted events that no worker could score: set aside, listed, and put back without loss. */
export function deadEventTests(bench: Bench): void {
  describe('events that were set aside', () => {
    test('an event that is buried is not taken again, and is counted', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      await node.queue.accept(customer_id, [makeQueued(customer_id, { event_id: 'e' })]);
      const first = await leaseOf(node, customer_id, 'first');
      const [taken] = await node.queue.take(first, 'first', 10);
      await node.queue.bury(taken!, 'nobody can score it');
      await node.queue.release(first, 'first');
      const { waiting, dead } = await node.queue.stats(customer_id);
      assert.deepEqual({ waiting, dead }, { waiting: 0, dead: 1 });
      assert.equal(await node.scores.lookUp(customer_id, 'e'), 'queued');
      assert.deepEqual(
        (await node.queue.buried({ customer_id }, 1, 10)).events.map(({ event_id, reason }) => [event_id, reason]),
        [['e', 'nobody can score it']],
      );
      await assert.rejects(
        leaseOf(node, customer_id, 'w').then((lane) => drainOrFail(node, lane)),
        /empty|no lane/,
      );

      assert.equal(await node.queue.revive(newCustomer(), 'e'), false);
      assert.equal(await node.queue.revive(customer_id, 'e'), true);
      assert.equal(await node.queue.revive(customer_id, 'e'), false);
      const lane = await leaseOf(node, customer_id, 'w');
      assert.deepEqual(await drain(node, lane, 'w'), ['e']);
    });

    test('an event that was set aside and scored by another door is not listed any more', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      await buryNumbered(node, customer_id, 2, () => 'cannot');
      await node.scores.record(recordOf(customer_id, 'e-0'));
      const { events, total } = await node.queue.buried({ customer_id }, 1, 10);
      assert.deepEqual([total, events.map(({ event_id }) => event_id)], [1, ['e-1']]);
      assert.equal((await node.queue.stats(customer_id)).dead, 1);
    });

    test('what was set aside is listed in pages, oldest first, with its total, by customer and reason', async () => {
      const [node] = bench.nodes;
      const [customer_id, other] = [newCustomer(), newCustomer()];
      await buryNumbered(node, customer_id, 7, (n) => (n % 2 ? 'odd %_ one' : 'even'));
      await buryNumbered(node, other, 1, () => 'even');
      const listed = async (filter: BuriedFilter, page: number, per_page: number) => {
        const { events, total } = await node.queue.buried(filter, page, per_page);
        return [events.map(({ event_id }) => event_id).join(' '), total];
      };
      assert.deepEqual(await listed({ customer_id }, 1, 3), ['e-0 e-1 e-2', 7]);
      assert.deepEqual(await listed({ customer_id }, 3, 3), ['e-6', 7]);
      assert.deepEqual(await listed({ customer_id }, 4, 3), ['', 7]);
      assert.deepEqual(await listed({ customer_id, reason: '%_' }, 1, 10), ['e-1 e-3 e-5', 3]);
      assert.deepEqual(await listed({ customer_id, reason: 'EVEN' }, 1, 10), ['', 0]);
      await node.queue.reviveAll({ customer_id: other });
      assert.deepEqual(await listed({ customer_id: other }, 1, 10), ['', 0]);
    });

    test('all that was set aside comes back, each session in its order, once', async () => {
      const [node, second] = bench.nodes;
      const [customer_id, other] = [newCustomer(), newCustomer()];
      const count = 1_300;
      await buryNumbered(node, customer_id, count, (n) => (n < 5 ? 'wrong in itself' : 'the rule set was broken'));
      await buryNumbered(node, other, 1, () => 'the rule set was broken');
      const parts: number[] = [0];
      const filter = { customer_id, reason: 'rule set' };
      // Two at once, and one event by itself.
      const [first, again, single] = await Promise.all([
        node.queue.reviveAll(filter, (back) => parts.push(back)),
        second.queue.reviveAll(filter),
        second.queue.revive(customer_id, 'e-1200'),
      ]);
      assert.equal(first + again + Number(single), count - 5);
      assert.equal(parts.at(-1), first);
      assert.ok(parts.every((back, at) => at === 0 || back - parts[at - 1]! <= 1_000));
      assert.equal(await node.queue.reviveAll(filter), 0);
      const { waiting, dead } = await node.queue.stats(customer_id);
      assert.deepEqual({ waiting, dead }, { waiting: count - 5, dead: 5 });
      assert.equal((await node.queue.stats(other)).dead, 1, 'of this customer only');

      const lane = await leaseOf(node, customer_id, 'w');
      const seen: string[] = [];
      for (;;) {
        const taken = await node.queue.take(lane, 'w', 256);
        if (taken.length === 0) break;
        seen.push(...taken.map(({ event_id }) => event_id));
        await Promise.all(taken.map(({ event_id }) => node.scores.record(recordOf(customer_id, event_id))));
      }
      await node.queue.release(lane, 'w');
      assert.equal(seen.length, count - 5);
      const alone = (id: string) => id !== 'e-1200';
      const in_order = range(count - 5).map((n) => `e-${n + 5}`);
      assert.deepEqual(seen.filter(alone), in_order.filter(alone));
    });

    test('what is set aside again while all comes back waits for the next time', { timeout: PATIENCE_MS }, async () => {
      const [node, second] = bench.nodes;
      const customer_id = newCustomer();
      await buryNumbered(node, customer_id, 1_100, () => 'cannot be scored');
      // A worker that cannot score the first ones either, while the others come back.
      const buryAgain = async (nr: number): Promise<void> => {
        const lane = await leaseOf(second, customer_id, 'again');
        const taken = await second.queue.take(lane, 'again', 256);
        await second.queue.bury(taken[nr]!, 'cannot be scored');
        await second.queue.release(lane, 'again', true);
      };
      let parts = 0;
      let buried = Promise.resolve();
      const back = await node.queue.reviveAll({ customer_id }, () => {
        const nr = parts++;
        buried = buried.then(() => buryAgain(nr));
      });
      await buried;
      assert.equal(back, 1_100, 'each once');
      assert.equal((await node.queue.stats(customer_id)).dead, parts);
    });
  });
}
