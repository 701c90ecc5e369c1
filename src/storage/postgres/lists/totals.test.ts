import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { newCustomer } from '../../../../test/contract/start.ts';
import { COUNT_INTO_TOTALS } from '../../../../test/support/test-database.ts';
import { WIDE_LIMITS } from '../../../../test/support/wide-limits.ts';
import type { RiskLevel } from '../../../scoring/types.ts';
import { prepareCluster } from '../../embedded/cluster.ts';
import { openEmbedded } from '../../embedded/index.ts';
import { targetOf } from '../../embedded/server.ts';
import type { ScoreFilter, Storage } from '../../ports/storage.ts';
import { connectionConfig } from '../connection/pool.ts';
import { hourOf, spanOf, withinSpan } from './totals.ts';

/**
 * 3,000 events over twelve days, every 50th at midnight UTC to the microsecond, and two days without any; and 3,000 within
 * two hours, seven at a time, every other seven where a span begins or a microsecond before.
 */
const FILL = `insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level,
    rule_set_version, content_hash, event, assessment)
  select $1::uuid, n::text, at, 0, n % 101, false, (array['none','low','medium','high','critical'])[1 + n % 5], 'v', 'h', '{}', '{}'
  from (
    select n, case when n % 50 = 0 then date_trunc('day', at, 'UTC') - (n / 50 % 3) * interval '1 microsecond' else at end as at
    from generate_series(1, 3000) as n,
      lateral (select timestamptz '2026-03-25T07:00:00Z' + n * interval '347.123457 seconds' as at) as t
    where extract(day from at at time zone 'UTC') not in (28, 31)
    union all
    select n, case when n / 7 % 2 = 0 then at else ${spanOf('at')} - (n / 14 % 2) * interval '1 microsecond' end
    from generate_series(3001, 6000) as n,
      lateral (select timestamptz '2026-03-27T14:00:00Z' + (n - 3001) / 7 * interval '16.654321 seconds' as at) as t
  ) as events`;

/** As nodes of an earlier version leave it: an hour without spans, and one with some of them. */
const LOSE_SPANS = `delete from event_spans where ${hourOf('start')} = '2026-03-29T10:00:00Z'
  or ${hourOf('start')} = '2026-03-27T15:00:00Z' and start > '2026-03-27T15:20:00Z'`;

const LEVELS: RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical'];

