/** The policy of specification 2.7, for the OpenAPI document; `scoring/policy.ts` is what checks one. */
import { Type } from 'typebox';

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

export const policySchema = Type.Object(
  {
    sensitive_fields: texts('field names treated as sensitive, also as the last part of a dotted path'),
    allowed_tools: texts('when not empty, the only tools that may be used'),
    blocked_actions: texts('`domain:scope:verb` that are prohibited'),
    custom_rules: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          condition: Type.String({ examples: ['batch_size > 100 AND target.sensitivity_level >= 3'] }),
          score_impact: Type.Integer(),
          description: Type.Optional(Type.String()),
        }),
        { description: 'conditions are CEL, with AND, OR and NOT accepted' },
      ),
    ),
    allowed_action_patterns: texts('when not empty, the only actions allowed; `*` is one segment'),
    blocked_action_patterns: texts('actions that are prohibited; `*` is one segment'),
    sensitive_classifications: texts('classification labels treated as sensitive'),
  },
  { additionalProperties: false },
);

export const policyEnvelopeSchema = Type.Object(
  {
    customer_id: Type.String({ format: 'uuid' }),
    policies: policySchema,
    updated_at: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false },
);
