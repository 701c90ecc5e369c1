import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WeirError } from '../errors.ts';
import { createIntake, takeIn, VALUE_BYTES } from './intake.ts';

const statusOf = (call: () => void): number => {
  try {
    call();
    return 200;
  } catch (error) {
    return (error as WeirError).row.status;
  }
};

test('bytes in flight are bounded with 429 per customer and 503 in total, and an answer frees room', () => {
  const intake = createIntake({ bytes_each: 100, bytes: 250 });
  intake.enter('a', 60);
  assert.equal(
    statusOf(() => intake.enter('a', 41)),
    429,
  );
  intake.enter('a', 40);
  intake.enter('b', 100);
  assert.equal(
    statusOf(() => intake.enter('c', 51)),
    503,
  );
  intake.enter('c', 50);
  assert.equal(intake.load(), 250);
  intake.leave('a', 60);
  intake.enter('c', 50);
  assert.equal(
    statusOf(() => intake.enter('c', 1)),
    429,
  );
  for (const [customer_id, bytes] of [
    ['a', 40],
    ['b', 100],
    ['c', 50],
    ['c', 50],
  ] as const)
    intake.leave(customer_id, bytes);
  assert.equal(intake.load(), 0);
  intake.enter('c', 100);
});

test('an answered request counts with its answer until the client has taken it, even without room', () => {
  const intake = createIntake({ bytes_each: 100, bytes: 200 });
  const share = takeIn(intake, 'a', 60);
  share.answered(10);
  assert.equal(intake.load(), 10);
  const second = takeIn(intake, 'a', 90);
  share.answered(500);
  assert.equal(intake.load(), 590);
  assert.throws(() => intake.enter('a', 1), { code: 'rate_limited' });
  share.leave();
  second.leave();
  assert.equal(intake.load(), 0);
});

test('a read request counts with the memory of its values, if that is more, until it ends', () => {
  const intake = createIntake({ bytes_each: 1_000, bytes: 2_000 });
  const share = takeIn(intake, 'a', 100);
  share.weigh(1);
  assert.equal(intake.load(), 100);
  share.weigh(10);
  assert.equal(intake.load(), 10 * VALUE_BYTES);
  assert.equal(
    statusOf(() => share.weigh(20)),
    429,
  );
  assert.equal(intake.load(), 10 * VALUE_BYTES);
  share.leave();
  assert.equal(intake.load(), 0);
});
