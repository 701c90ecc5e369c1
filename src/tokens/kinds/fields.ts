/** Fields that several kinds of tokens take. */
import { Type } from 'typebox';
import { MAX_LEVEL, MAX_PATTERNS } from '../rbac/rbac.ts';

/** Same pattern as in events, so that a token's agent_id is valid in an event. */
const MAX_IDENTIFIER = 256;

export const identifier = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_IDENTIFIER, description });

export const jti = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });

const patterns = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 2_048 }), { maxItems: MAX_PATTERNS, description }));

/** `parseRbac` checks and normalises it again. */
export const rbacSchema = Type.Object(
  {
    allowed_actions: patterns('patterns `domain:scope:verb`, `*` for a whole segment; case is ignored'),
    denied_actions: patterns('deny wins'),
    allowed_resources: patterns('`type:id`, `type:*`, `*:id` or `*`, split at the first colon'),
    denied_resources: patterns('deny wins'),
    max_sensitivity_level: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_LEVEL, description: '0 public to 4 critical' }),
    ),
  },
  { additionalProperties: false, description: 'a key that is left out takes the parent’s value' },
);
