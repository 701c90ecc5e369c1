/** POST /tokens/{kind}: one endpoint per kind of token, made from the kind. */
import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Auth } from '../../tokens/auth.ts';
import type { TokenKind } from '../../tokens/kinds/kind.ts';
import { issuedSchema, operator, plainBody } from './token-schemas.ts';

export function issueToken(kind: TokenKind, { issue }: Pick<Auth, 'issue'>): Endpoint {
  return endpoint({
    method: 'POST',
    path: `/tokens/${kind.name}` as '/tokens/app',
    operation: `issue_${kind.name}_token`,
    summary: kind.summary,
    description: kind.description,
    tag: 'tokens',
    access: 'management',
    scope: kind.use === 'decides' ? 'holds:decide' : 'admin',
    body: plainBody<Record<string, unknown>>(kind.body),
    answers: { 201: { description: 'issued', schema: Type.Object({ ...issuedSchema, ...kind.answer }) } },
    errors: [
      ...(kind.typ === null ? [] : ['not_found' as const]),
      ...(kind.use === 'decides' ? ['conflict' as const] : []),
    ],
    handle: async ({ body, request }) => ({ status: 201, body: await issue(kind, body, operator(request)) }),
  });
}
