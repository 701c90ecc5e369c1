import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WeirError } from '../platform/errors.ts';
import { createEndOfTurn, createTurns, inTurns, type Refusal, TOGETHER, type TurnLimits } from './turns.ts';

function setUp(limits: Partial<TurnLimits> = {}) {
  let ticks = 0;
  const refusals: Refusal[] = [];
  const turns = createTurns({
    clock: { now: () => 0, ticks: () => ticks },
    limits: { in_work: 1, later_in_work: limits.in_work ?? 1, waiting_each: 3, waiting: 5, wait_ms: 1_000, ...limits },
    onRefusal: (reason) => refusals.push(reason),
  });
  const begun: string[] = [];
  const ended: [name: string, error: WeirError][] = [];
  const begin = (name: string, turn: Promise<void> | null): void => {
    if (turn === null) begun.push(name);
    else
      turn.then(
        () => begun.push(name),
        (error: WeirError) => ended.push([name, error]),
      );
  };
  return {
    turns,
    refusals,
    begun,
    ended,
    take: (name: string, checkWanted?: () => void) => begin(name, turns.take(name[0]!, checkWanted)),
    takeLater: (name: string) => begin(name, turns.takeLater(name[0]!)),
    /** Ends the turn of the event in work, and lets the next one begin. */
    done: async () => {
      turns.done();
      await sleep(0);
    },
    pass: (ms: number) => {
      ticks += ms;
    },
  };
}

const refusalOf = (call: () => void): WeirError => {
  try {
    call();
  } catch (error) {
    return error as WeirError;
  }
  return assert.fail('was given a turn');
};

test('a single event does not wait, and at most `in_work` events are in work at a time', () => {
  const { take, begun, turns } = setUp({ in_work: 2 });
  for (const name of ['a1', 'a2', 'a3']) take(name);
  assert.deepEqual(begun, ['a1', 'a2']);
  assert.deepEqual(turns.load(), { in_work: 2, waiting: 1, later: 0 });
});

test('further turns for the holder of one: several, from the first half of all turns, or none', () => {
  const { turns, take } = setUp({ in_work: 64 });
  take('a1');
  assert.equal(turns.takeMore(3), 3, 'all that are wanted, if those are few');
  assert.equal(turns.takeMore(63), 28, 'and no more than half are taken then');
  assert.deepEqual(turns.load(), { in_work: 32, waiting: 0, later: 0 });
  assert.equal(turns.takeMore(1), 0);
  for (let n = 0; n < 6; n += 1) turns.done();
  assert.equal(turns.takeMore(20), 0, 'six are too few');
  turns.done();
  assert.equal(turns.takeMore(20), 7);
  for (const n of [1, 2, 3]) take(`b${n}`);
  assert.equal(turns.takeMore(1), 0);
  assert.equal(turns.load().in_work, 35);
});

