/** POST and GET /policies/{customer_id}: each way they can end. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { call, newCustomer, problem } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

describe('policies', () => {
  let weir: SharedWeir;
  before(async () => {
    weir = await sharedWeir();
  });

  test('none was written: 404', async () => {
    problem(await call(`${weir.api}/policies/${weir.customer_id}`, { key: weir.api_key }), 404);
  });

  test('one that does not compile is refused with the place, and the one in force stays', async () => {
    const { customer_id, api_key: key } = await newCustomer(weir);
    const path = `${weir.api}/policies/${customer_id}`;
    const good = await call(path, { key, body: { blocked_actions: ['a:b:c'] } });
    assert.equal(good.status, 201, good.text);
    for (const [at, policy] of [
      ['/blocked_action', { blocked_action: ['a:b:c'] }],
      ['/blocked_actions', { blocked_actions: 'a:b:c' }],
      ['/blocked_action_patterns/0', { blocked_action_patterns: ['git*:b:c'] }],
      [
        '/custom_rules/r/condition',
        { custom_rules: { r: { condition: 'batch_size >', score_impact: 1, description: '' } } },
      ],
      ['', []],
      ['', null],
    ] as const) {
      const reply = await call(path, { key, body: JSON.stringify(policy) });
      const { errors } = problem(reply, 400) as { errors: { path: string }[] };
      assert.ok(
        errors.some((error) => error.path.startsWith(at)),
        reply.text,
      );
    }
    assert.deepEqual((await call(path, { key })).json, good.json);
  });

  test('a blocked action is critical from the next event on', async () => {
    const { customer_id, api_key: key } = await newCustomer(weir);
    const event = { action: 'github:pulls:read' };
    const free = await call(`${weir.api}/events`, { key, body: event });
    assert.notEqual(free.json['risk_level'], 'critical');
    await call(`${weir.api}/policies/${customer_id}`, { key, body: { blocked_actions: ['GitHub:pulls:read'] } });
    const blocked = await call(`${weir.api}/events`, { key, body: event });
    assert.equal(blocked.json['risk_level'], 'critical');
    assert.ok((blocked.json['score'] as number) >= 81);
  });
});
