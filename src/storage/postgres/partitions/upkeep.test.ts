import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepUp } from './upkeep.ts';

test('maintenance runs a minute after the start and every hour, whether it fails or not, until it is ended', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let runs = 0;
  const work = async () => {
    runs += 1;
    throw new Error('the database is away');
  };
  const told: string[] = [];
  const end = keepUp(work, (text) => told.push(text));
  mock.timers.tick(59_999);
  assert.equal(runs, 0);
  mock.timers.tick(1);
  assert.equal(runs, 1);
  mock.timers.tick(2 * 3_600_000);
  assert.equal(runs, 3);
  await nextTurn();
  end();
  mock.timers.tick(2 * 3_600_000);
  assert.equal(runs, 3);
  keepUp(work, (text) => told.push(text))();
  mock.timers.tick(2 * 3_600_000);
  assert.equal(told.length, 3, 'a failure is told each time');
  assert.match(told[0]!, /^maintenance of the database failed.*: the database is away$/);
  assert.equal(runs, 3, 'nor does one that is ended within its first minute');
});
