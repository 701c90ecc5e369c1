/** Answers of the score endpoints, for the OpenAPI document; `records/views.ts` makes the values. */

import { type TProperties, type TSchema, Type } from 'typebox';
import { holdStates } from '../../records/hold.ts';
import { customerControl, graphSource } from './graph-schemas.ts';

export const riskLevels = ['none', 'low', 'medium', 'high', 'critical'] as const;

const closed = { additionalProperties: false };
const points = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });
const texts = (description: string) => Type.Array(Type.String(), { description });
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const layer = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const riskLevel = Type.Enum([...riskLevels], {
  type: 'string',
  description: 'none 0-10, low 11-30, medium 31-60, high 61-80, critical 81-100',
});

const components = Type.Array(Type.Object({ rule: Type.String(), contribution: Type.Integer() }, closed), {
  description: 'contributions sum exactly to the score',
});

const weights = Type.Object(
  {
    graph_weight: share('share of the rule engine'),
    llm_weight: share('share of the LLM'),
    gnn_weight: share('share of the learned structural score'),
    final: Type.Number({ minimum: 0, maximum: 100 }),
  },
  closed,
);

const layers = Type.Object(
  {
    intrinsic_score: layer('layer 1: deterministic risk of the action'),
    gnn_score: orNull(layer('layer 2: learned structural score')),
    policy_score: layer('layer 3: findings and the customer’s policy'),
    temporal_modifier: Type.Number({ minimum: 0.5, maximum: 2, description: 'layer 4' }),
    raw_weighted: Type.Number({ description: 'composite before the temporal modifier' }),
    w1: share('intrinsic weight in force'),
    w2: share('GNN weight in force'),
    w3: share('policy weight in force'),
    gnn_confidence: orNull(share('largest class probability')),
    overall_confidence: share('overall confidence'),
  },
  closed,
);

const time = Type.String({ format: 'date-time' });

/** One of those behind a decision. */
export const deciderSchema = Type.Object(
  {
    kind: Type.Enum(['person', 'api_key', 'operator', 'command_line'], { type: 'string' }),
    id: orNull(Type.String({ description: 'person_id or key_id' })),
    name: orNull(Type.String()),
    email: orNull(Type.String()),
    signed_in: Type.String({ description: 'link, password, oidc, api_key, admin_key or shell' }),
    address: orNull(Type.String({ description: 'of the request' })),
    on_behalf_of: Type.Optional(
      Type.Object({ id: Type.String(), email: Type.String() }, { ...closed, description: 'who has lent the right' }),
    ),
  },
  closed,
);

const hold = {
  state: Type.Enum([...holdStates], { type: 'string', description: 'continue only when it is approved' }),
  expires_at: Type.String({ format: 'date-time', description: 'end of the time in which it can be decided' }),
  decided_at: orNull(time),
  reason: orNull(Type.String({ description: 'of whoever decided' })),
  decided_by: orNull(
    Type.Array(deciderSchema, { description: 'everyone behind the decision, in the order of their approvals' }),
  ),
};
const holdOrNull = orNull(Type.Object(hold, closed));

const holdDetail = Type.Object(
  {
    ...hold,
    action_hash: Type.String({ description: 'SHA-256 of action, parameters and target as scored, hex' }),
    cosignature: orNull(
      Type.String({ description: 'the decision as a compact JWS, to be checked with `verifyDecision`' }),
    ),
  },
  closed,
);

const wouldHaveHeld = Type.Boolean({
  description: 'it would have been held, but its customer, agent or API key is only observed',
});

