/** From an event at the door to the receiver: that it was scored, that it is held, how it was decided. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { compileValidator } from '../../src/platform/http/validate.ts';
import { eventTypes, messageSchema } from '../../src/webhooks/event-types.ts';
import { call, newCustomer } from '../support/client.ts';
import { startWeir, type Weir } from '../support/weir.ts';
import { type Receiver, startReceiver, until } from './receiver.ts';

let weir: Weir;
let receiver: Receiver;
before(async () => {
  [weir, receiver] = await Promise.all([startWeir({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }), startReceiver()]);
});
after(async () => {
  await weir.stop();
  await receiver.close();
});

test('each state of an event is told once, to who asked for it', async () => {
  const customer = await newCustomer(weir);
  const { customer_id, api_key: key } = customer;
  const other = await newCustomer(weir);
  const register = async (path: string, who: string, event_types?: string[]): Promise<string> => {
    const body = { customer_id: who, endpoint_url: receiver.url + path, ...(event_types && { event_types }) };
    const reply = await call(`${weir.auth}/webhooks/register`, { body });
    assert.equal(reply.status, 201, reply.text);
    return String(reply.json['secret']);
  };
  const secret = await register('/mine', customer_id);
  await register('/scored', customer_id, ['event.scored']);
  await register('/other', other.customer_id);
  await call(`${weir.api}/policies/${customer_id}`, { key, body: { blocked_actions: ['db:prod:drop'] } });

  const harmless = await call(`${weir.api}/events`, { key, body: { event_id: 'calm', action: 'repo:code:read' } });
  assert.equal(harmless.json['hold'], null);
  const event = { event_id: 'grave', action: 'db:prod:drop', parameters: { note: 'secret words' } };
  for (const _ of [1, 2]) assert.equal((await call(`${weir.api}/events`, { key, body: event })).status, 200);
  const issued = await call(`${weir.auth}/tokens/override`, {
    body: { customer_id, event_id: 'grave', allowed_decisions: ['approve', 'reject'] },
  });
  assert.equal(issued.status, 201, issued.text);
  for (const status of [200, 409]) {
    const body = { override_token: issued.json['token'], decision: 'reject', reason: 'no' };
    const decided = await call(`${weir.auth}/overrides/grave/decide`, { body });
    assert.equal(decided.status, status, decided.text);
  }

  await until(
    () => receiver.at('/mine').length,
    (count) => count >= 2,
    'messages of the hold',
  );
  await until(
    () => receiver.at('/scored').length,
    (count) => count >= 2,
    'messages of the scores',
  );
  const messages = receiver.at('/mine').map(({ body, headers }) => {
    new Webhook(secret).verify(body, headers);
    assert.doesNotMatch(body, /secret words/);
    const message = JSON.parse(body) as { type: string; sequence: number; data: Record<string, unknown> };
    const known = eventTypes.find(({ name }) => name === message.type)!;
    compileValidator(messageSchema(known), 'the message')(message);
    return message;
  });
  messages.sort((a, b) => a.sequence - b.sequence);
  assert.deepEqual(
    messages.map(({ type, data }) => [type, data['event_id'], data['state'] ?? data['risk_level']]),
    [
      ['event.held', 'grave', 'critical'],
      ['event.decided', 'grave', 'rejected'],
    ],
  );
  const scored = receiver.at('/scored').map(({ body }) => JSON.parse(body) as (typeof messages)[number]);
  assert.deepEqual(
    scored.map(({ type, data, sequence }) => `${type} ${data['event_id']} ${sequence}`).sort(),
    ['event.scored calm 1', 'event.scored grave 2'],
    'that it is held is told before that it is scored',
  );
  assert.deepEqual(receiver.at('/other'), []);
});
