/** POST /api-keys: a new API key for a customer. */
import { endpoint, jsonBody } from '../../platform/endpoint.ts';
import { WeirError } from '../../platform/errors.ts';
import { parseUuid } from '../../platform/ids.ts';
import { isPlainText } from '../../platform/odd-characters.ts';
import type { ApiKeys } from '../api-keys.ts';
import { issuedKeySchema, keyRequestSchema } from './api-key-schemas.ts';

export function createApiKey({ api_keys }: { api_keys: ApiKeys }) {
  return endpoint({
    method: 'POST',
    path: '/api-keys',
    operation: 'create_api_key',
    summary: 'Issue an API key',
    description: 'The key is in this answer and nowhere else: only its hash is kept.',
    tag: 'api keys',
    access: 'management',
    body: jsonBody(keyRequestSchema),
    answers: { 201: { description: 'issued', schema: issuedKeySchema } },
    handle: async ({ body }) => {
      const customer_id = parseUuid(body.customer_id);
      if (customer_id === null) throw invalid('/customer_id', 'must be a UUID');
      const name = body.name ?? '';
      if (!isPlainText(name)) throw invalid('/name', 'must not hold U+0000 or half a surrogate pair');
      return { status: 201, body: await api_keys.issue(customer_id, name) };
    },
  });
}

function invalid(path: string, message: string): WeirError {
  return new WeirError('invalid', { detail: `\`${path}\` ${message}`, errors: [{ path, message }] });
}
