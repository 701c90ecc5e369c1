import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Past } from '../ports.ts';
import { type Bench, makeRecord, makeTrace, newCustomer, range } from './start.ts';

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
      const ids = (await two.scores.traces(owners, 3)).map((traces) => traces.map(({ event_id }) => event_id));
      assert.deepEqual(ids, [['e0', 'e2', 'e4'], ['e2', 'e3', 'e4'], [], [], []]);
      const [found] = await two.scores.traces(owners.slice(1, 2), 1);
      const stored = await one.scores.find(customer_id, 'e4');
      assert.deepEqual(found, [{ event_id: 'e4', scored_at: stored?.scored_at, trace: stored?.past?.trace }]);
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
      assert.deepEqual(await two.scores.traces([{ customer_id, kind: 'agent', key: agent_key }], 100), [wanted]);
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
