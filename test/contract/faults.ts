import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/platform/errors.ts';
import type { Storage } from '../../src/storage/ports/storage.ts';
import { until } from '../support/patience.ts';
import { type Bench, makeRecord, missingOf, newCustomer, range } from './start.ts';

/** The database goes away and comes back; nothing that was answered is lost, nothing is there twice. */
export function faultTests(bench: Bench): void {
  describe('faults', () => {
    test('health is ok, with the migration', async () => {
      const health = await bench.nodes[0].health();
      assert.equal(health.status, 'ok');
      assert(health.migration >= 1 && health.latency_ms >= 0);
    });

    test('the database goes away three times under load', async () => {
      const customer_id = newCustomer();
      const load = startLoad(bench.nodes, customer_id);
      for (const _ of range(3)) {
        await sleep(150);
        await bench.backend.interrupt();
        await waitUntilOk(bench.nodes);
      }
      await until(() => load.answered.length > 50, 'records are answered between the outages');
      const { answered, errors, sent } = await load.stop();
      for (const error of errors) assert(error instanceof StoreUnavailable, String(error));
      assert.deepEqual(await missingOf(bench.nodes[0], customer_id, answered), [], 'an answered event is missing');
      const { total_events } = await bench.nodes[0].scores.summary(customer_id);
      const { total } = await bench.nodes[0].scores.list(customer_id, { from_date: '2001-01-01T00:00:00Z' }, 1, 1);
      assert.equal(total_events, total, 'the totals kept and the rows counted are the same');
      assert(total >= answered.length && total <= sent, `${answered.length} answered, ${total} there, ${sent} sent`);
    });

    test('a policy that was answered during an outage is in force', async () => {
      const customer_id = newCustomer();
      const settling = Promise.allSettled(
        range(40).map(async (n) => {
          await sleep(n * 5);
          return bench.nodes[n % 2 ? 1 : 0].policies.put(customer_id, { n });
        }),
      );
      await sleep(100);
      await bench.backend.interrupt();
      const settled = await settling;
      await waitUntilOk(bench.nodes);
      const stored = settled.filter((result) => result.status === 'fulfilled').map((result) => result.value);
      for (const result of settled) if (result.status === 'rejected') assert(result.reason instanceof StoreUnavailable);
      for (const policy of stored) {
        assert.deepEqual(await bench.nodes[0].policies.version(customer_id, policy.version), policy);
      }
      const newest = Math.max(0, ...stored.map((policy) => policy.version));
      assert(((await bench.nodes[0].policies.current(customer_id))?.version ?? 0) >= newest);
    });

    test('after close every call is refused as unavailable, and closing again is fine', async () => {
      const node = await bench.backend.connect();
      const record = makeRecord(newCustomer());
      const last = node.scores.record(record);
      await Promise.all([node.close(), node.close()]);
      assert.equal((await last).kind, 'stored', 'what was taken is finished');
      await assert.rejects(node.scores.record(makeRecord(newCustomer())), StoreUnavailable);
      await assert.rejects(node.scores.find(newCustomer(), 'e'), StoreUnavailable);
      await assert.rejects(node.policies.put(newCustomer(), {}), StoreUnavailable);
      assert.equal((await node.health()).status, 'error');
      assert.notEqual(await bench.nodes[0].scores.find(record.customer_id, record.event_id), null);
    });
  });
}

/** Keeps writing from 20 callers until stopped. */
function startLoad(nodes: Storage[], customer_id: string) {
  const answered: string[] = [];
  const errors: unknown[] = [];
  let sent = 0;
  let is_stopped = false;
  const callers = range(20).map(async (caller) => {
    while (!is_stopped) {
      sent += 1;
      const record = makeRecord(customer_id, { event_id: `${caller}-${sent}` });
      try {
        await nodes[caller % nodes.length]!.scores.record(record);
        answered.push(record.event_id);
      } catch (error) {
        errors.push(error);
        await sleep(5);
      }
    }
  });
  return {
    answered,
    async stop() {
      is_stopped = true;
      await Promise.all(callers);
      return { answered, errors, sent };
    },
  };
}

async function waitUntilOk(nodes: Storage[]): Promise<void> {
  for (const node of nodes) await until(async () => (await node.health()).status === 'ok', 'the store recovers');
}
