/** Agent token: the first with rights over actions. */
import { Type } from 'typebox';
import { firstRbac } from '../issue/narrow.ts';
import { identifier, jti, rbacSchema } from './fields.ts';
import { tokenKind } from './kind.ts';

export const agent = tokenKind({
  name: 'agent',
  summary: 'Derive an agent token from a bearer token',
  description: '`rbac` must name its allow lists and its level; whatever is not allowed is refused.',
  typ: 'agent+jwt',
  use: 'acts',
  parents: ['bearer'],
  ttl: { field: 'ttl_hours', default: 24 },
  body: {
    bearer_jti: jti('jti of the bearer token'),
    agent_id: identifier('unique per agent instance; overrides what events say'),
    agent_name: Type.Optional(Type.String({ maxLength: 256 })),
    rbac: rbacSchema,
  },
  answer: {
    agent_id: Type.String(),
    agent_name: Type.Union([Type.String(), Type.Null()]),
    rbac: rbacSchema,
    delegation_depth: Type.Integer(),
  },
  parentOf: ({ bearer_jti }) => ({ jti: bearer_jti }),
  prepare: ({ agent_id, agent_name = null, rbac }) => ({
    rbac: firstRbac(rbac),
    delegation_depth: 0,
    subject: agent_id,
    details: { agent_id, agent_name },
    max_events: null,
  }),
});
