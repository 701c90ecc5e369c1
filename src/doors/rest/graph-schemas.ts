/** Schemas of what graphs hold, for the OpenAPI document and for checking bodies. */
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const texts = (description: string, maxItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { description, maxItems, uniqueItems: true });

export const graphSource = Type.Enum(['postgres', 'falkordb', 'built_in'], {
  type: 'string',
  description: 'who answered: the graph in use, or the ontology in memory while none does',
});

const control_id = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.:()-]*$',
  description: 'the customer’s own id',
  examples: ['AC-17'],
});
const kind = Type.Enum(['control', 'internal_policy'], { type: 'string' });
const name = Type.String({ minLength: 1, maxLength: 200 });
const description = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'what it asks for, in a sentence or two',
});
const articles = texts('ids as in `compliance_refs` of articles that it puts into practice', 100);
const rules = texts('ids of rules that it covers besides: built-in ones, or custom rules of the policy', 200);

/** As stored and shown. */
export const customerControl = { control_id, kind, name, description, articles, rules };

/** As sent: a control names articles, rules or both. */
export const sentControls = Type.Object(
  {
    controls: Type.Array(
      Type.Object(
        { control_id, kind, name, description, articles: Type.Optional(articles), rules: Type.Optional(rules) },
        closed,
      ),
      { minItems: 1, maxItems: 100 },
    ),
  },
  {
    ...closed,
    examples: [
      {
        controls: [
          {
            control_id: 'POL-7',
            kind: 'internal_policy',
            name: 'Change freeze',
            description: 'Nobody drops a table in production without a ticket.',
            articles: ['SOC2:CC8.1'],
          },
        ],
      },
    ],
  },
);

export const controlsSchema = Type.Object(
  {
    customer_id: Type.String(),
    revision: Type.Integer({ minimum: 0, description: 'grows with every change; 0 before the first' }),
    controls: Type.Array(Type.Object(customerControl, closed), { description: 'all of them, by id' }),
  },
  closed,
);

const time = Type.String({ format: 'date-time' });
const timeOrNull = Type.Union([time, Type.Null()]);
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const points = Type.Integer({ minimum: 0, maximum: 100 });
const count = Type.Integer({ minimum: 0 });
const level = Type.Enum(['none', 'low', 'medium', 'high', 'critical'], { type: 'string' });
const source = Type.Enum(['postgres', 'falkordb'], { type: 'string', description: 'the graph that answered' });
const names = Type.Array(Type.String());
const window = { hours: Type.Integer() };
const page = { page: Type.Integer(), per_page: Type.Integer() };
const thingKind = Type.Enum(['target', 'destination', 'action'], { type: 'string' });

export const reachSchema = Type.Object(
  {
    agent_id: Type.String(),
    depth: Type.Integer(),
    ...window,
    ...page,
    source,
    agents: Type.Array(
      Type.Object(
        {
          agent_id: Type.String(),
          depth: count,
          delegated_by: textOrNull,
          delegated_at: timeOrNull,
          jti: Type.Union([Type.String(), Type.Null()], {
            description: 'of the token that delegates; null where events alone say so',
          }),
        },
        closed,
      ),
      { description: 'nearest first' },
    ),
    touched: Type.Array(
      Type.Object(
        {
          kind: thingKind,
          type: Type.String(),
          name: Type.String(),
          events: count,
          highest_score: points,
          risk_level: level,
          last_at: time,
          last_event_id: Type.String(),
          agent_ids: Type.Array(Type.String(), { description: 'some of those who touched it' }),
        },
        closed,
      ),
      { description: 'highest score first' },
    ),
    total: count,
    is_cut: Type.Boolean({ description: 'there are more descendants than are walked over' }),
  },
  closed,
);

export const actorsSchema = Type.Object(
  {
    type: Type.String(),
    id: Type.String(),
    ...window,
    ...page,
    source,
    actors: Type.Array(
      Type.Object(
        {
          agent_id: textOrNull,
          delegated_by: names,
          sessions: names,
          users: names,
          events: count,
          reads: count,
          writes: count,
          highest_score: points,
          risk_level: level,
          first_at: time,
          last_at: time,
          last_event_id: Type.String(),
        },
        closed,
      ),
      { description: 'highest score first' },
    ),
    total: count,
  },
  closed,
);

const node = Type.Object({ kind: Type.String(), type: Type.String(), name: Type.String() }, closed);

export const pathSchema = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    ...window,
    depth: Type.Integer(),
    source,
    is_found: Type.Boolean(),
    is_cut: Type.Boolean({ description: 'more nodes were met than are followed: a way may have been missed' }),
    steps: Type.Array(
      Type.Object(
        {
          from: node,
          to: node,
          how: Type.Enum(['read', 'sent', 'delegated', 'reported'], { type: 'string' }),
          at: time,
          event_id: textOrNull,
          action: textOrNull,
          score: Type.Union([points, Type.Null()]),
        },
        closed,
      ),
    ),
  },
  closed,
);
