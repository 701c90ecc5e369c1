/** Endpoints and their messages, for the management plane. */

import { WeirError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type {
  DeliveryFilter,
  StoredDelivery,
  StoredWebhook,
  WebhookFormat,
  WebhookStore,
} from '../storage/ports/webhooks.ts';
import { type AuditAction, auditLine, type Requester } from '../tokens/audit.ts';
import type { GetMasterKey } from '../tokens/keys/master-key.ts';
import { type Rewrapped, rewrapAll } from '../tokens/keys/rewrap.ts';
import { endpointUrlProblem } from './endpoint-url.ts';
import { DEFAULT_TYPES } from './event-types.ts';
import { PEOPLE_TYPES } from './formats.ts';
import { mailAddress } from './mail.ts';
import { makeSecret } from './secrets.ts';

/** Endpoints of one customer: each message goes to all that subscribe to it. */
const MAX_ENDPOINTS = 20;
/** How long a replaced secret signs beside the new one. */
const KEEP_SECRET_S = 24 * 3_600;

/** An endpoint and its customer. Another customer's endpoint is answered as missing: `not_found`. */
export interface WebhookName {
  webhook_id: string;
  customer_id: string;
}

export interface Webhooks {
  /** Throws `invalid` for a URL that is not allowed, `conflict` beyond the limit. `secret` is shown this once. */
  register(webhook: NewEndpoint, by: Requester): Promise<StoredWebhook & { secret: string }>;
  list(customer_id: string): Promise<StoredWebhook[]>;
  /** Returns the new secret. `drop_old`: the previous one is compromised and signs no more. */
  rotateSecret(webhook: WebhookName, drop_old: boolean, by: Requester): Promise<{ secret: string }>;
  disable(webhook: WebhookName, by: Requester): Promise<StoredWebhook>;
  enable(webhook: WebhookName, by: Requester): Promise<StoredWebhook>;
  /** Sends a test message; returns its id. Throws `conflict` when the endpoint is disabled. */
  test(webhook: WebhookName, by: Requester): Promise<string>;
  deliveries(webhook: WebhookName, filter: DeliveryFilter): Promise<StoredDelivery[]>;
  /** Replays one dead delivery, or all of the endpoint, at most 1,000 at a time; `left`: the remaining dead ones. */
  replay(webhook: WebhookName, message_id: string | null, by: Requester): Promise<{ count: number; left: number }>;
  /** Wraps every secret that is under `from` again. */
  rewrap(from: GetMasterKey): Promise<Rewrapped>;
}

interface NewEndpoint {
  customer_id: string;
  endpoint_url: string;
  event_types?: readonly string[];
  /** `standard` by default. */
  format?: WebhookFormat;
}

export interface WebhookParts {
  store: WebhookStore;
  master_key: GetMasterKey;
  /** `WEBHOOK_ALLOW_PRIVATE`. */
  allow_private: boolean;
  /** Whether mail can be sent (`SMTP_URL`). */
  has_mail: boolean;
}

export function createWebhooks({ store, master_key, allow_private, has_mail }: WebhookParts): Webhooks {
  const lineOf = (by: Requester, action: AuditAction, { webhook_id, customer_id }: WebhookName, details = {}) =>
    auditLine(by, action, { customer_id, subject: webhook_id, details });

  return {
    register: async ({ customer_id, endpoint_url, format = 'standard', ...wanted }, by) => {
      const event_types = wanted.event_types ?? (format === 'standard' ? DEFAULT_TYPES : PEOPLE_TYPES);
      const problem =
        format === 'email' ? mailProblem(endpoint_url, has_mail) : endpointUrlProblem(endpoint_url, allow_private);
      if (problem !== null) {
        const errors = [{ path: '/endpoint_url', message: problem }];
        throw new WeirError('invalid', { detail: `\`/endpoint_url\` ${problem}`, errors });
      }
      const webhook = {
        webhook_id: newId(),
        customer_id,
        endpoint_url,
        event_types: [...new Set(event_types)],
        format,
      };
      const { secret, sealed } = makeSecret(await master_key(), customer_id);
      const line = lineOf(by, 'webhook.registered', webhook, {
        endpoint_url,
        event_types: webhook.event_types,
        format,
      });
      const stored = await store.register(webhook, sealed, MAX_ENDPOINTS, line);
      if (stored !== null) return { ...stored, secret };
      throw new WeirError('conflict', {
        detail: `this customer has ${MAX_ENDPOINTS} endpoints, which is the limit`,
      });
    },

    list: (customer_id) => store.list(customer_id),

    rotateSecret: async (webhook, drop_old, by) => {
      const { secret, sealed } = makeSecret(await master_key(), webhook.customer_id);
      const line = lineOf(by, 'webhook.secret_rotated', webhook, { drop_old });
      if (await store.rotateSecret(webhook, sealed, drop_old ? 0 : KEEP_SECRET_S, line)) return { secret };
      throw noWebhook();
    },

    disable: async (webhook, by) =>
      there(await store.setDisabled(webhook, 'by the operator', lineOf(by, 'webhook.disabled', webhook))),

    enable: async (webhook, by) =>
      there(await store.setDisabled(webhook, null, lineOf(by, 'webhook.enabled', webhook))),

    test: async (webhook, by) => {
      const { webhook_id, customer_id } = webhook;
      const known = there((await store.list(customer_id)).find((one) => one.webhook_id === webhook_id) ?? null);
      if (known.disabled_at !== null) {
        throw new WeirError('conflict', {
          detail: `the endpoint is disabled: ${known.disabled_reason}; enable it first`,
        });
      }
      const line = lineOf(by, 'webhook.tested', webhook);
      return there(await store.publishTo(webhook, 'webhook.test', { webhook_id }, line));
    },

    deliveries: async (webhook, filter) => there(await store.deliveries(webhook, filter)),

    replay: async (webhook, message_id, by) => {
      const outcome = await store.replay(webhook, message_id, lineOf(by, 'webhook.replayed', webhook, { message_id }));
      if (outcome.kind === 'unknown') throw noWebhook();
      if (outcome.kind === 'replayed') return { count: outcome.count, left: outcome.left };
      throw new WeirError('conflict', { detail: `this delivery is ${outcome.state}; only dead ones are replayed` });
    },

    rewrap: (from) => rewrapAll(store, from, master_key),
  };
}

function mailProblem(endpoint_url: string, has_mail: boolean): string | null {
  if (mailAddress(endpoint_url) === null) return 'must be mailto: and one address, such as mailto:ann@example.com';
  return has_mail ? null : 'cannot be mail: the operator of this service has not set SMTP_URL and SMTP_FROM';
}

function there<T>(found: T | null): T {
  if (found === null) throw noWebhook();
  return found;
}

function noWebhook(): WeirError {
  return new WeirError('not_found', { detail: 'this customer has no such webhook endpoint or message' });
}
