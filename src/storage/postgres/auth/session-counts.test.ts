import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { auditOf, makeChain, makeToken } from '../../contract/auth-start.ts';
import { newCustomer, range } from '../../contract/start.ts';
import type { Storage } from '../../ports.ts';
import { openPostgres } from '../index.ts';
import { createPool, endPool } from '../pool.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../test-database.ts';
import { forgetExpired } from './session-counts.ts';

describe('events of sessions that are over', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  let storage: Storage;
  before(async () => {
    database = await makeDatabase();
    storage = await openPostgres(database.url);
  });
  after(async () => {
    await storage?.close();
    await database?.drop();
  });

  test('go when their token has expired, and no others', async () => {
    const customer_id = newCustomer();
    const [root] = await makeChain(storage.auth, customer_id, 1);
    const sessionOf = async (expires_at: string): Promise<string> => {
      const token = makeToken(customer_id, root!, { max_events: 6_000, expires_at });
      assert.ok(await storage.auth.tokens.insert(token, auditOf()));
      const events = range(6).map((n) => ({ event_id: `e-${n}`, content_hash: 'h' }));
      assert.equal((await storage.auth.tokens.countEvents(token.jti, customer_id, events)).kind, 'counted');
      return token.jti;
    };
    const past = new Date(Date.now() - 60_000).toISOString();
    const over = await Promise.all(range(3).map(() => sessionOf(past)));
    const alive = await Promise.all(range(3).map(() => sessionOf(root!.expires_at)));
    // More than go at once.
    await database.run(
      'insert into session_events (jti, event_key) select $1, gen_random_uuid() from generate_series(1, 5500)',
      [over[1]],
    );
    const pool = createPool({ url: database.url }, 1);
    try {
      assert.equal(await forgetExpired(pool), 3 * 6 + 5_500);
      assert.equal(await forgetExpired(pool), 0);
    } finally {
      await endPool(pool);
    }
    const left = await database.run('select jti, count(*)::int as n from session_events group by jti order by jti');
    assert.deepEqual(
      left,
      alive.toSorted().map((jti) => ({ jti, n: 6 })),
    );
    assert.deepEqual(await storage.auth.tokens.usage(over[0]!), { used: 6, max_events: 6_000 }, 'what was used stays');
  });
});
