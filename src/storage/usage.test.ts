import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellUsage } from './usage.ts';

function start() {
  const said: string[] = [];
  const clock = { ms: 0 };
  const words = { name: 'the shop', advice: 'look for another' };
  const usage = tellUsage(
    words,
    (text) => said.push(text),
    () => clock.ms,
  );
  /** The lines logged since the last call. */
  const heard = (): string[] => said.splice(0);
  return { usage, clock, heard };
}

const line = (reason: string): string => `the shop cannot be used: ${reason}; look for another`;

test('a reason is logged at once, and again each minute while it lasts', () => {
  const { usage, clock, heard } = start();
  usage.up();
  assert.deepEqual(heard(), [], 'all is well');
  usage.away('shut');
  assert.deepEqual(heard(), [line('shut')]);
  for (let minute = 0; minute < 2; minute += 1) {
    for (let second = 0; second < 59; second += 1) {
      clock.ms += 1_000;
      usage.away('shut');
    }
    assert.deepEqual(heard(), []);
    clock.ms += 1_000;
    usage.away('shut');
    assert.deepEqual(heard(), [line('shut')]);
  }
});

test('alternating reasons are each logged once per minute', () => {
  const { usage, clock, heard } = start();
  for (let second = 0; second < 60; second += 1) {
    usage.away(second % 2 === 0 ? 'shut' : 'empty');
    clock.ms += 1_000;
  }
  assert.deepEqual(heard(), [line('shut'), line('empty')]);
});

test('the end is logged once, and a later fault at once', () => {
  const { usage, heard } = start();
  usage.away('shut');
  usage.up();
  usage.up();
  assert.deepEqual(heard(), [line('shut'), 'the shop is in use']);
  usage.away('shut');
  assert.deepEqual(heard(), [line('shut')]);
});

test('neither flapping nor new reasons flood the log, and the last line is never a fault that is over', () => {
  for (const isUp of [true, false]) {
    const { usage, clock, heard } = start();
    for (let n = 0; n < 50; n += 1) {
      usage.away(`for the ${n}th time`);
      if (isUp) usage.up();
      clock.ms += 1_000;
    }
    const lines = heard();
    assert.equal(lines.length, isUp ? 10 : 5);
    if (isUp) assert.equal(lines.at(-1), 'the shop is in use');
    clock.ms += 60_000;
    usage.away('shut');
    assert.deepEqual(heard(), [line('shut')]);
  }
});
