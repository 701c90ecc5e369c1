import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createBreakers } from './breakers.ts';
import { LlmTrouble } from './trouble.ts';

const fail = (is_of_content: boolean) => async () => {
  throw new LlmTrouble('broken', 'x', { is_of_content });
};
const OPEN_MS = 1_000;

test('failures that concern every question stop the calls of all customers, until one succeeds', async () => {
  mock.timers.enable({ apis: ['Date'] });
  const breakers = createBreakers({ failures: 3, open_ms: OPEN_MS });
  for (const customer of ['a', 'b', 'c']) {
    assert.equal(breakers.isOpen(), false);
    await assert.rejects(breakers.run(customer, fail(false)), { name: 'LlmTrouble' });
  }
  assert.equal(breakers.isOpen(), true);
  const never = () => assert.fail('called while the breaker is open');
  await assert.rejects(breakers.run('d', never), { name: 'LlmPaused' });
  mock.timers.tick(OPEN_MS + 1);
  await assert.rejects(breakers.run('d', fail(false)), { name: 'LlmTrouble' });
  await assert.rejects(breakers.run('d', never), { name: 'LlmPaused' });
  mock.timers.tick(OPEN_MS + 1);
  assert.equal(await breakers.run('d', async () => 7), 7);
  assert.equal(await breakers.run('a', async () => 8), 8);
  assert.equal(breakers.isOpen(), false);
  mock.timers.reset();
});

test('failures that a question may cause stop the calls of its customer alone', async () => {
  const breakers = createBreakers({ failures: 3, open_ms: OPEN_MS });
  for (let i = 0; i < 3; i += 1) await assert.rejects(breakers.run('a', fail(true)), { name: 'LlmTrouble' });
  await assert.rejects(
    breakers.run('a', () => assert.fail('called while the breaker is open')),
    { name: 'LlmPaused' },
  );
  assert.equal(await breakers.run('b', async () => 7), 7);
  assert.equal(breakers.isOpen(), false);
});
