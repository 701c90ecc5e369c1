/**
 * Subagent token: an agent delegates to another. Its rights are at most its parent's, and the depth of delegation is
 * bounded.
 */
import { Type } from 'typebox';
import { WeirError } from '../../platform/errors.ts';
import { narrow } from '../issue/narrow.ts';
import { identifier, jti, rbacSchema } from './fields.ts';
import { tokenKind } from './kind.ts';

export const subagent = tokenKind({
  name: 'subagent',
  summary: 'Derive a subagent token from an agent or subagent token',
  description:
    '`rbac` must be a subset of the parent’s; a refusal names one request that it would allow and the parent would not. Left out, it is the parent’s.',
  typ: 'subagent+jwt',
  use: 'acts',
  parents: ['agent', 'subagent'],
  ttl: { field: 'ttl_hours', default: 4 },
  body: {
    parent_agent_jti: jti('jti of the agent or subagent token'),
    agent_id: identifier('unique id of the subagent instance; overrides what events say'),
    agent_name: Type.Optional(Type.String({ maxLength: 256 })),
    rbac: Type.Optional(rbacSchema),
  },
  answer: {
    agent_id: Type.String(),
    agent_name: Type.Union([Type.String(), Type.Null()]),
    rbac: rbacSchema,
    delegation_depth: Type.Integer({ description: '1 for a direct child of an agent token' }),
  },
  parentOf: ({ parent_agent_jti }) => ({ jti: parent_agent_jti }),
  prepare: ({ agent_id, agent_name = null, rbac }, parent, { max_delegation_depth }) => {
    const delegation_depth = parent!.delegation_depth + 1;
    if (delegation_depth > max_delegation_depth) {
      const message = `is at delegation depth ${parent!.delegation_depth} and the deepest allowed is ${max_delegation_depth}; derive from a token nearer the agent`;
      throw new WeirError('invalid', {
        detail: `the parent ${message}`,
        errors: [{ path: '/parent_agent_jti', message }],
      });
    }
    return {
      rbac: narrow(parent!, rbac),
      delegation_depth,
      subject: agent_id,
      details: { agent_id, agent_name },
      max_events: null,
    };
  },
});
