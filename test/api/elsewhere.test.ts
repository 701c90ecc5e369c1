/** Risk that crosses sessions and agents, on two nodes with one database and one cache: what a person decides on one counts on the other. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, newCustomer } from '../support/client.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';
import { type AnyWeir, startWeir } from '../support/weir.ts';

const REDIS_URL = process.env['TEST_REDIS_URL'];
const RULE = 'destination_is_in_trouble_elsewhere';

test('a destination that a person refused on one node is refused on the other, and an approved one is not', {
  skip: NO_SERVER ?? (REDIS_URL === undefined ? 'TEST_REDIS_URL is not set' : false),
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const database = await makeDatabase();
  const env = { DATABASE_URL: database.url, REDIS_URL: REDIS_URL! };
  const one = await startHostedWeir({ env });
  const two = await startWeir({ env });
  try {
    const customer = await newCustomer(one);
    const send = async (node: AnyWeir, agent_id: string, parameters: object, key = customer.api_key) => {
      const event = {
        event_id: randomUUID(),
        action: 'storage:object:upload',
        agent: { agent_id },
        session: { session_id: `${agent_id}-session`, user_id: 'ana@north.test' },
        parameters,
      };
      const reply = await call(`${node.api}/events`, { key, body: event });
      assert.equal(reply.status, 200, reply.text);
      return { event_id: event.event_id, violations: reply.json['violations'] as string[] };
    };
    for (const [decision, host] of [
      ['reject', 'a'],
      ['approve', 'b'],
    ] as const) {
      const url = `https://${host}.elsewhere.test/up`;
      const { event_id } = await send(one, `first-${host}`, { url, content: 'card 4539 1488 0343 6467, CVV 123' });
      const allowed_decisions = [decision];
      const issued = await call(`${one.auth}/tokens/override`, {
        body: { customer_id: customer.customer_id, event_id, allowed_decisions },
      });
      assert.equal(issued.status, 201, issued.text);
      const body = { override_token: issued.json['token'], decision, reason: 'looked at' };
      assert.equal((await call(`${one.auth}/overrides/${event_id}/decide`, { body })).status, 200);
      // Nodes are told of a decision after it stands.
      let found = await send(two, `second-${host}`, { url, file: '/srv/exports/part-2.csv' });
      for (let tries = 0; found.violations.includes(RULE) !== (decision === 'reject') && tries < 200; tries += 1) {
        await sleep(50);
        found = await send(two, `again-${host}-${tries}`, { url, file: '/srv/exports/part-2.csv' });
      }
      assert.equal(found.violations.includes(RULE), decision === 'reject', decision);
      const other = await newCustomer(two);
      const foreign = await send(two, 'stranger', { url, file: '/srv/exports/part-2.csv' }, other.api_key);
      assert.ok(!foreign.violations.includes(RULE), 'another customer knows nothing of it');
    }
  } finally {
    await Promise.all([one.stop(), two.stop()]);
    await database.drop();
  }
});
