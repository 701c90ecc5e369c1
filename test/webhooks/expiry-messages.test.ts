/** The end of a hold that nobody decided, from outside: who waits is answered, and a receiver is told, once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { compileValidator } from '../../src/platform/http/validate.ts';
import { eventTypes, messageSchema } from '../../src/webhooks/event-types.ts';
import { call, newCustomer, problem } from '../support/client.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { type AnyWeir, startWeir } from '../support/weir.ts';
import { type Receiver, startReceiver, until } from './receiver.ts';

const decidedType = eventTypes.find(({ name }) => name === 'event.decided')!;

describe('a hold whose time runs out', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let nodes: AnyWeir[];
  before(async () => {
    database = await makeDatabase();
    const env = { DATABASE_URL: database.url, MASTER_KEY: 'a master key for tests', WEBHOOK_ALLOW_PRIVATE: 'true' };
    receiver = await startReceiver();
    nodes = [await startHostedWeir({ env }), await startWeir({ env, roles: 'worker' })];
  });
  after(async () => {
    for (const node of nodes ?? []) await node.stop();
    await receiver?.close();
    await database?.drop();
  });

  test('is expired for everybody, and told once though two workers look', async () => {
    const [{ api, auth }] = nodes as [AnyWeir];
    const { customer_id, api_key: key } = await newCustomer(nodes[0]!);
    const made = await call(`${auth}/webhooks/register`, { body: { customer_id, endpoint_url: `${receiver.url}/in` } });
    const secret = String(made.json['secret']);
    await call(`${api}/policies/${customer_id}`, { key, body: { blocked_actions: ['db:prod:drop'] } });
    const ids = Array.from({ length: 12 }, (_, n) => `late-${n}`);
    for (const event_id of ids) {
      const reply = await call(`${api}/events`, { key, body: { event_id, action: 'db:prod:drop' } });
      assert.equal((reply.json['hold'] as { state: string }).state, 'held', reply.text);
    }
    const override = { customer_id, event_id: 'late-0', allowed_decisions: ['approve'] };
    const issued = await call(`${auth}/tokens/override`, { body: override });
    const waiting = call(`${api}/scores/event/late-0?wait=60`, { key });
    await database.run('update holds set expires_at = clock_timestamp() where customer_id = $1', [customer_id]);

    const seen = (await waiting).json['hold'] as Record<string, unknown>;
    assert.deepEqual([seen['state'], seen['decided_at'], seen['cosignature']], ['expired', null, null]);
    const late = { override_token: issued.json['token'], decision: 'approve' };
    const refused = problem(await call(`${auth}/overrides/late-0/decide`, { body: late }), 409);
    assert.deepEqual([refused['state'], refused['decision']], ['expired', null]);
    const list = await call(`${api}/scores/${customer_id}?hold=expired`, { key });
    assert.equal(list.json['total'], ids.length);

    await until(
      () => receiver.at('/in').length,
      (count) => count >= 2 * ids.length,
      'a message for each hold and each end',
    );
    const ends = receiver.at('/in').flatMap(({ body, headers }) => {
      const message = new Webhook(secret).verify(body, headers) as Record<string, unknown>;
      if (message['type'] !== 'event.decided') return [];
      compileValidator(messageSchema(decidedType), 'the message')(message);
      const { event_id, state, decided_at } = message['data'] as Record<string, string>;
      if (event_id === 'late-0') assert.equal(decided_at, seen['expires_at']);
      return [{ event_id: event_id!, state, sequence: message['sequence'] }];
    });
    assert.deepEqual(
      ends.toSorted((a, b) => ids.indexOf(a.event_id) - ids.indexOf(b.event_id)),
      ids.map((event_id) => ({ event_id, state: 'expired', sequence: 2 })),
    );
    const written = await database.run(`select count(*)::int as count from webhook_messages where customer_id = $1`, [
      customer_id,
    ]);
    assert.equal(written[0]!['count'], 2 * ids.length);
  });
});
