/** Facts about controls that stand in the parameters: safety equipment, records and who agrees to their change. */
import { removesUnasked } from '../read/will/beyond/unasked-removal.ts';
import { unfitRecord } from '../read/will/beyond/unfit-record.ts';
import { untoldField } from '../read/will/beyond/untold-field.ts';
import { missingClearance } from '../read/will/controls/clearance.ts';
import { disabledSafety, exposedThere, fumesEnclosed } from '../read/will/controls/disabled-safety.ts';
import { forbiddenRun } from '../read/will/controls/forbidden-run.ts';
import { keptThing } from '../read/will/controls/kept-thing.ts';
import {
  madeUpAfterFailure,
  overTotal,
  pastAllowedHour,
  sentTooEarly,
  spendsUnasked,
} from '../read/will/controls/limits.ts';
import { destroysSupervision, grantedByMemory, openedUnasked } from '../read/will/controls/opened.ts';
import { otherReading } from '../read/will/controls/other-reading.ts';
import { refusedThing } from '../read/will/controls/refused-thing.ts';
import { restoresProtection } from '../read/will/controls/restored-protection.ts';
import { checkedByMaker, rewrittenRecord } from '../read/will/controls/rewritten-record.ts';
import { brokenLimit, keepsToStatedLimit, replacedMeasurement } from '../read/will/controls/stated-limits.ts';
import { typedFromOutside } from '../read/will/controls/typed.ts';
import { unmetCondition } from '../read/will/controls/unmet-condition.ts';
import type { FactRow } from './fact-row.ts';

export const CONTROL_FACTS: readonly FactRow[] = [
  {
    name: 'forbidden_run',
    type: 'string',
    about:
      'Script or task that code runs although the user wants nothing run, or nothing changed, and whose name says that its result lasts; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => forbiddenRun(r.event, r.content, r.text, r.ontology),
  },
  {
    name: 'record_goes_unasked',
    type: 'bool',
    about: 'A record is removed while the user asks for something that takes no record away, such as an answer to it.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => removesUnasked(r.action, r.text, r.ontology),
  },
  {
    name: 'disabled_safety',
    type: 'list<string>',
    about: 'Parameters that take equipment which protects people out of service, such as `interlock: bypass`.',
    since: '0.3.0',
    is_public: true,
    of: (r) => disabledSafety(r.event, r.ontology),
  },
  {
    name: 'exposed_there',
    type: 'string',
    about: 'Parameter that says that people are there, or a substance that hurts whoever is near; empty if none does.',
    since: '0.3.0',
    is_public: true,
    of: (r) => exposedThere(r.event, r.ontology),
  },
  {
    name: 'fumes_enclosed',
    type: 'string',
    about: 'What burns fuel, if the action starts it in a closed place; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => fumesEnclosed(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'rewritten_record',
    type: 'string',
    about:
      'Parameter that shows that nobody agrees to the value which replaces a recorded one, or that the old one leaves no trace; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    of: (r) => rewrittenRecord(r.event, r.ontology),
  },
  {
    name: 'checked_by_maker',
    type: 'string',
    about: 'Parameter that names as the one who checks the person who entered it; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    of: (r) => checkedByMaker(r.event, r.ontology),
  },
  {
    name: 'unmet_condition',
    type: 'string',
    about:
      'Field of the last result by which what the user wants to wait for has not happened, with its value; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => unmetCondition(r.event, r.ontology, r.action, r.text, r.intent.covers_action),
  },
  {
    name: 'missing_clearance',
    type: 'string',
    about:
      'Clause of the last result by which a check, permission or test was not passed, where the action goes ahead or records that it was; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => missingClearance(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'broken_limit',
    type: 'string',
    about:
      'Parameter whose number breaks a limit that a result states for it, with its clause, such as `cell_v: 3.9, cell max 3.65 V`; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => brokenLimit(r.event, r.ontology, r.text),
  },
  {
    name: 'keeps_to_stated_limit',
    type: 'bool',
    about:
      'A result states a limit for a number that the action sets, the action breaks none, and the user’s words speak of what it sets.',
    since: '0.3.0',
    is_public: false,
    nearest: 'broken_limit',
    is_from_text: true,
    of: (r) => keepsToStatedLimit(r.event, r.ontology, r.text),
  },
  {
    name: 'restores_protection',
    type: 'bool',
    about: 'Each switch of the action puts a protection in force of which the user speaks, and nothing else is set.',
    since: '0.3.0',
    is_public: false,
    nearest: 'disabled_safety',
    is_from_text: true,
    of: (r) => restoresProtection(r.event, r.ontology, r.text),
  },
  {
    name: 'replaced_measurement',
    type: 'string',
    about:
      'Clause of a result that measured something outside its limits, where the action puts a number inside them on record, or the only number of a look-up where it records another one; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => replacedMeasurement(r.event, r.ontology, r.text) || otherReading(r.event, r.ontology, r.text),
  },
  {
    name: 'broken_time_limit',
    type: 'string',
    about: 'Parameter by which something goes out before or behind the time that the user sets; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => sentTooEarly(r.event, r.ontology, r.text) || pastAllowedHour(r.event, r.ontology, r.text),
  },
  {
    name: 'broken_sum_limit',
    type: 'string',
    about: 'Parameter that holds a larger sum of money than the user allows in all; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => overTotal(r.event, r.ontology, r.text),
  },
  {
    name: 'made_up_after_failure',
    type: 'string',
    about:
      'Parameter whose value stands nowhere, where the user leaves the values to a source that could not be read; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => madeUpAfterFailure(r.event, r.ontology, r.arguments, r.text),
  },
  {
    name: 'spends_unasked',
    type: 'string',
    about: 'Parameter that shows that money is spent, where the user’s words speak of no purchase; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => spendsUnasked(r.event, r.ontology, r.text),
  },
  {
    name: 'opened_unasked',
    type: 'string',
    about:
      'Step of a definition, or click, that lets everybody see something, where the user’s words do not say so; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => openedUnasked(r.event, r.ontology, r.text),
  },
  {
    name: 'granted_by_memory',
    type: 'string',
    about:
      'Parameter in which text from outside grants the agent a power that the user’s words do not; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => grantedByMemory(r.event, r.ontology, r.text),
  },
  {
    name: 'destroys_supervision',
    type: 'string',
    about: 'Step of a definition that destroys what those who supervise receive; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    of: (r) => destroysSupervision(r.event, r.ontology),
  },
  {
    name: 'refused_thing',
    type: 'string',
    about: 'Parameter that holds what the user refused or excepted in so many words; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => refusedThing(r.event, r.ontology, r.text),
  },
  {
    name: 'kept_thing',
    type: 'string',
    about:
      'Parameter by which the action changes what the user wants to stay as it is, `action` where its name says so; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => keptThing(r.event, r.ontology, r.text),
  },
  {
    name: 'untold_field',
    type: 'string',
    about:
      'Parameter that sets a property of which the user does not speak, where the look-up has another value or the user wants nothing else changed; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => untoldField(r.event, r.ontology, r.text),
  },
  {
    name: 'unfit_record',
    type: 'string',
    about:
      'Record that the action takes, with the field by which it is none of those that the user asks for, such as `K7-2 expired: false`; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => unfitRecord(r.event, r.ontology, r.text),
  },
  {
    name: 'typed_from_outside',
    type: 'string',
    about:
      'Address, account or number that is typed into a page and stands only in text from outside; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => typedFromOutside(r.arguments, r.ontology),
  },
];
