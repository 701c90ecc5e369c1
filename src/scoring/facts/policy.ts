/** Facts about the customer's own policy: what it forbids, allows and marks as sensitive. */
import { allowsAction, allowsTool, blockedBy, sensitiveData } from '../read/policy.ts';
import type { FactRow } from './fact-row.ts';

export const POLICY_FACTS: readonly FactRow[] = [
  {
    name: 'blocked_by',
    type: 'string',
    about: 'Entry of the policy that blocks this action; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => blockedBy(r.evidence.policy, r),
  },
  {
    name: 'action_is_allowed',
    type: 'bool',
    about: 'The policy has no list of allowed actions, or this action is on it.',
    since: '0.1.0',
    relief: 'fixed',
    is_public: true,
    of: (r) => allowsAction(r.evidence.policy, r.evidence.event.action),
  },
  {
    name: 'tool_is_allowed',
    type: 'bool',
    about: 'The policy has no list of allowed tools, or this tool is on it.',
    since: '0.1.0',
    relief: 'fixed',
    is_public: true,
    of: (r) => allowsTool(r.evidence.policy, r.action.tool_name, r.evidence.event.action),
  },
  {
    name: 'customer_sensitive_data',
    type: 'list<string>',
    about: 'Fields and classes in the event that the policy marks as sensitive.',
    since: '0.1.0',
    is_public: true,
    of: (r) => sensitiveData(r.evidence.policy, r),
  },
];
