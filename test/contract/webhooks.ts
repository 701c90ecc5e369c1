import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptOutcome, ClaimedDelivery, SealedSecret, StoredWebhook } from '../../src/storage/ports/webhooks.ts';
import { auditOf, makeChain, makeKey, statesOf } from './auth-start.ts';
import { type Bench, newCustomer, range } from './start.ts';

const LEASE_MS = 60_000;
const DAY_S = 86_400;

const makeSecret = (): SealedSecret => ({
  secret_id: randomUUID(),
  private_key: randomBytes(40),
  data_key: randomBytes(40),
  master_key_id: 'm-1',
});

const delivered: AttemptOutcome = { state: 'delivered', status: 204, duration_ms: 3 };

function failed(parts: { retry_in_s?: number; pause_s?: number; disable?: string; after_s?: number } = {}) {
  const { retry_in_s = 0, pause_s = 0, disable = null, after_s = 5 * DAY_S } = parts;
  const endpoint = { pause_s, disable, give_up: { after_s, reason: 'it failed for too long' } };
  return { state: 'pending', status: 500, duration_ms: 3, reason: 'answered 500', retry_in_s, endpoint } as const;
}

/** Endpoints, and the outbox: nothing that was published is lost, and nobody sends to one endpoint twice at a time. */
export function webhookTests(bench: Bench): void {
  describe('webhooks', () => {
    const store = (node: 0 | 1 = 0) => bench.nodes[node].webhooks;

    async function register(customer_id: string, event_types = ['token.revoked']): Promise<StoredWebhook> {
      const webhook = {
        webhook_id: randomUUID(),
        customer_id,
        endpoint_url: 'https://hooks.test/in',
        event_types,
        format: 'standard' as const,
      };
      return (await store().register(webhook, makeSecret(), 20, auditOf('webhook.registered', webhook.webhook_id)))!;
    }
    const publish = async (webhook: StoredWebhook): Promise<string> =>
      (await store().publishTo(webhook, 'webhook.test', { n: 1 }, auditOf()))!;
    /** What is due, for this customer: other tests leave nothing behind. */
    const claim = (node: 0 | 1 = 0, limit = 50, per_customer = 4) => store(node).claim(limit, per_customer, LEASE_MS);
    const endOf = (...webhooks: StoredWebhook[]) =>
      Promise.all(webhooks.map((one) => store().setDisabled(one, 'the test is over', auditOf())));
    const states = async (webhook: StoredWebhook) =>
      (await store().deliveries(webhook, { before: Number.MAX_SAFE_INTEGER, limit: 100 }))!.map((one) => one.state);

    test('are registered, listed by customer, and no more than the limit whoever races', async () => {
      const customer_id = newCustomer();
      const made = await Promise.all(
        range(6).map((n) => {
          const webhook = {
            webhook_id: randomUUID(),
            customer_id,
            endpoint_url: `https://x.test/${n}`,
            event_types: [],
            format: 'standard' as const,
          };
          return store(n % 2 ? 1 : 0).register(webhook, makeSecret(), 3, auditOf());
        }),
      );
      assert.equal(made.filter((one) => one !== null).length, 3);
      const listed = await store(1).list(customer_id);
      assert.equal(listed.length, 3);
      assert.deepEqual(await store().list(newCustomer()), []);
      assert.deepEqual([listed[0]!.disabled_at, listed[0]!.pending, listed[0]!.dead], [null, 0, 0]);
    });

    test('another customer’s endpoint is like none', async () => {
      const webhook = await register(newCustomer());
      const foreign = { ...webhook, customer_id: newCustomer() };
      const page = { before: Number.MAX_SAFE_INTEGER, limit: 1 };
      assert.deepEqual(
        [
          await store().rotateSecret(foreign, makeSecret(), 0, auditOf()),
          await store().setDisabled(foreign, 'x', auditOf()),
          await store().publishTo(foreign, 'webhook.test', {}, auditOf()),
          await store().deliveries(foreign, page),
          await store().replay(foreign, null, auditOf()),
        ],
        [false, null, null, null, { kind: 'unknown' }],
      );
      assert.equal((await store().list(webhook.customer_id))[0]!.disabled_at, null);
    });

    test('a revoked token and a rotated key publish with their own commit, once, to those who want it', async () => {
      const { auth } = bench.nodes[0];
      const customer_id = newCustomer();
      const [wants, other] = [await register(customer_id), await register(customer_id, ['key.rotated'])];
      const [root] = await makeChain(auth, customer_id, 1);
      for (const mode of ['single', 'single', 'subtree'] as const) {
        await auth.revocations.revoke(root!.jti, mode, null, auditOf());
      }
      const [first, second] = [makeKey(customer_id), makeKey(customer_id)];
      await auth.keys.put(first, { only_if_none: false }, auditOf());
      await auth.keys.rotate(first.key_id, second, { disable: false }, auditOf());
      await auth.keys.rotate(first.key_id, makeKey(customer_id), { disable: true }, auditOf());
      const bodies: Record<string, unknown>[] = [];
      for (let found = await claim(); found.length > 0; found = await claim()) {
        for (const one of found) {
          bodies.push({ to: one.webhook_id, ...(JSON.parse(one.body) as object) });
          assert.equal(await store().finish(one, delivered), null);
        }
      }
      const short = bodies.map((body) => [body['to'], body['type'], body['sequence'], body['customer_id']]);
      assert.deepEqual(
        short.sort((a, b) => String(a).localeCompare(String(b))),
        [
          [wants.webhook_id, 'token.revoked', 1, customer_id],
          [wants.webhook_id, 'token.revoked', 2, customer_id],
          [other.webhook_id, 'key.rotated', 1, customer_id],
          [other.webhook_id, 'key.rotated', 2, customer_id],
        ].sort((a, b) => String(a).localeCompare(String(b))),
      );
      const rotated = bodies.filter((body) => body['type'] === 'key.rotated').map((body) => body['data']);
      assert.deepEqual(rotated, [
        { key_id: second.key_id, previous_key_id: first.key_id, previous_state: 'verify_only' },
        { key_id: second.key_id, previous_key_id: first.key_id, previous_state: 'disabled' },
      ]);
    });

    test('a change that does not commit publishes nothing', async () => {
      const { auth } = bench.nodes[0];
      const customer_id = newCustomer();
      const webhook = await register(customer_id);
      const [root] = await makeChain(auth, customer_id, 1);
      // The last step of the transaction fails: its line in the audit log is one that the database refuses.
      await assert.rejects(auth.revocations.revoke(root!.jti, 'single', null, { ...auditOf(), actor: 'a\0' }));
      assert.deepEqual(await states(webhook), []);
      assert.deepEqual(await statesOf(auth, [root!]), ['active']);
      await auth.revocations.revoke(root!.jti, 'single', null, auditOf());
      assert.deepEqual(await states(webhook), ['pending']);
      await endOf(webhook);
    });

    test('one attempt at a time to one endpoint, whoever claims', async () => {
      const webhook = await register(newCustomer());
      await publish(webhook);
      await publish(webhook);
      const claims = (await Promise.all(range(8).map((n) => claim(n % 2 ? 1 : 0)))).flat();
      assert.equal(claims.length, 1);
      assert.deepEqual(await claim(), []);
      await store(1).finish(claims[0]!, delivered);
      const [next] = await claim(1);
      assert.notEqual(next!.message_id, claims[0]!.message_id);
      await store().finish(next!, delivered);
      assert.deepEqual(await states(webhook), ['delivered', 'delivered']);
    });

    test('a few endpoints of one customer at a time; others are not held up', async () => {
      const [busy, quiet] = [newCustomer(), newCustomer()];
      const many = await Promise.all(range(5).map(() => register(busy)));
      for (const one of many) await publish(one);
      const first = await claim(0, 50, 2);
      assert.equal(first.length, 2);
      const lone = await register(quiet);
      await publish(lone);
      const second = await claim(1, 50, 2);
      assert.deepEqual(
        second.map((one) => one.customer_id),
        [quiet],
      );
      for (const one of [...first, ...second]) await store().finish(one, delivered);
      await endOf(...many, lone);
    });

    test('a claim that is never finished comes again under the same id; a late success still counts', async () => {
      const webhook = await register(newCustomer());
      const message_id = await publish(webhook);
      const [lost] = await store().claim(1, 4, 50);
      await sleep(120);
      const [again] = await claim(1);
      assert.deepEqual([again!.message_id, again!.attempts], [message_id, 0]);
      assert.notEqual(again!.claim_id, lost!.claim_id);
      // A late failure judges nothing; a late success does.
      await store().finish(lost!, failed({ disable: 'late' }));
      assert.equal((await store().list(webhook.customer_id))[0]!.disabled_at, null);
      await store().finish(lost!, delivered);
      await store().finish(again!, failed());
      assert.deepEqual(await states(webhook), ['delivered']);
      await endOf(webhook);
    });

    test('failures pause, count, kill and are replayed under the same id', async () => {
      const webhook = await register(newCustomer());
      const message_id = await publish(webhook);
      const step = async (outcome: AttemptOutcome): Promise<ClaimedDelivery> => {
        const [one] = await claim();
        assert.equal(one?.message_id, message_id);
        await store().finish(one!, outcome);
        return one!;
      };
      await step(failed());
      const second = await step(failed());
      assert.deepEqual([second.attempts, second.failures], [1, 1]);
      const { retry_in_s: _, ...dead } = failed();
      await step({ ...dead, state: 'dead' });
      assert.deepEqual(await claim(), []);
      assert.deepEqual(await store().replay(webhook, 'msg_unknown', auditOf()), { kind: 'unknown' });
      const replayed = { kind: 'replayed', count: 1, left: 0 };
      assert.deepEqual(await store(1).replay(webhook, message_id, auditOf()), replayed);
      assert.deepEqual(await store().replay(webhook, message_id, auditOf()), { kind: 'not_dead', state: 'pending' });
      await step(failed({ pause_s: 60 }));
      assert.deepEqual(await claim(), [], 'the endpoint is paused');
      await store().setDisabled(webhook, null, auditOf());
      await step(failed({ retry_in_s: 60 }));
      assert.deepEqual(await claim(), [], 'the message is not due');
      const [row] = (await store().deliveries(webhook, { before: Number.MAX_SAFE_INTEGER, limit: 5 }))!;
      assert.deepEqual([row!.attempts, row!.attempt_log.length, row!.last_status], [2, 5, 500]);
      await endOf(webhook);
    });

    test('a disabled endpoint keeps its messages, and gets them when it is enabled', async () => {
      const webhook = await register(newCustomer());
      const first = await publish(webhook);
      const [one] = await claim();
      assert.equal(await store().finish(one!, failed({ disable: 'gone' })), 'gone');
      const second = await publish(webhook);
      assert.deepEqual(await claim(), []);
      const [shown] = await store().list(webhook.customer_id);
      assert.deepEqual([shown!.disabled_reason, shown!.pending], ['gone', 2]);
      const audit = await bench.nodes[0].auth.audit.list(webhook.customer_id, Number.MAX_SAFE_INTEGER, 1);
      assert.deepEqual([audit[0]!.action, audit[0]!.details], ['webhook.disabled', { reason: 'gone' }]);
      await store().setDisabled(webhook, null, auditOf());
      for (const expected of [second, first]) {
        const [next] = await claim();
        assert.ok([first, second].includes(next!.message_id), expected);
        await store().finish(next!, delivered);
      }
      assert.deepEqual(await states(webhook), ['delivered', 'delivered']);
    });

    test('an endpoint that fails for too long is disabled; one success starts the time anew', async () => {
      const webhook = await register(newCustomer());
      const outcomes = [failed(), failed({ after_s: 0 }), delivered];
      await publish(webhook);
      assert.equal(await store().finish((await claim())[0]!, outcomes[0]!), null, 'it only begins to fail');
      await sleep(5);
      const reason = await store().finish((await claim())[0]!, outcomes[1]!);
      assert.equal(reason, 'it failed for too long');
      await store().setDisabled(webhook, null, auditOf());
      await store().finish((await claim())[0]!, delivered);
      await publish(webhook);
      assert.equal(await store().finish((await claim())[0]!, failed({ after_s: 0 })), null);
      await endOf(webhook);
    });

    test('a replaced secret signs for its time, or not at all', async () => {
      const webhook = await register(newCustomer());
      const [second, third, fourth] = [makeSecret(), makeSecret(), makeSecret()];
      const signing = async () => {
        const [one] = await claim();
        await store().release(one!, 0);
        return one!.secrets.map((secret) => secret.secret_id);
      };
      await publish(webhook);
      const [original] = await signing();
      await store().rotateSecret(webhook, second, 60, auditOf());
      assert.deepEqual(await signing(), [second.secret_id, original]);
      await store().rotateSecret(webhook, third, 60, auditOf());
      assert.deepEqual(await signing(), [third.secret_id, second.secret_id], 'two at most');
      await store().rotateSecret(webhook, fourth, 0, auditOf());
      assert.deepEqual(await signing(), [fourth.secret_id]);
      const master_key_id = `m-${randomUUID()}`;
      const to = { data_key: Buffer.from('new'), master_key_id };
      assert.equal(await store().rewrap(fourth.secret_id, 'm-1', to), true);
      assert.equal(await store().rewrap(fourth.secret_id, 'm-1', to), false);
      const left = await store().sealedOtherwise('m-1', '00000000-0000-0000-0000-000000000000', 1_000);
      assert.ok(left.some((one) => one.key_id === fourth.secret_id));
      await endOf(webhook);
    });

    test('what is old goes, but nothing that an enabled endpoint waits for', async () => {
      const webhook = await register(newCustomer());
      await publish(webhook);
      await store().finish((await claim())[0]!, delivered);
      await publish(webhook);
      await store().dropOld(0);
      const { pending, overdue_s } = await store(1).stats();
      assert.ok(pending >= 1 && overdue_s > 0, 'what waits is counted, on every node');
      assert.deepEqual(await states(webhook), ['pending']);
      await endOf(webhook);
      await store().dropOld(0);
      assert.deepEqual(await states(webhook), []);
    });
  });
}
