/** An event that kills every worker is scored without its content after three deaths; its neighbours are scored whole. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LANES } from '../../src/storage/ports/queue.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { call } from '../support/client.ts';
import { bareEnvironment, childOf } from '../support/programs.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { startWeir } from '../support/weir.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';

const key = 'weir_key_A7dQm2Xv9LsKpR4tYbN8wZcJ3hGfE6uTqVxW5yB1nMo';
const KEY = {
  BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000ad',
  BOOTSTRAP_API_KEY: key,
};

test('an event over which three workers died is scored by its outline', { skip: NO_SERVER ?? false }, () =>
  withApi(async (api, workUntilEmpty) => {
    const events = ['before', 'poison', 'after'].map((event_id) => ({
      event_id,
      action: 'repo:code:read',
      session: { session_id: 'one' },
      parameters: { path: 'README.md' },
    }));
    const reply = await call(`${api}/events/batch`, { key, body: { events } });
    assert.equal(reply.status, 202, reply.text);
    assert.equal(await workUntilEmpty(), 3);
    for (const event_id of ['before', 'after', 'poison']) {
      const { status, json } = await call(`${api}/scores/event/${event_id}`, { key });
      assert.equal(status, 200);
      const is_marked = (json['behavioral_flags'] as string[]).includes('content_not_scored');
      assert.equal(is_marked, event_id === 'poison', event_id);
      if (is_marked) assert.ok(Number(json['final_score']) >= 61, 'a person should look');
      assert.equal((json['event'] as { parameters: object } | undefined)?.parameters === undefined, false);
      const justification = await call(`${api}/justification?event_id=${event_id}`, { key });
      assert.match(String(justification.json['score_justification']), /: the same score\.$/m);
    }
  }),
);

test('what is scored beside such an event, in other lanes, is scored whole', { skip: NO_SERVER ?? false }, () =>
  withApi(async (api, workUntilEmpty) => {
    const neighbours = Array.from({ length: 2 * LANES }, (_, n) => `neighbour-${n}`);
    const events = ['poison', ...neighbours].map((event_id) => ({
      event_id,
      action: 'repo:code:read',
      session: { session_id: `of ${event_id}` },
    }));
    const reply = await call(`${api}/events/batch`, { key, body: { events } });
    assert.equal(reply.status, 202, reply.text);
    assert.equal(await workUntilEmpty({ SLOWLY_MS: '100' }), 3);
    for (const { event_id } of events) {
      const { json } = await call(`${api}/scores/event/${event_id}`, { key });
      const is_marked = (json['behavioral_flags'] as string[]).includes('content_not_scored');
      assert.equal(is_marked, event_id === 'poison', event_id);
    }
  }),
);

type Opened = Awaited<ReturnType<typeof openPostgres>>;
/** One worker after the other, until nothing is left; answers how many died. `more`: settings of poison-child.ts. */
type WorkUntilEmpty = (more?: Record<string, string>) => Promise<number>;

async function withApi(run: (api: string, workUntilEmpty: WorkUntilEmpty) => Promise<void>): Promise<void> {
  const database = await makeDatabase();
  const env = { ...KEY, DATABASE_URL: database.url };
  const api = await startWeir({ env, roles: 'api' });
  const storage = await openPostgres(database.url, WIDE_LIMITS);
  try {
    await run(api.api, (more = {}) => workers({ ...env, ...more }, storage, database));
  } finally {
    await storage.close();
    await api.stop();
    await database.drop();
  }
}

async function workers(env: Record<string, string>, storage: Opened, database: TestDatabase): Promise<number> {
  for (let deaths = 0; ; deaths += 1) {
    const child = spawn(process.execPath, childOf('test/faults/poison-child.ts'), {
      env: { ...bareEnvironment(), ...env },
      stdio: 'inherit',
    });
    const death = once(child, 'exit').then(() => 'died' as const);
    const end = await Promise.race([death, untilEmpty(storage)]);
    if (end === 'empty') {
      child.kill('SIGKILL');
      await death;
      return deaths;
    }
    // Not to wait for the dead worker's leases.
    await database.run(`update queue_lanes set leased_until = now() where leased_until is not null`);
  }
}

async function untilEmpty(storage: Opened): Promise<'empty'> {
  while ((await storage.queue.stats(KEY.BOOTSTRAP_CUSTOMER_ID)).waiting > 0) await sleep(50);
  return 'empty';
}
