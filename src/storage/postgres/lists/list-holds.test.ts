import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { newCustomer } from '../../../../test/contract/start.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../../../../test/support/test-database.ts';
import { WIDE_LIMITS } from '../../../../test/support/wide-limits.ts';
import type { HoldState } from '../../../records/hold.ts';
import type { ScoreFilter, Storage } from '../../ports/storage.ts';
import { openPostgres } from '../index.ts';

/**
 * 600 holds of two customers, five at a time, whose ids are not in the order of a language; a third are written as expired, and
 * of those written as held every other one is so no longer, by the clock. None is decided: that takes a token each.
 */
const FILL = `with made as (
    select n, case n % 7 when 0 then $1::uuid else $2::uuid end as customer_id,
      (array['a', 'B', 'ä', '_', ''])[1 + n % 5] || n as event_id,
      timestamptz '2026-03-01T00:00:00Z' + n / 5 * interval '11 minutes' as at,
      (array['high', 'critical', 'medium'])[1 + n * 7919 % 11 % 3] as level
    from generate_series(1, 600) as n
  ), held as (
    insert into holds (customer_id, event_id, state, held_at, risk_level, expires_at, action_hash)
    select customer_id, event_id, case when n % 3 = 0 then 'expired' else 'held' end, at, level,
      case when n % 2 = 0 then at + interval '10 minutes' else now() + interval '1 day' end, 'h' from made
  )
  insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version,
    content_hash, event, assessment)
  select customer_id, event_id, at, 0, 70, false, level, 'v', 'h', '{}', '{}' from made`;

describe('pages of held events', { skip: NO_SERVER ?? false }, () => {
  const customer_id = newCustomer();
  let database: TestDatabase;
  let storage: Storage;
  before(async () => {
    database = await makeDatabase();
    storage = await openPostgres(database.url, WIDE_LIMITS);
    await database.run(`select make_event_partition('2026-03-01Z', '2026-04-01Z')`);
    await database.run(FILL, [newCustomer(), customer_id]);
  });
  after(async () => {
    await storage?.close();
    await database?.drop();
  });

  /** The list by its definition: everything, sorted. */
  async function sortAll(hold: HoldState, { risk_level, from_date, to_date }: ScoreFilter): Promise<unknown[]> {
    const rows = await database.run(
      `select event_id from holds where customer_id = $1
         and case when state = 'held' and expires_at <= auth_now() then 'expired' else state end = $2
         and ($3::text is null or risk_level = $3) and ($4::timestamptz is null or held_at >= $4)
         and ($5::timestamptz is null or held_at <= $5)
       order by held_at desc, event_id desc`,
      [customer_id, hold, risk_level ?? null, from_date ?? null, to_date ?? null],
    );
    return rows.map((row) => row['event_id']);
  }

  test('any page of any filter equals the result of sorting everything, and so does the total', async () => {
    const moment = fc
      .integer({ min: -1, max: 122 })
      .map((n) => new Date(Date.UTC(2026, 2, 1) + n * 660_000).toISOString());
    const filter = fc.record(
      { risk_level: fc.constantFrom('high', 'critical', 'low'), from_date: moment, to_date: moment },
      { requiredKeys: [] },
    );
    const state = fc.constantFrom<HoldState>('held', 'expired', 'expired', 'approved');
    // In thousandths of the list, so that few are beyond its end.
    const place = fc.integer({ min: 0, max: 1_100 });
    await fc.assert(
      fc.asyncProperty(state, filter, fc.integer({ min: 1, max: 60 }), place, async (hold, wanted, per_page, at) => {
        const all = await sortAll(hold, wanted as ScoreFilter);
        const page = 1 + Math.floor((at * all.length) / 1_000 / per_page);
        const { total, records } = await storage.scores.list(
          customer_id,
          { ...(wanted as ScoreFilter), hold },
          page,
          per_page,
        );
        assert.equal(total, all.length);
        assert.deepEqual(
          records.map((record) => record.event_id),
          all.slice((page - 1) * per_page, page * per_page),
        );
        for (const record of records) assert.equal(record.hold?.state, hold);
      }),
      { numRuns: 250 },
    );
  });

  test('a hold that ends while its page is read is shown as it was found', async () => {
    // A clock that advances by a day at each reading.
    await database.run('create sequence looks');
    await database.run(`create or replace function auth_now() returns timestamptz language sql volatile as
      $$ select clock_timestamp() + (nextval('looks') - 1) * interval '1 day' $$`);
    const { records } = await storage.scores.list(customer_id, { hold: 'held' }, 1, 50);
    assert.ok(records.length > 1);
    for (const record of records) assert.equal(record.hold?.state, 'held');
  });
});
