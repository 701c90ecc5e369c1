/** Facts about the values of parameters: the role of each, where it comes from, and secrets and code among them. */

import { wordsOf } from '../../../lang/names.ts';
import { misplacedSecret, secretInAddress } from '../../read/data/found/misplaced-secrets.ts';
import { argumentWithSeenSecret } from '../../read/data/requests/asked-with-secret.ts';
import type { Readings } from '../../read/readings.ts';
import { isPassage } from '../../read/values/argument.ts';
import { injectedSigns } from '../../read/values/metacharacters.ts';
import { foreignSites } from '../../read/will/deviation.ts';
import { type FactRow, unique } from '../fact-row.ts';

/** Roles that say whom or what an action reaches. */
const DECISIVE: ReadonlySet<string> = new Set(
  'recipient payee url host principal webhook repository command'.split(' '),
);

const LOOKING: ReadonlySet<string> = new Set(['read', 'list_search']);

/** Roles with a value of this provenance that the user did not delegate. */
const rolesFrom = (r: Readings, provenance: 'tool' | 'none'): readonly string[] =>
  unique(r.arguments.filter((a) => a.role !== '' && a.provenance === provenance && !a.is_delegated).map((a) => a.role));

export const ARGUMENT_FACTS: readonly FactRow[] = [
  {
    name: 'arguments',
    type: 'list<object>',
    about: 'Each leaf of the parameters, with its role and provenance.',
    since: '0.1.0',
    is_public: false,
    nearest: 'tainted_roles',
    is_from_text: true,
    fields: {
      path: 'string',
      role: 'string',
      kind: 'string',
      value: 'string',
      provenance: 'string',
      is_delegated: 'bool',
      is_left_open: 'bool',
      is_looked_up: 'bool',
      is_ordered: 'bool',
      is_of_workspace: 'bool',
      external: 'string',
      replaces: 'string',
      imitates: 'string',
    },
    of: (r) => r.arguments,
  },
  {
    name: 'login_data_are_the_users',
    type: 'bool',
    about: 'The user gave every value of the login data that the action changes, such as the new password.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: ({ action, arguments: given }) => {
      const changed = new Set(wordsOf(action.scope));
      const own = given.filter(
        ({ path, role }) => role === 'secret' && wordsOf(path).some((word) => changed.has(word)),
      );
      return own.length > 0 && own.every(({ provenance }) => provenance === 'user');
    },
  },
  // Secrets out of place
  {
    name: 'misplaced_secret',
    type: 'string',
    about: 'Argument that holds a secret although it plays no part in what the tool does; empty if none does.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    // A search among the own files shows it to nobody.
    of: (r) =>
      r.is_own_work && r.content.languages.length === 0 && LOOKING.has(r.action.effective_group)
        ? ''
        : misplacedSecret(r.data.touched, r.arguments, r.action.name_words, r.ontology),
  },
  {
    name: 'argument_with_seen_secret',
    type: 'string',
    about:
      'Argument with a secret that the agent has seen, where the tool only asks somebody outside; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => (r.is_own_work ? '' : argumentWithSeenSecret(r)),
  },
  {
    name: 'secret_address',
    type: 'string',
    about: 'Host of an address in the parameters whose path or query carries a secret; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => secretInAddress(r.event, [...r.data.touched, ...r.data.carried.map((c) => c.data)], r.ontology, r.text),
  },
  // Where values come from
  {
    name: 'tainted_roles',
    type: 'list<string>',
    about: 'Roles whose value occurs only in text that tools brought in, and whose choice the user did not delegate.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => rolesFrom(r, 'tool'),
  },
  {
    name: 'invented_roles',
    type: 'list<string>',
    about: 'Roles whose value occurs nowhere, and which the user did not leave to be worked out («the rest»).',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => rolesFrom(r, 'none'),
  },
  {
    name: 'decisive_values_are_the_users',
    type: 'bool',
    about: 'Every value that decides whom or what the action reaches is in the user’s own words.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: false,
    nearest: 'tainted_roles',
    is_from_text: true,
    of: (r) => {
      const decisive = r.arguments.filter(({ role }) => DECISIVE.has(role));
      return decisive.length > 0 && decisive.every(({ provenance }) => provenance === 'user');
    },
  },
  {
    name: 'roles_from_memory',
    type: 'list<string>',
    about: 'Roles whose value only a memory brought in.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.value_origins.memory,
  },
  {
    name: 'roles_from_agents',
    type: 'list<string>',
    about: 'Roles whose value only another agent brought in.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.value_origins.agents,
  },
  {
    name: 'roles_from_other_server',
    type: 'list<string>',
    about: 'Roles whose value only a tool of another server brought in.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.value_origins.other_server,
  },
  {
    name: 'roles_with_control_signs',
    type: 'list<string>',
    about:
      'Roles whose value a tool brought in, with control characters of shell, SQL, path, template or directory syntax.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => unique(injectedSigns(r.arguments, r.ontology).map(({ role }) => role)),
  },
  {
    name: 'payloads',
    type: 'list<object>',
    about: 'Each parameter that holds code for what receives the value; `strength` is 2 for likely and 3 for certain.',
    since: '0.1.0',
    is_public: false,
    nearest: 'injected_languages',
    fields: { language: 'string', strength: 'int', parameter: 'string', value: 'string' },
    of: (r) => r.payloads,
  },
  {
    name: 'injected_languages',
    type: 'list<string>',
    about: 'Languages of code in parameters that the tool takes as data: sql, shell, template, script and others.',
    since: '0.1.0',
    is_public: true,
    of: (r) => unique(r.payloads.filter(({ strength }) => strength === 3).map(({ language }) => language)),
  },
  {
    name: 'text_from_tools',
    type: 'bool',
    about: 'A longer text in the parameters was taken from what tools brought in.',
    since: '0.1.0',
    is_public: false,
    nearest: 'tainted_roles',
    is_from_text: true,
    of: (r) => r.arguments.some((a) => a.provenance === 'tool' && isPassage(a)),
  },
  {
    name: 'text_from_others',
    type: 'bool',
    about: 'A longer text in the parameters was taken from what tools brought in, and not from the workspace.',
    since: '0.3.0',
    is_public: false,
    nearest: 'tainted_roles',
    is_from_text: true,
    of: (r) => r.arguments.some((a) => a.provenance === 'tool' && isPassage(a) && !a.is_of_workspace),
  },
  {
    name: 'foreign_sites',
    type: 'list<string>',
    about: 'Sites that only text from outside led to.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => foreignSites(r.ontology, r.arguments, r.heeded_text),
  },
];
