/** What changes between the acceptance of an event and its score, on another node than the one that scores it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { until } from '../support/patience.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';
import { type AnyWeir, startWeir } from '../support/weir.ts';

const KEY = {
  BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000ad',
  BOOTSTRAP_API_KEY: 'weir_key_B8eRn3Yw0MtLqS5uZcO9xAdK4iHgF7vUrWyX6zC2oNp',
};
const headers = { 'content-type': 'application/json', 'x-api-key': KEY.BOOTSTRAP_API_KEY };

describe('changes while events wait', { skip: NO_SERVER ?? false }, () => {
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let api: AnyWeir;
  let worker: AnyWeir;
  before(async () => {
    database = await makeDatabase();
    const env = { ...KEY, DATABASE_URL: database.url };
    api = await startHostedWeir({ env, roles: 'api' });
    worker = await startWeir({ env, roles: 'worker' });
  });
  after(async () => {
    await worker.stop();
    await api.stop();
    await database.drop();
  });

  async function submit(name: string, count = 20): Promise<void> {
    const events = Array.from({ length: count }, (_, i) => ({ event_id: `${name}-${i}`, action: 'crm:contact:read' }));
    const answer = await fetch(`${api.api}/events/batch`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ events }),
    });
    assert.equal(answer.status, 202, await answer.text());
  }

  /** Waits until these events are scored, or one is set aside. */
  async function scored(name: string): Promise<Record<string, unknown>[]> {
    let rows: Record<string, unknown>[] = [];
    await until(async () => {
      const dead = await database.run('select event_id, reason from queue_dead');
      assert.deepEqual(dead, []);
      rows = await database.run(`select policy_version from events where event_id like '${name}-%'`);
      return rows.length === 20;
    }, 'twenty events are scored');
    return rows;
  }

  test('a policy that came in by another node is the one that waiting events are scored with', async () => {
    await submit('before');
    await scored('before');
    for (const version of [1, 2]) {
      const policy = { blocked_actions: [`crm:contact${version}:read`] };
      const url = `${api.api}/policies/${KEY.BOOTSTRAP_CUSTOMER_ID}`;
      assert.ok((await fetch(url, { method: 'POST', headers, body: JSON.stringify(policy) })).ok);
      await submit(`policy${version}`);
      for (const row of await scored(`policy${version}`)) assert.equal(row['policy_version'], version);
    }
  });

  test('no event is set aside for what the database cannot do for a while', async () => {
    await database.run('alter table events rename column past to past_');
    await submit('meanwhile');
    const single = await fetch(`${api.api}/events`, { method: 'POST', headers, body: '{"action":"crm:contact:read"}' });
    assert.equal(single.status, 503);
    assert.ok(single.headers.has('retry-after'));
    await sleep(1_500);
    assert.deepEqual(await database.run('select event_id, reason from queue_dead'), []);
    await database.run('alter table events rename column past_ to past');
    await scored('meanwhile');
  });
});
