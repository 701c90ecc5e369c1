/** What the delivery worker does over time: retries, dead letters, endpoints given up, stops. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSender } from '../../src/webhooks/send.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { answers, type Receiver, startReceiver, until } from './receiver.ts';
import { type Bench, by, masterKey, openBench } from './worker-support.ts';

describe('the delivery worker', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  let bench: Bench;
  let receiver: Receiver;
  before(async () => {
    database = await makeDatabase();
    [bench, receiver] = await Promise.all([openBench(database.url), startReceiver()]);
  });
  after(async () => {
    await bench.storage.close();
    await receiver.close();
    await database.drop();
  });

  test('a message is dead after its last attempt, and a replay begins anew under the same id', async () => {
    receiver.behave('/dead', answers(500));
    const webhook = await bench.register(`${receiver.url}/dead`);
    const message_id = await bench.webhooks.test(webhook, by);
    const worker = bench.work();
    try {
      const [dead] = await until(
        () => bench.deliveries(webhook),
        ([one]) => one!.state === 'dead',
        'dead',
      );
      assert.equal(dead!.attempts, 3);
      assert.equal(receiver.at('/dead').length, 3);
      assert.equal((await bench.webhooks.list(webhook.customer_id))[0]!.dead, 1);
      receiver.behave('/dead', answers(200));
      assert.deepEqual(await bench.webhooks.replay(webhook, null, by), { count: 1, left: 0 });
      await until(
        () => bench.deliveries(webhook),
        ([one]) => one!.state === 'delivered',
        'delivered',
      );
      const ids = receiver.at('/dead').map((one) => one.headers['webhook-id']);
      assert.deepEqual(ids, [message_id, message_id, message_id, message_id]);
    } finally {
      await worker.stop(500);
    }
  });

  test('an endpoint at which everything failed for five days is disabled, with the reason and an audit row', async () => {
    receiver.behave('/down', answers(502));
    const webhook = await bench.register(`${receiver.url}/down`);
    await bench.webhooks.test(webhook, by);
    const worker = bench.work();
    const shown = async () => (await bench.webhooks.list(webhook.customer_id))[0]!;
    try {
      await until(
        () => bench.deliveries(webhook),
        ([one]) => one!.state === 'dead',
        'dead',
      );
      assert.equal((await shown()).disabled_at, null);
      await database.run(
        `update webhooks set failing_since = failing_since - interval '5 days' where webhook_id = $1`,
        [webhook.webhook_id],
      );
      await bench.webhooks.test(webhook, by);
      const disabled = await until(shown, (one) => one.disabled_at !== null, 'disabled');
      assert.match(disabled.disabled_reason!, /five days/);
      assert.equal(disabled.pending, 1, 'its message waits');
      const [line] = await bench.storage.auth.audit.list(webhook.customer_id, Number.MAX_SAFE_INTEGER, 1);
      assert.deepEqual([line!.action, line!.subject], ['webhook.disabled', webhook.webhook_id]);
    } finally {
      await worker.stop(500);
    }
  });

  test('a stop gives back what is under way, and it spends no attempt', async () => {
    receiver.behave('/hang', () => {});
    const webhook = await bench.register(`${receiver.url}/hang`);
    const message_id = await bench.webhooks.test(webhook, by);
    const worker = bench.work({ sender: createSender({ allow_private: true }), lease_ms: 60_000 });
    await until(
      () => receiver.at('/hang'),
      (list) => list.length === 1,
      'under way',
    );
    await worker.stop(50);
    const [one] = await bench.deliveries(webhook);
    assert.deepEqual([one!.state, one!.attempts, one!.attempt_log], ['pending', 0, []]);
    receiver.behave('/hang', answers(204));
    const next = bench.work();
    await until(
      () => bench.deliveries(webhook),
      ([first]) => first!.state === 'delivered',
      'delivered',
    );
    await next.stop(500);
    assert.deepEqual(
      receiver.at('/hang').map((sent) => sent.headers['webhook-id']),
      [message_id, message_id],
    );
  });

  test('under another master key messages wait, and spend no attempt', async () => {
    const webhook = await bench.register(`${receiver.url}/sealed`);
    await bench.webhooks.test(webhook, by);
    const worker = bench.work({ master_key: masterKey('another one') });
    const paused = () =>
      database.run('select paused_until > now() as paused from webhooks where webhook_id = $1', [webhook.webhook_id]);
    await until(paused, ([row]) => row!['paused'] === true, 'paused');
    await worker.stop(500);
    assert.equal(receiver.at('/sealed').length, 0);
    const [one] = await bench.deliveries(webhook);
    assert.deepEqual([one!.state, one!.attempts], ['pending', 0]);
    await bench.webhooks.disable(webhook, by);
  });

  test('twenty endpoints of one customer that hang do not hold up another customer', async () => {
    receiver.behave('/tarpit', () => {});
    const first = await bench.register(`${receiver.url}/tarpit`);
    const tarpits = [first];
    while (tarpits.length < 20) tarpits.push(await bench.register(`${receiver.url}/tarpit`, first.customer_id));
    for (const one of tarpits) await bench.webhooks.test(one, by);
    // No attempt and no lease ends before the test does, however slow the machine is.
    const worker = bench.work({ sender: createSender({ allow_private: true, attempt_ms: 60_000 }), lease_ms: 60_000 });
    try {
      await until(
        () => receiver.at('/tarpit'),
        (list) => list.length === 4,
        'four are under way',
      );
      const quick = await bench.register(`${receiver.url}/free`);
      const ids: string[] = [];
      for (let n = 0; n < 10; n += 1) ids.push(await bench.webhooks.test(quick, by));
      const got = await until(
        () => receiver.at('/free'),
        (list) => list.length === 10,
        'all of the other customer',
      );
      assert.deepEqual(
        got.map((one) => one.headers['webhook-id']),
        ids,
      );
      assert.equal(receiver.at('/tarpit').length, 4, 'a few of one customer at a time');
    } finally {
      await worker.stop(10);
    }
  });
});
