import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Bench, newCustomer, range } from './start.ts';

/** Policies: every version is kept, and versions have no gaps. */
export function policyTests(bench: Bench): void {
  describe('policies', () => {
    test('a customer starts without one', async () => {
      assert.equal(await bench.nodes[0].policies.current(newCustomer()), null);
      assert.equal(await bench.nodes[0].policies.version(newCustomer(), 1), null);
    });

    test('each put is a version, the last is in force, the others can be read', async () => {
      const customer_id = newCustomer();
      const documents = [{ blocked_tools: ['a'] }, { z: 1, a: [null, 'x\u0000y'] }, {}];
      for (const policies of documents) await bench.nodes[0].policies.put(customer_id, policies);
      for (const [index, policies] of documents.entries()) {
        const stored = await bench.nodes[1].policies.version(customer_id, index + 1);
        assert.deepEqual(stored, { customer_id, version: index + 1, policies, updated_at: stored?.updated_at });
        assert.match(stored!.updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      }
      assert.equal((await bench.nodes[1].policies.current(customer_id))?.version, 3);
      assert.equal(await bench.nodes[1].policies.version(customer_id, 4), null);
    });

    test('50 at once on two nodes are versions 1 to 50, each with its own document', async () => {
      const customer_id = newCustomer();
      const stored = await Promise.all(
        range(50).map((n) => bench.nodes[n % 2 ? 1 : 0].policies.put(customer_id, { n })),
      );
      assert.deepEqual(
        stored.map((policy) => policy.version).sort((a, b) => a - b),
        range(50).map((n) => n + 1),
      );
      for (const policy of stored) {
        assert.deepEqual(await bench.nodes[0].policies.version(customer_id, policy.version), policy);
      }
      assert.equal((await bench.nodes[0].policies.current(customer_id))?.version, 50);
    });

    test('another customer has other policies', async () => {
      const [a, b] = [newCustomer(), newCustomer()];
      await bench.nodes[0].policies.put(a, { of: 'a' });
      await bench.nodes[0].policies.put(b, { of: 'b' });
      assert.deepEqual((await bench.nodes[0].policies.current(a))?.policies, { of: 'a' });
      assert.deepEqual((await bench.nodes[0].policies.current(b))?.policies, { of: 'b' });
    });
  });
}
