import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRecord, newCustomer, range } from '../../../../test/contract/start.ts';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { RecordOutcome } from '../../ports/storage.ts';
import { type GroupLimits, groupCommit, type WriteGroup } from './group-commit.ts';

const LIMITS: GroupLimits = {
  groups: 2,
  rows: 10,
  bytes: 100_000,
  waiting_rows: 30,
  waiting_bytes: 1e6,
  wait_ms: 1_000,
};
const customer_id = newCustomer();

/** A store that answers each group when told to, and records the groups. */
function handStore() {
  const groups: string[][] = [];
  const open: (() => void)[] = [];
  const write: WriteGroup = (rows) => {
    groups.push(rows.map((row) => row.record.event_id));
    return new Promise((resolve) => {
      open.push(() =>
        resolve(rows.map((row): RecordOutcome => ({ kind: 'stored', hold: null, scored_at: row.record.event_id }))),
      );
    });
  };
  return { groups, write, answer: () => open.shift()?.() };
}

const record = (event_id: string, text = '') => makeRecord(customer_id, { event_id, text });
const turn = () => sleep(1);

test('a single call is written at once; calls made while all slots are taken are written together, in the order of their keys', async () => {
  const store = handStore();
  const writer = groupCommit(store.write, LIMITS);
  const calls: Promise<RecordOutcome>[] = [];
  for (const id of ['a', 'b']) {
    calls.push(writer.record(record(id)));
    await turn();
  }
  for (const id of ['z', 'y', 'x']) calls.push(writer.record(record(id)));
  await turn();
  assert.deepEqual(store.groups, [['a'], ['b']]);
  store.answer();
  await turn();
  assert.deepEqual(store.groups, [['a'], ['b'], ['x', 'y', 'z']]);
  store.answer();
  store.answer();
  const answers = (await Promise.all(calls)).map((outcome) => (outcome.kind === 'stored' ? outcome.scored_at : ''));
  assert.deepEqual(answers, ['a', 'b', 'z', 'y', 'x'], 'each caller gets its own answer');
});

test('the next group is sent before the callers of the last one are answered, and a drain waits for their answers', async () => {
  const store = handStore();
  const writer = groupCommit(store.write, { ...LIMITS, groups: 1 });
  const seen: string[] = [];
  const first = writer.record(record('a')).then(() => seen.push(`a, of ${store.groups.length} groups`));
  await turn();
  const second = writer.record(record('b'));
  store.answer();
  await first;
  assert.deepEqual(seen, ['a, of 2 groups']);
  void second.then(() => seen.push('b'));
  const drained = writer.drain().then(() => seen.push('drained'));
  store.answer();
  await drained;
  assert.deepEqual(seen.slice(1), ['b', 'drained']);
});

test('consecutive records stay together, in a group that has room for all of them', async () => {
  const store = handStore();
  const writer = groupCommit(store.write, { ...LIMITS, groups: 1 });
  const calls: Promise<unknown>[] = [writer.record(record('first'))];
  await turn();
  calls.push(writer.recordInOrder(['e', 'd', 'c', 'b'].map((id) => record(id))));
  calls.push(writer.recordInOrder(range(7).map((n) => record(`k${9 - n}`))));
  calls.push(writer.record(record('a')), writer.recordInOrder([record('big', 'x'.repeat(99_000)), record('small')]));
  for (const _ of range(4)) {
    store.answer();
    await turn();
  }
  await Promise.all(calls);
  const ks = range(7).map((n) => `k${3 + n}`);
  assert.deepEqual(store.groups, [['first'], ['b', 'c', 'd', 'e'], ['a', ...ks], ['big', 'small']]);
});

test('consecutive records are refused together when there is no room for all', async () => {
  const store = handStore();
  const writer = groupCommit(store.write, { ...LIMITS, groups: 1, waiting_rows: 4 });
  const calls: Promise<unknown>[] = [writer.record(record('first'))];
  await turn();
  calls.push(writer.record(record('a')), writer.record(record('b')));
  const refused = await writer.recordInOrder(['x', 'y', 'z'].map((id) => record(id)));
  assert.ok(refused.every((outcome) => outcome instanceof StoreUnavailable));
  calls.push(writer.recordInOrder(['c', '\0', 'd'].map((id) => record(id))));
  for (const _ of range(2)) {
    store.answer();
    await turn();
  }
  await Promise.all(calls);
  assert.deepEqual(store.groups, [['first'], ['a', 'b', 'c', 'd']]);
});

test('a group has at most its number of rows and bytes; a larger record goes alone', async () => {
  const store = handStore();
  const writer = groupCommit(store.write, { ...LIMITS, groups: 1 });
  const calls = [writer.record(record('first'))];
  await turn();
  for (const n of range(12)) calls.push(writer.record(record(`m${String(n).padStart(2, '0')}`)));
  calls.push(writer.record(record('n', 'x'.repeat(200_000))), writer.record(record('o')));
  for (const _ of range(6)) {
    store.answer();
    await turn();
  }
  await Promise.all(calls);
  assert.deepEqual(
    store.groups.map((group) => group.length),
    [1, 10, 2, 1, 1],
  );
});

test('calls beyond the queue are refused at once', async () => {
  const store = handStore();
  const writer = groupCommit(store.write, LIMITS);
  const settled = range(40).map((n) =>
    writer.record(record(`q${n}`)).then(
      () => 'stored',
      (error: unknown) => error,
    ),
  );
  const refused = (await Promise.all(settled.slice(30))).filter((result) => result instanceof StoreUnavailable);
  assert.equal(refused.length, 10);
  assert.match(refused[0]!.message, /^`30` scores are already waiting to be written; try again$/);
  for (const _ of range(5)) {
    store.answer();
    await turn();
  }
  assert.deepEqual(new Set(await Promise.all(settled.slice(0, 30))), new Set(['stored']));
});

test('a record that waited too long is refused unwritten', async () => {
  const store = handStore();
  const writer = groupCommit(store.write, { ...LIMITS, groups: 1, wait_ms: 20 });
  const first = writer.record(record('first'));
  await turn();
  const late = assert.rejects(writer.record(record('late')), StoreUnavailable);
  await sleep(40);
  store.answer();
  await Promise.all([first, late]);
  assert.deepEqual(store.groups, [['first']]);
});

test('a failed group fails for its own callers only, and the next one continues', async () => {
  let calls = 0;
  const writer = groupCommit(async (rows) => {
    calls += 1;
    if (calls === 1) throw new StoreUnavailable('gone');
    return rows.map((): RecordOutcome => ({ kind: 'policy_changed' }));
  }, LIMITS);
  await assert.rejects(writer.record(record('a')), StoreUnavailable);
  assert.deepEqual(await writer.record(record('b')), { kind: 'policy_changed' });
});

test('drain answers the accepted calls and accepts no more', async () => {
  const store = handStore();
  const writer = groupCommit(store.write, { ...LIMITS, groups: 1, rows: 1 });
  const calls = range(3).map((n) => writer.record(record(`d${n}`)));
  const drained = writer.drain();
  await assert.rejects(writer.record(record('late')), { name: 'StoreUnavailable', message: 'the store is closed' });
  for (const _ of range(4)) {
    await turn();
    store.answer();
  }
  await drained;
  assert.equal((await Promise.all(calls)).length, 3);
});
