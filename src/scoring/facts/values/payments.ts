/** Facts about money and accounts in the parameters. */

import { valuesOfNumber } from '../../../lang/written-numbers.ts';
import { bankDetailPaths } from '../../read/values/money/bank-details.ts';
import { changedPayees } from '../../read/values/money/changed-details.ts';
import { malformedAccounts, splitsPayment } from '../../read/values/money/payment-shape.ts';
import { exceededRecord } from '../../read/values/money/returned-amount.ts';
import type { FactRow } from '../fact-row.ts';

/** `1,250.00 EUR` and `1.250,00 EUR` → 1250; the larger of what `3.150` may mean; 0 for what is not a number. */
const amountOf = (text: string): number => Math.max(0, ...valuesOfNumber(text));

export const PAYMENT_FACTS: readonly FactRow[] = [
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
    name: 'bank_detail_paths',
    type: 'list<string>',
    about: 'Parameters with an account at which somebody is paid from now on, where the action changes a record.',
    since: '0.3.0',
    is_public: true,
    of: (r) => bankDetailPaths(r.event, r.action, r.ontology),
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
