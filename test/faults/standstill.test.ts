/** A node that freezes within a transaction: what it locked is free again before long, and others go on. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, newCustomer } from '../support/client.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { bareEnvironment, childOf } from '../support/programs.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';
import { startWeir } from '../support/weir.ts';
import { USUAL_LIMITS_ENV } from '../support/wide-limits.ts';

test('what a frozen node has locked is free again', { skip: NO_SERVER ?? false, timeout: PATIENCE_MS }, async () => {
  const database = await makeDatabase();
  const weir = await startWeir({ env: { ...USUAL_LIMITS_ENV, DATABASE_URL: database.url }, roles: 'api,auth' });
  const { customer_id, api_key } = await newCustomer(weir);
  const node = spawn(process.execPath, childOf('test/faults/standstill-child.ts'), {
    env: { ...bareEnvironment(), DATABASE_URL: database.url, CUSTOMER_ID: customer_id },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const change = () => call(`${weir.api}/policies/${customer_id}`, { method: 'POST', key: api_key, body: {} });
  try {
    await once(node.stdout, 'data');
    node.kill('SIGSTOP');
    const first = await change();
    assert.equal(first.status, 503, first.text);
    // Without an end to its transaction this goes on until the test is out of time.
    let reply = first;
    while (reply.status === 503) {
      await sleep(200);
      reply = await change();
    }
    assert.equal(reply.status, 201, reply.text);
  } finally {
    node.kill('SIGKILL');
    await weir.stop();
    await database.drop();
  }
});
