import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEndOfTurn, TOGETHER } from './end-of-turn.ts';

test('callers of one turn go on together, after what else is read in it', async () => {
  const endOfTurn = createEndOfTurn();
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

test('many that came together go on in order, and what else is due gets a turn between', async () => {
  const endOfTurn = createEndOfTurn();
  const order: number[] = [];
  const between: number[] = [];
  const note = (): void => {
    between.push(order.length);
    if (order.length < 3 * TOGETHER) setImmediate(note);
  };
  const all = Array.from({ length: 3 * TOGETHER }, async (_, n) => {
    await endOfTurn();
    order.push(n);
  });
  setImmediate(note);
  await Promise.all(all);
  assert.deepEqual(
    order,
    Array.from({ length: 3 * TOGETHER }, (_, n) => n),
  );
  assert.deepEqual(between.slice(0, 2), [TOGETHER, 2 * TOGETHER]);
});
