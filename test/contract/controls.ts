import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CustomerControl } from '../../src/storage/ports/graph.ts';
import { type Bench, newCustomer, range } from './start.ts';

const control = (control_id: string, name = 'a name'): CustomerControl => ({
  control_id,
  kind: 'control',
  name,
  description: '\'"\\ $1 \u{1f600}',
  articles: ['GDPR:Article_32'],
  rules: [],
});

/** Controls and internal policies of customers: the truth, of which graphs have copies. */
export function controlTests(bench: Bench): void {
  describe('controls of customers', () => {
    test('what was put is there for every node, by id, until it is removed', async () => {
      const [one, two] = bench.nodes;
      const customer_id = newCustomer();
      assert.deepEqual(await one.controls.all(customer_id), { revision: 0, controls: [] });
      assert.equal(await one.controls.revision(customer_id), 0);
      await one.controls.put(customer_id, [control('b'), control('a')], 10);
      const changed = await two.controls.put(customer_id, [control('b', 'another')], 10);
      assert.deepEqual(changed, { revision: 2, controls: [control('a'), control('b', 'another')] });
      assert.deepEqual(await one.controls.all(customer_id), changed);
      assert.equal(await one.controls.remove(customer_id, 'c'), null);
      assert.equal(await one.controls.remove(newCustomer(), 'a'), null);
      assert.deepEqual(await one.controls.remove(customer_id, 'a'), {
        revision: 3,
        controls: [control('b', 'another')],
      });
      assert.equal(await two.controls.revision(customer_id), 3);
    });

    test('more than the most are refused as a whole', async () => {
      const [one, two] = bench.nodes;
      const customer_id = newCustomer();
      await one.controls.put(customer_id, [control('a'), control('b')], 2);
      assert.equal(await two.controls.put(customer_id, [control('a', 'x'), control('c')], 2), null);
      assert.deepEqual(await one.controls.all(customer_id), { revision: 1, controls: [control('a'), control('b')] });
    });

    test('20 at once on two nodes are all there, and each change has a revision', async () => {
      const customer_id = newCustomer();
      const put = await Promise.all(
        range(20).map((n) => bench.nodes[n % 2 ? 1 : 0].controls.put(customer_id, [control(`c${n}`)], 20)),
      );
      assert.deepEqual(
        put.map((one) => one!.revision).sort((a, b) => a - b),
        range(20).map((n) => n + 1),
      );
      assert.equal((await bench.nodes[0].controls.all(customer_id)).controls.length, 20);
    });
  });
}
