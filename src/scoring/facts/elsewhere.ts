/** Facts about what other agents and sessions of the customer did within a day, from the server's own memory. */
import type { FactRow } from './fact-row.ts';

export const ELSEWHERE_FACTS: readonly FactRow[] = [
  {
    name: 'refused_elsewhere',
    type: 'string',
    about:
      'Whose same action was refused in another session: self, parent (the agent that delegated to this one), child, sibling or other; empty for nobody’s.',
    since: '0.2.0',
    is_public: true,
    is_from_past: true,
    of: (r) => r.evidence.history?.refused_elsewhere ?? '',
  },
  {
    name: 'refused_elsewhere_by_person',
    type: 'bool',
    about: 'A person refused it, by a decision about the held event.',
    since: '0.2.0',
    is_public: true,
    is_from_past: true,
    of: (r) => r.evidence.history?.is_refused_by_person ?? false,
  },
  {
    name: 'troubled_place',
    type: 'string',
    about:
      'What another session tried to send to a destination of this action: refused (a person refused it), filled (sensitive data, at high risk and not approved); empty for neither, and for a destination that this agent used before.',
    since: '0.2.0',
    is_public: true,
    is_from_past: true,
    of: (r) => r.evidence.history?.troubled_place ?? '',
  },
  {
    name: 'classes_of_others',
    type: 'list<string>',
    about: 'Sensitive classes of data that other sessions left in files, tables or queues which this action names.',
    since: '0.2.0',
    is_public: true,
    is_from_past: true,
    of: (r) => r.evidence.history?.classes_of_others ?? [],
  },
  {
    name: 'inherited_classes',
    type: 'list<string>',
    about: 'The same for things that earlier actions of the session named.',
    since: '0.2.0',
    is_public: true,
    is_from_past: true,
    of: (r) => r.evidence.history?.inherited ?? [],
  },
];
