import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge } from '../../test/support/knowledge.ts';
import type { StoredPolicy } from '../records/policy.ts';
import type { Storage } from '../storage/ports/storage.ts';
import { createPolicies } from './policies.ts';

test('a burst of first events reads the policy of each customer once, and a failed read is tried again', async () => {
  const asked: string[] = [];
  let is_away = true;
  const current = async (customer_id: string): Promise<StoredPolicy | null> => {
    asked.push(customer_id);
    await new Promise((done) => setImmediate(done));
    if (is_away) throw new Error('away');
    return { customer_id, version: 3, policies: { blocked_actions: ['a:b:c'] }, updated_at: '2026-01-01T00:00:00Z' };
  };
  const policies = createPolicies({ storage: { policies: { current } } as unknown as Storage, knowledge });
  const burst = () => Promise.allSettled(Array.from({ length: 50 }, (_, n) => policies.inForce(n % 2 ? 'one' : 'two')));
  const failed = await burst();
  assert.ok(failed.every(({ status }) => status === 'rejected'));
  is_away = false;
  const read = await burst();
  assert.ok(read.every((one) => one.status === 'fulfilled' && one.value.version === 3));
  await burst();
  assert.deepEqual(asked.sort(), ['one', 'one', 'two', 'two']);
});
