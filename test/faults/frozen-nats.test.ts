/**
 * NATS that is stopped while its connections live, under load: batches are accepted and scored all the while, the health
 * says so, a node ends in order, and NATS is used again when it goes on.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_NATS_SERVER, startNats } from '../support/nats.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { startWeir, type Weir } from '../support/weir.ts';

const BATCH = 50;
const KEY = {
  BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000ad',
  BOOTSTRAP_API_KEY: 'weir_key_A7dQm2Xv9LsKpR4tYbN8wZcJ3hGfE6uTqVxW5yB1nMo',
};
const headers = { 'content-type': 'application/json', 'x-api-key': KEY.BOOTSTRAP_API_KEY };

async function submit(weir: Weir, batch: number): Promise<void> {
  const events = Array.from({ length: BATCH }, (_, n) => ({
    event_id: `b${batch}e${n}`,
    action: 'email:message:send',
    session: { session_id: `s${n % 10}` },
    parameters: { to: 'ana@north.test', n },
  }));
  const response = await fetch(`${weir.api}/events/batch`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ events }),
  });
  assert.equal(response.status, 202, await response.text());
}

async function untilScored(database: TestDatabase, batches: number): Promise<void> {
  for (;;) {
    const [row] = await database.run('select count(*)::int as n from events');
    if (row?.['n'] === batches * BATCH) return;
    await sleep(50);
  }
}

async function natsOf(weir: Weir): Promise<string> {
  const response = await fetch(`${weir.api}/health/detailed`);
  const body = (await response.json()) as { dependencies: { nats: { status: string } } };
  return body.dependencies.nats.status;
}

describe('frozen NATS', { skip: NO_SERVER ?? NO_NATS_SERVER ?? false, timeout: 2 * PATIENCE_MS }, () => {
  test('batches are scored, the health says so, nodes end in order, and it is used again', async () => {
    const database = await makeDatabase();
    const nats = await startNats();
    const env = { ...KEY, DATABASE_URL: database.url, NATS_URL: nats.url };
    const api = await startWeir({ env, roles: 'api' });
    const worker = await startWeir({ env, roles: 'worker' });
    const second = await startWeir({ env, roles: 'api,worker' });
    let batches = 0;
    const score = async (): Promise<void> => {
      await submit(api, batches);
      batches += 1;
      await untilScored(database, batches);
    };
    const scoreUntil = async (status: string): Promise<void> => {
      do await score();
      while ((await natsOf(api)) !== status);
    };
    try {
      await scoreUntil('ok');
      nats.freeze();
      await scoreUntil('error');
      // By now it is noticed everywhere, and attempts to connect hang.
      while (!/cannot be used: it does not answer/.test(second.stderr())) await score();
      assert.equal((await second.stop()).code, 0, second.stderr());
      nats.thaw();
      await scoreUntil('ok');
      nats.freeze();
      // Not noticed yet: the connections are open.
      assert.deepEqual([await api.stop(), await worker.stop()], [{ code: 0 }, { code: 0 }], worker.stderr());
    } finally {
      for (const weir of [api, worker, second]) await weir.stop();
      await nats.stop();
      await database.drop();
    }
  });
});
