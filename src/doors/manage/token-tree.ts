/** GET /tokens/{jti}/tree: the ancestors and descendants of a token. */
import { Type } from 'typebox';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { parseUuid } from '../../platform/ids.ts';
import type { Auth } from '../../tokens/auth.ts';
import { customerOfToken, nodeSchema } from './token-schemas.ts';

/** Enough for a person to read; `total` says when there are more. */
const MAX_NODES = 1_000;

const treeSchema = Type.Object({
  jti: Type.String({ format: 'uuid' }),
  customer_id: Type.String({ format: 'uuid' }),
  tokens: Type.Array(nodeSchema, { description: 'ancestors, the token, descendants; nearest the root first' }),
  total: Type.Integer({ description: `all of them; at most ${MAX_NODES} are shown` }),
});

export function tokenTree({ store }: Pick<Auth, 'store'>) {
  return endpoint({
    method: 'GET',
    path: '/tokens/{jti}/tree',
    operation: 'token_tree',
    summary: 'The tree around a token',
    tag: 'tokens',
    access: 'management',
    scope: 'admin',
    customerOf: async ({ path }) => customerOfToken(store.tokens, path.jti),
    answers: { 200: { description: 'the tree', schema: treeSchema } },
    errors: ['not_found'],
    handle: async ({ path }) => {
      const jti = parseUuid(path.jti);
      const { nodes, total } = jti === null ? { nodes: [], total: 0 } : await store.tokens.tree(jti, MAX_NODES);
      const first = nodes[0];
      if (first === undefined) throw new WeirError('not_found', { detail: 'there is no token with this jti' });
      const tokens = nodes.map(({ customer_id: _, path: _path, details, rbac, ...node }) => ({
        ...details,
        ...node,
        ...(rbac !== null && { rbac }),
      }));
      return { body: { jti, customer_id: first.customer_id, tokens, total } };
    },
  });
}
