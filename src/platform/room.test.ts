import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRoom } from './room.ts';

test('as much at a time as there is room for, first come, first served; what is too large goes alone', async () => {
  const room = createRoom(10);
  const begun: number[] = [];
  const enter = (need: number): void => void room.enter(need).then(() => begun.push(need));
  for (const need of [6, 4, 5, 30, 1]) enter(need);
  await nextTurn();
  assert.deepEqual(begun, [6, 4]);
  room.leave(6);
  await nextTurn();
  assert.deepEqual(begun, [6, 4, 5], 'the last one waits behind the large one');
  room.leave(4);
  room.leave(5);
  await nextTurn();
  assert.deepEqual(begun, [6, 4, 5, 30]);
  room.leave(30);
  await nextTurn();
  assert.deepEqual(begun, [6, 4, 5, 30, 1]);
});
