/** GET /policies/{customer_id}: the policy in force. */
import type { Policies } from '../../engine/policies.ts';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { policyEnvelope } from '../../records/views.ts';
import { policyEnvelopeSchema } from './policy-schemas.ts';

export function getPolicy({ policies }: { policies: Policies }) {
  return endpoint({
    method: 'GET',
    path: '/policies/{customer_id}',
    operation: 'get_policy',
    summary: 'Read the policy in force',
    tag: 'policies',
    access: 'api_key',
    scope: 'policies:read',
    answers: { 200: { description: 'the policy', schema: policyEnvelopeSchema } },
    errors: ['not_found'],
    handle: async ({ path }) => {
      const policy = await policies.current(path.customer_id);
      if (policy === null)
        throw new WeirError('not_found', { detail: 'no policy was ever written; POST one to this path' });
      return { body: policyEnvelope(policy) };
    },
  });
}
