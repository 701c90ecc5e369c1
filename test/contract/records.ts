import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MOST_IN_ORDER, RecordRefused } from '../../src/storage/ports/storage.ts';
import { type Bench, makeRecord, newCustomer, range, tally } from './start.ts';

/** Writing: once for each event_id, with the policy in force, whatever happens next to it. */
export function recordTests(bench: Bench): void {
  describe('record', () => {
    test('keeps a record as it was given', async () => {
      const record = makeRecord(newCustomer());
      const outcome = await bench.nodes[0].scores.record(record);
      assert(outcome.kind === 'stored');
      assert.match(outcome.scored_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      const found = await bench.nodes[1].scores.find(record.customer_id, record.event_id);
      assert.deepEqual(found, { ...record, scored_at: outcome.scored_at });
      assert.equal(JSON.stringify(found?.event), JSON.stringify(record.event), 'the order of keys stays');
    });

    test('scores that follow on each other are one commit, each later than the one before', async () => {
      const [one, other] = bench.nodes;
      const customer_id = newCustomer();
      // Neither the order of the keys nor that of the levels; held ones among them.
      const records = range(MOST_IN_ORDER).map((n) =>
        makeRecord(customer_id, {
          event_id: `e-${(n * 37) % MOST_IN_ORDER}`,
          score: (n * 29) % 101,
          hold: n % 5 === 0 ? { ttl_minutes: 5, action_hash: 'a'.repeat(64) } : null,
        }),
      );
      const beside = range(20).map((n) => makeRecord(customer_id, { event_id: `f-${n}` }));
      const [outcomes, others] = await Promise.all([
        one.scores.recordInOrder(records),
        Promise.all(beside.map(one.scores.record)),
      ]);
      assert.deepEqual(tally(others), { stored: 20, exists: 0, policy_changed: 0 });
      const times = outcomes.map((outcome) => {
        assert(!(outcome instanceof Error) && outcome.kind === 'stored');
        return outcome.scored_at;
      });
      assert.deepEqual(times, [...new Set(times)].sort());
      const [first, last] = [times[0]!, times.at(-1)!].map((time) => Number(time.slice(-7, -1)));
      assert.equal((last! - first! + 1e6) % 1e6, MOST_IN_ORDER - 1, 'in microseconds: one statement wrote all');
      for (const [n, { event_id }] of records.entries()) {
        const found = await other.scores.find(customer_id, event_id);
        assert.equal(found?.scored_at, times[n]);
        assert.equal(found?.hold?.state, n % 5 === 0 ? 'held' : undefined);
      }
      const listed = await other.scores.list(customer_id, { from_date: times[0]!, to_date: times.at(-1)! }, 1, 100);
      const newest = listed.records.filter(({ event_id }) => event_id.startsWith('e'));
      assert.deepEqual(
        newest.map(({ event_id }) => event_id),
        records.map(({ event_id }) => event_id).reverse(),
      );
      const held = await other.scores.list(customer_id, { hold: 'held' }, 1, 100);
      assert.equal(held.total, 13);
      assert.deepEqual(
        held.records.map(({ scored_at }) => scored_at),
        times.filter((_, n) => n % 5 === 0).reverse(),
      );
      assert.equal((await one.scores.summary(customer_id)).total_events, MOST_IN_ORDER + 20);
    });

    test('of scores that follow on each other, those that cannot go in are told so, and the rest go in', async () => {
      const { scores } = bench.nodes[0];
      const customer_id = newCustomer();
      await scores.record(makeRecord(customer_id, { event_id: 'there' }));
      const refused = makeRecord(customer_id, { event_id: 'refused' });
      refused.assessment = { ...refused.assessment, rule_set_version: 'v\0' };
      const records = [
        makeRecord(customer_id, { event_id: 'z' }),
        makeRecord(customer_id, { event_id: 'there' }),
        refused,
        makeRecord(customer_id, { event_id: 'y' }),
        makeRecord(customer_id, { event_id: '\0' }),
        makeRecord(customer_id, { event_id: 'old', policy_version: 7 }),
        makeRecord(customer_id, { event_id: 'x' }),
      ];
      const outcomes = await scores.recordInOrder(records);
      assert.deepEqual(
        outcomes.map((outcome) => (outcome instanceof Error ? outcome.constructor : outcome.kind)),
        ['stored', 'exists', RecordRefused, 'stored', RecordRefused, 'policy_changed', 'stored'],
      );
      const times = outcomes.flatMap((outcome) =>
        !(outcome instanceof Error) && outcome.kind === 'stored' ? outcome.scored_at : [],
      );
      assert.deepEqual(times, times.toSorted());
      assert.deepEqual(await scores.recordInOrder([]), []);
    });

    test('finds nothing where nothing is', async () => {
      assert.equal(await bench.nodes[0].scores.find(newCustomer(), 'no-such-event'), null);
    });

    test('one event sent 100 times at once to two nodes is one row, and all see the same record', async () => {
      const record = makeRecord(newCustomer());
      const outcomes = await Promise.all(range(100).map((n) => bench.nodes[n % 2 ? 1 : 0].scores.record(record)));
      assert.deepEqual(tally(outcomes), { stored: 1, exists: 99, policy_changed: 0 });
      const found = await bench.nodes[0].scores.find(record.customer_id, record.event_id);
      for (const outcome of outcomes) if (outcome.kind === 'exists') assert.deepEqual(outcome.record, found);
      assert.equal((await bench.nodes[0].scores.summary(record.customer_id)).total_events, 1);
    });

    test('one event_id with 100 contents at once: one wins, the others are told whose it is', async () => {
      const customer_id = newCustomer();
      const records = range(100).map((n) => makeRecord(customer_id, { event_id: 'same', text: `content ${n}` }));
      const outcomes = await Promise.all(records.map((record, n) => bench.nodes[n % 2 ? 1 : 0].scores.record(record)));
      const winner = records[outcomes.findIndex((outcome) => outcome.kind === 'stored')];
      assert.deepEqual(tally(outcomes), { stored: 1, exists: 99, policy_changed: 0 });
      for (const outcome of outcomes) {
        if (outcome.kind === 'exists') assert.equal(outcome.record.content_hash, winner?.content_hash);
      }
    });

    test('other content under a known event_id finds the record that was there first', async () => {
      const first = makeRecord(newCustomer(), { event_id: 'e' });
      const second = makeRecord(first.customer_id, { event_id: 'e', text: 'something else' });
      await bench.nodes[0].scores.record(first);
      const outcome = await bench.nodes[1].scores.record(second);
      assert(outcome.kind === 'exists');
      assert.equal(outcome.record.content_hash, first.content_hash);
      assert.notEqual(outcome.record.content_hash, second.content_hash);
    });

    test('1,000 events of 20 customers at once are all there, once', async () => {
      const customers = range(20).map(newCustomer);
      const records = range(1_000).map((n) => makeRecord(customers[n % 20]!, { score: n % 101 }));
      const outcomes = await Promise.all(records.map((record, n) => bench.nodes[n % 2 ? 1 : 0].scores.record(record)));
      assert.deepEqual(tally(outcomes), { stored: 1_000, exists: 0, policy_changed: 0 });
      for (const customer_id of customers) {
        assert.equal((await bench.nodes[0].scores.summary(customer_id)).total_events, 50);
      }
      for (const record of records) {
        const found = await bench.nodes[1].scores.find(record.customer_id, record.event_id);
        assert.equal(found?.content_hash, record.content_hash);
      }
    });

    test('two nodes that write the same events in opposite order do not wait for each other in a ring', async () => {
      for (const _ of range(10)) {
        const customer_id = newCustomer();
        const records = range(200).map(() => makeRecord(customer_id));
        const outcomes = await Promise.all([
          ...records.map((record) => bench.nodes[0].scores.record(record)),
          ...records.toReversed().map((record) => bench.nodes[1].scores.record(record)),
        ]);
        assert.deepEqual(tally(outcomes), { stored: 200, exists: 200, policy_changed: 0 });
      }
    });

    test('a score made with a policy that is not in force is not written, its neighbours are', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      const before = makeRecord(customer_id, { policy_version: 0 });
      assert.equal((await node.scores.record(before)).kind, 'stored');
      await node.policies.put(customer_id, { blocked_tools: [] });
      const versions = [0, 1, 2, 1, 0, 1];
      const records = versions.map((policy_version) => makeRecord(customer_id, { policy_version }));
      const outcomes = await Promise.all(records.map((record) => node.scores.record(record)));
      const kinds = versions.map((version) => (version === 1 ? 'stored' : 'policy_changed'));
      assert.deepEqual(
        outcomes.map((outcome) => outcome.kind),
        kinds,
      );
      const found = await Promise.all(records.map((record) => node.scores.find(customer_id, record.event_id)));
      assert.deepEqual(
        found.map((record) => record !== null),
        versions.map((version) => version === 1),
      );
      const again = await node.scores.record(before);
      assert.equal(again.kind, 'exists', 'a retry gets the stored record, whatever the policy is now');
    });

    test('twins with an old and a new policy version in one group: the new one is written', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      await node.policies.put(customer_id, {});
      const twins = [0, 1, 1].map((policy_version) => makeRecord(customer_id, { event_id: 'twin', policy_version }));
      const outcomes = await Promise.all(twins.map((record) => node.scores.record(record)));
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['policy_changed', 'stored', 'exists'],
      );
      const found = await node.scores.find(customer_id, 'twin');
      assert.equal(found?.assessment.policy_version, 1);
    });

    test('no score with the old policy is accepted after the new one was answered', async () => {
      const customer_id = newCustomer();
      for (const version of range(10)) {
        const during = range(20).map(() =>
          bench.nodes[0].scores.record(makeRecord(customer_id, { policy_version: version })),
        );
        await bench.nodes[1].policies.put(customer_id, { version: version + 1 });
        const late = await Promise.all(
          range(20).map(() => bench.nodes[0].scores.record(makeRecord(customer_id, { policy_version: version }))),
        );
        assert.deepEqual(tally(late), { stored: 0, exists: 0, policy_changed: 20 });
        await Promise.all(during);
      }
    });

    test('a record the database cannot keep is refused alone', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      const good = range(30).map(() => makeRecord(customer_id));
      const bad = [
        makeRecord(customer_id, { event_id: 'nul \0 inside' }),
        makeRecord(customer_id, { event_id: 'half a pair \ud83d' }),
        makeRecord(customer_id, { score: 101 }),
        makeRecord(customer_id, { policy_version: 2 ** 40 }),
        makeRecord('not-a-uuid'),
        { ...makeRecord(customer_id), content_hash: 'nul \0 inside' },
        makeRecord(customer_id, { event_id: Array.from({ length: 9_000 }, (_, n) => (n * n).toString(36)).join('') }),
      ];
      const mixed = [...good.slice(0, 15), ...bad, ...good.slice(15)];
      const settled = await Promise.allSettled(mixed.map((record) => node.scores.record(record)));
      for (const [index, result] of settled.entries()) {
        const is_bad = bad.includes(mixed[index]!);
        if (result.status === 'fulfilled') assert.equal(result.value.kind, is_bad ? 'refused' : 'stored');
        else assert(is_bad && result.reason instanceof RecordRefused, String(result.reason));
      }
      assert.equal((await node.scores.summary(customer_id)).total_events, good.length);
    });

    test('one event_id of two customers is two events', async () => {
      const [a, b] = [newCustomer(), newCustomer()];
      const outcomes = await Promise.all(
        [a, b].map((customer_id) =>
          bench.nodes[0].scores.record(makeRecord(customer_id, { event_id: 'shared', text: customer_id })),
        ),
      );
      assert.deepEqual(tally(outcomes), { stored: 2, exists: 0, policy_changed: 0 });
      for (const customer_id of [a, b]) {
        const found = await bench.nodes[1].scores.find(customer_id, 'shared');
        assert.equal(found?.event.parameters?.['text'], customer_id);
        const { records, total } = await bench.nodes[1].scores.list(customer_id, {}, 1, 10);
        assert.deepEqual([total, records.map((record) => record.customer_id)], [1, [customer_id]]);
      }
      assert.equal(await bench.nodes[0].scores.find(newCustomer(), 'shared'), null);
    });
  });
}
