/** Requests and answers of the API key endpoints. */
import { Type } from 'typebox';

export const keyRequestSchema = Type.Object(
  {
    customer_id: Type.String({ format: 'uuid', description: 'created when it is new' }),
    name: Type.Optional(Type.String({ maxLength: 100, description: 'for people, to tell keys apart' })),
  },
  { additionalProperties: false },
);

const common = {
  key_id: Type.String({ format: 'uuid' }),
  customer_id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
};

export const issuedKeySchema = Type.Object({ api_key: Type.String({ description: 'shown this once' }), ...common });

export const keySchema = Type.Object({
  ...common,
  revoked_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});