describe('totals and pages', () => {
  const customer_id = newCustomer();
  let data_dir: string;
  let storage: Storage;
  let client: pg.Client;
  let moments: string[] = [];
  let busy: string[] = [];
  let midnights: string[] = [];

  before(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'weir-totals-'));
    const first = await openEmbedded(data_dir, WIDE_LIMITS);
    // It counts as a process, so that the server runs on without the first one.
    client = new pg.Client(connectionConfig(targetOf(await prepareCluster(data_dir), 'weir-present-test')));
    await client.connect();
    // Summer time begins on 29 March there: days of the session's time zone must have no effect.
    await client.query(`alter database postgres set timezone to 'Europe/Berlin'`);
    await client.query(`set timezone to 'Europe/Berlin'`);
    await first.close();
    storage = await openEmbedded(data_dir, WIDE_LIMITS);
    await client.query(`select make_event_partition('2026-03-01Z', '2026-05-01Z')`);
    await client.query(FILL, [customer_id]);
    await client.query(COUNT_INTO_TOTALS, [customer_id]);
    assert.notEqual((await client.query(LOSE_SPANS)).rowCount, 0);
    const { rows } = await client.query<{ at: string }>(
      `select distinct to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
       from events, lateral (values (scored_at), (scored_at - interval '1 microsecond'),
         (date_trunc('day', scored_at, 'UTC')), (date_trunc('day', scored_at, 'UTC') - interval '1 microsecond'),
         (${hourOf('scored_at')}), (${spanOf('scored_at')}), (${spanOf('scored_at')} - interval '1 microsecond')) as v (at)`,
    );
    moments = rows.map((row) => row.at);
    busy = moments.filter((at) => at > '2026-03-27T13:30' && at < '2026-03-27T16:30');
    midnights = moments.filter((at) => at.includes('T00:00:00.000000'));
  });
  after(async () => {
    await client?.end();
    await storage?.close();
    rmSync(data_dir, { recursive: true, force: true });
  });

  /** The list by its definition: everything, sorted. */
  async function sortAll({ risk_level, from_date, to_date }: ScoreFilter): Promise<string[]> {
    const { rows } = await client.query<{ event_id: string }>(
      `select event_id from events where customer_id = $1 and ($2::text is null or risk_level = $2)
         and ($3::timestamptz is null or scored_at >= $3) and ($4::timestamptz is null or scored_at <= $4)
       order by scored_at desc, event_id desc`,
      [customer_id, risk_level ?? null, from_date ?? null, to_date ?? null],
    );
    return rows.map((row) => row.event_id);
  }

  test('a time from which a given number of microseconds lie in one span', async () => {
    const { rows } = await client.query<{ at: string; within: string; is_one_span: boolean }>(
      `select to_char(at at time zone 'UTC', 'SS.US') as at, to_char(within at time zone 'UTC', 'SS.US') as within,
         ${spanOf('within')} = ${spanOf(`within + 63 * interval '1 microsecond'`)} as is_one_span
       from (
         select at, ${withinSpan('at', '64')} as within from unnest(array['12:00:00', '12:00:04.999', '12:00:04.999936',
           '12:00:04.999937', '12:00:04.999999', '12:59:59.999999', '23:59:59.999990']::time[]) as t (time),
           lateral (select ('2026-03-29Z'::timestamptz at time zone 'UTC' + time) at time zone 'UTC' as at) as a
       ) as times order by at`,
    );
    assert.deepEqual(
      rows.map(({ at, within }) => (at === within ? 'as it is' : within)),
      ['as it is', 'as it is', 'as it is', '04.999936', '04.999936', '59.999936', '59.999936'],
    );
    assert(rows.every(({ is_one_span }) => is_one_span));
  });

  test('any page of any filter equals the result of sorting everything, and so does the total', async () => {
    assert(moments.length > 5_000);
    const anywhere = fc.nat().map((n) => moments[n % moments.length]!);
    const moment = fc.oneof(
      anywhere,
      // Where events are many, so that both dates are often in one hour or span; and where days and hours begin.
      fc.nat().map((n) => busy[n % busy.length]!),
      fc.nat().map((n) => midnights[n % midnights.length]!),
      fc.constantFrom('2001-01-01T00:00:00Z', '2100-01-01T00:00:00Z', '2026-03-29T02:30:00+02:00'),
    );
    const filter = fc.record(
      { risk_level: fc.constantFrom(...LEVELS), from_date: moment, to_date: moment },
      { requiredKeys: [] },
    );
    // In thousandths of the list, so that few are beyond its end.
    const place = fc.integer({ min: 0, max: 1_020 });
    await fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: 1, max: 300 }), place, async (wanted, per_page, thousandths) => {
        const all = await sortAll(wanted);
        const page = 1 + Math.floor((thousandths * all.length) / 1_000 / per_page);
        const { total, records } = await storage.scores.list(customer_id, wanted, page, per_page);
        assert.equal(total, all.length);
        assert.deepEqual(
          records.map((record) => record.event_id),
          all.slice((page - 1) * per_page, page * per_page),
        );
      }),
      { numRuns: 250 },
    );
  });

  test('the summary equals counting one by one', async () => {
    const summary = await storage.scores.summary(customer_id);
    assert.equal(summary.total_events, (await sortAll({})).length);
    for (const risk_level of LEVELS) {
      assert.equal(summary[`${risk_level}_count`], (await sortAll({ risk_level })).length);
    }
    const { rows } = await client.query<{ mean: number }>(
      'select avg(score)::float8 as mean from events where customer_id = $1',
      [customer_id],
    );
    assert(Math.abs(summary.avg_score - rows[0]!.mean) < 1e-9);
  });
});
