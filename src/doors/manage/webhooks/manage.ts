/** Endpoints of webhooks: register, list, rotate the secret, disable, enable. */
import { Type } from 'typebox';
import { endpoint } from '../../../platform/http/endpoint.ts';
import type { WebhookFormat } from '../../../storage/ports/webhooks.ts';
import { customerIn, operator, plainBody } from '../token-schemas.ts';
import {
  customerBody,
  registerBody,
  registeredSchema,
  rotateBody,
  rotatedSchema,
  type WebhookParts,
  webhookOf,
  webhookSchema,
} from './schemas.ts';

interface RegisterBody {
  customer_id: string;
  endpoint_url: string;
  event_types?: string[];
  format?: WebhookFormat;
}

const common = { tag: 'webhooks', access: 'management', scope: 'admin' } as const;

export function registerWebhook({ webhooks }: WebhookParts) {
  return endpoint({
    ...common,
    method: 'POST',
    path: '/webhooks/register',
    operation: 'register_webhook',
    summary: 'Register an endpoint for messages',
    description:
      'This answer is the only place that shows the secret. Messages are signed according to Standard Webhooks and delivered at least once. The form of the URL is checked here; the address of its host is checked at each attempt, on the connection that is used.',
    body: plainBody<RegisterBody>(registerBody),
    answers: { 201: { description: 'registered', schema: registeredSchema } },
    errors: ['conflict'],
    handle: async ({ body, request }) => {
      const customer_id = customerIn(body.customer_id);
      const made = await webhooks.register({ ...body, customer_id }, operator(request));
      const { webhook_id, endpoint_url, secret, event_types, format, created_at } = made;
      return { status: 201, body: { webhook_id, customer_id, endpoint_url, secret, event_types, format, created_at } };
    },
  });
}

export function listWebhooks({ webhooks }: WebhookParts) {
  return endpoint({
    ...common,
    method: 'GET',
    path: '/webhooks/{customer_id}',
    operation: 'list_webhooks',
    summary: 'List the endpoints of a customer',
    answers: {
      200: {
        description: 'without secrets, oldest first',
        schema: Type.Object({ webhooks: Type.Array(webhookSchema) }),
      },
    },
    handle: async ({ path }) => ({ body: { webhooks: await webhooks.list(path.customer_id) } }),
  });
}

export function rotateWebhookSecret({ webhooks }: WebhookParts) {
  return endpoint({
    ...common,
    method: 'POST',
    path: '/webhooks/{webhook_id}/rotate-secret',
    operation: 'rotate_webhook_secret',
    summary: 'Replace the secret of an endpoint',
    description:
      'For 24 hours messages carry a signature of the new secret and one of the old, so that receivers can change over at any time. With `drop_old` only the new one signs, from this answer on.',
    body: plainBody<{ customer_id: string; drop_old?: boolean }>(rotateBody),
    answers: { 200: { description: 'the new secret', schema: rotatedSchema } },
    errors: ['not_found'],
    handle: async ({ path, body, request }) => {
      const name = webhookOf(path.webhook_id, customerIn(body.customer_id));
      const { secret } = await webhooks.rotateSecret(name, body.drop_old ?? false, operator(request));
      return { body: { webhook_id: name.webhook_id, secret } };
    },
  });
}

const switches = {
  disable: 'Nothing is sent there until it is enabled; its messages are kept for 30 days.',
  enable: 'Waiting messages are sent at their next attempt. Earlier failures no longer count.',
} as const;

/** `disable` and `enable`. */
export function switchWebhook({ webhooks }: WebhookParts, what: keyof typeof switches) {
  return endpoint({
    ...common,
    method: 'POST',
    path: `/webhooks/{webhook_id}/${what}`,
    operation: `${what}_webhook`,
    summary: `${what === 'disable' ? 'Disable' : 'Enable'} an endpoint`,
    description: switches[what],
    body: plainBody<{ customer_id: string }>(customerBody),
    answers: { 200: { description: 'its current state', schema: webhookSchema } },
    errors: ['not_found'],
    handle: async ({ path, body, request }) => {
      const name = webhookOf(path.webhook_id, customerIn(body.customer_id));
      return { body: await webhooks[what](name, operator(request)) };
    },
  });
}
