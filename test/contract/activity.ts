/** The graph of activity: reach, actors and steps of data, the same from every backend. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { ActivityEvent, Bounds, NodeRef, Thing } from '../../src/storage/ports/activity.ts';
import type { GraphStore } from '../../src/storage/ports/graph.ts';
import { newCustomer, range } from './start.ts';

export interface GraphNodes {
  graph: GraphStore;
  /** The same graph, as another node has it. */
  other: GraphStore;
}

const ALL: Bounds = { hours: 24, page: 1, per_page: 100 };
/** Text that breaks what is put together from pieces. */
const ODD = `'"\\ \${x} {y} $1 \u{1f600} — é`;
const table = (name: string): Thing => ({ kind: 'target', type: 'table', name });
const place = (name: string): Thing => ({ kind: 'destination', type: '', name });
const agent = (name: string): NodeRef => ({ kind: 'agent', type: '', name });
const session = (name: string): NodeRef => ({ kind: 'session', type: '', name });
/** Minutes ago, to the microsecond. */
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString().replace('Z', '123Z');

function makeEvent(customer_id: string, parts: Partial<ActivityEvent> = {}): ActivityEvent {
  return {
    customer_id,
    event_id: randomUUID(),
    scored_at: ago(5),
    action: 'db:table:read',
    score: 10,
    agent_id: 'a',
    session_id: null,
    user_id: null,
    things: [table('t')],
    flow: 'in',
    delegated_by: [],
    ...parts,
  };
}

const by = (agent_id: string, at = ago(9), jti: string | null = null) => [{ agent_id, at, jti }];

