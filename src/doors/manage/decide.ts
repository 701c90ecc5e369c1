/** POST /overrides/{event_id}/decide: a person's decision about a held event. */
import { Type } from 'typebox';
import type { Decide } from '../../holds/decide.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import type { Decision } from '../../records/hold.ts';
import { decisions } from '../../records/hold.ts';
import { MAX_REASON } from '../../tokens/kinds/kind.ts';
import { claimedCustomer } from '../../tokens/verify/claimed-customer.ts';
import { operator, plainBody } from './token-schemas.ts';

const decision = Type.Enum([...decisions], { type: 'string' });

const requestSchema = Type.Object(
  {
    override_token: Type.String({ minLength: 1, maxLength: 16_384 }),
    decision,
    reason: Type.Optional(Type.String({ maxLength: MAX_REASON, description: 'stored and shown with the event' })),
  },
  { additionalProperties: false },
);

const decidedSchema = Type.Object({
  event_id: Type.String(),
  customer_id: Type.String({ format: 'uuid' }),
  decision,
  status: Type.Enum(['approved', 'rejected'], { type: 'string' }),
  decided_at: Type.String({ format: 'date-time' }),
  reason: Type.Union([Type.String(), Type.Null()]),
  action_hash: Type.String({ description: 'SHA-256 of action, parameters and target as scored, hex' }),
  cosignature: Type.String({ description: 'the decision as a compact JWS; `verifyDecision` checks it offline' }),
});

interface Body {
  override_token: string;
  decision: Decision;
  reason?: string;
}

export function decideOverride({ decide }: { decide: Decide }) {
  return endpoint({
    method: 'POST',
    path: '/overrides/{event_id}/decide',
    operation: 'decide_override',
    summary: 'Approve or reject a held event',
    description:
      'One decision per event, under any race. A 409 names the decision that stands; after a 503 or a lost answer, a retry tells whether the decision was made.',
    tag: 'decisions',
    access: 'management',
    scope: 'holds:decide',
    // What names no customer is refused as a token.
    customerOf: async ({ body, caller }) => claimedCustomer(body.override_token) ?? caller.customer_id,
    body: plainBody<Body>(requestSchema),
    answers: { 200: { description: 'decided, durably', schema: decidedSchema } },
    errors: ['unauthenticated', 'forbidden', 'not_found', 'conflict'],
    handle: async ({ path, body, request }) => {
      const { override_token, decision, reason = null } = body;
      return { body: await decide(path.event_id, { override_token, decision, reason }, operator(request)) };
    },
  });
}
