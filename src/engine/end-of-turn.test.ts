import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEndOfTurn } from './end-of-turn.ts';

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
