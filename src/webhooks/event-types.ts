/**
 * Every type of webhook message: its meaning, its data, an example. Registration, the documentation and the tests are
 * made from these rows; the SQL that publishes a message stands with the change that it announces. To add a type, add a
 * row.
 *
 * Data are ids, levels and times. `event.held` says what a person needs to decide, too: who wants to do what to what, and
 * why it is risky. No message has parameters or what the user said.
 */
import { type TObject, Type } from 'typebox';

export interface EventType {
  name: string;
  /** What happened. */
  about: string;
  /** Whether an endpoint that names no types receives it. */
  is_default: boolean;
  /** Whether an endpoint can subscribe to it. */
  is_choosable: boolean;
  /** Schema of the member `data`. */
  data: TObject;
  example: Record<string, unknown>;
}

const uuid = (description: string) => Type.String({ format: 'uuid', description });
const time = (description: string) => Type.String({ format: 'date-time', description });
const event_id = Type.String({ description: 'of the event, as it was posted' });
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const level = Type.Enum(['none', 'low', 'medium', 'high', 'critical'], { type: 'string' });
const score = Type.Number({ minimum: 0, maximum: 100 });
const orNull = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);
const decider = Type.Object({
  kind: Type.Enum(['person', 'api_key', 'operator', 'command_line'], { type: 'string' }),
  id: orNull(Type.String()),
  name: orNull(Type.String()),
  email: orNull(Type.String()),
  signed_in: Type.String(),
  address: orNull(Type.String()),
  on_behalf_of: Type.Optional(Type.Object({ id: Type.String(), email: Type.String() })),
});
const data = (properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { additionalProperties: false });

const EVENT = '0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10';
const OTHER = '0198a6c3-1c02-7e0b-9a55-6d1b7f3f2a44';
const AT = '2026-01-15T10:00:00.123456Z';

const DECIDER = {
  kind: 'person',
  id: OTHER,
  name: 'Ada',
  email: 'ada@example.com',
  signed_in: 'oidc',
  address: '192.0.2.7',
};

export const eventTypes: readonly EventType[] = [
  type('event.held', 'an event waits for a decision', {
    data: data({
      event_id,
      risk_level: level,
      score,
      held_at: time('when it was held'),
      expires_at: time('until when'),
      action: Type.String(),
      agent_id: textOrNull,
      session_id: textOrNull,
      user_id: textOrNull,
      target: Type.Union([
        Type.Object({ resource_type: textOrNull, resource_id: textOrNull }, { additionalProperties: false }),
        Type.Null(),
      ]),
      reasons: Type.Array(Type.Object({ rule: Type.String(), text: Type.String() }, { additionalProperties: false }), {
        maxItems: 3,
        description: 'the gravest violations; their sentences name the target and values of the action',
      }),
      link: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
        description: 'page where a person decides after signing in; null where the service does not know its address',
      }),
    }),
    example: {
      event_id: EVENT,
      risk_level: 'high',
      score: 74.5,
      held_at: AT,
      expires_at: '2026-01-16T10:00:00.123456Z',
      action: 'db:prod:drop',
      agent_id: 'reviewer-1',
      session_id: 's-1',
      user_id: 'ann@example.com',
      target: { resource_type: 'table', resource_id: 'orders' },
      reasons: [{ rule: 'action_is_blocked', text: 'The policy blocks this action.' }],
      link: `https://weir.example.com/decide?event_id=${EVENT}`,
    },
  }),
  type('event.decided', 'a held event was decided, or its time ran out', {
    data: data({
      event_id,
      state: Type.Enum(['approved', 'rejected', 'expired'], { type: 'string' }),
      decided_at: time('time of the decision; for an expired hold, the end of its time'),
      decided_by: Type.Union([Type.Array(decider), Type.Null()], {
        description: 'everyone behind the decision: who, how signed in, from where; null for an expired hold',
      }),
    }),
    example: { event_id: EVENT, state: 'approved', decided_at: AT, decided_by: [DECIDER] },
  }),
  {
    ...type('event.scored', 'an event was scored; sent only to endpoints that ask for it', {
      data: data({ event_id, risk_level: level, score, scored_at: time('when') }),
      example: { event_id: EVENT, risk_level: 'low', score: 12.25, scored_at: AT },
    }),
    is_default: false,
  },
  type('token.revoked', 'a token was revoked; with mode `subtree` all its descendants as well', {
    data: data({
      jti: uuid('of the token'),
      mode: Type.Enum(['single', 'subtree'], { type: 'string' }),
      revoked_at: time('when'),
    }),
    example: { jti: OTHER, mode: 'subtree', revoked_at: AT },
  }),
  type('key.rotated', 'the signing key was rotated', {
    data: data({
      key_id: uuid('of the key that signs now'),
      previous_key_id: uuid('of the key before it'),
      previous_state: Type.Enum(['verify_only', 'disabled'], {
        type: 'string',
        description: 'disabled: tokens that it signed are no longer valid',
      }),
    }),
    example: { key_id: OTHER, previous_key_id: EVENT, previous_state: 'verify_only' },
  }),
  {
    ...type('webhook.test', 'somebody asked for a test message to this endpoint', {
      data: data({ webhook_id: uuid('of the endpoint') }),
      example: { webhook_id: OTHER },
    }),
    is_default: false,
    is_choosable: false,
  },
];

export const CHOOSABLE_TYPES = eventTypes.filter((one) => one.is_choosable).map((one) => one.name);
export const DEFAULT_TYPES = eventTypes.filter((one) => one.is_default).map((one) => one.name);

/** The whole body of a message. */
export function messageSchema({ name, data }: EventType): TObject {
  return Type.Object(
    {
      type: Type.Literal(name),
      timestamp: time('when it happened; `webhook-timestamp` is when it was sent'),
      customer_id: uuid('whose'),
      sequence: Type.Integer({
        minimum: 1,
        description:
          'order among the messages about one subject (event, token, the keys of a customer); the order of arrival is not guaranteed',
      }),
      data,
    },
    { additionalProperties: false },
  );
}

export function exampleMessage({ name, example }: EventType): Record<string, unknown> {
  const customer_id = '0197a2c4-7e10-7c00-8000-0000000000ab';
  return { type: name, timestamp: AT, customer_id, sequence: 1, data: example };
}

/** The section `webhooks` of an OpenAPI 3.1 document. */
export function describeWebhooks(): Record<string, object> {
  return Object.fromEntries(eventTypes.map((one) => [one.name, { post: describe(one) }]));
}

function describe(one: EventType): object {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return {
    operationId: `on_${one.name.replace('.', '_')}`,
    summary: one.about,
    tags: ['webhook messages'],
    // Signed, see `webhook-signature`; receivers ask for no credential of Weir's.
    security: [],
    parameters: [
      header('webhook-id', 'id of the message, the same at every attempt: drop messages that you have seen'),
      header('webhook-timestamp', 'time of the attempt, seconds since 1970; refuse messages older than five minutes'),
      header(
        'webhook-signature',
        '`v1,` and HMAC-SHA256 of `id.timestamp.body`, base64; two of them for a day after a rotation',
      ),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: messageSchema(one), example: exampleMessage(one) } },
    },
    responses: {
      '2XX': { description: 'accepted; after any other answer the message is tried again' },
      '410': { description: 'no further messages: the endpoint is disabled' },
    },
  };
}

function type(name: string, about: string, parts: Pick<EventType, 'data' | 'example'>): EventType {
  return { name, about, is_default: true, is_choosable: true, ...parts };
}
