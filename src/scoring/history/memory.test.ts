import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND, storedTrace, WEDNESDAY } from '../../../test/support/history.ts';
import { emptyBag, entryOf, meet } from './bag.ts';
import { addHour, habitAt, hourOfWeekAt, isOffHours, noHours } from './hours.ts';
import { emptyMemory, memoryOf, remember } from './memory.ts';
import { nameOf } from './names.ts';
import { addToPace, noPace, rateAt } from './pace.ts';

test('an event is added once, however often it is told', () => {
  const trace = storedTrace(WEDNESDAY);
  const memory = remember(remember(emptyMemory(), trace), structuredClone(trace));
  assert.equal(memory.n, 1);
  assert.equal(memory.pace.actions, 1);
});

test('an event that is told again after newer ones is not added either', () => {
  const [older, newer] = [storedTrace(WEDNESDAY), storedTrace(WEDNESDAY + SECOND)];
  const memory = [older, newer, structuredClone(older)].reduce(remember, emptyMemory());
  assert.equal(memory.n, 2);
  assert.equal(memory.last.length, 2);
});

test('a memory is plain JSON, and what was kept goes on as what was not', () => {
  const traces = Array.from({ length: 60 }, (_, i) => storedTrace(WEDNESDAY + i * HOUR, { action: `a:b:c${i % 7}` }));
  const kept = JSON.parse(JSON.stringify(memoryOf(traces.slice(0, 30)))) as ReturnType<typeof emptyMemory>;
  assert.deepEqual(traces.slice(30).reduce(remember, kept), memoryOf(traces));
});

test('whatever happened, it stays small', () => {
  const memory = emptyMemory();
  for (let i = 0; i < 5_000; i += 1) {
    const long = `${i}-${'x'.repeat(4_000)}`;
    remember(
      memory,
      storedTrace(WEDNESDAY + i * SECOND, {
        event_id: `${i}`.padEnd(128, 'e'),
        action: `${'d'.repeat(60)}:s${i}:v`,
        resource: nameOf(long),
        places: [nameOf(`${long}a`), nameOf(`${long}b`)],
        claimed_hour: i % 48,
        claimed_day: i,
        score: 100,
      }),
    );
  }
  assert.equal(memory.n, 5_000);
  const { length } = JSON.stringify(memory);
  assert.ok(length < 32_768, `${length} characters`);
});

test('ids and names may hold anything', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { minLength: 1, maxLength: 40 }), (names) => {
      const hostile = [...names, '__proto__', 'constructor', 'toString', ''];
      const memory = memoryOf(
        hostile.map((name, i) =>
          storedTrace(WEDNESDAY + i, { event_id: `${i}${name}`, action: name, resource: name, places: [name] }),
        ),
      );
      assert.equal(memory.n, hostile.length);
      assert.deepEqual(JSON.parse(JSON.stringify(memory)), memory);
    }),
  );
});

test('the name not met for longest makes room; novelty falls as things come again', () => {
  const bag = emptyBag();
  for (const [i, name] of ['a', 'b', 'a', 'c'].entries()) meet(bag, [name], i + 1, 0, 2);
  assert.deepEqual(
    bag.entries.map(([name]) => name),
    ['a', 'c'],
  );
  assert.equal(entryOf(bag, 'b'), undefined);
  const before = bag.novelty;
  for (let i = 5; i < 30; i += 1) meet(bag, ['a'], i, 0, 2);
  assert.ok(bag.novelty < before && bag.novelty < 0.1, `${bag.novelty}`);
});

test('what is kept of a long name cannot be imitated by its beginning', () => {
  const long = 'https://example.com/'.padEnd(200, 'x');
  assert.notEqual(nameOf(`${long}1`), nameOf(`${long}2`));
  assert.ok(nameOf(long).length <= 64);
  assert.equal(nameOf('short'), 'short');
  for (const odd of ['\ud83d', '\u0000', '\u{1f600}', 'é']) assert.equal(nameOf(odd.repeat(100)).length, 33);
});

test('the rate of the last minute reaches back into the minute before', () => {
  const pace = noPace();
  const minute = Math.floor(WEDNESDAY / MINUTE) * MINUTE;
  for (let i = 0; i < 30; i += 1) addToPace(pace, minute + i * SECOND, true);
  assert.equal(rateAt(pace, minute + 45 * SECOND).changes, 30);
  assert.equal(rateAt(pace, minute + 75 * SECOND).changes, 22.5);
  assert.equal(rateAt(pace, minute + 120 * SECOND).changes, 0);
  assert.equal(rateAt(pace, minute - HOUR).changes, 30, 'a clock that is late sees the newest minute');
  addToPace(pace, minute + 5 * MINUTE, false);
  assert.deepEqual([pace.usual, pace.minutes, pace.changes_before], [30, 1, 0]);
});

test('a habit of hours needs days, and covers the hours beside it on the same kind of day', () => {
  const hours = noHours();
  const add = (at: number) => addHour(hours, hourOfWeekAt(at), Math.floor(at / DAY));
  for (let i = 0; i < 30; i += 1) add(WEDNESDAY);
  assert.equal(habitAt(hours, hourOfWeekAt(WEDNESDAY + 6 * HOUR)), 'unknown', 'one day is no habit');
  add(WEDNESDAY + DAY);
  add(WEDNESDAY + 5 * DAY);
  assert.equal(habitAt(hours, hourOfWeekAt(WEDNESDAY)), 'usual');
  assert.equal(habitAt(hours, hourOfWeekAt(WEDNESDAY + HOUR)), 'usual');
  assert.equal(habitAt(hours, hourOfWeekAt(WEDNESDAY + 2 * HOUR)), 'unusual');
  assert.equal(habitAt(hours, hourOfWeekAt(WEDNESDAY + 3 * DAY)), 'unusual', 'a Saturday');
  assert.equal(habitAt(hours, -1), 'unknown');
});

test('night and weekend', () => {
  const at = (text: string) => isOffHours(hourOfWeekAt(Date.parse(text)));
  assert.deepEqual(
    ['2026-03-04T21:59:00Z', '2026-03-04T22:00:00Z', '2026-03-05T05:59:00Z', '2026-03-05T06:00:00Z'].map(at),
    [false, true, true, false],
  );
  assert.deepEqual(['2026-03-07T12:00:00Z', '2026-03-08T12:00:00Z', '2026-03-09T12:00:00Z'].map(at), [
    true,
    true,
    false,
  ]);
  assert.equal(isOffHours(-1), false);
});
