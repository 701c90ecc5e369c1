/** When an answer counts as missing. */
import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../../../../test/support/test-database.ts';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { createPool, endPool, query, watchOf } from './pool.ts';

describe('answers of the database', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  before(async () => {
    database = await makeDatabase();
  });
  after(() => database?.drop());

  test('an answer that arrived while the thread was busy for seconds is an answer', async () => {
    const pool = createPool({ url: database.url }, 1);
    await query(pool, 'select 1');
    const asked = query<{ n: number }>(pool, 'select 1 as n from pg_sleep(0.1)');
    // Behind the phase in which sockets are read: the timers come first then.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    assert.deepEqual(await asked, [{ n: 1 }]);
    await endPool(pool);
  });

  test('a connection that opened, or became free, while the thread was busy for seconds is one', async () => {
    const pool = createPool({ url: database.url }, 1);
    const asked = [1, 2].map((n) => query<{ n: number }>(pool, `select ${n} as n`));
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    assert.deepEqual(await Promise.all(asked), [[{ n: 1 }], [{ n: 2 }]]);
    await endPool(pool);
  });

  test('the patience multiplies what the server itself limits', async () => {
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const shown = async (patience: number): Promise<number[]> => {
      const pool = createPool({ url: database.url }, 1, '', watchOf({ url: database.url }, patience));
      const rows = await query<{ setting: string }>(
        pool,
        'select setting from pg_settings where name = any($1) order by name',
        [limits],
      );
      await endPool(pool);
      return rows.map(({ setting }) => Number(setting));
    };
    assert.deepEqual(
      await shown(3),
      (await shown(1)).map((ms) => ms * 3),
    );
  });

  test('a connection on which nothing arrives any more fails, though the server takes new ones', async () => {
    const { hostname, port } = new URL(database.url);
    const clients: Socket[] = [];
    const server: Server = createServer((client) => {
      clients.push(client);
      const upstream = connect(Number(port || 5432), hostname);
      for (const socket of [client, upstream]) socket.on('error', () => {});
      client.on('close', () => upstream.destroy());
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const through = new URL(database.url);
    through.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
    const pool = createPool({ url: through.href }, 1);
    await query(pool, 'select 1');
    clients[0]!.unpipe();
    clients[0]!.resume();
    await assert.rejects(query(pool, 'select 1'), (error) => error instanceof StoreUnavailable);
    assert.deepEqual(await query(pool, 'select 2 as n'), [{ n: 2 }], 'a new connection takes its place');
    await endPool(pool);
    for (const client of clients) client.destroy();
    server.close();
  });
});
