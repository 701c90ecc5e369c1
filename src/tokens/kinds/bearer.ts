/** Bearer token: an app in one environment. Agents are derived from it. */
import { Type } from 'typebox';
import { tokenKind } from './kind.ts';

export const bearer = tokenKind({
  name: 'bearer',
  summary: 'Derive a bearer token from an app token',
  description: 'Names the app token by its hash, so that the token itself is not sent again.',
  typ: 'bearer+jwt',
  use: 'derives',
  parents: ['app'],
  ttl: { field: 'ttl_days', default: 90 },
  body: {
    app_token_hash: Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'SHA-256 of the app token, hex' }),
    environment: Type.Optional(Type.String({ maxLength: 64, description: 'such as production' })),
  },
  answer: { environment: Type.Union([Type.String(), Type.Null()]) },
  parentOf: ({ app_token_hash }) => ({ token_hash: app_token_hash.toLowerCase() }),
  prepare: ({ environment = null }, parent) => ({
    rbac: null,
    delegation_depth: 0,
    subject: parent!.customer_id,
    details: { environment },
    max_events: null,
  }),
});
