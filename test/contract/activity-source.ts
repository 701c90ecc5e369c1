import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/platform/errors.ts';
import type { ActivityCursor, ActivityEvent } from '../../src/storage/ports/activity.ts';
import { type Bench, makeRecord, makeTrace, newCustomer, range } from './start.ts';

/** A projection asks again where the store did not answer in time, as it may on a busy machine. */
async function nextPart({ activity }: Bench['nodes'][number], cursor: ActivityCursor | null, limit: number) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await activity.next(cursor, limit);
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === 10) throw error;
    }
  }
}

/** Stored events in the order of their times, for projections. */
export function activitySourceTests(bench: Bench): void {
  describe('events for projections', () => {
    test('each comes once, in order, in parts of any size, with what it touched', async () => {
      const [one, two] = bench.nodes;
      const customer_id = newCustomer();
      const trace = { ...makeTrace('').trace, is_change: true, places: ['bob@elsewhere.test'] };
      const records = range(7).map((n) => {
        const record = makeRecord(customer_id, {
          event_id: `e${n} '"\\ \u{1f600}`,
          past: { agent_key: null, session_key: randomUUID().replaceAll('-', ''), trace, history: null },
        });
        const agent = { agent_id: 'mailer', delegated_by: ['planner', 'boss'] };
        return { ...record, event: { ...record.event, agent, session: { session_id: 's', user_id: 'ann' } } };
      });
      const bare = makeRecord(customer_id);
      for (const record of [...records, bare]) await one.scores.record(record);

      const found: ActivityEvent[] = [];
      let cursor: ActivityCursor | null = null;
      // The newest come once nothing can be added before them.
      for (let n = 0; found.length < 8; n += 1) {
        assert.ok(n < 10_000, 'they never came');
        const part = await nextPart(two, cursor, 3);
        assert.ok(part.events.length <= 3);
        found.push(...part.events.filter((event) => event.customer_id === customer_id));
        ({ cursor } = part);
        if (part.is_last) await sleep(100);
      }
      const ids = [...records, bare].map(({ event_id }) => event_id);
      assert.deepEqual(
        found.map(({ event_id }) => event_id),
        ids,
      );
      assert.deepEqual(
        found.map(({ scored_at }) => scored_at),
        found.map(({ scored_at }) => scored_at).sort(),
      );
      const { scored_at } = (await one.scores.find(customer_id, ids[0]!))!;
      const target = { kind: 'target', type: 'table', name: 'prod/customers' };
      assert.deepEqual(found[0], {
        customer_id,
        event_id: ids[0],
        scored_at,
        action: 'database:customers:read',
        score: 42,
        agent_id: 'mailer',
        session_id: 's',
        user_id: 'ann',
        things: [target, { kind: 'destination', type: '', name: 'bob@elsewhere.test' }],
        flow: 'out',
        delegated_by: [{ agent_id: 'planner', at: scored_at, jti: null }],
      });
      assert.deepEqual([found[7]!.agent_id, found[7]!.things, found[7]!.delegated_by], [null, [target], []]);
      assert.deepEqual((await two.activity.next(cursor, 100)).events, []);
    });

    test('a delegation that is not a name of an agent is left out', async () => {
      const customer_id = newCustomer();
      const odd = [5, null, { a: 1 }, [], [[1]], '', 'x'.repeat(300), true];
      for (const [n, delegated_by] of [...odd, 'planner'].entries()) {
        const record = makeRecord(customer_id, { event_id: `e${n}` });
        const agent = { agent_id: `a${n}`, delegated_by } as never;
        await bench.nodes[0].scores.record({ ...record, event: { ...record.event, agent } });
      }
      const found: ActivityEvent[] = [];
      let cursor: ActivityCursor | null = null;
      for (let n = 0; found.length <= odd.length; n += 1) {
        assert.ok(n < 10_000, 'they never came');
        const part = await nextPart(bench.nodes[1], cursor, 500);
        found.push(...part.events.filter((event) => event.customer_id === customer_id));
        ({ cursor } = part);
        if (part.is_last) await sleep(100);
      }
      assert.deepEqual(
        found.map(({ delegated_by }) => delegated_by.map(({ agent_id }) => agent_id)),
        [...odd.map(() => []), ['planner']],
      );
    });

    test('one process has the turn of a graph until its lease ends', async () => {
      const [one, two] = bench.nodes;
      const graph = randomUUID();
      assert.equal(await one.activity.takeTurn(graph, 'a', 60_000), true);
      assert.equal(await two.activity.takeTurn(graph, 'b', 60_000), false);
      assert.equal(await two.activity.takeTurn(randomUUID(), 'b', 60_000), true);
      assert.equal(await one.activity.takeTurn(graph, 'a', 1), true);
      while (!(await two.activity.takeTurn(graph, 'b', 60_000))) await sleep(10);
      assert.equal(await one.activity.takeTurn(graph, 'a', 60_000), false);
    });

    test('nothing was dropped from a new store', async () => {
      assert.equal(await bench.nodes[0].activity.keptFrom(), null);
    });
  });
}
