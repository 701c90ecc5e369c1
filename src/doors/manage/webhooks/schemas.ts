/** Requests and answers of the webhook endpoints. */
import { type TObject, Type } from 'typebox';
import { requiredText } from '../../../platform/http/parameters.ts';
import { parseUuid } from '../../../platform/ids.ts';
import { CHOOSABLE_TYPES, DEFAULT_TYPES } from '../../../webhooks/event-types.ts';
import { PEOPLE_TYPES, webhookFormats } from '../../../webhooks/formats.ts';
import type { WebhookName, Webhooks } from '../../../webhooks/webhooks.ts';

export interface WebhookParts {
  webhooks: Webhooks;
}

const uuid = Type.String({ format: 'uuid' });
const time = Type.String({ format: 'date-time' });
const nullable = (schema: Parameters<typeof Type.Union>[0][number]) => Type.Union([schema, Type.Null()]);
const strict = { additionalProperties: false };
const customer = { customer_id: uuid };

export const registerBody: TObject = Type.Object(
  {
    ...customer,
    endpoint_url: Type.String({
      description:
        'https, port 443 or 8443, a public host; its form is checked here, its address at each attempt. For `email`: `mailto:` and one address',
      maxLength: 2_048,
    }),
    format: Type.Optional(
      Type.Enum([...webhookFormats], {
        type: 'string',
        default: 'standard',
        description:
          'standard: signed messages for programs; slack, teams: as an incoming webhook shows them; email: mail',
      }),
    ),
    event_types: Type.Optional(
      Type.Array(Type.Enum(CHOOSABLE_TYPES, { type: 'string' }), {
        minItems: 1,
        maxItems: 20,
        description: `default: ${DEFAULT_TYPES.join(', ')}; for people ${PEOPLE_TYPES.join(', ')}`,
      }),
    ),
  },
  strict,
);

export const customerBody: TObject = Type.Object(customer, strict);

export const rotateBody: TObject = Type.Object(
  {
    ...customer,
    drop_old: Type.Optional(
      Type.Boolean({ default: false, description: 'the old secret is compromised: it signs no more from now on' }),
    ),
  },
  strict,
);

export const replayBody: TObject = Type.Object(
  { ...customer, message_id: Type.Optional(Type.String({ maxLength: 64, description: 'default: all dead ones' })) },
  strict,
);

const webhook = {
  webhook_id: uuid,
  ...customer,
  endpoint_url: Type.String(),
  event_types: Type.Array(Type.String()),
  format: Type.Enum([...webhookFormats], { type: 'string' }),
  created_at: time,
};

const secret = { secret: Type.String({ description: 'whsec_…, shown this once; messages are signed with it' }) };

export const registeredSchema = Type.Object({ ...webhook, ...secret });

export const webhookSchema = Type.Object({
  ...webhook,
  disabled_at: nullable(time),
  disabled_reason: nullable(Type.String()),
  failing_since: nullable(time),
  pending: Type.Integer({ description: 'deliveries that wait for an attempt' }),
  dead: Type.Integer({ description: 'deliveries that were given up' }),
});

export const rotatedSchema = Type.Object({ webhook_id: uuid, ...secret });

const attemptSchema = Type.Object({
  attempted_at: time,
  duration_ms: Type.Integer(),
  status: nullable(Type.Integer()),
  reason: nullable(Type.String({ description: 'why it failed, in Weir’s words: answers are not stored' })),
});

export const deliverySchema = Type.Object({
  delivery_id: Type.Integer(),
  message_id: Type.String(),
  type: Type.String(),
  state: Type.Enum(['pending', 'delivered', 'dead'], { type: 'string' }),
  attempts: Type.Integer({ description: 'since it was published, or replayed' }),
  created_at: time,
  next_attempt_at: nullable(time),
  last_status: nullable(Type.Integer()),
  last_reason: nullable(Type.String()),
  attempt_log: Type.Array(attemptSchema, { description: 'newest first, at most 50' }),
});

export const customerParameter = requiredText(36, 'the customer, a UUID');

/** The endpoint of a path. A text that is not a UUID names none. */
export function webhookOf(text: string, customer_id: string): WebhookName {
  return { webhook_id: parseUuid(text) ?? '00000000-0000-0000-0000-000000000000', customer_id };
}
