/** What takes most memory, much of it at once, in a process with the memory that `deploy/kubernetes/api.yaml` gives it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { call, newCustomer, problem, type Reply } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';

/** A container of 1 GiB makes V8 take half of it. */
const HEAP = '--max-old-space-size=512';

describe('memory', { skip: NO_SERVER ?? false, timeout: 2 * PATIENCE_MS }, () => {
  let database: TestDatabase;
  let weir: HostedWeir;
  before(async () => {
    database = await makeDatabase();
    const env = { DATABASE_URL: database.url, NODE_OPTIONS: HEAP };
    weir = await startHostedWeir({ env, roles: 'api,auth' });
  });
  after(async () => {
    await weir.stop();
    await database.drop();
  });

  const batch = (tag: number, objects: number): string =>
    `{"events":[${Array.from(
      { length: 1_000 },
      (_, n) => `{"event_id":"${tag}-${n}","action":"a:b:c","metadata":{"a":[${'{},'.repeat(objects - 1)}{}]}}`,
    ).join()}]}`;

  /** Eight at once, of four customers. */
  async function sendEight(objects: number): Promise<Reply[]> {
    const customers = await Promise.all(Array.from({ length: 4 }, () => newCustomer(weir)));
    const send = (n: number) =>
      call(`${weir.api}/events/batch`, { method: 'POST', key: customers[n % 4]!.api_key, body: batch(n, objects) });
    return Promise.all(Array.from({ length: 8 }, (_, n) => send(n)));
  }

  test('eight batches with as many values as one may hold are all accepted', async () => {
    const replies = await sendEight(1_990);
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([202]));
    assert.equal((await call(`${weir.api}/health`)).status, 200);
  });

  test('and eight batches with more are told so', async () => {
    for (const reply of await sendEight(5_500))
      assert.match(String(problem(reply, 400)['detail']), /more than 2000000 values/);
    assert.equal((await call(`${weir.api}/health`)).status, 200);
  });

  test('five hundred events with as many values as one may hold are answered or told to come back', async () => {
    const { api_key } = await newCustomer(weir);
    const replies = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        call(`${weir.api}/events`, {
          method: 'POST',
          key: api_key,
          body: `{"event_id":"m-${n}","action":"a:b:c","metadata":{"a":[${'{},'.repeat(19_990)}{}]}}`,
        }),
      ),
    );
    const refused = replies.filter(({ status }) => status !== 200).map((reply) => problem(reply, [408, 429, 503]));
    assert.ok(refused.some(({ detail }) => /too large together; send fewer at a time/.test(String(detail))));
    assert.equal((await call(`${weir.api}/health`)).status, 200);
  });
});
