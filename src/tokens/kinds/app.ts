/** App token: the root of a tree. Opaque; only its hash is stored, and bearer tokens name it by that hash. */
import { Type } from 'typebox';
import { tokenKind } from './kind.ts';

const scopes = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
  maxItems: 64,
  description: 'stored and shown with every token derived from it; `*` for all',
});

export const app = tokenKind({
  name: 'app',
  summary: 'Create an app token',
  description:
    'The root of a token tree. This answer is the only place that shows the token. `token_hash` is its SHA-256 in hex, which `app_token_hash` of a bearer token names.',
  typ: null,
  use: 'derives',
  parents: [],
  ttl: { field: 'ttl_days', default: 365 },
  body: { name: Type.Optional(Type.String({ maxLength: 256 })), scopes: Type.Optional(scopes) },
  answer: { token_hash: Type.String(), name: Type.String(), scopes },
  parentOf: () => null,
  prepare: ({ name = '', scopes = ['*'] }) => ({
    rbac: null,
    delegation_depth: 0,
    subject: name,
    details: { name, scopes },
    max_events: null,
  }),
});
