import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepUp } from './upkeep.ts';

test('upkeep runs a minute after the start and every hour, whether it fails or not, until it is ended', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let runs = 0;
  const work = async () => {
    runs += 1;
    throw new Error('the database is away');
  };
  const end = keepUp(work);
  mock.timers.tick(59_999);
  assert.equal(runs, 0);
  mock.timers.tick(1);
  assert.equal(runs, 1);
  mock.timers.tick(2 * 3_600_000);
  assert.equal(runs, 3);
  end();
  mock.timers.tick(2 * 3_600_000);
  assert.equal(runs, 3);
  keepUp(work)();
  mock.timers.tick(2 * 3_600_000);
  assert.equal(runs, 3, 'nor does one that is ended within its first minute');
});
