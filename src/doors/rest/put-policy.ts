/** POST /policies/{customer_id}: replace the policy. */
import type { Policies } from '../../engine/policies.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { policyEnvelope } from '../../records/views.ts';
import { policyEnvelopeSchema, policySchema } from './policy-schemas.ts';

export function putPolicy({ policies }: { policies: Policies }) {
  return endpoint({
    method: 'POST',
    path: '/policies/{customer_id}',
    operation: 'put_policy',
    summary: 'Create or replace the policy',
    description:
      'Replaces the whole policy; every version is kept and each score names the one it was made with. A policy that does not compile is refused and the one in force stays.',
    tag: 'policies',
    access: 'api_key',
    scope: 'policies:write',
    // Checked by the policy compiler, which names rule, position and reason.
    body: { schema: policySchema, read: ({ value }) => value },
    answers: {
      200: { description: 'replaced', schema: policyEnvelopeSchema },
      201: { description: 'created, the first of this customer', schema: policyEnvelopeSchema },
    },
    handle: async ({ path, body }) => {
      const { policy, created } = await policies.put(path.customer_id, body);
      return { status: created ? 201 : 200, body: policyEnvelope(policy) };
    },
  });
}
