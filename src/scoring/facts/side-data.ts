/** Facts about data that ride along: beside the arguments of a look-up, in an address, in a form. */

import { hostOfFormula } from '../read/data/calling-formula.ts';
import { closingMark } from '../read/data/found/marked-values.ts';
import { opaqueAddress } from '../read/data/requests/opaque-text.ts';
import { disguisedInRequest, secretInRequest } from '../read/data/requests/shown-secret.ts';
import {
  dataBesideArguments,
  dataInAddress,
  dataInImage,
  identityInForm,
  keyToOtherHost,
} from '../read/data/side-data.ts';
import { type VisibleRecipients, visibleRecipients } from '../read/data/visible-recipients.ts';
import type { Readings } from '../read/readings.ts';
import type { FactRow } from './fact-row.ts';

const visible = (r: Readings): VisibleRecipients => visibleRecipients(r.event, r.ontology, r.action, r.text);

export const SIDE_DATA_FACTS: readonly FactRow[] = [
  {
    name: 'data_beside_arguments',
    type: 'string',
    about:
      'Argument beside what the tool needs (`context`) that holds personal data which the user did not say; empty if none does.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => dataBesideArguments(r.event, r.ontology, r.text),
  },
  {
    name: 'data_in_address',
    type: 'string',
    about:
      'Host of an address that carries personal data or a secret which the user did not say; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => dataInAddress(r.event, r.ontology, r.text),
  },
  {
    name: 'secret_in_request',
    type: 'string',
    about: 'Host to which a request that only fetches shows a secret that the agent has seen; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: secretInRequest,
  },
  {
    name: 'disguised_in_request',
    type: 'string',
    about:
      'Host to which a request that only fetches shows other sensitive data that the agent has seen, in encoded form; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: disguisedInRequest,
  },
  {
    name: 'opaque_address',
    type: 'string',
    about:
      'Host of an address that holds a long text which cannot be read and stands nowhere in the conversation; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: opaqueAddress,
  },
  {
    name: 'data_in_image',
    type: 'string',
    about: 'Host of an image in a text whose address carries data which the user did not say; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => dataInImage(r.event, r.ontology, r.text),
  },
  {
    name: 'identity_in_form',
    type: 'string',
    about:
      'Field of a form that takes somebody’s number or address which the user did not say; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => identityInForm(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'closing_mark',
    type: 'string',
    about:
      'Mark of a record («no disclosure») of which the parameters hold a value that the user did not say; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => closingMark(r.event, r.ontology, r.text),
  },
  {
    name: 'formula_host',
    type: 'string',
    about:
      'Host that a formula for a sheet fetches from with the content of other cells, if the user did not name it; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => hostOfFormula(r.event, r.ontology, r.text),
  },
  {
    name: 'key_to_other_host',
    type: 'string',
    about: 'Host that a request sends a secret to although the user named another one; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => keyToOtherHost(r.event, r.ontology, r.arguments, r.text),
  },
  {
    name: 'visible_recipients',
    type: 'list<string>',
    about:
      'Private mailboxes in fields that each recipient of the message can read, where there are four or more; empty otherwise and where the user says that they know each other.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => visible(r).addresses,
  },
  {
    name: 'visible_recipients_are_served',
    type: 'bool',
    about:
      '`visible_recipients` are people whom an organisation serves or decides about, such as patients or applicants.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => visible(r).are_served,
  },
];
