/** Session token: an agent or subagent in one session, for a limited number of events. */
import { Type } from 'typebox';
import { WeirError } from '../../platform/errors.ts';
import { narrow } from '../issue/narrow.ts';
import { identifier, jti } from './fields.ts';
import { tokenKind } from './kind.ts';

const MAX_EVENTS = 2_147_483_647;

export const session = tokenKind({
  name: 'session',
  summary: 'Derive a session token from an agent or subagent token',
  description: 'Has its parent’s rights. After `max_events` events it is refused with 429.',
  typ: 'session+jwt',
  use: 'acts',
  parents: ['agent', 'subagent'],
  ttl: { field: 'ttl_minutes', default: 60 },
  body: {
    parent_jti: jti('jti of the agent or subagent token'),
    parent_type: Type.Optional(Type.Enum(['agent', 'subagent'], { type: 'string' })),
    session_id: identifier('the session; overrides what events say'),
    max_events: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_EVENTS, description: 'without it, as many as the life time allows' }),
    ),
  },
  answer: {
    session_id: Type.String(),
    agent_id: Type.String(),
    max_events: Type.Union([Type.Integer(), Type.Null()]),
  },
  parentOf: ({ parent_jti }) => ({ jti: parent_jti }),
  prepare: ({ parent_type, session_id, max_events = null }, parent) => {
    if (parent_type !== undefined && parent_type !== parent!.kind) {
      const message = `is \`${parent_type}\` and the parent is a token of kind \`${parent!.kind}\``;
      throw new WeirError('invalid', {
        detail: `\`/parent_type\` ${message}`,
        errors: [{ path: '/parent_type', message }],
      });
    }
    return {
      rbac: narrow(parent!, undefined),
      delegation_depth: parent!.delegation_depth,
      subject: String(parent!.details['agent_id']),
      details: { session_id, agent_id: parent!.details['agent_id'], max_events },
      max_events,
    };
  },
});
