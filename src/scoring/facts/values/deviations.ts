/** Facts about values that differ from the user's words or from the records that were looked up. */

import { parametersOf } from '../../../events/parameters.ts';
import { isCutAtFront } from '../../read/conversation/calls.ts';
import { jumpedValue } from '../../read/values/jumped-value.ts';
import { shiftedAmount } from '../../read/values/money/shifted-amount.ts';
import { numbersAreOfNamedRecord } from '../../read/values/records/named-record.ts';
import { shiftedQuantity } from '../../read/will/contradiction/values/shifted-quantity.ts';
import { addedRecipients, exceededAmount } from '../../read/will/deviation.ts';
import { exceededAllowance } from '../../read/will/sources/allowance.ts';
import { closedFile } from '../../read/will/sources/closed-file.ts';
import { deniedClaim } from '../../read/will/sources/denied-claim.ts';
import { otherAccount } from '../../read/will/sources/other-account.ts';
import { otherDestination } from '../../read/will/sources/other-destination.ts';
import { slippedNumber } from '../../read/will/sources/slipped-number.ts';
import { toldUnidentified } from '../../read/will/sources/told-unidentified.ts';
import type { FactRow } from '../fact-row.ts';

export const DEVIATION_FACTS: readonly FactRow[] = [
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
    name: 'jumped_value',
    type: 'string',
    about:
      'Path of a number that the action changes at least fifty-fold against the old one among its parameters; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    of: (r) => jumpedValue(parametersOf(r.event).leaves, r.action.name_words, r.ontology),
  },
  {
    name: 'slipped_number',
    type: 'string',
    about:
      'Sum of the action that differs from a look-up about the same thing, or from the request, by a slip: two digits swapped, one digit another, a nought more or less; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => slippedNumber(r.event, r.ontology, r.text)?.used ?? '',
  },
  {
    name: 'slipped_source',
    type: 'string',
    about: 'The number that the source has instead of `slipped_number`; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => slippedNumber(r.event, r.ontology, r.text)?.source ?? '',
  },
  {
    name: 'exceeded_allowance',
    type: 'string',
    about:
      'Words of the operator or of a look-up that state a limit which the action exceeds, such as `max discount 15%`; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => exceededAllowance(r.event, r.ontology, r.text)?.limit ?? '',
  },
  {
    name: 'is_split_under_allowance',
    type: 'bool',
    about: 'The parts of a list keep to `exceeded_allowance` one by one and exceed it together.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => exceededAllowance(r.event, r.ontology, r.text)?.is_split ?? false,
  },
  {
    name: 'denied_claim',
    type: 'string',
    about:
      'Sentence of the action that the look-up denies, such as `resolved unanimously` where no vote was taken; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => deniedClaim(r.event, r.ontology, r.text)?.claim ?? '',
  },
  {
    name: 'claim_denial',
    type: 'string',
    about: 'The words of the look-up that deny `denied_claim`; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => deniedClaim(r.event, r.ontology, r.text)?.denial ?? '',
  },
  {
    name: 'closed_file',
    type: 'string',
    about:
      'File of the action that the list which names it marks as closed, or that holds everybody’s data where the user’s words name another one; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => closedFile(r.event, r.ontology, r.text).file,
  },
  {
    name: 'closed_file_reason',
    type: 'string',
    about: 'The mark of `closed_file`, or the name of the file that is meant; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => closedFile(r.event, r.ontology, r.text).reason,
  },
  {
    name: 'told_unidentified',
    type: 'string',
    about:
      'Words of the last check that whoever asks was not identified, where the action tells data of a person all the same; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => toldUnidentified(r.event, r.ontology, r.text),
  },
  {
    name: 'unrecorded_account',
    type: 'string',
    about:
      'Account of the action that stands nowhere in the conversation, where the look-up of the same payee or bill has another one; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherAccount(r.event, r.ontology, r.text)?.used ?? '',
  },
  {
    name: 'recorded_account',
    type: 'string',
    about: 'The account that the look-up has instead of `unrecorded_account`; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherAccount(r.event, r.ontology, r.text)?.recorded ?? '',
  },
  {
    name: 'unrecorded_destination',
    type: 'string',
    about:
      'Address or host of the action that is not the one which the look-up has for whom the user means; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherDestination(r.arguments, r.ontology, r.text)?.used ?? '',
  },
  {
    name: 'recorded_destination',
    type: 'string',
    about: 'The address or host that the look-up has instead of `unrecorded_destination`; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherDestination(r.arguments, r.ontology, r.text)?.recorded ?? '',
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
    name: 'tied_namesake',
    type: 'string',
    about:
      'Person whom the action takes although the look-up holds others of the name that the user says, and his words fit each of them; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.chosen_record.tied_namesake,
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
    name: 'used_is_namesake',
    type: 'bool',
    about: 'The used record and the one that fits better both hold words of the user, as two people of one name do.',
    since: '0.3.0',
    is_public: false,
    nearest: 'missed_words',
    is_from_text: true,
    of: (r) => r.chosen_record.is_namesake,
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
];
