/** The delivery worker in this process, on a database of its own, with pauses a test can wait for. */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import type { Storage } from '../../src/storage/ports/storage.ts';
import type { StoredDelivery } from '../../src/storage/ports/webhooks.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { masterKeyFrom } from '../../src/tokens/keys/master-key.ts';
import { type DeliveryParts, type DeliveryWorker, startDeliveryWorker } from '../../src/webhooks/deliver.ts';
import { createMailer } from '../../src/webhooks/mail.ts';
import type { Schedule } from '../../src/webhooks/schedule.ts';
import { createSender } from '../../src/webhooks/send.ts';
import { createWebhooks, type WebhookName, type Webhooks } from '../../src/webhooks/webhooks.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';

export const by = { actor: 'test', request_id: 'r-1' };

export const QUICK: Schedule = { retries_s: [0.02, 0.02], max_pause_s: 0.02, give_up_s: 5 * 86_400 };

export const masterKey = (text = 'a master key for tests') => {
  const key = masterKeyFrom(text);
  return () => key;
};

export interface Bench {
  storage: Storage;
  webhooks: Webhooks;
  work(parts?: Partial<DeliveryParts>): DeliveryWorker;
  register(endpoint_url: string, customer_id?: string): Promise<WebhookName>;
  deliveries(webhook: WebhookName): Promise<StoredDelivery[]>;
}

export async function openBench(url: string): Promise<Bench> {
  const storage = await openPostgres(url, WIDE_LIMITS);
  const master_key = masterKey();
  const store = storage.webhooks;
  const webhooks = createWebhooks({ store, master_key, allow_private: true, has_mail: false });
  return {
    storage,
    webhooks,
    work: (parts = {}) =>
      startDeliveryWorker({
        store,
        master_key,
        mailer: createMailer(null),
        sender: createSender({ allow_private: true, attempt_ms: 1_000 }),
        log: pino({ level: 'silent' }),
        schedule: QUICK,
        lease_ms: 2_000,
        ...parts,
      }),
    register: (endpoint_url, customer_id = randomUUID()) => webhooks.register({ customer_id, endpoint_url }, by),
    deliveries: (webhook) => webhooks.deliveries(webhook, { before: Number.MAX_SAFE_INTEGER, limit: 100 }),
  };
}
