import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import type { RiskLevel } from '../../scoring/types.ts';
import { newCustomer } from '../contract/start.ts';
import { prepareCluster } from '../embedded/cluster.ts';
import { openEmbedded } from '../embedded/index.ts';
import { targetOf } from '../embedded/server.ts';
import type { ScoreFilter, Storage } from '../ports.ts';
import { connectionConfig } from './pool.ts';
import { ADD_TO_TOTALS } from './totals.ts';

/** 3,000 events over twelve days, every 50th at midnight UTC to the microsecond, and two days without any. */
const FILL = `with inserted as (
  insert into events (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version,
    content_hash, event, assessment)
  select $1::uuid, n::text,
    case when n % 50 = 0 then date_trunc('day', at, 'UTC') - (n / 50 % 3) * interval '1 microsecond' else at end,
    0, n % 101, false, (array['none','low','medium','high','critical'])[1 + n % 5], 'v', 'h', '{}', '{}'
  from generate_series(1, 3000) as n,
    lateral (select timestamptz '2026-03-25T07:00:00Z' + n * interval '347.123457 seconds' as at) as t
  where extract(day from at at time zone 'UTC') not in (28, 31)
  returning customer_id, scored_at, score, risk_level
)
${ADD_TO_TOTALS}`;

const LEVELS: RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical'];

describe('totals by day', () => {
  const customer_id = newCustomer();
  let data_dir: string;
  let storage: Storage;
  let client: pg.Client;
  let moments: string[] = [];

  before(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'weir-totals-'));
    const first = await openEmbedded(data_dir);
    client = new pg.Client(connectionConfig(targetOf(await prepareCluster(data_dir), 'weir-test')));
    await client.connect();
    // Summer time begins on 29 March there: days of the session's zone must play no part.
    await client.query(`alter database postgres set timezone to 'Europe/Berlin'`);
    await client.query(`set timezone to 'Europe/Berlin'`);
    await first.close();
    storage = await openEmbedded(data_dir);
    await client.query(`select make_event_partition('2026-03-01Z', '2026-05-01Z')`);
    await client.query(FILL, [customer_id]);
    const { rows } = await client.query<{ at: string }>(
      `select distinct to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
       from events, lateral (values (scored_at), (scored_at - interval '1 microsecond'),
         (date_trunc('day', scored_at, 'UTC')), (date_trunc('day', scored_at, 'UTC') - interval '1 microsecond')) as v (at)`,
    );
    moments = rows.map((row) => row.at);
  });
  after(async () => {
    await client?.end();
    await storage?.close();
    rmSync(data_dir, { recursive: true, force: true });
  });

  async function countOneByOne({ risk_level, from_date, to_date }: ScoreFilter): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      `select count(*) from events where customer_id = $1 and ($2::text is null or risk_level = $2)
         and ($3::timestamptz is null or scored_at >= $3) and ($4::timestamptz is null or scored_at <= $4)`,
      [customer_id, risk_level ?? null, from_date ?? null, to_date ?? null],
    );
    return rows[0]!.count;
  }

  test('the total of any filter is what counting one by one gives', async () => {
    assert(moments.length > 2_000);
    const moment = fc.oneof(
      fc.nat().map((n) => moments[n % moments.length]!),
      fc.constantFrom('2001-01-01T00:00:00Z', '2100-01-01T00:00:00Z', '2026-03-29T02:30:00+02:00'),
    );
    const filter = fc.record(
      { risk_level: fc.constantFrom(...LEVELS), from_date: moment, to_date: moment },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filter, async (wanted) => {
        const { total, records } = await storage.scores.list(customer_id, wanted, 1, 10_000);
        assert.equal(total, await countOneByOne(wanted));
        assert.equal(records.length, total);
      }),
      { numRuns: 200 },
    );
  });

  test('the summary is what counting one by one gives', async () => {
    const summary = await storage.scores.summary(customer_id);
    assert.equal(summary.total_events, await countOneByOne({}));
    for (const risk_level of LEVELS) {
      assert.equal(summary[`${risk_level}_count`], await countOneByOne({ risk_level }));
    }
    const { rows } = await client.query<{ mean: number }>(
      'select avg(score)::float8 as mean from events where customer_id = $1',
      [customer_id],
    );
    assert(Math.abs(summary.avg_score - rows[0]!.mean) < 1e-9);
  });
});
