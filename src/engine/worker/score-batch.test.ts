/** Faults of the store must not count as deaths of the worker. Events that kill workers are tested in test/faults/poison.test.ts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeQueued, recordOf } from '../../../test/contract/queue-start.ts';
import { newCustomer } from '../../../test/contract/start.ts';
import { NO_SERVER, useNodes } from '../../../test/support/test-database.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { createLog } from '../../platform/log.ts';
import type { QueueStore } from '../../storage/ports/queue.ts';
import type { Outcome } from '../evaluate.ts';
import { startBatchWorker, type WorkerParts } from './score-batch.ts';

/** More than the deaths after which an event is set aside. */
const OUTAGES = 6;
const away = () => Promise.reject(new StoreUnavailable('the database is away'));

describe('a worker that lives through any number of outages', { skip: NO_SERVER ?? false }, () => {
  const nodes = useNodes();

  /** Scores events that a worker died over, while the store fails `OUTAGES` times; answers how each was tried. */
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
    const evaluate: WorkerParts['evaluate'] = async (_, [first], { extent = 'whole' } = {}) => {
      const { event_id } = first!.event;
      tried.push(`${event_id} ${extent}`);
      if (tried.length <= OUTAGES) return away();
      await scores.record(recordOf(customer_id, event_id));
      return [{} as Outcome];
    };
    const parts: WorkerParts = {
      queue: { ...queue, ...fault(queue) },
      dispatch: null,
      evaluate,
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

  test('scores the event whole, when the counted death cannot be taken back at once', async () => {
    let calls = 0;
    const tried = await workOver((queue) => ({
      absolve: (event) => (++calls % 3 === 0 ? queue.absolve(event) : away()),
    }));
    assert.deepEqual(tried, all_whole);
  });

  test('scores the event whole, when it is unknown whether a death was counted', async () => {
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
