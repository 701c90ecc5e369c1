/**
 * Facts that few families of rules ask for: what kinds of things are meant, how agents deal with each other, with tool
 * servers, packages, money, and with what belongs to people. Part of the one table in `facts.ts`.
 */

import { imitatedServer, rightfulServer } from '../read/action/mcp.ts';
import { foreignOwner, isInSharedSpace } from '../read/action/other-people.ts';
import {
  approverIsAgent,
  delegateCount,
  delegateMayDelegate,
  delegationDepth,
  excessRights,
  targetsItself,
} from '../read/action/subagents.ts';
import { unnamedExecutedFiles } from '../read/data/executed-files.ts';
import { packageSigns } from '../read/data/packages.ts';
import { recordSubclasses } from '../read/data/record-lines.ts';
import { isRecurring, isStandingOrder, sensitiveSearch, wasDenied } from '../read/data/said.ts';
import { changedPayees } from '../read/values/changed-details.ts';
import { injectedSigns } from '../read/values/metacharacters.ts';
import { malformedAccounts, splitsPayment } from '../read/values/payment-shape.ts';
import { type Fact, fromText, row, unique } from './fact-row.ts';

export const CONDUCT_FACTS: readonly Fact[] = [
  // What is meant
  row(
    'verbs',
    'list<string>',
    'every verb that verb, tool, method, named operation or content stands for',
    (r) => r.action.verbs,
  ),
  row(
    'verb_groups',
    'list<string>',
    'their groups; unlike `effect`, none of them hides another',
    (r) => r.action.groups,
  ),
  row(
    'subjects',
    'list<string>',
    'kinds of things that the names of action, tool and type of target speak of',
    (r) => r.action_subjects,
  ),
  row(
    'parameter_subjects',
    'list<string>',
    'the same of the target’s id, parameters and data fields, and of what results call the ids that are used',
    (r) => r.parameter_subjects,
    fromText,
  ),
  row(
    'things',
    'list<string>',
    'kinds of things that any of these names speak of',
    (r) => unique([...r.action_subjects, ...r.parameter_subjects]),
    fromText,
  ),
  row('is_recurring', 'bool', 'a parameter says that this happens again and again', (r) =>
    isRecurring(r.event, r.ontology),
  ),
  // Values: finer kinds, where they come from, what they hide
  row('payload_subclasses', 'list<string>', 'finer kinds of values found in the parameters themselves', (r) =>
    unique(r.data.touched.flatMap((d) => (d.basis === 'value' && d.confidence >= 0.5 ? d.subclass : []))),
  ),
  row('record_subclasses', 'list<string>', 'finer kinds of data in labelled lines of the parameters’ texts', (r) =>
    recordSubclasses(r.event, r.ontology),
  ),
  row(
    'roles_from_memory',
    'list<string>',
    'roles whose value only a memory brought in',
    (r) => r.value_origins.memory,
    fromText,
  ),
  row(
    'roles_from_agents',
    'list<string>',
    'roles whose value only another agent brought in',
    (r) => r.value_origins.agents,
    fromText,
  ),
  row(
    'roles_from_other_server',
    'list<string>',
    'roles whose value only a tool of another server brought in',
    (r) => r.value_origins.other_server,
    fromText,
  ),
  row(
    'roles_with_control_signs',
    'list<string>',
    'roles whose value a tool brought in, with signs of shell, SQL, path, template or directory language',
    (r) => unique(injectedSigns(r.arguments, r.ontology).map(({ role }) => role)),
    fromText,
  ),
  row(
    'text_from_tools',
    'bool',
    'a longer text among the parameters was taken from what tools brought in',
    (r) => r.arguments.some((a) => a.provenance === 'tool' && a.kind === 'phrase' && a.value.length >= 16),
    fromText,
  ),
  row('payload_is_standing_order', 'bool', 'a text among the parameters is meant to hold for ever', (r) =>
    isStandingOrder(r.event, r.ontology),
  ),
  row(
    'sensitive_search',
    'string',
    'what secret or very private thing a search looks for that the user did not speak of',
    (r) => sensitiveSearch(r.event, r.text, r.ontology),
    fromText,
  ),
  // Whose it is
  row('foreign_owner', 'string', 'the owner that a parameter names, when it is not the session’s user', (r) =>
    foreignOwner(r.event, r.ontology),
  ),
  row('is_in_shared_space', 'bool', 'a parameter puts the thing where all users read it', (r) =>
    isInSharedSpace(r.event, r.ontology),
  ),
  // Agents
  row('delegation_depth', 'int', 'largest depth of delegation that the parameters name', (r) =>
    delegationDepth(r.event, r.ontology),
  ),
  row('delegate_count', 'int', 'how many agents the parameters name or list', (r) =>
    delegateCount(r.event, r.ontology),
  ),
  row(
    'delegations_before',
    'int',
    'earlier actions that started or asked other agents',
    (r) => r.session_shape.delegations,
  ),
  row('delegate_may_delegate', 'bool', 'the new agent may start agents itself', (r) =>
    delegateMayDelegate(r.event, r.ontology),
  ),
  row('excess_rights', 'list<string>', 'rights handed over beyond what the policy allows, or without limit', (r) =>
    excessRights(r.event, r.ontology, r.evidence.policy),
  ),
  row('approver_is_agent', 'bool', 'the agent names itself as the one who approved', (r) =>
    approverIsAgent(r.event, r.ontology),
  ),
  row('targets_itself', 'bool', 'the agent acts on itself', (r) => targetsItself(r.event, r.ontology)),
  row(
    'was_denied',
    'bool',
    'a result says that a control refused or holds an action, and the user has not spoken since',
    (r) => wasDenied(r.text, r.ontology),
    fromText,
  ),
  row(
    'was_approved_in_session',
    'bool',
    'an earlier action of this session gave an approval',
    (r) => r.session_shape.has_approved,
  ),
  // The session so far
  row('reads_before', 'int', 'earlier actions that only looked', (r) => r.session_shape.reads),
  row(
    'sensitive_places_read',
    'int',
    'different sensitive places that were looked into',
    (r) => r.session_shape.sensitive_places,
  ),
  row(
    'cycles',
    'int',
    'rounds in which the last two to four different actions came again',
    (r) => r.session_shape.cycles,
  ),
  row(
    'domains_read',
    'list<string>',
    'domains whose records earlier actions read',
    (r) => r.session_shape.read_domains,
  ),
  row(
    'something_was_exposed',
    'bool',
    'an earlier action published, took out or wiped what is sensitive',
    (r) => r.session_shape.has_exposed,
  ),
  // Tool servers, packages, files, accounts
  row('imitated_server', 'string', 'the known tool server whose name this one imitates', (r) =>
    imitatedServer(r.event, r.ontology),
  ),
  row('rightful_server', 'string', 'the only known server of this tool, when the call goes through another', (r) =>
    rightfulServer(r.event, r.ontology),
  ),
  row(
    'package_signs',
    'list<string>',
    'what speaks against an installed package: url, other_index, unpinned, from_tool_text, named_nowhere, scripts_forced; redirected: all later ones come from a place that the user did not name',
    (r) => packageSigns(r.event, r.ontology, r.action, r.content, r.text),
    fromText,
  ),
  row(
    'unnamed_executed_files',
    'list<string>',
    'files that run or say what runs, which the action writes and the user did not name',
    (r) => unnamedExecutedFiles(r.content, r.text, r.ontology),
    fromText,
  ),
  row(
    'changed_payees',
    'list<string>',
    'accounts paid to that a message announced as new, where another text names another account',
    (r) => changedPayees(r.ontology, r.arguments, r.text),
    fromText,
  ),
  row('malformed_accounts', 'list<string>', 'kinds of account numbers that fail their check digits', (r) =>
    malformedAccounts(r.event, r.ontology),
  ),
  row(
    'payment_is_split',
    'bool',
    'this and an earlier payment each lie just below a limit that they exceed together',
    (r) => splitsPayment(r.text, r.arguments, r.ontology),
    fromText,
  ),
];
