/** What a worker owes its queue when the store fails. What becomes of an event that kills workers is in test/faults/poison.test.ts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeQueued, recordOf } from '../../../test/contract/queue-start.ts';
import { newCustomer } from '../../../test/contract/start.ts';
import { NO_SERVER, useNodes } from '../../../test/support/test-database.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { createLog } from '../../platform/log.ts';
import type { QueueStore } from '../../storage/ports/queue.ts';
import { startBatchWorker, type WorkerParts } from './score-batch.ts';

/** More than an event is given deaths, even as an outline. */
const OUTAGES = 6;
const away = () => Promise.reject(new StoreUnavailable('the database is away'));

describe('an outage is no death: who lives through any number of them', { skip: NO_SERVER ?? false }, () => {
  const nodes = useNodes();

  /** Has events scored that a worker died over, while the store is away so many times; answers how each was tried. */
  async function workOver(fault: (queue: QueueStore) => Partial<QueueStore>): Promise<string[]> {
    const { queue, scores } = nodes.storages[0];
    const customer_id = newCustomer();
    const lane = { customer_id, lane: 0 };
    await queue.accept(
      customer_id,
      ['first', 'second'].map((event_id) => makeQueued(customer_id, { event_id })),
    );
    await queue.lease('dies', 10_000, { lane });
    await queue.take(lane, 'dies', 10);
    await nodes.database.run('update queue_lanes set leased_until = now()');
    const tried: string[] = [];
    const evaluate: WorkerParts['evaluate'] = async (_, { event }, extent = 'whole') => {
      tried.push(`${event.event_id} ${extent}`);
      if (tried.length <= OUTAGES) return away();
      await scores.record(recordOf(customer_id, event.event_id));
      return {} as Awaited<ReturnType<typeof evaluate>>;
    };
    const parts: WorkerParts = {
      queue: { ...queue, ...fault(queue) },
      dispatch: null,
      evaluate,
      evaluateInOrder: async (_, [first]) => [await evaluate(customer_id, first!)],
      log: createLog('silent'),
    };
    const worker = startBatchWorker(parts);
    try {
      while ((await queue.stats(customer_id)).waiting > 0) await sleep(20);
    } finally {
      await worker.stop();
    }
    assert.equal((await queue.stats(customer_id)).dead, 0);
    return tried;
  }
  const all_whole = [...Array<string>(OUTAGES + 1).fill('first whole'), 'second whole'];

  test('scores the event whole, when what was counted cannot be taken back at once', async () => {
    let calls = 0;
    const tried = await workOver((queue) => ({
      absolve: (event) => (++calls % 3 === 0 ? queue.absolve(event) : away()),
    }));
    assert.deepEqual(tried, all_whole);
  });

  test('scores the event whole, when nobody knows whether it was counted', async () => {
    let calls = 0;
    const tried = await workOver((queue) => ({
      begin: async (event, holder) => {
        const is_begun = await queue.begin(event, holder);
        return ++calls <= OUTAGES ? away() : is_begun;
      },
    }));
    assert.deepEqual(tried, all_whole);
  });
});
