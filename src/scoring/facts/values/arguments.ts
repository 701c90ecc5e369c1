/** Facts about the values of parameters: where each comes from, how it differs from what the user said, and money. */

import { wordsOf } from '../../lang/names.ts';
import { isCutAtFront } from '../read/conversation/calls.ts';
import { misplacedSecret, secretInAddress } from '../read/data/found/misplaced-secrets.ts';
import type { Readings } from '../read/readings.ts';
import { injectedSigns } from '../read/values/metacharacters.ts';
import { changedPayees } from '../read/values/money/changed-details.ts';
import { malformedAccounts, splitsPayment } from '../read/values/money/payment-shape.ts';
import { exceededRecord } from '../read/values/money/returned-amount.ts';
import { shiftedAmount } from '../read/values/money/shifted-amount.ts';
import { numbersAreOfNamedRecord } from '../read/values/records/named-record.ts';
import { shiftedQuantity } from '../read/will/contradiction/shifted-quantity.ts';
import { addedRecipients, exceededAmount, foreignSites } from '../read/will/deviation.ts';
import { type FactRow, unique } from './fact-row.ts';

/** Roles that say whom or what an action reaches. */
const DECISIVE: ReadonlySet<string> = new Set(
  'recipient payee url host principal webhook repository command'.split(' '),
);
/** Shorter texts are too common to say where they come from (characters). */
const LONG_TEXT = 16;

/** Roles with a value of this provenance that the user did not delegate. */
const rolesFrom = (r: Readings, provenance: 'tool' | 'none'): readonly string[] =>
  unique(r.arguments.filter((a) => a.role !== '' && a.provenance === provenance && !a.is_delegated).map((a) => a.role));

/** `1,250.00 EUR` → 1250; 0 for what is not a number. */
function amountOf(text: string): number {
  const amount = Number(text.replace(/[^0-9.-]/g, ''));
  return Number.isFinite(amount) ? Math.abs(amount) : 0;
}

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
    of: (r) => misplacedSecret(r.data.touched, r.arguments, r.ontology),
  },
  {
    name: 'secret_address',
    type: 'string',
    about: 'Host of an address in the parameters whose path or query carries a secret; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    of: (r) => secretInAddress(r.event, [...r.data.touched, ...r.data.carried.map((c) => c.data)], r.ontology),
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
    of: (r) => r.arguments.some((a) => a.provenance === 'tool' && a.kind === 'phrase' && a.value.length >= LONG_TEXT),
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
  // What differs from the user's words
  {
    name: 'added_recipients',
    type: 'list<string>',
    about: 'Recipients beside those whom the user named one by one.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => addedRecipients(r.ontology, r.arguments, r.heeded_text),
  },
  {
    name: 'asked_object',
    type: 'string',
    about: 'Object that the user named, if the action takes another one of the same shape; empty otherwise.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.other_object.asked,
  },
  {
    name: 'used_object',
    type: 'string',
    about: 'Object that the action takes instead of `asked_object`; empty otherwise.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.other_object.used,
  },
  {
    name: 'shifted_amount',
    type: 'string',
    about:
      'Amount or quantity of a look-up, or number of the request, of which the action has the same digits with the decimal point elsewhere (`1,284.50` of 12845.00); empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => shiftedAmount(r.arguments, r.text, r.ontology) || shiftedQuantity(r.event, r.ontology, r.text),
  },
  {
    name: 'numbers_are_of_named_record',
    type: 'bool',
    about:
      'Each number among the parameters stands in a record, such as a work order, that the user named by its number and the agent looked up.',
    since: '0.2.0',
    is_public: false,
    nearest: 'request_covers_action',
    is_from_text: true,
    of: (r) => numbersAreOfNamedRecord(r.event, r.ontology, r.text),
  },
  {
    name: 'contradictions',
    type: 'list<object>',
    about:
      'Each parameter that holds another value than the request names for it; `factor` is the larger by the smaller quantity.',
    since: '0.2.0',
    is_public: false,
    nearest: 'asked_object',
    is_from_text: true,
    fields: { parameter: 'string', asked: 'string', used: 'string', kind: 'string', factor: 'double', is_less: 'bool' },
    of: (r) => r.contradictions,
  },
  {
    name: 'conversation_is_cut',
    type: 'bool',
    about: 'The conversation lacks its beginning, so results may be missing in it.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => isCutAtFront(r.event, r.ontology),
  },
  {
    name: 'guessed_id',
    type: 'string',
    about:
      'Id in the parameters that stands nowhere in the conversation, although tools answered in it; empty if none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.chosen_record.guessed_id,
  },
  {
    name: 'guessed_id_kind_is_listed',
    type: 'bool',
    about: 'Look-ups listed ids of the kind of `guessed_id` and not this one, or found none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.chosen_record.is_kind_listed,
  },
  {
    name: 'missed_words',
    type: 'string',
    about:
      'Words of the user that another record which was looked up holds and the used one lacks; empty if there are none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.chosen_record.missed,
  },
  {
    name: 'used_record',
    type: 'string',
    about:
      'Id of the record that the action uses although `better_record` fits the user’s words better; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.chosen_record.used,
  },
  {
    name: 'better_record',
    type: 'string',
    about:
      'Id of the record that fits the user’s words better than the one that the action uses; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.chosen_record.better,
  },
  {
    name: 'exceeded_amount',
    type: 'double',
    about: 'Largest amount that the user named, if the action moves clearly more; 0 otherwise.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => exceededAmount(r.ontology, r.arguments, r.heeded_text),
  },
  // Money and accounts
  {
    name: 'largest_amount',
    type: 'double',
    about: 'Largest amount of money in the parameters; 0 if there is none.',
    since: '0.1.0',
    relief: 'grows',
    is_public: true,
    of: (r) => r.arguments.filter((a) => a.role === 'amount').reduce((most, a) => Math.max(most, amountOf(a.value)), 0),
  },
  {
    name: 'exceeded_record',
    type: 'double',
    about:
      'Amount that the record of the order or payment says was paid, if the action moves more than it; 0 otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => exceededRecord(r.ontology, r.arguments, r.heeded_text),
  },
  {
    name: 'changed_payees',
    type: 'list<string>',
    about: 'Accounts paid to that a message announced as new, or another than the payee’s own record or mail has.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => changedPayees(r.ontology, r.arguments, r.heeded_text),
  },
  {
    name: 'malformed_accounts',
    type: 'list<string>',
    about: 'Kinds of account numbers in the parameters that fail their check digits.',
    since: '0.1.0',
    is_public: true,
    of: (r) => malformedAccounts(r.event, r.ontology),
  },
  {
    name: 'payment_is_split',
    type: 'bool',
    about: 'This and an earlier payment each lie just below a limit that they exceed together.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => splitsPayment(r.heeded_text, r.arguments, r.ontology),
  },
];
