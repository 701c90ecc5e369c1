/** POST /revoke/cascade/{jti}: revoke a token and all its descendants. */
import { endpoint } from '../../platform/http/endpoint.ts';
import type { Auth } from '../../tokens/auth.ts';
import { cascadeSchema, customerOfToken, operator } from './token-schemas.ts';

export function cascade({ revoke, store }: Pick<Auth, 'revoke' | 'store'>) {
  return endpoint({
    method: 'POST',
    path: '/revoke/cascade/{jti}',
    operation: 'revoke_tree',
    summary: 'Revoke a token and all its descendants',
    description:
      'One durable row revokes the whole tree at once, including tokens that are being derived at that moment; the list is made afterwards. In force on every node within one second.',
    tag: 'revocation',
    access: 'management',
    scope: 'admin',
    customerOf: async ({ path }) => customerOfToken(store.tokens, path.jti),
    answers: { 200: { description: 'revoked', schema: cascadeSchema } },
    errors: ['not_found'],
    handle: async ({ path, request }) => {
      const { root_jti, revoked_jtis } = await revoke.cascade(path.jti, null, operator(request));
      return { body: { root_jti, revoked_count: revoked_jtis.length, revoked_jtis } };
    },
  });
}
