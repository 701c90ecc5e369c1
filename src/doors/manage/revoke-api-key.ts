/** DELETE /api-keys/{key_id}: revoke a key. */
import { Type } from 'typebox';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { parseUuid } from '../../platform/ids.ts';
import type { ApiKeys } from '../../tokens/api-keys/api-keys.ts';
import { auditLine } from '../../tokens/audit.ts';
import type { Auth } from '../../tokens/auth.ts';
import { operator } from './token-schemas.ts';

const revokedSchema = Type.Object({
  key_id: Type.String({ format: 'uuid' }),
  status: Type.Literal('revoked'),
  revoked_at: Type.String({ format: 'date-time' }),
});

export function revokeApiKey({ api_keys, auth }: { api_keys: ApiKeys; auth: Pick<Auth, 'store'> }) {
  return endpoint({
    method: 'DELETE',
    path: '/api-keys/{key_id}',
    operation: 'revoke_api_key',
    summary: 'Revoke an API key',
    description:
      'Durable before the answer; takes effect on every node within one second. Revoking twice keeps the first time.',
    tag: 'api keys',
    access: 'management',
    scope: 'admin',
    customerOf: async ({ path }) => api_keys.customerOf(path.key_id),
    answers: { 200: { description: 'revoked', schema: revokedSchema } },
    errors: ['not_found'],
    handle: async ({ path, request }) => {
      const key_id = parseUuid(path.key_id);
      if (key_id === null) throw new WeirError('not_found', { detail: 'there is no API key with this key_id' });
      const { revoked_at, customer_id } = await api_keys.revoke(key_id);
      const line = auditLine(operator(request), 'api_key.revoked', { customer_id, subject: key_id });
      await auth.store.audit.append(line);
      return { body: { key_id, status: 'revoked', revoked_at } };
    },
  });
}
