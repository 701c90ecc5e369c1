/** Requests and answers of the API key endpoints. */
import { Type } from 'typebox';
import { GATE_SCOPES, scopes } from '../../tokens/api-keys/scopes.ts';

const scope = Type.Enum([...scopes], { type: 'string' });

export const keyRequestSchema = Type.Object(
  {
    customer_id: Type.String({ format: 'uuid', description: 'created when it is new' }),
    name: Type.Optional(Type.String({ maxLength: 100, description: 'for people, to tell keys apart' })),
    scopes: Type.Optional(
      Type.Array(scope, {
        minItems: 1,
        maxItems: scopes.length,
        uniqueItems: true,
        description: `what the key may do; default: ${GATE_SCOPES.join(', ')}. \`admin\` includes all others`,
      }),
    ),
  },
  { additionalProperties: false },
);

const common = {
  key_id: Type.String({ format: 'uuid' }),
  customer_id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  scopes: Type.Array(scope, { description: 'what it may do' }),
  created_at: Type.String({ format: 'date-time' }),
};

export const issuedKeySchema = Type.Object({ api_key: Type.String({ description: 'shown this once' }), ...common });

export const keySchema = Type.Object({
  ...common,
  revoked_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});
