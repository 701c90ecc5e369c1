import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verifyChain } from '../../src/tokens/audit-chain.ts';
import { auditOf } from './auth-start.ts';
import { type Bench, newCustomer, range } from './start.ts';

/** The hash chain of the audit log, under concurrent appends and against anyone who may write to the tables. */
export function auditTests(bench: Bench): void {
  const append = (customer_id: string, n: number) =>
    bench.nodes[n % 2]!.auth.audit.append({ ...auditOf(`test.${n}`, `subject ä ${n}`), customer_id });
  const verify = (customer_id: string, anchors: { seq: number; hash: string }[] = []) =>
    verifyChain(bench.nodes[0].auth.audit, customer_id, anchors);
  const filled = async (entries: number): Promise<string> => {
    const customer_id = newCustomer();
    for (const n of range(entries)) await append(customer_id, n);
    return customer_id;
  };
  /** As an operator of the database, who can switch triggers off. */
  async function tamper(sql: string, values: unknown[]): Promise<void> {
    await bench.backend.run('alter table audit_log disable trigger user', []);
    try {
      await bench.backend.run(sql, values);
    } finally {
      await bench.backend.run('alter table audit_log enable trigger user', []);
    }
  }

  describe('the chain of the audit log', () => {
    test('appends of two nodes at the same time keep it, each customer with its own', async () => {
      const [a, b] = [newCustomer(), newCustomer()];
      await Promise.all(range(120).map((n) => append(n % 3 === 0 ? b : a, n)));
      for (const [customer_id, entries] of [
        [a, 80],
        [b, 40],
      ] as const) {
        const found = await verify(customer_id);
        assert.deepEqual([found.entries, found.faults, found.head?.seq], [entries, [], entries]);
        const listed = await bench.nodes[1].auth.audit.list(customer_id, Number.MAX_SAFE_INTEGER, 1_000);
        const chain = await bench.nodes[1].auth.audit.chain(customer_id, 0, 1_000);
        assert.deepEqual(
          listed.toReversed().map(({ action }) => action),
          chain.map(({ action }) => action),
        );
      }
      assert.ok((await bench.nodes[0].auth.audit.chains()).some(({ customer_id }) => customer_id === a));
    });

    test('entries of no customer have a chain, too', async () => {
      await bench.nodes[0].auth.audit.append(auditOf('test.nobody'));
      const found = await verifyChain(bench.nodes[1].auth.audit, null);
      assert.ok(found.entries > 0);
      assert.deepEqual(found.faults, []);
    });

    const SET = (column: string) => `update audit_log set ${column} where customer_id = $1 and seq = $2`;
    for (const [what, sql] of [
      ['action', SET(`action = 'nothing'`)],
      ['actor', SET(`actor = 'somebody else'`)],
      ['subject', SET('subject = null')],
      ['details', SET(`details = '{}'`)],
      ['time', SET(`at = at - interval '1 microsecond'`)],
      ['request', SET(`request_id = ''`)],
    ] as const)
      test(`a changed ${what} is found, at its entry`, async () => {
        const customer_id = await filled(4);
        await tamper(sql, [customer_id, 2]);
        assert.deepEqual(await verify(customer_id).then(({ faults }) => faults.map(({ seq }) => seq)), [2]);
      });

    test('a removed entry is found: in the middle, at the beginning and at the end', async () => {
      for (const [seq, at] of [
        [3, 4],
        [1, 2],
        [5, 5],
      ] as const) {
        const customer_id = await filled(5);
        await tamper('delete from audit_log where customer_id = $1 and seq = $2', [customer_id, seq]);
        const { faults } = await verify(customer_id);
        assert.ok(faults.length > 0 && faults.every((fault) => fault.seq === at), JSON.stringify(faults));
        assert.match(faults[0]!.problem, /missing/);
      }
    });

    test('entries that changed their places are found', async () => {
      const customer_id = await filled(4);
      await tamper('update audit_log set seq = -seq where customer_id = $1 and seq in (2, 3) and $2 = $2', [
        customer_id,
        0,
      ]);
      await tamper('update audit_log set seq = 5 + seq where customer_id = $1 and seq < 0 and $2 = $2', [
        customer_id,
        0,
      ]);
      assert.notDeepEqual((await verify(customer_id)).faults, []);
    });

    test('a chain that was written again from some place on is found by who kept an anchor', async () => {
      const customer_id = await filled(3);
      const { head } = await verify(customer_id);
      await tamper('delete from audit_log where customer_id = $1 and $2 = $2', [customer_id, 0]);
      await bench.backend.run('delete from audit_chains where chain_id = $1', [customer_id]);
      for (const n of range(3)) await append(customer_id, n + 10);
      assert.deepEqual((await verify(customer_id)).faults, [], 'nothing in the tables tells');
      const { faults } = await verify(customer_id, [head!]);
      assert.deepEqual(faults, [{ seq: 3, problem: `its hash is not the expected \`${head!.hash}\`` }]);
      assert.match(
        (await verify(customer_id, [{ seq: 9, hash: head!.hash }])).faults[0]!.problem,
        /expected entry is missing/,
      );
    });

    test('filters of the list', async () => {
      const customer_id = await filled(6);
      const list = async (filter: object) =>
        (await bench.nodes[0].auth.audit.list(customer_id, Number.MAX_SAFE_INTEGER, 100, filter)).map(
          ({ action }) => action,
        );
      const [first] = await bench.nodes[0].auth.audit.chain(customer_id, 1, 1);
      assert.deepEqual(await list({ action: 'test.4' }), ['test.4']);
      assert.equal((await list({ action: 'test.' })).length, 6);
      assert.deepEqual(await list({ action: 'test' }), []);
      assert.deepEqual(await list({ subject: 'subject ä 2', actor: 'test' }), ['test.2']);
      assert.deepEqual(await list({ until: first!.at }), ['test.1', 'test.0']);
      assert.deepEqual(await list({ since: first!.at, until: first!.at }), ['test.1']);
    });
  });
}
