/** POST /api-keys: a new API key for a customer. */

import { invalidAt } from '../../platform/errors.ts';
import { endpoint, jsonBody } from '../../platform/http/endpoint.ts';
import { parseUuid } from '../../platform/ids.ts';
import { isPlainText } from '../../platform/json/odd-characters.ts';
import type { ApiKeys } from '../../tokens/api-keys/api-keys.ts';
import { GATE_SCOPES } from '../../tokens/api-keys/scopes.ts';
import { auditLine } from '../../tokens/audit.ts';
import type { Auth } from '../../tokens/auth.ts';
import { issuedKeySchema, keyRequestSchema } from './api-key-schemas.ts';
import { operator } from './token-schemas.ts';

export function createApiKey({ api_keys, auth }: { api_keys: ApiKeys; auth: Pick<Auth, 'store'> }) {
  return endpoint({
    method: 'POST',
    path: '/api-keys',
    operation: 'create_api_key',
    summary: 'Issue an API key',
    description:
      'This answer is the only place that shows the key: only its hash is stored. Without `scopes` it is a gate’s key: it sends events, and reads scores and the policy.',
    tag: 'api keys',
    access: 'management',
    scope: 'admin',
    body: jsonBody(keyRequestSchema),
    answers: { 201: { description: 'issued', schema: issuedKeySchema } },
    handle: async ({ body, request }) => {
      const customer_id = parseUuid(body.customer_id);
      if (customer_id === null) throw invalidAt('/customer_id', 'must be a UUID');
      const name = body.name ?? '';
      if (!isPlainText(name)) throw invalidAt('/name', 'must not hold U+0000 or a lone surrogate');
      const issued = await api_keys.issue(customer_id, name, body.scopes ?? GATE_SCOPES);
      const facts = { customer_id, subject: issued.key_id, details: { name, scopes: issued.scopes } };
      await auth.store.audit.append(auditLine(operator(request), 'api_key.issued', facts));
      return { status: 201, body: issued };
    },
  });
}
