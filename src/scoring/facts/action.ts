/** Facts about the action itself: its words, what it really does, and as whom it acts. */

import { contradiction } from '../read/action/consistency.ts';
import { placesOf } from '../read/action/naming/action-domain.ts';
import { misdeedNamed } from '../read/action/naming/misdeeds.ts';
import { addsHooksOnly, reachesOversight } from '../read/action/oversight.ts';
import { isSlightStep } from '../read/action/own-work.ts';
import { comesToRest, isProtectiveStop } from '../read/action/rest.ts';
import { isRecurring } from '../read/data/said.ts';
import { actionWasCut } from '../read/unread.ts';
import { factorClearedUnasked, suppressedNotice } from '../read/values/accounts/protection.ts';
import { actsAs, placeholderIdentity, weakenedAuthentication } from '../read/values/identity.ts';
import { auditRetentionCut, hiddenRecord, releasedHold } from '../read/values/records/records-cut.ts';
import { confirmationSwitch, switchedOff } from '../read/values/switches.ts';
import { type FactRow, unique } from './fact-row.ts';

/** Verb groups that leave everything as it is, or of which nothing is known. */
const NOT_MUTATING: ReadonlySet<string> = new Set(['read', 'list_search', 'unknown']);

export const ACTION_FACTS: readonly FactRow[] = [
  // Its words
  {
    name: 'action',
    type: 'string',
    about: 'The whole action, `domain:scope:verb`, in lower case.',
    since: '0.1.0',
    relief: 'fixed',
    is_public: true,
    of: (r) => r.evidence.event.action,
  },
  {
    name: 'domain',
    type: 'string',
    about: 'First segment of the action.',
    since: '0.1.0',
    relief: 'fixed',
    is_public: true,
    of: (r) => r.action.domain,
  },
  {
    name: 'scope',
    type: 'string',
    about: 'Second segment of the action.',
    since: '0.1.0',
    relief: 'fixed',
    is_public: true,
    of: (r) => r.action.scope,
  },
  {
    name: 'verb',
    type: 'string',
    about: 'Third segment of the action.',
    since: '0.1.0',
    relief: 'fixed',
    is_public: true,
    of: (r) => r.action.verb,
  },
  {
    name: 'tool_name',
    type: 'string',
    about: 'Name of the MCP tool; empty if the event names none.',
    since: '0.1.0',
    relief: 'fixed',
    is_public: true,
    of: (r) => r.action.tool_name,
  },
  {
    name: 'known_domain',
    type: 'string',
    about: 'Domain of the action in the ontology, aliases resolved; empty if the ontology has none.',
    since: '0.1.0',
    relief: 'fixed',
    is_public: true,
    of: (r) => r.action.known_domain,
  },
  {
    name: 'told_domains',
    type: 'list<string>',
    about: 'Every domain of the ontology that the names of action, tool and server tell.',
    since: '0.2.0',
    relief: 'grows',
    is_public: true,
    of: (r) => placesOf(r.action.domains, r.ontology).map(({ domain }) => domain),
  },
  {
    name: 'verbs',
    type: 'list<string>',
    about: 'Every verb that the action’s verb, tool, HTTP method, named operation or code stands for.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.action.verbs,
  },
  {
    name: 'verb_is_unknown',
    type: 'bool',
    about: 'Neither the verb nor the tool name is in the ontology.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.action.is_unknown,
  },
  {
    name: 'misdeed_named',
    type: 'string',
    about: 'Misdeed that the name of the tool or action says, such as «evidence tampering»; empty if it says none.',
    since: '0.3.0',
    is_public: true,
    of: (r) => misdeedNamed(r.action, r.ontology),
  },
  // What it does
  {
    name: 'reaches_oversight',
    type: 'bool',
    about:
      'What is run, requested or edited decides for this service, changes its policies, keys or hooks, reads its keys, or stops it.',
    since: '0.1.0',
    is_public: false,
    nearest: 'subjects',
    of: (r) => reachesOversight(r.event, r.content, r.ontology),
  },
  {
    name: 'adds_agent_hooks',
    type: 'bool',
    about:
      'The settings of an agent in a project are edited, and no text speaks of this service or of hooks that are asked before the agent acts.',
    since: '0.2.0',
    is_public: false,
    nearest: 'subjects',
    of: (r) => addsHooksOnly(r.event, r.ontology),
  },
  {
    name: 'is_own_work',
    type: 'bool',
    about:
      'Everyday work on the user’s own project: looking, editing, running its programs, committing, pushing a branch. False for all that was not understood.',
    since: '0.1.0',
    is_public: false,
    nearest: 'effect',
    of: (r) => r.is_own_work,
  },
  {
    name: 'stays_in_workspace',
    type: 'bool',
    about:
      'Code or an edit of a file whose effects were all read and stay within the workspace: it looks, writes, runs programs, installs from registries or removes single things.',
    since: '0.3.0',
    is_public: false,
    nearest: 'effect',
    of: (r) => r.stays_in_workspace,
  },
  {
    name: 'is_slight_step',
    type: 'bool',
    about:
      'All that the action does is known from its own content: at most a look at files, the own machine or public pages, or a change in the workspace that can be taken back.',
    since: '0.3.0',
    is_public: false,
    nearest: 'effect',
    of: (r) => r.is_own_work || isSlightStep(r.event, r.ontology, r.action, r.content),
  },
  {
    name: 'verb_group',
    type: 'string',
    about: 'Verb group of the verb as stated.',
    since: '0.1.0',
    relief: 'fixed',
    is_public: true,
    of: (r) => r.action.verb_group,
  },
  {
    name: 'verb_groups',
    type: 'list<string>',
    about: 'Verb groups of all `verbs`; unlike in `effect`, no group hides another.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.action.groups,
  },
  {
    name: 'effect',
    type: 'string',
    about: 'Most dangerous verb group among verb, tool name, HTTP method and code: what the action really does.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    of: (r) => r.action.effective_group,
  },
  {
    name: 'base_risk',
    type: 'int',
    about: 'Risk of the effect on an ordinary internal object, 0 to 100.',
    since: '0.1.0',
    is_public: false,
    nearest: 'effect',
    of: (r) => r.action.base_risk,
  },
  {
    name: 'reversibility',
    type: 'int',
    about: 'How hard the effect is to undo: 0 changes nothing, 4 cannot be undone.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    of: (r) => r.action.reversibility,
  },
  {
    name: 'blast_radius',
    type: 'int',
    about: 'How far the effect reaches: 0 nowhere, 4 beyond the organisation.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.action.blast_radius,
  },
  {
    name: 'is_mutating',
    type: 'bool',
    about: 'The effect changes something.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    of: (r) => !NOT_MUTATING.has(r.action.effective_group),
  },
  {
    name: 'is_recurring',
    type: 'bool',
    about: 'A parameter says that the action repeats on a schedule.',
    since: '0.1.0',
    is_public: true,
    of: (r) => isRecurring(r.event, r.ontology),
  },
  {
    name: 'contradiction',
    type: 'string',
    about: 'Two parts of the event that contradict each other; empty if none do.',
    since: '0.1.0',
    is_public: true,
    of: (r) => contradiction(r.event),
  },
  // What its names speak of
  {
    name: 'subjects',
    type: 'list<string>',
    about: 'Kinds of things that the names of the action, its tool and its type of target speak of.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.action_subjects,
  },
  {
    name: 'parameter_subjects',
    type: 'list<string>',
    about:
      'Kinds of things that the target’s id, parameters and data fields speak of, and what tool results call the ids that are used.',
    since: '0.1.0',
    is_public: false,
    nearest: 'things',
    is_from_text: true,
    of: (r) => r.parameter_subjects,
  },
  {
    name: 'things',
    type: 'list<string>',
    about: 'Kinds of things that any name in the action, its target, parameters or data fields speaks of.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => unique([...r.action_subjects, ...r.parameter_subjects]),
  },
  {
    name: 'machine_comes_to_rest',
    type: 'bool',
    about: 'The action stops a machine other than a medical device.',
    since: '0.3.0',
    is_public: true,
    of: (r) => comesToRest(r.action, r.ontology),
  },
  {
    name: 'is_protective_stop',
    type: 'bool',
    about: 'The action stops a machine for safety, by its name or a parameter.',
    since: '0.3.0',
    is_public: true,
    of: (r) => isProtectiveStop(r.event, r.action, r.ontology),
  },
  // What its parameters switch
  {
    name: 'confirmation_switch',
    type: 'string',
    about: 'Parameter or option that skips a confirmation; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => confirmationSwitch(r.event, r.ontology, r.content),
  },
  {
    name: 'recovery_switch',
    type: 'string',
    about: 'Backup, versioning or similar protection that a parameter switches off; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => switchedOff(r.event, r.ontology, 'recovery_guards'),
  },
  {
    name: 'hidden_record',
    type: 'string',
    about: 'Parameter by which the action leaves no record of itself in an audit or a history; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    of: (r) => hiddenRecord(r.event, r.ontology),
  },
  {
    name: 'audit_retention_cut',
    type: 'string',
    about:
      'Parameter that leaves nothing of audit or security logs, or what a few hours bring; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    of: (r) => auditRetentionCut(r.event, r.ontology, r.action),
  },
  {
    name: 'released_hold',
    type: 'string',
    about: 'Parameter or action that ends a hold which keeps records for a dispute; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    of: (r) => releasedHold(r.event, r.ontology, r.action),
  },
  // What an edit weakens
  // As whom it acts
  {
    name: 'agent_type',
    type: 'string',
    about: 'Kind of agent as declared; empty if absent.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.event.agent?.agent_type ?? '',
  },
  {
    name: 'agent_type_fits',
    type: 'bool',
    about: 'Agents of the declared kind usually work in this domain, or nothing is known of the kind or the domain.',
    since: '0.1.0',
    is_public: true,
    of: (r) => {
      const domains = r.ontology.agent_types.get(r.event.agent?.agent_type ?? '');
      return domains === undefined || r.action.known_domain === '' || domains.includes(r.action.known_domain);
    },
  },
  {
    name: 'acts_as',
    type: 'string',
    about: 'Identity under which the action runs, if it is not the user’s; empty otherwise.',
    since: '0.1.0',
    is_public: true,
    of: (r) => actsAs(r.event, r.ontology, r.action, r.arguments),
  },
  {
    name: 'placeholder_identity',
    type: 'string',
    about: 'Identity field that holds a placeholder; empty if none does.',
    since: '0.1.0',
    is_public: true,
    of: (r) => placeholderIdentity(r.event, r.ontology),
  },
  {
    name: 'weakened_authentication',
    type: 'string',
    about: 'Login control that the action takes away; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => weakenedAuthentication(r.event, r.ontology, r.action, r.content),
  },
  {
    name: 'login_control_taken_unasked',
    type: 'string',
    about: 'The same control, where the user’s words speak of no login and of nothing that guards it; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) =>
      factorClearedUnasked(weakenedAuthentication(r.event, r.ontology, r.action, r.content), r.text, r.ontology),
  },
  {
    name: 'suppressed_notice',
    type: 'string',
    about:
      'Parameter by which the owner of an account does not learn of a change, which the user did not ask for; empty if none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => suppressedNotice(r.event, r.action, r.text, r.ontology),
  },
  // How much of it was read
  {
    name: 'is_outline',
    type: 'bool',
    about: 'The event is judged without its content, because the content could not be scored.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.evidence.is_outline === true,
  },
  {
    name: 'action_was_cut',
    type: 'bool',
    about: 'A limit on the work left part of the action unread.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: actionWasCut,
  },
];
