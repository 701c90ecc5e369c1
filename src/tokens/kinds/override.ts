/**
 * Override token: permits a person to decide about one held event. It is bound to the event and to its action as
 * scored.
 */
import { Type } from 'typebox';
import { decisions } from '../../records/hold.ts';
import { identifier } from './fields.ts';
import { MAX_REASON, tokenKind } from './kind.ts';

/** Minutes: one day. A longer life is cut. */
const MAX_TTL = 1_440;

const allowed = Type.Array(Type.Enum([...decisions], { type: 'string' }), { minItems: 1, maxItems: 2 });

export const override = tokenKind({
  name: 'override',
  summary: 'Issue an override token for a held event',
  description:
    'Its holder may decide about this one event, once, through `POST /overrides/{event_id}/decide`. It ends with the hold at the latest, and after a day. An event that was decided, has expired or was never held gets 409.',
  typ: 'override+jwt',
  use: 'decides',
  parents: [],
  ttl: { field: 'ttl_minutes', default: 15, cut_at: MAX_TTL },
  body: {
    event_id: identifier('the held event'),
    allowed_decisions: allowed,
    reason: Type.Optional(
      Type.String({ maxLength: MAX_REASON, description: 'why it is issued; stored with the token' }),
    ),
  },
  answer: {
    event_id: Type.String(),
    allowed_decisions: allowed,
    action_hash: Type.String({ description: 'SHA-256 of the action that is decided about, hex' }),
  },
  parentOf: () => null,
  holdOf: ({ event_id }) => event_id,
  prepare: ({ event_id, allowed_decisions, reason = null }, _parent, _limits, hold) => ({
    rbac: null,
    delegation_depth: 0,
    subject: event_id,
    details: { event_id, allowed_decisions: [...new Set(allowed_decisions)], action_hash: hold!.action_hash, reason },
    max_events: null,
  }),
});
