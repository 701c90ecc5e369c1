import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { matchesAction, parseAction, parseActionPattern } from '../../src/lang/patterns.ts';
import { ownerKey } from '../../src/records/facets.ts';
import type { StoredScore } from '../../src/records/record.ts';
import type { ScoreOrder, ScorePosition, ScoreSearch } from '../../src/storage/ports/storage.ts';
import { type Bench, makeRecord, makeTrace, newCustomer, range } from './start.ts';

type Filter = ScoreSearch['filter'];

const AGENTS = ['a-1', 'Ä 😀', 'a-2'];
const USERS = ['ann', 'bob'];
const RULES = ['target_is_restricted', 'custom "rule"', '7'];
const ACTIONS = ['github:pulls:read', 'github:pulls:merge', 'db:pulls:read', 'db:prod:drop'];

/** Searches: any filter, any order, pages and cursors; and changes as they happen. */
export function searchTests(bench: Bench): void {
  describe('search', () => {
    const customer_id = newCustomer();
    let all: StoredScore[] = [];

    before(async () => {
      const ids = range(150).map((n) => `${['x', 'É', '~'][n % 3]}${n}`);
      const records = ids.map((event_id, n) => {
        const [agent_id, user_id] = [AGENTS[n % 4], USERS[n % 3]];
        const past =
          agent_id === undefined
            ? null
            : { agent_key: ownerKey('agent', agent_id), session_key: ownerKey('session', `s${n % 5}`) };
        return makeRecord(customer_id, {
          event_id,
          score: (n * 7) % 101,
          past: past && { ...past, trace: makeTrace(event_id).trace, history: null },
          violations: RULES.filter((_, r) => n % (r + 2) === 0),
          would_hold: n % 11 === 0,
          hold: n % 10 === 3 ? { ttl_minutes: 60, action_hash: 'h' } : null,
          event: {
            action: ACTIONS[n % ACTIONS.length]!,
            agent: agent_id === undefined ? {} : { agent_id },
            session: { session_id: `s${n % 5}`, ...(user_id !== undefined && { user_id }) },
          },
        });
      });
      for (const part of [0, 1, 2]) {
        const group = records.filter((_, n) => n % 3 === part);
        await Promise.all(group.map((record) => bench.nodes[0].scores.record(record)));
      }
      all = await bench.nodes[1].scores.findMany(customer_id, [...ids, 'nobody', 'nul \0']);
      assert.equal(all.length, ids.length);
      all.sort(ORDERS.newest);
    });

    const filters = fc.record(
      {
        agent_id: fc.constantFrom(...AGENTS, 'nobody'),
        session_id: fc.constantFrom('s1', 's4'),
        user_id: fc.constantFrom(...USERS),
        rule: fc.constantFrom(...RULES, 'unknown'),
        action: fc
          .constantFrom('*', 'github:*', 'github:pulls:*', '*:pulls:read', 'db:prod:drop')
          .map((text) => parseActionPattern(text)!),
        would_hold: fc.boolean(),
        hold: fc.constantFrom('held', 'approved'),
        risk_level: fc.constantFrom('none', 'medium', 'high'),
        from_date: fc.nat(149).map((n) => all[n]!.scored_at),
        to_date: fc.nat(149).map((n) => all[n]!.scored_at),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Filter>;
    const order = fc.constantFrom<ScoreOrder>('newest', 'oldest', 'risk');

    test('pages of any filter in any order equal the result of sorting everything, and so does the total', async () => {
      const place = fc.record({ limit: fc.integer({ min: 1, max: 40 }), page: fc.integer({ min: 1, max: 5 }) });
      await fc.assert(
        fc.asyncProperty(filters, order, place, async (filter, order, { limit, page }) => {
          const wanted = all.filter((record) => matches(record, filter)).sort(ORDERS[order]);
          const found = await bench.nodes[1].scores.search(customer_id, { filter, order, from: { page }, limit });
          assert.equal(found.total, wanted.length);
          assert.deepEqual(found.records, wanted.slice((page - 1) * limit, page * limit));
          assert.equal(found.next === null, found.records.length === 0 || page * limit >= wanted.length);
        }),
        { numRuns: 120 },
      );
    });

    test('following the cursor of any list passes every record once', async () => {
      await fc.assert(
        fc.asyncProperty(filters, order, fc.integer({ min: 20, max: 60 }), async (filter, order, limit) => {
          const seen: string[] = [];
          let from: ScoreSearch['from'] = { page: 1 };
          for (;;) {
            const found = await bench.nodes[0].scores.search(customer_id, { filter, order, from, limit });
            seen.push(...found.records.map(({ event_id }) => event_id));
            if (found.next === null) break;
            from = { after: found.next satisfies ScorePosition };
          }
          const wanted = all.filter((record) => matches(record, filter)).sort(ORDERS[order]);
          assert.deepEqual(
            seen,
            wanted.map(({ event_id }) => event_id),
          );
        }),
        { numRuns: 60 },
      );
    });

    test('the summary counts what would have been held', async () => {
      const { would_hold_count } = await bench.nodes[0].scores.summary(customer_id);
      assert.equal(would_hold_count, all.filter((record) => record.would_hold).length);
    });

    test('another customer’s events are not found', async () => {
      const stranger = newCustomer();
      const search: ScoreSearch = { filter: { agent_id: 'a-1' }, order: 'risk', from: { page: 1 }, limit: 10 };
      assert.deepEqual(await bench.nodes[0].scores.search(stranger, search), { records: [], total: 0, next: null });
      assert.deepEqual(await bench.nodes[0].scores.findMany(stranger, [all[0]!.event_id]), []);
    });

    test('changes are scores and the ends of holds in the order of their times', async () => {
      const customer = newCustomer();
      const start = (await bench.nodes[0].scores.changes(customer, '2001-01-01T00:00:00Z', 10)).now;
      await bench.nodes[0].scores.record(makeRecord(customer, { event_id: 'first' }));
      const hold = { ttl_minutes: 0, action_hash: 'h' };
      await bench.nodes[1].scores.record(makeRecord(customer, { event_id: 'over', hold }));
      await bench.nodes[1].scores.record(
        makeRecord(customer, { event_id: 'open', hold: { ...hold, ttl_minutes: 60 } }),
      );
      const read = async (limit: number) =>
        (await bench.nodes[0].scores.changes(customer, start, limit)).changes.map(
          ({ kind, event_id }) => `${kind} ${event_id}`,
        );
      const found = await read(10);
      assert.deepEqual(found.toSorted(), ['decided over', 'scored first', 'scored open', 'scored over']);
      assert.equal(found[0], 'scored first');
      assert.ok(found.indexOf('scored over') < found.indexOf('scored open'));
      assert.deepEqual(await read(2), found.slice(0, 2));
      const { changes, now } = await bench.nodes[1].scores.changes(customer, start, 10);
      assert.ok(changes.every(({ at }) => at > start && at <= now));
    });
  });
}

type Compare = (a: StoredScore, b: StoredScore) => number;
const byId: Compare = (a, b) => Buffer.compare(Buffer.from(a.event_id), Buffer.from(b.event_id));
const byAge: Compare = (a, b) => (a.scored_at === b.scored_at ? byId(a, b) : a.scored_at < b.scored_at ? -1 : 1);
const ORDERS: Record<ScoreOrder, Compare> = {
  newest: (a, b) => byAge(b, a),
  oldest: byAge,
  risk: (a, b) => b.assessment.score - a.assessment.score || byAge(b, a),
};

/** The filters by their definition. */
function matches(record: StoredScore, filter: Filter): boolean {
  const { event, assessment } = record;
  const facts: [unknown, unknown][] = [
    [filter.agent_id, event.agent?.agent_id],
    [filter.user_id, event.session?.user_id],
    [filter.would_hold, record.would_hold],
    [filter.hold, record.hold?.state],
    [filter.risk_level, record.risk_level],
    // A session without an agent has no memory here.
    [filter.session_id, record.past === null ? null : event.session?.session_id],
  ];
  return (
    facts.every(([wanted, is]) => wanted === undefined || wanted === is) &&
    (filter.rule === undefined || assessment.violations.includes(filter.rule)) &&
    (filter.action === undefined || matchesAction(filter.action, parseAction(event.action)!)) &&
    (filter.from_date === undefined || record.scored_at >= filter.from_date) &&
    (filter.to_date === undefined || record.scored_at <= filter.to_date)
  );
}
