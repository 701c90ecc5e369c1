/** A tree of 10,000 tokens (`AUTH_TREE=100000` for more), wide and deep, ended by one row and listed in pages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_SERVER, useNode } from '../support/test-database.ts';
import { assertBad, assertGood, by, makeAuth, makeFamily, outcomeOf, subagentOf } from './support.ts';

const SIZE = Number(process.env['AUTH_TREE'] ?? 10_000);

describe('a large tree', { skip: NO_SERVER ?? false }, () => {
  const own = useNode();

  test(`${SIZE} tokens are ended at once and each is listed once`, async () => {
    const auth = makeAuth(own.storage);
    const { customer_id, agent, bearer } = await makeFamily(auth);
    const [child, other] = [
      await subagentOf(auth, customer_id, agent.jti),
      await subagentOf(auth, customer_id, agent.jti),
    ];
    // Half of them below the child, and each of those has one below itself.
    await own.database.run(
      `with made as (
         select gen_random_uuid() as jti from generate_series(1, $2::integer / 2)
       )
       insert into tokens (jti, customer_id, kind, parent_jti, path, delegation_depth, issued_at, expires_at, key_id, token_hash, rbac, details)
       select made.jti, p.customer_id, 'subagent', p.jti, p.path || made.jti, 2, p.issued_at, p.expires_at, p.key_id,
         made.jti::text, p.rbac, p.details
       from made, tokens p where p.jti = $1`,
      [child.jti, SIZE],
    );
    await own.database.run(
      `insert into tokens (jti, customer_id, kind, parent_jti, path, delegation_depth, issued_at, expires_at, key_id, token_hash, rbac, details)
       select made.jti, p.customer_id, 'session', p.jti, p.path || made.jti, 2, p.issued_at, p.expires_at, p.key_id,
         made.jti::text, p.rbac, p.details
       from tokens p, lateral (select gen_random_uuid() as jti where p.jti is not null) as made where p.parent_jti = $1`,
      [child.jti],
    );
    await assertGood(auth, child);
    const { revoked_jtis } = await auth.revoke.cascade(child.jti, null, by);
    assert.equal(revoked_jtis.length, 1 + 2 * Math.floor(SIZE / 2));
    assert.equal(new Set(revoked_jtis).size, revoked_jtis.length);
    await assertBad(auth, child, /revoked/);
    await assertGood(auth, other);
    const { nodes, total } = await own.storage.auth.tokens.tree(child.jti, 1_000);
    assert.equal(total, revoked_jtis.length + 3);
    assert.deepEqual(new Set(nodes.slice(3).map(({ state }) => state)), new Set(['revoked']));
    assert.equal(await outcomeOf(() => subagentOf(auth, customer_id, child.jti)), 'unauthenticated');
    assert.deepEqual((await auth.revoke.cascade(child.jti, null, by)).revoked_jtis, []);
    const rest = await auth.revoke.cascade(bearer.jti, null, by);
    assert.deepEqual(rest.revoked_jtis.toSorted(), [bearer.jti, agent.jti, other.jti].toSorted());
  });
});