test('customers are served in turn: a single event does not wait for all earlier events of another customer', async () => {
  const { take, begun, done } = setUp({ waiting: 10, waiting_each: 10 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2']) take(name);
  for (let i = 0; i < 8; i += 1) await done();
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5']);
});

test('a customer whose queue is full gets 429, and another customer still has room', () => {
  const { take, refusals, turns } = setUp();
  for (const name of ['a1', 'a2', 'a3', 'a4']) take(name);
  const error = refusalOf(() => take('a5'));
  assert.equal(error.row.status, 429);
  assert.equal(error.row.grpc, 'RESOURCE_EXHAUSTED');
  assert.equal(error.retry_after_s, 1);
  assert.deepEqual(refusals, ['customer_full']);
  take('b1');
  assert.equal(turns.load().waiting, 4);
});

test('`checkRoom` can be called before there is an event, and takes no turn', () => {
  const { take, turns, refusals } = setUp({ waiting_each: 1 });
  const check = (name: string) => turns.checkRoom(name);
  check('a');
  take('a1');
  check('a');
  take('a2');
  assert.equal(refusalOf(() => check('a')).code, 'rate_limited');
  check('b');
  assert.deepEqual(turns.load(), { in_work: 1, waiting: 1, later: 0 });
  assert.deepEqual(refusals, ['customer_full']);
});

test('when all queues together are full every customer gets 503, until there is room again', async () => {
  const { take, refusals, done, begun } = setUp();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) take(name);
  const error = refusalOf(() => take('c1'));
  assert.equal(error.row.status, 503);
  assert.equal(error.row.grpc, 'UNAVAILABLE');
  assert.equal(error.retry_after_s, 1);
  assert.deepEqual(refusals, ['full']);
  await done();
  take('c1');
  for (let i = 0; i < 6; i += 1) await done();
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4']);
});

test('an event that waited too long is refused, and a later event within its time is served', async () => {
  const { take, refusals, done, pass, begun, ended } = setUp();
  for (const name of ['a1', 'a2', 'a3']) take(name);
  pass(1_001);
  take('b1');
  await done();
  assert.deepEqual(begun, ['a1', 'b1']);
  await done();
  assert.deepEqual(
    ended.map(([name, { row }]) => [name, row.status]),
    [
      ['a2', 503],
      ['a3', 503],
    ],
  );
  assert.deepEqual(refusals, ['waited', 'waited']);
});

test('an event whose caller has disconnected is left out; an event in work is finished', async () => {
  const { take, refusals, done, begun, ended, turns } = setUp();
  let has_left = false;
  const gone = new Error('left');
  const wanted = (): void => {
    if (has_left) throw gone;
  };
  take('a1', wanted);
  take('a2', wanted);
  take('a3');
  has_left = true;
  await done();
  assert.deepEqual(begun, ['a1', 'a3']);
  assert.deepEqual(ended, [['a2', gone]]);
  assert.deepEqual(refusals, ['left']);
  await done();
  assert.deepEqual(turns.load(), { in_work: 0, waiting: 0, later: 0 });
});

test('a backlog has more events in work while no caller waits, and gives those turns back once one does', async () => {
  const { turns, take, takeLater, begun, done } = setUp({ in_work: 2, later_in_work: 4, waiting_each: 9, waiting: 9 });
  for (const name of ['x1', 'x2', 'x3', 'x4', 'x5']) takeLater(name);
  assert.deepEqual(turns.load(), { in_work: 4, waiting: 0, later: 1 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9']) take(name);
  const counts: number[] = [];
  for (let turn = 1; turn <= 10; turn += 1) {
    await done();
    counts.push(turns.load().in_work);
  }
  assert.deepEqual(counts, [4, 4, 4, 3, 3, 3, 3, 2, 2, 2]);
  assert.deepEqual(begun, ['x1', 'x2', 'x3', 'x4', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']);
  takeLater('x6');
  // Somebody waits still: it is not taken at once, though there would be room for more of a backlog.
  assert.deepEqual(turns.load(), { in_work: 2, waiting: 1, later: 2 });
});

test('accepted events wait behind events whose callers wait, get every fourth turn, and are never refused', async () => {
  const { take, takeLater, refusals, done, pass, begun } = setUp({ waiting: 20, waiting_each: 20 });
  take('a0');
  for (let i = 1; i <= 8; i += 1) takeLater(`b${i}`);
  pass(60_000);
  for (let i = 1; i <= 6; i += 1) take(`a${i}`);
  for (let i = 0; i < 15; i += 1) await done();
  assert.deepEqual(begun, ['a0', 'a1', 'a2', 'a3', 'b1', 'a4', 'a5', 'a6', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8']);
  assert.deepEqual(refusals, []);
});

test('callers of one turn of the event loop go on together, after the other requests of that turn are read', async () => {
  const endOfTurn = createEndOfTurn({ ticks: () => 0 });
  const order: string[] = [];
  const run = async (name: string): Promise<void> => {
    order.push(`${name} arrives`);
    await endOfTurn();
    order.push(`${name} goes on`);
  };
  const first = run('first');
  // Still the same turn, though some microtasks later.
  for (let i = 0; i < 10; i += 1) await null;
  await Promise.all([first, run('second')]);
  assert.deepEqual(order, ['first arrives', 'second arrives', 'first goes on', 'second goes on']);
});

/** How many of `count` callers that came together go on in each turn of the event loop, where each takes so long. */
async function groupsOf(count: number, takes_ms: number): Promise<number[]> {
  let now = 0;
  const endOfTurn = createEndOfTurn({ ticks: () => now });
  const order: number[] = [];
  const sizes: number[] = [];
  let before = 0;
  const note = (): void => {
    if (order.length > before) sizes.push(order.length - before);
    before = order.length;
    if (order.length < count) setImmediate(note);
  };
  const all = Array.from({ length: count }, async (_, n) => {
    await endOfTurn();
    order.push(n);
    now += takes_ms;
  });
  setImmediate(note);
  await Promise.all(all);
  note();
  assert.deepEqual(
    order,
    Array.from({ length: count }, (_, n) => n),
  );
  return sizes;
}

test('callers that came together go on in order, in groups that grow while the turns of the event loop stay short', async () => {
  assert.deepEqual(await groupsOf(3 * TOGETHER - 1, 1), [1, 2, 4, 8, 16, TOGETHER, TOGETHER]);
});

test('slow callers go on one by one, or as many as fit into a short turn', async () => {
  assert.deepEqual(await groupsOf(5, 100), [1, 1, 1, 1, 1]);
  assert.deepEqual(await groupsOf(11, 20), [1, 2, 4, 2, 2]);
});

test('turns that are given up for a wait go to others; afterwards every second turn is for those that waited', async () => {
  const { turns, begun, take, done } = setUp({ in_work: 1, waiting_each: 9, waiting: 9 });
  let finish = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const waits = ['x', 'y'].map((name) =>
    inTurns(turns, name, turns.take(name), async (_takeMore, aside) => {
      await aside(() => waiting);
      begun.push(name);
    }),
  );
  await sleep(0);
  for (const name of ['b1', 'b2', 'b3']) take(name);
  assert.deepEqual(begun, ['b1'], 'both turns were free meanwhile');
  finish();
  await sleep(0);
  assert.equal(turns.load().in_work, 1, 'nothing goes on beyond the limit');
  for (let i = 0; i < 3; i += 1) await done();
  await Promise.all(waits);
  assert.deepEqual(begun.toSorted(), ['b1', 'b2', 'b3', 'x', 'y']);
  assert.ok(begun.indexOf('x') < begun.indexOf('b3'), begun.join());
  assert.equal(turns.load().in_work, 0);
});
