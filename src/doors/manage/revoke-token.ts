/** DELETE /tokens/{jti}: revoke one token. */
import { endpoint } from '../../platform/http/endpoint.ts';
import type { Auth } from '../../tokens/auth.ts';
import { customerOfToken, operator, revokedSchema } from './token-schemas.ts';

export function revokeToken({ revoke, store }: Pick<Auth, 'revoke' | 'store'>) {
  return endpoint({
    method: 'DELETE',
    path: '/tokens/{jti}',
    operation: 'revoke_token',
    summary: 'Revoke one token',
    description:
      'Revokes this one token; tokens derived from it stay valid. For the whole tree use `POST /revoke/cascade/{jti}`. Durable before the answer, in force on every node within one second. Revoking twice keeps the first time.',
    tag: 'revocation',
    access: 'management',
    scope: 'admin',
    customerOf: async ({ path }) => customerOfToken(store.tokens, path.jti),
    answers: { 200: { description: 'revoked', schema: revokedSchema } },
    errors: ['not_found'],
    handle: async ({ path, request }) => {
      const { jti, revoked_at } = await revoke.one(path.jti, null, operator(request));
      return { body: { jti, status: 'revoked', revoked_at } };
    },
  });
}
