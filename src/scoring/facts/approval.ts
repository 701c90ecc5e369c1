/** Facts about what a person approved, confirmed, refused or held back, and what the action claims of that. */

import { approverIsAgent } from '../read/action/subagents.ts';
import { wasDenied } from '../read/data/said.ts';
import { approvalClaim } from '../read/values/switches.ts';
import { heldBack } from '../read/will/confirmed/held-back.ts';
import { announcedOtherwise, changedValue, namesAction } from '../read/will/proposal.ts';
import type { FactRow } from './fact-row.ts';

export const APPROVAL_FACTS: readonly FactRow[] = [
  {
    name: 'approval',
    type: 'double',
    about: 'How far a person ordered exactly this: 0 not at all, 0.5 in part, 1 fully.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    is_from_text: true,
    of: (r) => (r.is_confirmed ? 1 : r.intent.approval),
  },
  {
    name: 'act_is_confirmed',
    type: 'bool',
    about:
      'The agent told the user what it is about to do, by what sets this act apart, and the user’s next words agree; nothing unbounded.',
    since: '0.3.0',
    relief: 'reducers',
    is_public: false,
    nearest: 'approval',
    is_from_text: true,
    of: (r) => r.is_confirmed,
  },
  {
    name: 'answer_holds_back',
    type: 'string',
    about:
      'How the user’s answer to the agent’s last proposal holds this act back: `less`, `kept`, `time`, `other`, `condition`; empty if it does not.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => heldBack(r),
  },
  {
    name: 'approval_claim',
    type: 'string',
    about: 'Parameter that states an approval which the user’s words do not contain; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => approvalClaim(r.event, r.ontology, r.action, r.arguments),
  },
  {
    name: 'approver_is_agent',
    type: 'bool',
    about: 'The agent names itself as the one who approved.',
    since: '0.1.0',
    is_public: true,
    of: (r) => approverIsAgent(r.event, r.ontology),
  },
  {
    name: 'approved_value',
    type: 'string',
    about: 'Value that the user agreed to and the action replaces; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => changedValue(r.ontology, r.arguments, r.heeded_text).approved,
  },
  {
    name: 'executed_value',
    type: 'string',
    about: 'Value that the action uses instead of `approved_value`; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => changedValue(r.ontology, r.arguments, r.heeded_text).executed,
  },
  {
    name: 'announced_otherwise',
    type: 'bool',
    about: 'The user agreed to an announcement of other effects than this action has.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => announcedOtherwise(r.ontology, r.action, r.heeded_text),
  },
  {
    name: 'was_refused',
    type: 'bool',
    about: 'A person refused or stopped the action, and nothing came after.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    is_from_text: true,
    of: (r) => r.intent.was_refused,
  },
  {
    name: 'refused_by_name',
    type: 'bool',
    about: 'A person refused what the agent proposed, and the proposal has a word of the name of this action.',
    since: '0.3.0',
    is_public: false,
    nearest: 'was_refused',
    is_from_text: true,
    of: (r) => r.intent.was_refused && namesAction(r.action, r.heeded_text),
  },
  {
    name: 'was_denied',
    type: 'bool',
    about: 'A result says that a control refused or holds an action, and the user has not spoken since.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => wasDenied(r.text, r.ontology),
  },
];
