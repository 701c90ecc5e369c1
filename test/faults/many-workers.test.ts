/**
 * Two API nodes and three workers on one PostgreSQL and one NATS, workers killed and NATS restarted all the while: each
 * accepted event is scored once. `TEST_ROUNDS` sets how many batches are submitted meanwhile (default 3).
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_NATS_SERVER, startNats } from '../support/nats.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';
import { rounds } from '../support/rounds.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';
import { startWeir, type Weir } from '../support/weir.ts';

const BATCHES = rounds(3);
const BATCH = 1_000;
const KEY = {
  BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000ac',
  BOOTSTRAP_API_KEY: 'weir_key_A7dQm2Xv9LsKpR4tYbN8wZcJ3hGfE6uTqVxW5yB1nMo',
};
const headers = { 'content-type': 'application/json', 'x-api-key': KEY.BOOTSTRAP_API_KEY };

const makeEvents = (batch: number) =>
  Array.from({ length: BATCH }, (_, n) => ({
    event_id: `b${batch}e${n}`,
    action: 'email:message:send',
    session: { session_id: `s${n % 50}` },
    parameters: { to: 'ana@north.test', n },
  }));

async function submit(weir: Weir, batch: number): Promise<void> {
  const body = JSON.stringify({ events: makeEvents(batch) });
  const response = await fetch(`${weir.api}/events/batch`, { method: 'POST', headers, body });
  assert.equal(response.status, 202, await response.text());
}

async function kill(weir: Weir): Promise<void> {
  const gone = once(weir.child, 'exit');
  weir.child.kill('SIGKILL');
  await gone;
}

describe('many nodes', { skip: NO_SERVER ?? NO_NATS_SERVER ?? false, timeout: PATIENCE_MS + BATCHES * 20_000 }, () => {
  test('workers die and NATS restarts: each accepted event has one score, in order within its session', async () => {
    const database = await makeDatabase();
    const nats = await startNats();
    const env = { ...KEY, DATABASE_URL: database.url, NATS_URL: nats.url, DATABASE_CONNECTIONS: '3' };
    const apis = [await startWeir({ env, roles: 'api' }), await startWeir({ env, roles: 'api' })];
    let workers = await Promise.all([1, 2, 3].map(() => startWeir({ env, roles: 'worker' })));
    try {
      for (let batch = 0; batch < BATCHES; batch += 1) {
        await submit(apis[batch % 2]!, batch);
        await sleep(100 + Math.random() * 200);
        await kill(workers[0]!);
        if (batch % 3 === 1) await nats.restart();
        workers = [...workers.slice(1), await startWeir({ env, roles: 'worker' })];
      }
      const total = BATCHES * BATCH;
      await until(async () => {
        const [row] = await database.run('select count(*)::int as n from queue_chunks');
        return row?.['n'] === 0;
      }, 'the queue is empty');
      const rows = await database.run('select event_id from events order by scored_at, event_id');
      assert.equal(rows.length, total);
      assert.equal(new Set(rows.map((row) => row['event_id'])).size, total);
      const [sums] = await database.run(
        'select sum(none_count + low_count + medium_count + high_count + critical_count)::int as n from event_totals',
      );
      assert.equal(sums?.['n'], total);
      const order = rows.map((row) => /^b(\d+)e(\d+)$/.exec(String(row['event_id']))!.slice(1).map(Number));
      for (let session = 0; session < 50; session += 1) {
        const own = order.filter(([, n]) => n! % 50 === session).map(([batch, n]) => batch! * BATCH + n!);
        assert.deepEqual(
          own,
          own.toSorted((a, b) => a - b),
          `session ${session}`,
        );
      }
    } finally {
      for (const weir of [...apis, ...workers]) await weir.stop();
      await nats.stop();
      await database.drop();
    }
  });
});
