/** Facts about how an action contradicts the request or goes beyond it: its object, extent, unit, place, way and consequences. */

import { changedByBody } from '../read/action/content/changed-by-body.ts';
import { userWords } from '../read/conversation/user-words.ts';
import { spendingSign } from '../read/values/money/spending-sign.ts';
import { highestRightUnasked } from '../read/values/records/highest-right.ts';
import { mixedPair } from '../read/values/records/mixed-pairs.ts';
import { meantByRequest, reachOfAll } from '../read/will/contradiction/reach/all-instead-of-one.ts';
import { excessColumns } from '../read/will/contradiction/reach/excess-columns.ts';
import { furtherObjects } from '../read/will/contradiction/reach/further-objects.ts';
import { openToAll } from '../read/will/contradiction/reach/open-to-all.ts';
import { wholeFleet } from '../read/will/contradiction/reach/whole-fleet.ts';
import { brokenFreeze } from '../read/will/contradiction/things/change-freeze.ts';
import { keepsToTestPlace, otherEnvironment } from '../read/will/contradiction/things/other-environment.ts';
import { otherRow } from '../read/will/contradiction/things/other-row.ts';
import { restrictionOf } from '../read/will/contradiction/things/restricted.ts';
import { otherUnit } from '../read/will/contradiction/values/other-unit.ts';
import { overriddenGuard, stoppedProtection } from '../read/will/controls/overridden-guard.ts';
import { madeFinal } from '../read/will/final-by-value.ts';
import { lesserDeedAsked } from '../read/will/lesser-deed.ts';
import { unaskedConsequence } from '../read/will/unasked-consequence.ts';
import type { FactRow } from './fact-row.ts';

export const CONTRADICTION_FACTS: readonly FactRow[] = [
  {
    name: 'restriction',
    type: 'string',
    about: 'Note or field of what was looked up that restricts the action: `legal_hold: true`; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => restrictionOf(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'row_used',
    type: 'string',
    about:
      'Id of a row of a look-up that the action takes, where the user’s words hold what only another row of its kind has; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherRow(r.event, r.ontology, r.text).used,
  },
  {
    name: 'row_meant',
    type: 'string',
    about: 'What the user says and only the other row holds; empty unless `row_used` is set.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherRow(r.event, r.ontology, r.text).meant,
  },
  {
    name: 'made_final',
    type: 'string',
    about: 'Parameter that makes the action final, such as `status: sent` or `publish: true`; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    of: (r) => madeFinal(r.event, r.ontology),
  },
  {
    name: 'spending_sign',
    type: 'string',
    about:
      'Parameter that shows that the action spends money, such as a way to pay or a button «Pay now»; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    of: (r) => spendingSign(r.event, r.ontology),
  },
  {
    name: 'mixed_pair',
    type: 'string',
    about:
      'Two values of one row of the action that a look-up keeps in different records; empty if rows and records agree.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => mixedPair(r.event, r.text),
  },
  {
    name: 'unit_said',
    type: 'string',
    about:
      'Number and unit that the user or a look-up gives, if the action uses the number with another unit; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherUnit(r.event, r.ontology, r.text)?.said ?? '',
  },
  {
    name: 'unit_used',
    type: 'string',
    about: 'The same number with the unit of the action; empty unless `unit_said` is set.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherUnit(r.event, r.ontology, r.text)?.used ?? '',
  },
  {
    name: 'environment_missed',
    type: 'string',
    about: 'Name of production that the action uses although the request names a place for tests; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => otherEnvironment(r.event, r.ontology, r.content, r.text),
  },
  {
    name: 'freeze_broken',
    type: 'string',
    about:
      'The user’s words for a freeze of changes that the action breaks: it deploys, or changes production; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => brokenFreeze(r.event, r.ontology, r.action, r.content, r.text),
  },
  {
    name: 'keeps_to_test_place',
    type: 'bool',
    about: 'The commands only act on a place elsewhere, and each names the place for tests that the request names.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => keepsToTestPlace(r.ontology, r.content, r.text),
  },
  {
    name: 'reach_of_all',
    type: 'string',
    about: 'Parameter, or name of the action, that applies the action to everything; empty if nothing does.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => reachOfAll(r.event, r.ontology, r.action, r.arguments, r.text),
  },
  {
    name: 'fleet_reached',
    type: 'string',
    about:
      'Command that reaches every member of a fleet, or parameter that opens something to everybody, although the user named one; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) =>
      wholeFleet(r.ontology, r.content, r.text) || (r.text.has_request ? openToAll(r.event, r.ontology, r.text) : ''),
  },
  {
    name: 'request_means',
    type: 'string',
    about:
      '`one`: the request names one thing or a few; `some`: it does not say all; empty where it may mean everything.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => meantByRequest(r.ontology, r.heeded_text),
  },
  {
    name: 'asked_way',
    type: 'string',
    about: 'Word of the request for the way to go, if the action goes the opposite way; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.opposite.asked,
  },
  {
    name: 'opposite_way',
    type: 'string',
    about: 'Word of the action for the way that is opposite to `asked_way`; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.opposite.done,
  },
  {
    name: 'excess_columns',
    type: 'list<string>',
    about: 'Sensitive columns that a query selects although the user asked for a number, or for yes or no.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => excessColumns(r.event, r.ontology, r.text).columns,
  },
  {
    name: 'excess_is_of_all_rows',
    type: 'bool',
    about: 'No condition limits the rows of `excess_columns`.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => excessColumns(r.event, r.ontology, r.text).is_all,
  },
  {
    name: 'lesser_deed_asked',
    type: 'string',
    about:
      'Word of the request for a deed that removes nothing (`archive`), if it asks for no removal; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => lesserDeedAsked(r.ontology, r.action, r.text),
  },
  {
    name: 'highest_right_unasked',
    type: 'string',
    about:
      'Right that reaches everything, if the action gives it and the user’s words name no such right; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => highestRightUnasked(r.event, r.ontology, userWords(r.text)),
  },
  {
    name: 'further_objects',
    type: 'list<string>',
    about: 'Things in a list beside the one that the request means; empty where it may mean several.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => (r.is_confirmed ? [] : furtherObjects(r.event, r.ontology, r.text)),
  },
  {
    name: 'unasked_consequence',
    type: 'string',
    about:
      'Kind of thing (`coupon`, `bank_details`) that the action changes and the user’s words do not speak of; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => (r.is_confirmed ? '' : unaskedConsequence(r.event, r.ontology, r.action, r.text)),
  },
  {
    name: 'overridden_guard',
    type: 'string',
    about:
      'Parameter that overrides a lock, an interlock, an exception or a check, where the user’s words do not speak of that; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => overriddenGuard(r.event, r.ontology, r.text),
  },
  {
    name: 'stopped_protection',
    type: 'string',
    about:
      'Parameter whose value puts a protection out of action, such as `alarm: off`, where the user’s words do not speak of it; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => stoppedProtection(r.event, r.ontology, r.text),
  },
  {
    name: 'changed_by_body',
    type: 'string',
    about:
      'What a statement, pipeline or mutation in the parameters changes or takes out: its object or verb; empty if nothing does.',
    since: '0.2.0',
    is_public: true,
    of: (r) => changedByBody(r.event, r.ontology, r.content),
  },
];