export function activityTests(bench: GraphNodes): void {
  const append = (...events: ActivityEvent[]) => bench.graph.activity.append(events);
  const reach = (customer_id: string, agent_id: string, depth = 3, bounds = ALL) =>
    bench.other.activity.reach(customer_id, agent_id, depth, bounds);

  describe('graph of activity', () => {
    test('an agent nobody knows reached nothing, a target nobody touched has no actors', async () => {
      const customer_id = newCustomer();
      assert.deepEqual(await reach(customer_id, 'nobody'), { agents: [], touched: [], total: 0, is_cut: false });
      assert.deepEqual(await bench.graph.activity.actors(customer_id, table('t'), ALL), { actors: [], total: 0 });
      const flows = await bench.graph.activity.flows(customer_id, [{ node: table('t'), at: ago(60) }], 24);
      assert.deepEqual(flows, []);
      assert.deepEqual(await bench.graph.activity.flows(customer_id, [], 24), []);
      await bench.graph.activity.append([]);
    });

    test('a reach is what the agent and those below it touched, each with its delegation', async () => {
      const customer_id = newCustomer();
      const [jti, since] = [randomUUID(), ago(9)];
      const high = makeEvent(customer_id, {
        agent_id: 'sub',
        score: 90,
        things: [place('evil.test'), table('t')],
        flow: 'out',
        delegated_by: by('a', since, jti),
        scored_at: ago(3),
      });
      const deep = makeEvent(customer_id, {
        agent_id: `deep ${ODD}`,
        things: [table(`x ${ODD}`)],
        delegated_by: by('sub', since),
        score: 50,
      });
      const low = makeEvent(customer_id, { scored_at: ago(4), score: 5 });
      await append(
        low,
        high,
        deep,
        makeEvent(customer_id, { agent_id: 'stranger', things: [table('not mine')] }),
        makeEvent(newCustomer(), { things: [table('of another customer')] }),
      );
      const found = await reach(customer_id, 'a');
      assert.deepEqual(found.agents, [
        { agent_id: 'a', depth: 0, delegated_by: null, delegated_at: null, jti: null },
        { agent_id: 'sub', depth: 1, delegated_by: 'a', delegated_at: since, jti },
        { agent_id: `deep ${ODD}`, depth: 2, delegated_by: 'sub', delegated_at: since, jti: null },
      ]);
      assert.deepEqual(
        found.touched
          .map(({ thing, events, highest_score, last_at, last_event_id, agents }) => [
            thing.name,
            [events, highest_score, last_at, last_event_id, agents],
          ])
          .sort(),
        [
          ['evil.test', [1, 90, high.scored_at, high.event_id, ['sub']]],
          ['t', [2, 90, high.scored_at, high.event_id, ['a', 'sub']]],
          [`x ${ODD}`, [1, 50, deep.scored_at, deep.event_id, [deep.agent_id]]],
        ],
      );
      assert.deepEqual(found.touched[2]!.thing, table(`x ${ODD}`));
      assert.deepEqual([found.total, found.is_cut], [3, false]);
      assert.deepEqual(
        (await reach(customer_id, 'a', 1)).agents.map(({ agent_id }) => agent_id),
        ['a', 'sub'],
      );
      assert.deepEqual(
        (await reach(customer_id, 'a', 0)).touched.map(({ thing }) => thing.name),
        ['t'],
      );
      assert.deepEqual(
        (await reach(customer_id, 'sub')).agents.map(({ agent_id, depth }) => [agent_id, depth]),
        [
          ['sub', 0],
          [`deep ${ODD}`, 1],
        ],
      );
    });

    test('the same events again change nothing', async () => {
      const customer_id = newCustomer();
      const events = range(20).map((n) =>
        makeEvent(customer_id, { agent_id: `a${n % 2}`, delegated_by: n % 2 ? by('a0') : [] }),
      );
      await Promise.all([append(...events), bench.other.activity.append(events)]);
      await append(...events.slice(0, 7));
      const { touched } = await reach(customer_id, 'a0');
      assert.deepEqual(
        touched.map(({ events: n, agents }) => [n, agents]),
        [[20, ['a0', 'a1']]],
      );
    });

    test('a cycle of delegations ends, and many ways to one agent count once', async () => {
      const customer_id = newCustomer();
      const layer = (n: number) => [`l${n}a`, `l${n}b`, `l${n}c`];
      const events = range(7).flatMap((n) =>
        layer(n + 1).flatMap((agent_id) =>
          layer(n).map((parent) =>
            makeEvent(customer_id, { agent_id, things: [table(agent_id)], delegated_by: by(parent) }),
          ),
        ),
      );
      const back = makeEvent(customer_id, { agent_id: 'l0a', delegated_by: by('l7c') });
      const itself = makeEvent(customer_id, { agent_id: 'l0a', delegated_by: by('l0a') });
      await append(...events, back, itself);
      const { agents, touched } = await reach(customer_id, 'l0a', 8);
      assert.equal(new Set(agents.map(({ agent_id }) => agent_id)).size, agents.length);
      assert.equal(agents.length, 1 + 7 * 3);
      assert.equal(touched.find(({ thing }) => thing.name === 'l3b')!.events, 3);
    });

    test('only what happened within the hours counts, and pages follow each other', async () => {
      const customer_id = newCustomer();
      await append(
        ...range(25).map((n) => makeEvent(customer_id, { things: [table(`t${n}`)], score: n, scored_at: ago(n + 1) })),
        makeEvent(customer_id, { things: [table('old')], score: 100, scored_at: ago(200) }),
      );
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) => reach(customer_id, 'a', 0, { hours: 2, page, per_page: 10 })),
      );
      assert.deepEqual(
        pages.flatMap(({ touched }) => touched.map(({ highest_score }) => highest_score)),
        range(25).reverse(),
      );
      assert.deepEqual(
        pages.map(({ total }) => total),
        [25, 25, 25, 25],
      );
      assert.equal((await reach(customer_id, 'a', 0, { ...ALL, hours: 4 })).touched[0]!.thing.name, 'old');
    });

    test('the actors of a target, with what each did to it', async () => {
      const customer_id = newCustomer();
      const times = [ago(30), ago(20), ago(10)];
      const events = [
        makeEvent(customer_id, { scored_at: times[0]!, session_id: 's1', user_id: 'ann' }),
        makeEvent(customer_id, { scored_at: times[1]!, session_id: 's2', flow: 'out', score: 70 }),
        makeEvent(customer_id, { scored_at: times[2]!, agent_id: 'b', delegated_by: by('a'), score: 20 }),
        makeEvent(customer_id, { scored_at: times[2]!, agent_id: null, session_id: 's3', score: 1 }),
        makeEvent(customer_id, { things: [{ ...table('t'), type: 'file' }] }),
      ];
      await append(...events);
      const { actors, total } = await bench.other.activity.actors(customer_id, table('t'), ALL);
      assert.equal(total, 3);
      assert.deepEqual(actors, [
        {
          agent_id: 'a',
          delegated_by: [],
          sessions: ['s1', 's2'],
          users: ['ann'],
          events: 2,
          reads: 1,
          writes: 1,
          highest_score: 70,
          first_at: times[0],
          last_at: times[1],
          last_event_id: events[1]!.event_id,
        },
        {
          agent_id: 'b',
          delegated_by: ['a'],
          sessions: [],
          users: [],
          events: 1,
          reads: 1,
          writes: 0,
          highest_score: 20,
          first_at: times[2],
          last_at: times[2],
          last_event_id: events[2]!.event_id,
        },
        {
          agent_id: null,
          delegated_by: [],
          sessions: ['s3'],
          users: [],
          events: 1,
          reads: 1,
          writes: 0,
          highest_score: 1,
          first_at: times[2],
          last_at: times[2],
          last_event_id: events[3]!.event_id,
        },
      ]);
      const second = await bench.graph.activity.actors(customer_id, table('t'), { ...ALL, page: 2, per_page: 2 });
      assert.deepEqual([second.total, second.actors.map(({ agent_id }) => agent_id)], [3, [null]]);
      assert.equal((await bench.graph.activity.actors(newCustomer(), table('t'), ALL)).total, 0);
    });

    test('steps of data: from what was read to who read it, from there to what was written, through delegations', async () => {
      const customer_id = newCustomer();
      const times = [ago(40), ago(30), ago(20), ago(10)];
      const read = makeEvent(customer_id, { scored_at: times[0]!, session_id: 's' });
      const again = makeEvent(customer_id, { scored_at: times[1]!, session_id: 's' });
      const sent = makeEvent(customer_id, {
        scored_at: times[2]!,
        agent_id: 'b',
        session_id: 's',
        things: [place('p')],
        flow: 'out',
        delegated_by: by('a', times[1]),
        score: 60,
        action: 'mail:m:send',
      });
      await append(read, again, sent);
      const flows = (node: NodeRef, at: string) => bench.other.activity.flows(customer_id, [{ node, at }], 24);
      const from_table = await flows(table('t'), ago(50));
      assert.deepEqual(from_table.map(({ to, how, at, event_id }) => [to.kind, to.name, how, at, event_id]).sort(), [
        ['agent', 'a', 'read', times[0], read.event_id],
        ['session', 's', 'read', times[0], read.event_id],
      ]);
      assert.deepEqual(
        (await flows(table('t'), ago(35))).map(({ event_id }) => event_id),
        [again.event_id, again.event_id],
      );
      assert.deepEqual(await flows(table('t'), ago(25)), []);
      assert.deepEqual(await flows(session('s'), times[0]!), [
        {
          from: session('s'),
          to: place('p'),
          how: 'sent',
          at: times[2],
          event_id: sent.event_id,
          action: 'mail:m:send',
          score: 60,
        },
      ]);
      assert.deepEqual(await flows(agent('a'), times[0]!), [
        { from: agent('a'), to: agent('b'), how: 'delegated', at: times[1], event_id: null, action: null, score: null },
      ]);
      assert.deepEqual(
        (await flows(agent('b'), times[3]!)).map(({ to, how, at }) => [to, how, at]),
        [[agent('a'), 'reported', times[3]]],
      );
    });

    test('the cursor moves only from where it was, and an emptied graph begins again', async () => {
      await bench.graph.activity.clear();
      const customer_id = newCustomer();
      const cursor = (n: number) => ({ at: `2026-05-01T12:00:00.00000${n}Z`, customer_id, event_id: `e${n} ${ODD}` });
      assert.equal(await bench.graph.activity.cursor(), null);
      await bench.graph.activity.move(null, cursor(1));
      await bench.other.activity.move(null, cursor(9));
      assert.deepEqual(await bench.other.activity.cursor(), cursor(1));
      await bench.other.activity.move(cursor(1), cursor(2));
      await bench.graph.activity.move(cursor(1), cursor(3));
      assert.deepEqual(await bench.graph.activity.cursor(), cursor(2));
      await append(makeEvent(customer_id));
      await bench.graph.activity.clear();
      assert.equal(await bench.other.activity.cursor(), null);
      await bench.graph.activity.move(cursor(2), cursor(4));
      assert.equal(await bench.graph.activity.cursor(), null);
      assert.equal((await reach(customer_id, 'a')).total, 0);
    });

    test('what is older than a time is forgotten', async () => {
      const customer_id = newCustomer();
      await append(makeEvent(customer_id, { scored_at: ago(60), things: [table('old')] }), makeEvent(customer_id));
      await bench.graph.activity.forgetBefore(ago(30));
      assert.deepEqual(
        (await reach(customer_id, 'a')).touched.map(({ thing }) => thing.name),
        ['t'],
      );
    });
  });
}
