/** POST /overrides/{event_id}/decide: a person's decision about a held event. */
import { Type } from 'typebox';
import type { Decide } from '../../holds/decide.ts';
import { whoIs } from '../../holds/decider.ts';
import { isOperator } from '../../platform/caller.ts';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { parseUuid } from '../../platform/ids.ts';
import type { Decision } from '../../records/hold.ts';
import { decisions } from '../../records/hold.ts';
import { MAX_REASON } from '../../tokens/kinds/kind.ts';
import { claimedCustomer } from '../../tokens/verify/claimed-customer.ts';
import { deciderSchema } from '../rest/score-schemas.ts';
import { operator, plainBody } from './token-schemas.ts';

const decision = Type.Enum([...decisions], { type: 'string' });

const requestSchema = Type.Object(
  {
    override_token: Type.Optional(
      Type.String({ minLength: 1, maxLength: 16_384, description: 'absent: the right of the caller itself' }),
    ),
    customer_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'of the event, for the operator; without `override_token`' }),
    ),
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
  decided_by: Type.Array(deciderSchema),
  action_hash: Type.String({ description: 'SHA-256 of action, parameters and target as scored, hex' }),
  cosignature: Type.String({ description: 'the decision as a compact JWS; `verifyDecision` checks it offline' }),
});

const awaitingSchema = Type.Object({
  event_id: Type.String(),
  customer_id: Type.String({ format: 'uuid' }),
  decision: Type.Literal('approve'),
  status: Type.Literal('held'),
  decided_by: Type.Array(deciderSchema, { description: 'who approved so far' }),
  missing: Type.Integer({ description: 'approvals that are missing' }),
});

interface Body {
  override_token?: string;
  customer_id?: string;
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
      'Without `override_token` the caller decides by its own right: a signed-in person, or a key with `holds:decide`. The rules `approvals` of the policy in force apply either way. One decision per event, under any race. A 409 names the decision that stands; after a 503 or a lost answer, a retry tells whether the decision was made.',
    tag: 'decisions',
    access: 'management',
    scope: 'holds:decide',
    // What names no customer is refused as a token.
    customerOf: async ({ body, caller }) => claimedCustomer(body.override_token ?? '') ?? caller.customer_id,
    body: plainBody<Body>(requestSchema),
    answers: {
      200: { description: 'decided, durably', schema: decidedSchema },
      202: { description: 'an approval is recorded, and more of other people are missing', schema: awaitingSchema },
    },
    errors: ['unauthenticated', 'forbidden', 'not_found', 'conflict'],
    handle: async ({ path, body, caller, request }) => {
      const { override_token = null, decision, reason = null } = body;
      const customer_id = isOperator(caller) ? parseUuid(body.customer_id ?? '') : caller.customer_id;
      if (override_token === null && customer_id === null)
        throw new WeirError('invalid', { detail: 'send `override_token`, or as the operator `customer_id`' });
      const who = whoIs(caller, request.address);
      const asked = { override_token, customer_id, decision, reason };
      const answer = await decide(path.event_id, asked, operator(request), who);
      return { status: answer.status === 'held' ? 202 : 200, body: answer };
    },
  });
}
