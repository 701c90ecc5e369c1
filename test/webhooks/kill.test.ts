/**
 * `kill -9` of the delivery worker between any two steps: every revoked token has one message, and that is delivered at
 * least once under one id. The design that marks a message as delivered before it is sent loses one.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { makeChain, revoke } from '../contract/auth-start.ts';
import { childOf } from '../support/programs.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';
import { startReceiver, until } from './receiver.ts';
import { openBench } from './worker-support.ts';

const CHILD = childOf('test/webhooks/kill-child.ts');
const MESSAGES = 6;

function startChild(url: string, step: string, design: string): ChildProcess {
  return spawn(process.execPath, [...CHILD, url, step, design], { stdio: 'ignore' });
}

/** Ids under which each token's revocation arrived, after a worker died at each of these steps. */
async function deliverThrough(steps: readonly string[], design: 'ours' | 'naive') {
  const database = await makeDatabase();
  const [bench, receiver] = await Promise.all([openBench(database.url), startReceiver()]);
  try {
    const webhook = await bench.register(`${receiver.url}/in`);
    const { auth } = bench.storage;
    const jtis: string[] = [];
    for (let n = 0; n < MESSAGES; n += 1) {
      const [token] = await makeChain(auth, webhook.customer_id, 1);
      await revoke(auth, token!.jti, 'single');
      jtis.push(token!.jti);
    }
    for (const step of steps) {
      const child = startChild(database.url, step, design);
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      assert.equal(signal, 'SIGKILL', `the worker must die when it has ${step}`);
    }
    const last = startChild(database.url, 'never', design);
    const done = await until(
      () => bench.deliveries(webhook),
      (list) => list.every((one) => one.state === 'delivered'),
      'all marked as delivered',
    );
    const ended = once(last, 'exit');
    last.kill('SIGTERM');
    await ended;
    const arrived = new Map(jtis.map((jti) => [jti, [] as string[]]));
    for (const { body, headers } of receiver.at('/in')) {
      const { data } = JSON.parse(body) as { data: { jti: string } };
      arrived.get(data.jti)!.push(headers['webhook-id']!);
    }
    return { messages: done.length, arrived: [...arrived.values()] };
  } finally {
    await bench.storage.close();
    await receiver.close();
    await database.drop();
  }
}

describe('kill -9 of the delivery worker', { skip: NO_SERVER ?? false }, () => {
  test('between any two steps: each message arrives, under one id', async () => {
    const { messages, arrived } = await deliverThrough(['claimed', 'sent', 'recorded'], 'ours');
    assert.equal(messages, MESSAGES, 'one message for each revocation');
    assert.deepEqual(
      arrived.map((ids) => new Set(ids).size),
      Array.from({ length: MESSAGES }, () => 1),
    );
    assert.equal(new Set(arrived.flat()).size, MESSAGES);
    // On a busy machine a lease may run out while its message is under way, which then comes twice, too.
    assert.ok(arrived.flat().length > MESSAGES, 'the one that was sent and not recorded comes twice');
  });

  test('a message that is marked as delivered before it is sent is lost', async () => {
    const { arrived } = await deliverThrough(['claimed'], 'naive');
    // The stop of the last worker may lose more: it, too, has marked messages that it has not sent.
    assert.ok(arrived.filter((ids) => ids.length === 0).length >= 1);
  });
});
