/** GET /api-keys/{customer_id}: a customer's keys, without their secrets. */
import { Type } from 'typebox';
import { endpoint } from '../../platform/http/endpoint.ts';
import type { ApiKeys } from '../../tokens/api-keys/api-keys.ts';
import { keySchema } from './api-key-schemas.ts';

export function listApiKeys({ api_keys }: { api_keys: ApiKeys }) {
  return endpoint({
    method: 'GET',
    path: '/api-keys/{customer_id}',
    operation: 'list_api_keys',
    summary: 'List the API keys of a customer',
    tag: 'api keys',
    access: 'management',
    scope: 'admin',
    answers: {
      200: { description: 'all of them, revoked ones too', schema: Type.Object({ api_keys: Type.Array(keySchema) }) },
    },
    handle: async ({ path }) => {
      const keys = await api_keys.list(path.customer_id);
      return {
        body: {
          api_keys: keys.map(({ key_id, customer_id, name, scopes, created_at, revoked_at }) => ({
            key_id,
            customer_id,
            name,
            scopes,
            created_at,
            revoked_at,
          })),
        },
      };
    },
  });
}
