import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptOutcome, Lane, QueuedEvent } from '../../src/storage/ports/queue.ts';
import { auditOf, makeChain, makeToken } from './auth-start.ts';
import { acceptNumbered, drain, leaseOf, makeQueued, recordOf } from './queue-start.ts';
import { type Bench, makeRecord, newCustomer, range, tally } from './start.ts';

/** Ids that were new to the queue, in order of their letters; fails on a conflict. */
function newOf(outcome: AcceptOutcome): string[] {
  assert.equal(outcome.kind, 'accepted');
  return outcome.kind === 'accepted' ? outcome.event_ids.toSorted() : [];
}

/** Accepted events: all or none, each scored once, in order, anyone who dies meanwhile. */
export function queueTests(bench: Bench): void {
  describe('queue', () => {
    test('what was accepted waits, is taken in order, and leaves with its score', async () => {
      const [node, other] = bench.nodes;
      const customer_id = newCustomer();
      const events = range(25).map((n) => makeQueued(customer_id, { event_id: `e-${n}` }));
      const accepted = await node.queue.accept(customer_id, events);
      assert.deepEqual(newOf(accepted), events.map(({ event_id }) => event_id).sort());
      assert.equal(await other.scores.lookUp(customer_id, 'e-3'), 'queued');
      assert.equal(await other.scores.find(customer_id, 'e-3'), null);
      assert.equal((await other.queue.stats(customer_id)).waiting, 25);
      assert.equal((await other.scores.summary(customer_id)).total_events, 0);

      const lane = await leaseOf(other, customer_id, 'w');
      assert.deepEqual(
        await drain(other, lane, 'w'),
        events.map(({ event_id }) => event_id),
      );
      await other.queue.release(lane, 'w');
      assert.deepEqual(await node.queue.stats(customer_id), { waiting: 0, oldest_s: 0, leased_lanes: 0, dead: 0 });
      assert.equal((await node.scores.summary(customer_id)).total_events, 25);
      await assert.rejects(leaseOf(node, customer_id, 'w'), /no lane/);
    });

    test('the event comes back as it was given', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      const queued = makeQueued(customer_id, { text: 'ünïcode "quoted" \\ {a,b} \u{1f600}' });
      await node.queue.accept(customer_id, [queued]);
      const lane = await leaseOf(node, customer_id, 'w');
      const [taken] = await node.queue.take(lane, 'w', 10);
      assert.deepEqual(taken, { ...queued, customer_id, deaths: null });
      assert.equal(JSON.stringify(taken?.event), JSON.stringify(queued.event));
    });

    test('says which ids are used: by a score, or by what waits with other content', async () => {
      const [node, other] = bench.nodes;
      const customer_id = newCustomer();
      await node.scores.record(makeRecord(customer_id, { event_id: 'scored' }));
      await node.queue.accept(customer_id, [makeQueued(customer_id, { event_id: 'queued' })]);
      const sent = (event_id: string, text = '') => makeQueued(customer_id, { event_id, ...(text && { text }) });
      const events = [sent('scored'), sent('scored', 'other'), sent('queued'), sent('new'), sent('nul\0')];
      assert.deepEqual(await other.scores.usedIds(customer_id, events), new Set(['scored']));
      assert.deepEqual(await other.scores.usedIds(customer_id, [sent('queued', 'other')]), new Set(['queued']));
      assert.deepEqual(await other.scores.usedIds(newCustomer(), events), new Set());
    });

    test('an id that was used before: same content is accepted and not queued again, other content refuses all', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      const scored = makeRecord(customer_id, { event_id: 'scored' });
      await node.scores.record(scored);
      const queued = makeQueued(customer_id, { event_id: 'queued' });
      await node.queue.accept(customer_id, [queued]);

      const again = [
        makeQueued(customer_id, { event_id: 'scored' }),
        queued,
        makeQueued(customer_id, { event_id: 'new' }),
      ];
      assert.deepEqual(newOf(await node.queue.accept(customer_id, again)), ['new']);
      assert.equal((await node.queue.stats(customer_id)).waiting, 2);

      const clash = [
        makeQueued(customer_id, { event_id: 'fresh' }),
        makeQueued(customer_id, { event_id: 'queued', text: 'something else' }),
      ];
      assert.deepEqual(await node.queue.accept(customer_id, clash), { kind: 'conflict', index: 1 });
      assert.equal(await node.scores.lookUp(customer_id, 'fresh'), null, 'nothing of a refused batch is kept');
    });

    test('a session is counted with what it accepts: new events once, all or none, whoever races', async () => {
      const [near, far] = bench.nodes;
      const customer_id = newCustomer();
      const sessionOf = async (max_events: number): Promise<string> => {
        const [root] = await makeChain(near.auth, customer_id, 1);
        const token = makeToken(customer_id, root!, { max_events });
        assert.ok(await near.auth.tokens.insert(token, auditOf()));
        return token.jti;
      };
      const usedBy = async (jti: string) => (await near.auth.tokens.usage(jti))?.used;
      for (let round = 0; round < 10; round += 1) {
        const jti = await sessionOf(10);
        const batchOf = (name: string, length: number) =>
          range(length).map((n) => makeQueued(customer_id, { event_id: `${round}-${name}-${n}`, lane: n % 3 }));
        const [alone] = batchOf('a', 1);
        await far.auth.tokens.countEvents(jti, customer_id, [alone!]);
        const outcomes = await Promise.all([
          near.queue.accept(customer_id, batchOf('a', 6), jti),
          far.queue.accept(customer_id, batchOf('a', 6).toReversed(), jti),
          near.queue.accept(customer_id, batchOf('b', 5), jti),
          far.queue.accept(customer_id, batchOf('b', 5), jti),
        ]);
        const kinds = outcomes.map(({ kind }) => kind);
        // Either fits, and the one that was counted alone is counted in both cases.
        const is_a = kinds[0] === 'accepted';
        const [yes, no] = [Array(2).fill('accepted'), Array(2).fill('no_room')];
        assert.deepEqual(kinds, is_a ? [...yes, ...no] : [...no, ...yes], `round ${round}`);
        assert.equal(await usedBy(jti), 6);
        assert.equal(await far.scores.lookUp(customer_id, `${round}-${is_a ? 'b' : 'a'}-3`), null);
        assert.equal(await far.scores.lookUp(customer_id, `${round}-${is_a ? 'a' : 'b'}-3`), 'queued');
      }
      const jti = await sessionOf(2);
      const [first, second, third] = range(3).map((n) => makeQueued(customer_id, { event_id: `r-${n}` }));
      const accept = (...events: QueuedEvent[]) => far.queue.accept(customer_id, events, jti);
      assert.deepEqual(newOf(await accept(first!, second!)), ['r-0', 'r-1']);
      assert.deepEqual(newOf(await accept(second!, first!)), [], 'a retry is taken when nothing is left');
      assert.deepEqual(await accept(first!, third!), { kind: 'no_room', room: 0, wanted: 1 });
      const clash = makeQueued(customer_id, { event_id: 'r-0', text: 'something else' });
      assert.deepEqual(await accept(clash), { kind: 'conflict', index: 0 });
      assert.equal(await usedBy(jti), 2);
    });

    test('the same batch on two nodes at once, ten times, is queued once', async () => {
      const customer_id = newCustomer();
      const events = range(50).map((n) => makeQueued(customer_id, { event_id: `e-${n}`, lane: n % 16 }));
      const outcomes = await Promise.all(
        range(10).map((n) =>
          bench.nodes[n % 2 ? 1 : 0].queue.accept(customer_id, n % 3 ? events : events.toReversed()),
        ),
      );
      assert(outcomes.every(({ kind }) => kind === 'accepted'));
      assert.equal((await bench.nodes[0].queue.stats(customer_id)).waiting, 50);
    });

    test('a queued event that is also scored at the door is scored once, and other content is told', async () => {
      const [node, other] = bench.nodes;
      const customer_id = newCustomer();
      await node.queue.accept(customer_id, [makeQueued(customer_id, { event_id: 'e' })]);
      const foreign = await other.scores.record(makeRecord(customer_id, { event_id: 'e', text: 'something else' }));
      assert.equal(foreign.kind, 'queued');
      const records = range(20).map((n) => bench.nodes[n % 2 ? 1 : 0].scores.record(recordOf(customer_id, 'e')));
      assert.deepEqual(tally(await Promise.all(records)), { stored: 1, exists: 19, policy_changed: 0 });
      const lane = await leaseOf(node, customer_id, 'w');
      await node.queue.take(lane, 'w', 10);
      assert.equal((await node.queue.stats(customer_id)).waiting, 0);
      assert.equal(await node.queue.release(lane, 'w'), false);
    });

    test('accepting and scoring the same ids at once: each is scored at most once and none is lost', async () => {
      const customer_id = newCustomer();
      const ids = range(200).map((n) => `e-${n}`);
      const [accepted, ...scored] = await Promise.all([
        bench.nodes[0].queue.accept(
          customer_id,
          ids.map((event_id) => makeQueued(customer_id, { event_id })),
        ),
        ...ids.map((event_id) => bench.nodes[1].scores.record(recordOf(customer_id, event_id))),
      ]);
      assert.ok(newOf(accepted).length <= ids.length);
      assert.equal(tally(scored).stored, 200);
      const lane = await leaseOf(bench.nodes[0], customer_id, 'w').catch(() => null);
      if (lane !== null) {
        const again = await bench.nodes[0].queue.take(lane, 'w', 200);
        const outcomes = again.map(({ event_id }) => bench.nodes[0].scores.record(recordOf(customer_id, event_id)));
        assert.equal(tally(await Promise.all(outcomes)).stored, 0, 'nothing is left to score');
        assert.equal(await bench.nodes[0].queue.release(lane, 'w'), false);
      }
      assert.equal((await bench.nodes[0].queue.stats(customer_id)).waiting, 0);
    });

    test('one lane is leased by one worker at a time; a lease that ended is taken over', async () => {
      const customer_id = newCustomer();
      await bench.nodes[0].queue.accept(customer_id, [makeQueued(customer_id)]);
      const lane = await leaseOf(bench.nodes[0], customer_id, 'first', 60_000);
      await assert.rejects(leaseOf(bench.nodes[1], customer_id, 'second'), /no lane/);
      assert.equal(await bench.nodes[1].queue.renew(lane, 'second', 300), false);
      assert.equal(await bench.nodes[0].queue.renew(lane, 'first', 300), true);
      await sleep(400);
      await leaseOf(bench.nodes[1], customer_id, 'second');
      assert.equal(await bench.nodes[0].queue.renew(lane, 'first', 300), false);
      assert.deepEqual(await bench.nodes[0].queue.take(lane, 'first', 10), []);
      await bench.nodes[0].queue.release(lane, 'first');
      assert.equal(await bench.nodes[1].queue.renew(lane, 'second', 300), true, 'the loser cannot give it back');
    });

    test('100 leases at once on two nodes give every lane once', async () => {
      const customer_id = newCustomer();
      await bench.nodes[0].queue.accept(
        customer_id,
        range(64).map((n) => makeQueued(customer_id, { lane: n % 16 })),
      );
      const leased = await Promise.all(range(100).map((n) => bench.nodes[n % 2 ? 1 : 0].queue.lease(`w${n}`, 2_000)));
      const lanes = leased.flatMap((lane) => (lane?.customer_id === customer_id ? [lane.lane] : []));
      assert.deepEqual(
        lanes.sort((a, b) => a - b),
        range(16),
      );
    });

    test('what a worker died over comes one at a time, and counts when it is begun', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      const ids = range(5).map((n) => `e-${n}`);
      await acceptNumbered(node, customer_id, 5);
      const takeAs = async (worker: string) => {
        const lane = await leaseOf(node, customer_id, worker, 60_000);
        const events = await node.queue.take(lane, worker, 10);
        return { lane, events, names: events.map(({ event_id, deaths }) => `${event_id} ${deaths}`) };
      };
      /** As if the worker had died and its lease had run out. */
      const end = async ({ lane }: { lane: Lane }, worker: string) => {
        assert.equal(await node.queue.renew(lane, worker, 1), true);
        await sleep(20);
      };
      const first = await takeAs('dies');
      assert.deepEqual(
        first.names,
        ids.map((id) => `${id} null`),
      );
      await end(first, 'dies');
      assert.equal(await node.queue.begin(first.events[0]!, 'dies'), false, 'a lease that ended begins nothing');
      const waits = await takeAs('dies while it waits');
      assert.deepEqual(waits.names, ['e-0 0']);
      await end(waits, 'dies while it waits');
      const begins = await takeAs('dies over it');
      assert.deepEqual(begins.names, ['e-0 0'], 'what was not begun did no harm');
      assert.equal(await node.queue.begin(begins.events[0]!, 'another'), false);
      assert.equal(await node.queue.begin(begins.events[0]!, 'dies over it'), true);
      await end(begins, 'dies over it');
      const fails = await takeAs('its store fails');
      assert.deepEqual(fails.names, ['e-0 1']);
      assert.equal(await node.queue.begin(fails.events[0]!, 'its store fails'), true);
      // Twice, as where an answer is lost; and then for one that was not begun.
      for (let nr = 0; nr < 2; nr += 1) await node.queue.absolve(fails.events[0]!);
      await node.queue.absolve({ ...fails.events[0]!, deaths: 3 });
      assert.equal(await node.queue.release(fails.lane, 'its store fails', true), true);
      const { lane, names } = await takeAs('lives');
      assert.deepEqual(names, ['e-0 1']);
      assert.equal(await node.queue.renew(lane, 'lives', 10_000), true);
      await node.scores.record(recordOf(customer_id, 'e-0'));
      assert.deepEqual(await drain(node, lane, 'lives'), ids.slice(1), 'the others lose nothing by it');
    });

    test('what is not scored when the next are asked for is not lost, whatever the worker believes', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      await acceptNumbered(node, customer_id, 3);
      const lane = await leaseOf(node, customer_id, 'w');
      await node.queue.take(lane, 'w', 10);
      await node.scores.record(recordOf(customer_id, 'e-0'));
      assert.deepEqual(await drain(node, lane, 'w'), ['e-1', 'e-2']);
      await node.queue.release(lane, 'w');
      assert.equal((await node.queue.stats(customer_id)).waiting, 0);
    });

    test('what is given back unfinished is nobody’s fault: it comes again together', async () => {
      const [node, other] = bench.nodes;
      const customer_id = newCustomer();
      await acceptNumbered(node, customer_id, 3);
      const lane = await leaseOf(node, customer_id, 'w');
      await node.queue.take(lane, 'w', 10);
      assert.equal(await node.queue.release(lane, 'w', true), true);
      const again = await leaseOf(other, customer_id, 'w2');
      const events = await other.queue.take(again, 'w2', 10);
      assert.deepEqual(
        events.map(({ event_id, deaths }) => `${event_id} ${deaths}`),
        ['e-0 null', 'e-1 null', 'e-2 null'],
      );
      await other.queue.release(again, 'w2', true);
    });

    test('a lease that ended takes nothing from the next, even of the same worker', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      await node.queue.accept(customer_id, [makeQueued(customer_id, { event_id: 'e' })]);
      const lane = await leaseOf(node, customer_id, 'first', 300);
      await node.queue.take(lane, 'first', 10);
      await sleep(400);
      await leaseOf(node, customer_id, 'second');
      assert.deepEqual(await node.queue.take(lane, 'first', 10), []);
      assert.equal(await node.queue.release(lane, 'first'), false);
      assert.equal((await node.queue.stats(customer_id)).waiting, 1);
      assert.deepEqual(await drain(node, lane, 'second'), ['e']);
      await node.queue.release(lane, 'second');
    });

    test('large events come a few at a time, at the node that accepted them and at another', async () => {
      const customer_id = newCustomer();
      const text = 'x'.repeat(900_000);
      for (const n of range(12))
        await bench.nodes[0].queue.accept(customer_id, [makeQueued(customer_id, { event_id: `l-${n}`, text })]);
      const seen: string[] = [];
      for (const node of bench.nodes) {
        const lane = await leaseOf(node, customer_id, 'w');
        const taken = await node.queue.take(lane, 'w', 256);
        const length = taken.reduce((sum, { event }) => sum + JSON.stringify(event).length, 0);
        assert.ok(taken.length > 1 && length <= 2 ** 22, `${taken.length} events of ${length} characters`);
        seen.push(...taken.map(({ event_id }) => event_id));
        for (const { event_id } of taken) await node.scores.record(makeRecord(customer_id, { event_id, text }));
        await node.queue.release(lane, 'w');
      }
      const lane = await leaseOf(bench.nodes[0], customer_id, 'w');
      const left = range(12 - seen.length).map((n) => `l-${seen.length + n}`);
      assert.deepEqual(await drain(bench.nodes[0], lane, 'w'), left);
      await bench.nodes[0].queue.release(lane, 'w');
    });

    test('batches larger than a chunk, of many lanes and of large events, are all there', async () => {
      const [node] = bench.nodes;
      const customer_id = newCustomer();
      const text = 'x'.repeat(400_000);
      const events = range(700).map((n) => makeQueued(customer_id, { event_id: `e-${n}`, lane: n % 2 ? 3 : 0 }));
      const large = range(5).map((n) => makeQueued(customer_id, { event_id: `l-${n}`, lane: 3, text }));
      await node.queue.accept(customer_id, [...events, ...large]);
      assert.equal((await node.queue.stats(customer_id)).waiting, 705);
      const seen: string[] = [];
      for (let n = 0; n < 2; n += 1) {
        const lane = await leaseOf(bench.nodes[1], customer_id, `w${n}`);
        for (;;) {
          const taken = await bench.nodes[1].queue.take(lane, `w${n}`, 256);
          if (taken.length === 0) break;
          seen.push(...taken.map(({ event_id }) => event_id));
          const records = taken.map(({ event_id }) =>
            node.scores.record(makeRecord(customer_id, { event_id, ...(event_id.startsWith('l') && { text }) })),
          );
          assert.equal(tally(await Promise.all(records)).stored, taken.length);
        }
        assert.equal(await bench.nodes[1].queue.release(lane, `w${n}`), false);
      }
      const order = (ids: string[]) => ids.toSorted();
      assert.deepEqual(order(seen), order([...events, ...large].map(({ event_id }) => event_id)));
      const ofLane = (from: readonly string[]) =>
        from.filter((id) => Number(id.slice(2)) % 2 === 1 && id.startsWith('e'));
      assert.deepEqual(ofLane(seen), ofLane(events.map(({ event_id }) => event_id)), 'in order');
    });

    test('accepting rings on every node', async () => {
      const rings = bench.nodes.map((node) => new Promise<void>((resolve) => void node.queue.onWork(() => resolve())));
      await sleep(200);
      const customer_id = newCustomer();
      await bench.nodes[0].queue.accept(customer_id, [makeQueued(customer_id, { event_id: randomUUID() })]);
      await Promise.all(rings);
    });
  });
}
