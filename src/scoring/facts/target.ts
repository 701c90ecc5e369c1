/** Facts about the target, how much the action touches, when it happens, and whose things they are. */
import { foreignOwner, isInSharedSpace } from '../read/action/other-people.ts';
import { concernsPerson, otherPersonsSpace } from '../read/values/identity.ts';
import { protectedTrait } from '../read/values/protected-attributes.ts';
import type { FactRow } from './fact-row.ts';

export const TARGET_FACTS: readonly FactRow[] = [
  {
    name: 'resource_type',
    type: 'string',
    about: 'Type of the target as declared.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.target.resource_type,
  },
  {
    name: 'resource_id',
    type: 'string',
    about: 'Id of the target as declared.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.target.resource_id,
  },
  {
    name: 'sensitivity',
    type: 'int',
    about: 'Sensitivity of the target, 0 public to 4 critical: the higher of declared and known.',
    since: '0.1.0',
    relief: 'grows',
    is_public: true,
    of: (r) => r.target.sensitivity,
  },
  {
    name: 'known_sensitivity',
    type: 'int',
    about: 'Sensitivity of the target, 0 to 4, as known without any declaration.',
    since: '0.1.0',
    relief: 'grows',
    is_public: false,
    nearest: 'sensitivity',
    of: (r) => r.target.known_sensitivity,
  },
  {
    name: 'target_is_production',
    type: 'bool',
    about: 'Names in the target say production.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.target.environment === 'production',
  },
  {
    name: 'target_is_non_production',
    type: 'bool',
    about: 'Names in the target say test, staging or sandbox.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.target.environment === 'non_production',
  },
  // Volume and time
  {
    name: 'batch_size',
    type: 'int',
    about: 'Largest count in the parameters, or length of the longest array.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.volume.batch_size,
  },
  {
    name: 'protected_trait',
    type: 'string',
    about:
      'Trait such as gender or nationality by which the action chooses among people or decides about one; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    of: (r) => protectedTrait(r.event, r.action, r.ontology),
  },
  {
    name: 'is_unbounded',
    type: 'bool',
    about: 'The action reaches everything: a wildcard, «all», a missing WHERE, or recursion from a root.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.volume.is_unbounded,
  },
  {
    name: 'recipient_count',
    type: 'int',
    about: 'Number of different recipients.',
    since: '0.1.0',
    relief: 'grows',
    is_public: true,
    of: (r) => r.volume.recipient_count,
  },
  {
    name: 'hour_of_day',
    type: 'int',
    about: 'Hour of the timestamp, 0 to 23, in the timestamp’s own offset.',
    since: '0.1.0',
    is_public: false,
    nearest: 'hour(timestamp)',
    of: (r) => r.time.hour,
  },
  // Whose it is
  {
    name: 'concerns_person',
    type: 'bool',
    about: 'The action concerns a person or their case, in a domain where decisions weigh on people.',
    since: '0.1.0',
    is_public: true,
    of: (r) => concernsPerson(r.event, r.ontology, r.action),
  },
  {
    name: 'other_persons_space',
    type: 'string',
    about:
      'Person whose space the action reaches, if that is neither the user nor anyone the user named; empty otherwise.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherPersonsSpace(r.event, r.ontology, r.arguments, r.heeded_text),
  },
  {
    name: 'foreign_owner',
    type: 'string',
    about: 'Owner that a parameter names, if it is not the session’s user; empty otherwise.',
    since: '0.1.0',
    is_public: true,
    of: (r) => foreignOwner(r.event, r.ontology),
  },
  {
    name: 'is_in_shared_space',
    type: 'bool',
    about: 'A parameter puts the thing where all users can read it.',
    since: '0.1.0',
    is_public: true,
    of: (r) => isInSharedSpace(r.event, r.ontology),
  },
];
