import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditOf, makeChain, makeToken } from '../../../../test/contract/auth-start.ts';
import { newCustomer, range } from '../../../../test/contract/start.ts';
import { NO_SERVER, useNode } from '../../../../test/support/test-database.ts';
import { widePool } from '../../../../test/support/wide-limits.ts';
import { endPool } from '../connection/pool.ts';
import { forgetExpired } from './session-counts.ts';

describe('counted events of expired sessions', { skip: NO_SERVER ?? false }, () => {
  const own = useNode();

  test('are removed when their token has expired, and no others', async () => {
    const customer_id = newCustomer();
    const [root] = await makeChain(own.storage.auth, customer_id, 1);
    const sessionOf = async (expires_at: string): Promise<string> => {
      const token = makeToken(customer_id, root!, { max_events: 6_000, expires_at });
      assert.ok(await own.storage.auth.tokens.insert(token, auditOf()));
      const events = range(6).map((n) => ({ event_id: `e-${n}`, content_hash: 'h' }));
      assert.equal((await own.storage.auth.tokens.countEvents(token.jti, customer_id, events)).kind, 'counted');
      return token.jti;
    };
    const past = new Date(Date.now() - 60_000).toISOString();
    const over = await Promise.all(range(3).map(() => sessionOf(past)));
    const alive = await Promise.all(range(3).map(() => sessionOf(root!.expires_at)));
    // More than fit in one statement.
    await own.database.run(
      'insert into session_events (jti, event_key) select $1, gen_random_uuid() from generate_series(1, 5500)',
      [over[1]],
    );
    const pool = widePool(own.database.url, 1);
    try {
      assert.equal(await forgetExpired(pool), 3 * 6 + 5_500);
      assert.equal(await forgetExpired(pool), 0);
    } finally {
      await endPool(pool);
    }
    const left = await own.database.run('select jti, count(*)::int as n from session_events group by jti order by jti');
    assert.deepEqual(
      left,
      alive.toSorted().map((jti) => ({ jti, n: 6 })),
    );
    assert.deepEqual(
      await own.storage.auth.tokens.usage(over[0]!),
      { used: 6, max_events: 6_000 },
      'the number of used events stays',
    );
  });
});
