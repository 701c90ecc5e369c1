import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { patientWaiter } from '../../test/support/waiter.ts';
import { systemClock } from '../platform/clock.ts';
import { WeirError } from '../platform/errors.ts';
import { createJustify } from './justify.ts';

test('one justification is made at a time, customers take turns, and callers that have disconnected are skipped', async () => {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const lookUp = (customer_id: string, event_id: string): Promise<null> => {
    asked.push(`${customer_id} ${event_id}`);
    return new Promise((resolve) => ends.push(() => resolve(null)));
  };
  const justify = createJustify({ storage: { scores: { lookUp } }, clock: systemClock } as never);
  const wanted = patientWaiter();
  const left = patientWaiter(() => {
    throw new WeirError('timed_out');
  });
  const answers = [
    justify('a', '1', wanted),
    justify('a', '2', left),
    justify('a', '3', wanted),
    justify('a', '4', wanted),
    justify('b', '1', wanted),
  ];
  const told = Promise.allSettled(answers);
  for (const expected of ['a 1', 'b 1', 'a 3', 'a 4']) {
    await turn();
    assert.equal(asked.at(-1), expected);
    assert.equal(asked.length, ends.length);
    ends.at(-1)!();
  }
  assert.equal(asked.length, 4);
  const statuses = (await told).map(({ status }) => status);
  assert.deepEqual(statuses, ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});
