/** Webhook messages: test, list, replay. */
import { Type } from 'typebox';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { oneOf, wholeNumber } from '../../../platform/http/parameters.ts';
import { customerIn, operator, plainBody } from '../token-schemas.ts';
import {
  customerBody,
  customerParameter,
  deliverySchema,
  replayBody,
  type WebhookParts,
  webhookOf,
} from './schemas.ts';

const MAX_PAGE = 100;

const common = { tag: 'webhooks', access: 'management', scope: 'admin' } as const;

export function testWebhook({ webhooks }: WebhookParts) {
  return endpoint({
    ...common,
    method: 'POST',
    path: '/webhooks/{webhook_id}/test',
    operation: 'test_webhook',
    summary: 'Send a test message',
    description:
      'A message of type `webhook.test`, sent like any other; the deliveries of the endpoint show the outcome.',
    body: plainBody<{ customer_id: string }>(customerBody),
    answers: { 202: { description: 'on its way', schema: Type.Object({ message_id: Type.String() }) } },
    errors: ['not_found', 'conflict'],
    handle: async ({ path, body, request }) => {
      const name = webhookOf(path.webhook_id, customerIn(body.customer_id));
      return { status: 202, body: { message_id: await webhooks.test(name, operator(request)) } };
    },
  });
}

export function listDeliveries({ webhooks }: WebhookParts) {
  return endpoint({
    ...common,
    method: 'GET',
    path: '/webhooks/{webhook_id}/deliveries',
    operation: 'list_deliveries',
    summary: 'The deliveries of an endpoint, with their attempts',
    description: 'Newest first. For the next page send the smallest `delivery_id` as `before`.',
    query: {
      customer_id: customerParameter,
      state: oneOf(['pending', 'delivered', 'dead'], 'only deliveries in this state'),
      before: wholeNumber(1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'only deliveries with a smaller id'),
      limit: wholeNumber(1, MAX_PAGE, 20, 'deliveries on one page'),
    },
    answers: { 200: { description: 'a page', schema: Type.Object({ deliveries: Type.Array(deliverySchema) }) } },
    errors: ['not_found'],
    handle: async ({ path, query }) => {
      const name = webhookOf(path.webhook_id, customerIn(query.customer_id, 'customer_id'));
      const { state, before, limit } = query;
      const filter = { before, limit, ...(state !== undefined && { state }) };
      return { body: { deliveries: await webhooks.deliveries(name, filter) } };
    },
  });
}

export function replayDeliveries({ webhooks }: WebhookParts) {
  return endpoint({
    ...common,
    method: 'POST',
    path: '/webhooks/{webhook_id}/replay',
    operation: 'replay_deliveries',
    summary: 'Send dead messages again',
    description:
      'One by its `message_id`, or all dead ones, at most 1,000 per call. Each starts again with its first attempt, under the same id.',
    body: plainBody<{ customer_id: string; message_id?: string }>(replayBody),
    answers: {
      200: {
        description: 'on their way',
        schema: Type.Object({
          replayed: Type.Integer(),
          left: Type.Integer({ description: 'still dead: call again' }),
        }),
      },
    },
    errors: ['not_found', 'conflict'],
    handle: async ({ path, body, request }) => {
      const name = webhookOf(path.webhook_id, customerIn(body.customer_id));
      const { count, left } = await webhooks.replay(name, body.message_id ?? null, operator(request));
      return { body: { replayed: count, left } };
    },
  });
}