/** Fields that the result and the record share. */
const shared = {
  event_id: Type.String(),
  risk_level: riskLevel,
  reasoning: Type.String({ description: 'explanation for people' }),
  violations: texts('rules that were violated'),
  compliance_refs: texts(
    'articles that bind this customer and this case, as `framework:article`: laws, standards, threat lists; at most six, all of them with `articles=all` at `GET /scores/event/{event_id}` and in the justification',
  ),
  mitigations: texts('recommended measures, most important first'),
  graph_score: points('score of the rule engine'),
  llm_score: orNull(points('score of the LLM; null when it was not called')),
  llm_fallback: Type.Boolean({ description: 'the LLM was called because confidence was below 0.8' }),
  gnn_score: orNull(layer('null when the learned layer is off')),
  confidence: share('share of the relevant information that was known'),
  rule_score: points('the rule engine alone, before adjustments'),
} satisfies TProperties;

export const scoreResultSchema = Type.Object(
  {
    ...shared,
    status: Type.Literal('scored'),
    score: points('risk score'),
    scoring_source: Type.Enum(['graph', 'llm', 'hybrid'], { type: 'string' }),
    score_components: components,
    behavioral_flags: texts('anomalies of the session and its sequence of actions'),
    score_decomposition: weights,
    hold: holdOrNull,
    would_have_held: wouldHaveHeld,
  },
  closed,
);

const core = {
  ...shared,
  final_score: points('risk score'),
  scoring_source: Type.Enum(['graph_reasoner', 'graph_reasoner+llm'], { type: 'string' }),
  cache_hit: Type.Boolean({ description: 'a cached score was used' }),
  scored_at: Type.String({ format: 'date-time' }),
} satisfies TProperties;

const textOrNull = (description: string) => orNull(Type.String({ description }));

export const scoreListItemSchema = Type.Object(
  {
    ...core,
    action: Type.String(),
    agent_id: textOrNull('null, here and below: the event does not name it'),
    session_id: textOrNull('the session'),
    user_id: textOrNull('the person who initiated or oversees the session'),
    target: orNull(
      Type.Object({ resource_type: textOrNull('its kind'), resource_id: textOrNull('which one') }, closed),
    ),
    first_reason: orNull(
      Type.Object({ rule: Type.String(), text: Type.String() }, { ...closed, description: 'the gravest violation' }),
    ),
    score_decomposition: weights,
    hold: holdOrNull,
    would_have_held: wouldHaveHeld,
  },
  closed,
);

export const scoreListSchema = Type.Object(
  {
    scores: Type.Array(scoreListItemSchema),
    page: Type.Integer({ description: 'with a `cursor` always 1' }),
    per_page: Type.Integer(),
    total: Type.Integer({ description: 'number of all matching records, over all pages' }),
    next_cursor: textOrNull('send it as `cursor` for the records behind these; null when none follow'),
  },
  closed,
);

const tokens = Type.Integer({ minimum: 0 });
const cost_usd = orNull(Type.Number({ minimum: 0, description: 'null where no prices are set' }));
const trouble = orNull(
  Type.Enum(['late', 'refused', 'busy', 'broken', 'malformed', 'cancelled', 'paused', 'crowded', 'over_budget'], {
    type: 'string',
    description: 'why there is no answer; null where there is one',
  }),
);

const llm = Type.Object(
  {
    model: Type.String(),
    trouble,
    was_cached: Type.Boolean({ description: 'an earlier answer to the same question was used' }),
    confidence: orNull(share('as the model states it')),
    reasons: texts('in the words of the model; only where it raised the score'),
    input_tokens: tokens,
    output_tokens: tokens,
    cost_usd,
  },
  { ...closed, description: 'what came of asking a language model' },
);

export const scoreDetailSchema = Type.Object(
  {
    ...core,
    score_decomposition: layers,
    customer_id: Type.String({ format: 'uuid' }),
    timestamp: Type.String({ format: 'date-time', description: 'when the event occurred' }),
    action: Type.String(),
    score_components: components,
    behavioral_flags: texts('anomalies of the session and its sequence of actions'),
    doubts: texts('what lowered the confidence, weightiest first; empty where it is 0.8 or more'),
    llm: orNull(llm),
    policy_version: Type.Integer({ minimum: 0, description: 'version of the policy that was in force; 0 without one' }),
    rule_set_version: Type.String({ description: 'version of the built-in rules and their ontology' }),
    event: Type.Record(Type.String(), Type.Unknown(), { description: 'the event as it was scored and stored' }),
    hold: orNull(holdDetail),
    would_have_held: wouldHaveHeld,
  },
  closed,
);

