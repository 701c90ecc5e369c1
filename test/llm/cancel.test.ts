/** Callers that leave: the call of the model ends with them, and its connection is closed. On the wire, against a model that never answers. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import { callUnary, connect, openStream, startUnary } from '../grpc/client.ts';
import { always } from '../kits/llm/behaviours.ts';
import { askOf, ownReviewer } from '../kits/llm/in-process.ts';
import { type LlmServer, startLlmServer } from '../kits/llm/server.ts';
import { type Customer, call, newCustomer } from '../support/client.ts';
import { asEvent, scoreOf } from '../support/knowledge.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { patientWaiter } from '../support/waiter.ts';
import { startWeir, type Weir } from '../support/weir.ts';

/** Nothing in it is known to the rules, so that they are unsure. */
const unsure = () => ({ event_id: randomUUID(), action: 'zorg:blip:frobnicate', parameters: { note: randomUUID() } });

/** Long enough that no test waits for it to end a call. */
const LLM_TIMEOUT_MS = 60_000;

async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await is())) await sleep(10);
}

let server: LlmServer;
before(async () => {
  server = await startLlmServer(always(90), 'slow');
});
after(() => server.stop());
beforeEach(() => {
  server.asked.length = 0;
  server.abandoned = 0;
  server.mode = 'slow';
});

describe('a caller that leaves ends the call of the model', { timeout: PATIENCE_MS }, () => {
  let weir: Weir;
  let customer: Customer;
  before(async () => {
    weir = await startWeir({
      env: {
        LLM_PROVIDER: 'openai-compatible',
        LLM_MODEL: 'claude-stand-in',
        LLM_BASE_URL: server.url,
        LLM_TIMEOUT_MS: String(LLM_TIMEOUT_MS),
        LLM_JUSTIFICATION_TIMEOUT_MS: String(LLM_TIMEOUT_MS),
      },
    });
    customer = await newCustomer(weir);
  });
  after(() => weir.stop());

  const flagsOf = async (event_id: string): Promise<string[] | null> => {
    const { status, json } = await call(`${weir.api}/scores/event/${event_id}`, { key: customer.api_key });
    return status === 200 ? (json['behavioral_flags'] as string[]) : null;
  };
  /** The event is stored with the score of the rules, and the provider saw its connection close. */
  const expectEnded = async (event_id: string): Promise<void> => {
    await until(() => server.abandoned === 1);
    await until(async () => (await flagsOf(event_id)) !== null);
    assert.ok((await flagsOf(event_id))!.includes('llm_unavailable:cancelled'));
  };

  test('POST /events, whose client closes the connection', async () => {
    const leaving = new AbortController();
    const event = unsure();
    const sent = fetch(`${weir.api}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': customer.api_key },
      body: JSON.stringify(event),
      signal: leaving.signal,
    });
    sent.catch(() => {});
    await until(() => server.asked.length === 1);
    leaving.abort();
    await expectEnded(event.event_id);
    // A retry finds the stored score, without another question.
    const again = await call(`${weir.api}/events`, { key: customer.api_key, body: event });
    assert.deepEqual([again.status, again.json['llm_score'], server.asked.length], [200, null, 1]);
  });

  test('GET /justification, whose client closes the connection', async () => {
    const event = { event_id: randomUUID(), action: 'web:page:read', user_context: 'Read the page.' };
    assert.equal((await call(`${weir.api}/events`, { key: customer.api_key, body: event })).status, 200);
    const leaving = new AbortController();
    const sent = fetch(`${weir.api}/justification?event_id=${event.event_id}`, {
      headers: { 'x-api-key': customer.api_key },
      signal: leaving.signal,
    });
    sent.catch(() => {});
    await until(() => server.asked.length === 1);
    leaving.abort();
    await until(() => server.abandoned === 1);
  });

  const contextOf = ({ event_id, action, parameters }: ReturnType<typeof unsure>) => ({
    event_id,
    action,
    parameters: Buffer.from(JSON.stringify(parameters)),
  });

  test('EvaluateRisk, cancelled by its client', async () => {
    const client = connect(weir.grpc);
    const event = unsure();
    const going = startUnary(client, 'EvaluateRisk', { context: contextOf(event) }, { key: customer.api_key });
    await until(() => server.asked.length === 1);
    going.cancel();
    await expectEnded(event.event_id);
    client.close();
  });

  test('StreamEvaluateRisk, cancelled by its client', async () => {
    const client = connect(weir.grpc);
    const event = unsure();
    const stream = openStream(client, { key: customer.api_key });
    stream.on('error', () => {});
    stream.write({ context: contextOf(event) });
    await until(() => server.asked.length === 1);
    stream.cancel();
    await expectEnded(event.event_id);
    client.close();
  });

  test('a deadline is passed on: the answer of the rules comes before it', async () => {
    const client = connect(weir.grpc);
    const event = unsure();
    const how = { key: customer.api_key, deadline_ms: 4_000 };
    const { code, answer } = await callUnary(client, 'EvaluateRisk', { context: contextOf(event) }, how);
    assert.equal(code, 0);
    assert.ok(
      (answer['assessment'] as { behavioral_flags: string[] }).behavioral_flags.includes('llm_unavailable:late'),
    );
    await until(() => server.abandoned === 1);
    client.close();
  });
});

describe('events that wait for one answer', { timeout: PATIENCE_MS }, () => {
  const event = asEvent({ action: 'zorg:blip:frobnicate', parameters: { note: 'the same' } });
  const leaver = () => {
    const leaving = new AbortController();
    return { leave: () => leaving.abort(), waiter: { ...patientWaiter(), left: () => leaving.signal } };
  };

  test('get it while one of them is left waiting, and end the call when all have left', async () => {
    const reviewer = ownReviewer(askOf(server.url), { deadline_ms: LLM_TIMEOUT_MS });
    const [one, other] = [leaver(), leaver()];
    const both = [one, other].map(({ waiter }) => reviewer.review('c', event, scoreOf(event), NO_POLICY, waiter));
    await until(() => server.asked.length === 1);
    one.leave();
    await sleep(50);
    assert.equal(server.abandoned, 0, 'another event waits for it');
    other.leave();
    await until(() => server.abandoned === 1);
    const reviewed = await Promise.all(both);
    assert.deepEqual(
      reviewed.map(({ llm }) => llm?.trouble),
      ['cancelled', 'cancelled'],
    );
    assert.equal(reviewer.breakers.isOpen(), false);
    server.mode = 'answers';
    const again = await reviewer.review('c', event, scoreOf(event), NO_POLICY, 'patient');
    assert.equal(again.llm_score, 90, 'an event that comes then asks anew');
  });

  test('callers that leave do not open the breaker, and free the turns of their calls', async () => {
    const reviewer = ownReviewer(askOf(server.url), { deadline_ms: LLM_TIMEOUT_MS, concurrency: 2 });
    for (let i = 0; i < 12; i += 1) {
      const { leave, waiter } = leaver();
      const own = asEvent({ action: 'zorg:blip:frobnicate', parameters: { note: i } });
      const reviewed = reviewer.review('c', own, scoreOf(own), NO_POLICY, waiter);
      await until(() => server.asked.length === i + 1);
      leave();
      assert.equal((await reviewed).llm?.trouble, 'cancelled');
    }
    assert.equal(reviewer.breakers.isOpen(), false);
  });
});
