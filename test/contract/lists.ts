import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { StoredScore } from '../../src/records/record.ts';
import type { RiskLevel } from '../../src/scoring/types.ts';
import type { ScoreFilter } from '../../src/storage/ports/storage.ts';
import { type Bench, levelOf, makeRecord, newCustomer, range } from './start.ts';

const LEVELS: RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical'];

/** Lists and the summary: newest first, exact totals, filters that agree with each other. */
export function listTests(bench: Bench): void {
  describe('list and summary', () => {
    const customer_id = newCustomer();
    let all: StoredScore[] = [];

    before(async () => {
      // Ids whose order differs between locales, and between UTF-16 and code points.
      const odd = ['a', 'B', 'ä', 'Z', 'z', '~', '-', '1', '10', '2', '\u{1f600}', '\uffff', 'é', 'e\u0301'];
      const ids = [...odd, ...range(241).map((n) => `event-${n}`)];
      const records = ids.map((event_id, n) => makeRecord(customer_id, { event_id, score: (n * 7) % 101 }));
      for (const part of [0, 1, 2, 3]) {
        const group = records.filter((_, n) => n % 4 === part);
        await Promise.all(group.map((record) => bench.nodes[0].scores.record(record)));
      }
      const found = await Promise.all(ids.map((event_id) => bench.nodes[1].scores.find(customer_id, event_id)));
      all = found.filter((record) => record !== null).sort(newestFirst);
      assert.equal(all.length, ids.length);
    });

    async function pages(filter: ScoreFilter, per_page: number): Promise<StoredScore[]> {
      const records: StoredScore[] = [];
      for (let page = 1; ; page += 1) {
        const answer = await bench.nodes[1].scores.list(customer_id, filter, page, per_page);
        records.push(...answer.records);
        assert.equal(answer.total, all.filter((record) => matches(record, filter)).length);
        if (answer.records.length < per_page) return records;
      }
    }

    test('pages are the whole list, newest first, ids by code point', async () => {
      assert.deepEqual(await pages({}, 100), all);
      assert.deepEqual(
        (await pages({}, 17)).map((record) => record.event_id),
        all.map((record) => record.event_id),
      );
    });

    test('a page beyond the end is empty and still has the total', async () => {
      const answer = await bench.nodes[0].scores.list(customer_id, {}, 10_000, 100);
      assert.deepEqual(answer, { records: [], total: all.length });
      const nobody = await bench.nodes[0].scores.list(newCustomer(), { risk_level: 'high' }, 1, 10);
      assert.deepEqual(nobody, { records: [], total: 0 });
    });

    test('the filters pick what they say, to the microsecond and inclusive', async () => {
      const [newer, older] = [all[60]!.scored_at, all[180]!.scored_at];
      const filters: ScoreFilter[] = [
        ...LEVELS.map((risk_level) => ({ risk_level })),
        { from_date: older },
        { to_date: newer },
        { from_date: older, to_date: newer },
        { from_date: older, to_date: older },
        { from_date: newer, to_date: older },
        { risk_level: 'medium', from_date: older, to_date: newer },
        { from_date: '2001-01-01T00:00:00Z', to_date: '2100-01-01T00:00:00+05:30' },
      ];
      for (const filter of filters) {
        assert.deepEqual(
          await pages(filter, 50),
          all.filter((record) => matches(record, filter)),
          JSON.stringify(filter),
        );
      }
    });

    test('the summary agrees with the lists', async () => {
      const summary = await bench.nodes[0].scores.summary(customer_id);
      const count = (level: RiskLevel) => all.filter((record) => record.risk_level === level).length;
      assert.deepEqual(summary, {
        total_events: all.length,
        avg_score: summary.avg_score,
        none_count: count('none'),
        low_count: count('low'),
        medium_count: count('medium'),
        high_count: count('high'),
        critical_count: count('critical'),
        would_hold_count: 0,
      });
      const mean = all.reduce((sum, record) => sum + record.assessment.score, 0) / all.length;
      assert(Math.abs(summary.avg_score - mean) < 1e-9);
    });

    test('the summary of a customer without events is all zeros', async () => {
      const summary = await bench.nodes[0].scores.summary(newCustomer());
      const zeros = {
        none_count: 0,
        low_count: 0,
        medium_count: 0,
        high_count: 0,
        critical_count: 0,
        would_hold_count: 0,
      };
      assert.deepEqual(summary, { total_events: 0, avg_score: 0, ...zeros });
    });

    test('the level is the one in the record, at every edge', async () => {
      const customer = newCustomer();
      const scores = [0, 10, 11, 30, 31, 55, 56, 60, 61, 80, 81, 100];
      await Promise.all(scores.map((score) => bench.nodes[0].scores.record(makeRecord(customer, { score }))));
      for (const risk_level of LEVELS) {
        const { records, total } = await bench.nodes[0].scores.list(customer, { risk_level }, 1, 100);
        const expected = scores.filter((score) => levelOf(score) === risk_level);
        assert.deepEqual(
          records.map((record) => record.assessment.score).sort((a, b) => a - b),
          expected,
        );
        assert.equal(total, expected.length);
      }
    });

    test('writing while someone pages up to a fixed date neither repeats nor skips', async () => {
      const customer = newCustomer();
      const write = (n: number) => bench.nodes[0].scores.record(makeRecord(customer, { event_id: `e${n}` }));
      await Promise.all(range(60).map(write));
      const newest = (await bench.nodes[1].scores.list(customer, {}, 1, 1)).records[0]!;
      const ids: string[] = [];
      for (const page of range(6)) {
        await Promise.all(range(5).map((n) => write(100 + page * 5 + n)));
        const filter = { to_date: newest.scored_at };
        const { records, total } = await bench.nodes[1].scores.list(customer, filter, page + 1, 10);
        assert.equal(total, 60);
        ids.push(...records.map((record) => record.event_id));
      }
      assert.deepEqual(
        ids.sort(),
        range(60)
          .map((n) => `e${n}`)
          .sort(),
      );
    });
  });
}

function newestFirst(a: StoredScore, b: StoredScore): number {
  if (a.scored_at !== b.scored_at) return a.scored_at < b.scored_at ? 1 : -1;
  return Buffer.compare(Buffer.from(b.event_id), Buffer.from(a.event_id));
}

function matches(record: StoredScore, filter: ScoreFilter): boolean {
  if (filter.risk_level !== undefined && record.risk_level !== filter.risk_level) return false;
  if (filter.from_date !== undefined && record.scored_at < filter.from_date) return false;
  return filter.to_date === undefined || record.scored_at <= filter.to_date;
}
