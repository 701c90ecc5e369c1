/** Delegations: a person lends the right to decide for a time. */
import { Type } from 'typebox';
import { checkScope } from '../../../platform/caller.ts';
import { WeirError } from '../../../platform/errors.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { requiredText } from '../../../platform/http/parameters.ts';
import { customerIn, operator, plainBody } from '../token-schemas.ts';
import { delegationBody, delegationSchema, type PeopleDoorParts } from './schemas.ts';

interface Body {
  customer_id: string;
  from?: string;
  to: string;
  minutes: number;
}

const common = { tag: 'people', access: 'management', scope: 'holds:decide' } as const;
const customer = requiredText(36, 'the customer, a UUID');

export function delegationEndpoints({ people, delegations }: Pick<PeopleDoorParts, 'people' | 'delegations'>) {
  return [
    endpoint({
      ...common,
      method: 'POST',
      path: '/delegations',
      operation: 'delegate',
      summary: 'Lend the right to decide to another person, for a time',
      description:
        'The other decides as if it were the lender, and the record names both. Of an event that takes several approvals the two count as one.',
      body: plainBody<Body>(delegationBody),
      answers: {
        201: { description: 'lent', schema: Type.Object({ delegation_id: Type.String({ format: 'uuid' }) }) },
      },
      errors: ['not_found'],
      handle: async ({ body, caller, request }) => {
        const customer_id = customerIn(body.customer_id);
        const own = caller.person?.person_id;
        const from = body.from ?? own;
        if (from === undefined)
          throw new WeirError('invalid', { detail: '`/from` is missing: no person is signed in' });
        const lender = await people.named(customer_id, from);
        if (lender.person_id !== own) checkScope(caller, 'admin');
        const receiver = await people.named(customer_id, body.to);
        return { status: 201, body: await delegations.lend(lender, receiver, body.minutes, operator(request)) };
      },
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: '/delegations/{customer_id}',
      operation: 'list_delegations',
      summary: 'The delegations in force',
      answers: {
        200: { description: 'oldest first', schema: Type.Object({ delegations: Type.Array(delegationSchema) }) },
      },
      handle: async ({ path }) => ({
        body: {
          delegations: (await delegations.list(path.customer_id)).map(({ delegation_id, from, to, expires_at }) => ({
            delegation_id,
            from: from.email,
            to: to.email,
            expires_at,
          })),
        },
      }),
    }),
    endpoint({
      ...common,
      method: 'DELETE',
      path: '/delegations/{delegation_id}',
      operation: 'end_delegation',
      summary: 'End a delegation',
      description: 'By the lender, or by an admin.',
      query: { customer_id: customer },
      answers: { 200: { description: 'ended', schema: Type.Object({ status: Type.Literal('ended') }) } },
      errors: ['not_found'],
      handle: async ({ path, query, caller, request }) => {
        const customer_id = customerIn(query.customer_id, 'customer_id');
        const one = (await delegations.list(customer_id)).find((it) => it.delegation_id === path.delegation_id);
        if (one !== undefined && one.from.person_id !== caller.person?.person_id) checkScope(caller, 'admin');
        await delegations.end(customer_id, path.delegation_id, operator(request));
        return { body: { status: 'ended' } };
      },
    }),
  ];
}