const count = Type.Integer({ minimum: 0 });

export const scoreSummarySchema = Type.Object(
  {
    customer_id: Type.String({ format: 'uuid' }),
    total_events: count,
    avg_score: layer('mean score; 0 without events'),
    none_count: count,
    low_count: count,
    medium_count: count,
    high_count: count,
    critical_count: count,
    would_have_held_count: Type.Integer({
      minimum: 0,
      description: 'events that would have been held and were observed',
    }),
  },
  closed,
);

export const justificationSchema = Type.Object(
  {
    event_id: Type.String(),
    score: points('risk score'),
    risk_level: riskLevel,
    summary: Type.String(),
    score_justification: Type.String({
      description: 'which rules fired on what premises, what each contributed, and what would have kept it below high',
    }),
    violations: texts('rules that were violated, as in the score'),
    violation_details: Type.Array(
      Type.Object(
        {
          violation: Type.String(),
          article: Type.String(),
          framework: Type.String(),
          explanation: Type.String(),
          consequence: Type.String(),
        },
        closed,
      ),
    ),
    remediation_steps: texts('in the order to take them'),
    frameworks_impacted: texts('such as EU_AI_Act, SOC2, GDPR; only those that bind by `profile` and data'),
    counterfactuals: Type.Array(
      Type.Object(
        {
          change: Type.String({
            description: 'completes «if …»',
            examples: ['the user confirmed exactly this action, with its values'],
          }),
          score: points('the score of the event with this change'),
          decided_by: Type.Enum(['agent', 'user', 'policy_owner'], {
            type: 'string',
            description:
              'who can make this change; an entry of the policy is decided by the owner of the policy, never by the agent',
          }),
        },
        closed,
      ),
      {
        description:
          'smallest changes that would bring the score below high (61), each verified by running the rules again; empty when the score is below high, or when no tried change is enough',
      },
    ),
    compliance_context: Type.Object(
      {
        source: graphSource,
        rule_set_version: Type.String({ description: 'of the graph that answered' }),
        mappings: Type.Array(
          Type.Object({ theme: Type.String(), articles: texts('ids as in `compliance_refs`') }, closed),
          {
            description: 'articles of different frameworks that bind here and are about one theme',
          },
        ),
        controls: Type.Array(
          Type.Object({ ...customerControl, cited_for: texts('rules that fired and that it covers') }, closed),
          { description: 'the customer’s own controls and internal policies that are at stake' },
        ),
      },
      { ...closed, description: 'what the compliance graph adds' },
    ),
    rule_set_version: Type.String({ description: 'built-in rules and ontology that the event was scored with' }),
    policy_version: Type.Integer({ minimum: 0, description: 'policy that the event was scored with; 0 without one' }),
    generated_by: Type.Enum(['rules', 'rules+llm'], {
      type: 'string',
      description: '`rules+llm`: a language model wrote the analysis, which also ends the summary',
    }),
    analysis: Type.Array(
      Type.Object(
        {
          text: Type.String({ description: 'one sentence of the language model' }),
          cites: texts('what it rests on: `rule:ID`, `FRAMEWORK:ARTICLE`, `control:ID`, all of them in this report'),
        },
        closed,
      ),
    ),
    llm: orNull(
      Type.Object(
        {
          model: Type.String(),
          trouble,
          dropped: Type.Integer({ minimum: 0, description: 'sentences that rested on anything else' }),
          input_tokens: tokens,
          output_tokens: tokens,
          cost_usd,
        },
        { ...closed, description: 'null where no language model is set up' },
      ),
    ),
  },
  closed,
);

export const pendingSchema = Type.Object(
  { event_id: Type.String(), status: Type.Enum(['pending'], { type: 'string' }) },
  { description: 'ask again soon; see Retry-After' },
);
