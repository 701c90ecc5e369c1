/** Webhooks on the auth port, in the order the documentation shows them. */
import type { Endpoint } from '../../../platform/http/endpoint.ts';
import { listWebhooks, registerWebhook, rotateWebhookSecret, switchWebhook } from './manage.ts';
import { listDeliveries, replayDeliveries, testWebhook } from './messages.ts';
import type { WebhookParts } from './schemas.ts';

export function webhookEndpoints(parts: WebhookParts): Endpoint[] {
  return [
    registerWebhook(parts),
    listWebhooks(parts),
    testWebhook(parts),
    rotateWebhookSecret(parts),
    switchWebhook(parts, 'disable'),
    switchWebhook(parts, 'enable'),
    listDeliveries(parts),
    replayDeliveries(parts),
  ];
}
