/** POST /tokens/introspect: the current state of a token (RFC 7662, with a JSON body). */
import { Type } from 'typebox';
import { isOperator } from '../../platform/caller.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import type { Auth } from '../../tokens/auth.ts';
import { plainBody } from './token-schemas.ts';

const requestSchema = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 16_384 }) },
  { additionalProperties: false },
);

export function introspectToken({ introspect }: Pick<Auth, 'introspect'>) {
  return endpoint({
    method: 'POST',
    path: '/tokens/introspect',
    operation: 'introspect_token',
    summary: 'The current state of a token',
    description: 'Any kind of token. The answer for a token that is not valid, for any reason, is `{"active": false}`.',
    tag: 'tokens',
    access: 'management',
    scope: 'admin',
    // The handler tells a caller of one customer nothing about tokens of another.
    customerOf: async ({ caller }) => caller.customer_id,
    body: plainBody<{ token: string }>(requestSchema),
    answers: {
      200: {
        description: 'active or not',
        schema: Type.Object({ active: Type.Boolean() }, { additionalProperties: true }),
      },
    },
    handle: async ({ body, caller }) => {
      const found = await introspect(body.token);
      const is_foreign = !isOperator(caller) && found.active && found['customer_id'] !== caller.customer_id;
      return { body: is_foreign ? { active: false } : found };
    },
  });
}
