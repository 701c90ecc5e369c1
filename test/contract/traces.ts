import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Past } from '../../src/records/record.ts';
import type { Mark } from '../../src/scoring/history/marks.ts';
import { type OwnerCount, type OwnerCounts, SHARED_KEY } from '../../src/storage/ports/storage.ts';
import { type Bench, makeRecord, makeTrace, newCustomer, range } from './start.ts';

const secondOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);
const newKey = (): string => randomUUID().replaceAll('-', '');

/** What events leave behind, by agent and session. */
export function traceTests(bench: Bench): void {
  describe('traces', () => {
    const past = (parts: Partial<Past>): Past => ({
      agent_key: null,
      session_key: null,
      trace: makeTrace('').trace,
      history: null,
      ...parts,
    });

    test('come back for each owner, oldest first, the newest ones when there are many', async () => {
      const [one, two] = bench.nodes;
      const customer_id = newCustomer();
      const [agent_key, session_key] = [newKey(), newKey()];
      for (const n of range(5)) {
        const of_session = n % 2 === 0 ? session_key : null;
        const record = makeRecord(customer_id, {
          event_id: `e${n}`,
          past: past({ agent_key, session_key: of_session, trace: { ...makeTrace('').trace, score: n } }),
        });
        await one.scores.record(record);
      }
      const owners = [
        { customer_id, kind: 'session' as const, key: session_key },
        { customer_id, kind: 'agent' as const, key: agent_key },
        { customer_id, kind: 'agent' as const, key: newKey() },
        { customer_id, kind: 'agent' as const, key: session_key },
        { customer_id: newCustomer(), kind: 'agent' as const, key: agent_key },
      ];
      const ids = (await two.scores.traces(owners, 3)).map(({ traces }) => traces.map(({ event_id }) => event_id));
      assert.deepEqual(ids, [['e0', 'e2', 'e4'], ['e2', 'e3', 'e4'], [], [], []]);
      const [found] = await two.scores.traces(owners.slice(1, 2), 1);
      const stored = await one.scores.find(customer_id, 'e4');
      assert.deepEqual(found?.traces, [{ event_id: 'e4', scored_at: stored?.scored_at, trace: stored?.past?.trace }]);
      assert.deepEqual(await one.scores.traces([], 10), []);
    });

    test('each has the id, the time and the trace of its own event', async () => {
      const [one, two] = bench.nodes;
      const customer_id = newCustomer();
      const agent_key = newKey();
      const records = range(12).map((n) =>
        makeRecord(customer_id, {
          event_id: `${n} ",]\\ \u{1f600}`,
          past: past({ agent_key, trace: { ...makeTrace('').trace, score: n, action: `a,${n}"]` } }),
        }),
      );
      // Some of them together, so that they have one time.
      for (const first of [0, 1, 2]) await Promise.all(records.slice(first * 4, first * 4 + 4).map(one.scores.record));
      const stored = await Promise.all(records.map(({ event_id }) => one.scores.find(customer_id, event_id)));
      const wanted = stored
        .map((record) => ({ event_id: record!.event_id, scored_at: record!.scored_at, trace: record!.past!.trace }))
        .sort((a, b) => (`${a.scored_at} ${a.event_id}` < `${b.scored_at} ${b.event_id}` ? -1 : 1));
      const [found] = await two.scores.traces([{ customer_id, kind: 'agent', key: agent_key }], 100);
      assert.deepEqual(found?.traces, wanted);
      const newest = Date.parse(wanted.at(-1)!.scored_at) / 1_000;
      assert.ok(Math.abs(found!.asked_at - newest) < 60, 'asked by the clock that the events have their times of');
    });

    test('events are counted for each owner by the second, once no more can come', async () => {
      const [one, two] = bench.nodes;
      const customer_id = newCustomer();
      const [agent_key, session_key] = [newKey(), newKey()];
      const times: string[] = [];
      for (const n of range(6)) {
        const outcome = await one.scores.record(
          makeRecord(customer_id, { past: past({ agent_key, session_key: n < 2 ? session_key : null }) }),
        );
        assert.equal(outcome.kind, 'stored');
        if (outcome.kind === 'stored') times.push(outcome.scored_at);
        await sleep(300);
      }
      await one.scores.record(makeRecord(customer_id));
      const begin = secondOf(times[0]!);
      const end = secondOf(times.at(-1)!);
      const counts: OwnerCount[] = [];
      // Where nothing is, it goes on at once to what can be counted.
      for (let since: number | null = begin - 86_400; since <= end; ) {
        const part: OwnerCounts = await two.scores.countOwners(since);
        counts.push(...part.counts.filter((count) => count.customer_id === customer_id));
        assert.ok(part.counts.every(({ second }) => second < part.until));
        if (part.is_last) await sleep(100);
        since = part.until;
      }
      const tallied = (key: string, of: string[]): string[] => {
        const seconds = of.map(secondOf);
        return [...new Set(seconds)].map((second) => `${key} ${second} ${seconds.filter((s) => s === second).length}`);
      };
      assert.deepEqual(
        counts.map(({ kind, key, second, n }) => `${kind} ${key} ${second} ${n}`).sort(),
        [...tallied(`agent ${agent_key}`, times), ...tallied(`session ${session_key}`, times.slice(0, 2))].sort(),
      );
      const after_a_jump = await two.scores.countOwners(end + 86_400);
      assert.ok(after_a_jump.is_last && after_a_jump.until < end + 3_600, 'a clock that was put back is believed');
      assert.ok((await two.scores.countOwners(null)).until >= end - 60);
    });

    test('a customer has those with a mark, which count for it', async () => {
      const [one, two] = bench.nodes;
      const customer_id = newCustomer();
      const mark: Mark = {
        kind: 'left',
        agent: 'a',
        session: 's',
        parent: '',
        group: 'create',
        things: ['shared/a.csv'],
        places: [],
        classes: ['PII'],
      };
      const agent_key = newKey();
      const times: string[] = [];
      for (const n of range(3)) {
        const trace = { ...makeTrace('').trace, action: '"mark":{', ...(n === 1 ? {} : { mark }) };
        const record = makeRecord(customer_id, { event_id: `e${n}`, past: past({ agent_key, trace }) });
        const outcome = await one.scores.record(record);
        if (outcome.kind === 'stored' && n !== 1) times.push(outcome.scored_at);
      }
      const owner = { customer_id, kind: 'shared' as const, key: SHARED_KEY };
      const stranger = { ...owner, customer_id: newCustomer() };
      const ids = (await two.scores.traces([owner, stranger], 10)).map(({ traces }) =>
        traces.map(({ event_id, trace }) => [event_id, trace.mark]),
      );
      assert.deepEqual(ids, [
        [
          ['e0', mark],
          ['e2', mark],
        ],
        [],
      ]);
      const begin = secondOf(times[0]!);
      let counted = 0;
      for (let since = begin - 5; counted < 2; ) {
        const part = await two.scores.countOwners(since);
        for (const { kind, customer_id: of, n } of part.counts)
          if (kind === 'shared' && of === customer_id) counted += n;
        if (part.is_last) await sleep(100);
        since = part.until;
      }
      assert.equal(counted, 2);
    });

    test('nodes on one database know it by one name', async () => {
      const [one, two] = bench.nodes;
      assert.equal(await one.scores.origin(), await two.scores.origin());
    });

    test('a record keeps its past, whatever it holds, beside records without', async () => {
      const [one, two] = bench.nodes;
      const customer_id = newCustomer();
      const odd = { ...makeTrace('').trace, action: '"\\ \u{1f600}', resource: "'; drop table events; --" };
      const records = [null, past({ agent_key: newKey(), trace: odd }), null].map((one_past) =>
        makeRecord(customer_id, { past: one_past }),
      );
      await Promise.all(records.map((record) => one.scores.record(record)));
      for (const record of records) {
        const found = await two.scores.find(customer_id, record.event_id);
        assert.deepEqual(found?.past, record.past);
      }
    });
  });
}
