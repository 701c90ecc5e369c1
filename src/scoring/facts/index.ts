/**
 * The table of facts: every name that a rule's `when` may read, its type, and how it follows from the readings.
 * Built-in rules and customers' conditions share it. To add a fact, add a row.
 *
 * `is_from_text`: the fact depends on free text (what the user or a tool said), which the judged party can write. A
 * customer's condition may read such a fact only in a rule that raises the score. `is_from_past`: it depends on what is
 * remembered, so it is asked again when the same event meets another past.
 */

import { lastOnly } from '../../lang/remember.ts';
import { contradiction } from '../read/action/consistency.ts';
import { regionOutsideEea, testPlaceForProduction, unprotectedChannel } from '../read/data/channel.ts';
import type { DetectedData } from '../read/data/detected-data.ts';
import { isTestValue } from '../read/data/detected-value.ts';
import { placeLeftBehind, repeatsOwnInstructions, spreadsInstruction } from '../read/data/spread.ts';
import {
  contentWasGenerated,
  type Drift,
  driftOf,
  earlierSends,
  recentApprovalRequests,
  removesMarking,
} from '../read/past/conduct.ts';
import { deniedBefore } from '../read/past/denial.ts';
import { allowsAction, allowsTool, blockedBy, sensitiveData } from '../read/policy.ts';
import type { Readings } from '../read/readings.ts';
import { actionWasCut, conversationWasCut } from '../read/unread.ts';
import {
  actsAs,
  concernsPerson,
  otherPersonsSpace,
  placeholderIdentity,
  weakenedAuthentication,
} from '../read/values/identity.ts';
import { approvalClaim, confirmationSwitch, switchedOff } from '../read/values/switches.ts';
import {
  addedRecipients,
  exceededAmount,
  foreignSites,
  liftsSafeguards,
  type OtherObject,
  otherObject,
  requestedEnvironment,
} from '../read/will/deviation.ts';
import { announcedOtherwise, changedValue } from '../read/will/proposal.ts';
import { matchesAny } from '../read/words/word-lists.ts';
import { CONDUCT_FACTS } from './conduct.ts';
import { type Fact, fromPast, fromText, row, unique } from './fact-row.ts';

export type { Fact, FactValue } from './fact-row.ts';

const MUTATING_EXCEPT = new Set(['read', 'list_search', 'unknown']);
/** Roles that say whom or what an action reaches. */
const DECISIVE = new Set('recipient payee url host principal webhook repository command'.split(' '));
/** Names and addresses stand in every message, the recipient's own first of all. */
const CONTACT_SEVERITY = 1;
const OUTWARD = new Set(['external', 'public', 'unknown']);

const asksOnlyToLook = (groups: readonly string[]): boolean =>
  groups.length > 0 && groups.every((group) => group === 'read' || group === 'list_search');

/** `1,250.00 EUR` → 1250; 0 for what is not a number. */
function amountOf(text: string): number {
  const amount = Number(text.replace(/[^0-9.-]/g, ''));
  return Number.isFinite(amount) ? Math.abs(amount) : 0;
}
/** Sensitive classes that the session has read, as the server itself remembers. */
const classesKnown = (r: Readings): readonly string[] => r.evidence.history?.seen_classes ?? [];

const classOf = (found: DetectedData): string => found.data_class;
const subclassOf = (found: DetectedData): string => found.subclass;
const carriedClasses = (r: Readings): string[] => r.data.carried.map((c) => c.data.data_class);
const isSensitiveValue = ({ basis, severity }: DetectedData): boolean =>
  basis === 'value' && severity > CONTACT_SEVERITY;

const driftIn: (r: Readings) => Drift = lastOnly((r) => driftOf(r.event, r.ontology, r.action, r.text));
const objectsOf: (r: Readings) => OtherObject = lastOnly((r) => otherObject(r.ontology, r.action, r.arguments, r.text));

export const FACTS: readonly Fact[] = [
  // Action
  row('action', 'string', 'the whole action, `domain:scope:verb`', (r) => r.event.action),
  row('domain', 'string', 'first segment of the action', (r) => r.action.domain),
  row('scope', 'string', 'second segment of the action', (r) => r.action.scope),
  row('verb', 'string', 'third segment of the action', (r) => r.action.verb),
  row('tool_name', 'string', 'name of the MCP tool, empty when none is named', (r) => r.action.tool_name),
  row('agent_type', 'string', 'kind of agent as declared, empty when absent', (r) => r.event.agent?.agent_type ?? ''),
  row(
    'known_domain',
    'string',
    'domain in the ontology, aliases resolved; empty when unknown',
    (r) => r.action.known_domain,
  ),
  row(
    'is_outline',
    'bool',
    'the event is judged without its content, which could not be scored',
    (r) => r.evidence.is_outline === true,
  ),
  row('action_was_cut', 'bool', 'a bound on the work left something of the action unread', actionWasCut, fromText),
  row(
    'conversation_was_cut',
    'bool',
    'a bound on the work left something of the conversation unread',
    conversationWasCut,
    fromText,
  ),
  row('verb_is_unknown', 'bool', 'neither verb nor tool name is in the ontology', (r) => r.action.is_unknown),
  row('verb_group', 'string', 'verb group of the claimed verb', (r) => r.action.verb_group),
  row(
    'effect',
    'string',
    'most dangerous verb group of verb, tool name, HTTP method and content',
    (r) => r.action.effective_group,
  ),
  row('base_risk', 'int', '0-100, of the effect on an ordinary internal object', (r) => r.action.base_risk),
  row('reversibility', 'int', '0 changes nothing to 4 cannot be undone', (r) => r.action.reversibility),
  row('blast_radius', 'int', '0 none to 4 beyond the organisation', (r) => r.action.blast_radius),
  row('is_mutating', 'bool', 'the effect changes something', (r) => !MUTATING_EXCEPT.has(r.action.effective_group)),
  row('agent_type_fits', 'bool', 'the type of agent is unknown, or usually works in this domain', (r) => {
    const domains = r.ontology.agent_types.get(r.event.agent?.agent_type ?? '');
    return domains === undefined || r.action.known_domain === '' || domains.includes(r.action.known_domain);
  }),
  row('acts_as', 'string', 'identity other than the user’s under which it works, empty when none', (r) =>
    actsAs(r.event, r.ontology, r.action, r.arguments),
  ),
  row('placeholder_identity', 'string', 'identity field that holds a placeholder, empty when none', (r) =>
    placeholderIdentity(r.event, r.ontology),
  ),
  row('weakened_authentication', 'string', 'login control that the action takes away, empty when none', (r) =>
    weakenedAuthentication(r.event, r.ontology, r.action),
  ),
  row('contradiction', 'string', 'two parts of the event that disagree, empty when none do', (r) =>
    contradiction(r.event),
  ),
  // Target, volume, time
  row('resource_type', 'string', 'type of the target as declared', (r) => r.target.resource_type),
  row('resource_id', 'string', 'id of the target as declared', (r) => r.target.resource_id),
  row('resource_is_known', 'bool', 'the resource type is in the ontology', (r) => r.target.is_known_resource),
  row('sensitivity', 'int', '0-4, the higher of declared and known', (r) => r.target.sensitivity),
  row('known_sensitivity', 'int', '0-4, what is known without any declaration', (r) => r.target.known_sensitivity),
  row('declared_sensitivity', 'int', '0-4 as declared, -1 when absent', (r) => r.target.declared_sensitivity),
  row('target_is_production', 'bool', 'names say production', (r) => r.target.environment === 'production'),
  row(
    'target_is_non_production',
    'bool',
    'names say test, staging or sandbox',
    (r) => r.target.environment === 'non_production',
  ),
  row(
    'batch_size',
    'int',
    'largest count in the parameters, or length of the longest array',
    (r) => r.volume.batch_size,
  ),
  row('is_unbounded', 'bool', 'wildcard, «all», missing WHERE or recursion from a root', (r) => r.volume.is_unbounded),
  row('recipient_count', 'int', 'distinct recipients named', (r) => r.volume.recipient_count),
  row('hour_of_day', 'int', '0-23 in the timestamp’s own offset', (r) => r.time.hour),
  row('day_of_week', 'int', '1 Monday to 7 Sunday', (r) => r.time.day_of_week),
  row('concerns_person', 'bool', 'a person or their case, in a domain where decisions weigh on people', (r) =>
    concernsPerson(r.event, r.ontology, r.action),
  ),
  row(
    'other_persons_space',
    'string',
    'person, neither the user nor named by them, whose space it reaches; empty when none',
    (r) => otherPersonsSpace(r.event, r.ontology, r.arguments, r.text),
    fromText,
  ),
  // Data and destination
  row(
    'data_classes',
    'list<string>',
    'classes touched now: secret, PHI, financial, PII, restricted, internal, public',
    (r) => unique([...r.data.touched.map(classOf), ...carriedClasses(r)]),
  ),
  row(
    'data_subclasses',
    'list<string>',
    'finer kinds touched now: card, card_sad, bank_account, special_category, …',
    (r) =>
      unique(
        [...r.data.touched.map(subclassOf), ...r.data.carried.map((c) => c.data.subclass)].filter((s) => s !== ''),
      ),
  ),
  row('payload_classes', 'list<string>', 'classes of sensitive values found in the parameters themselves', (r) =>
    unique([...r.data.touched.filter(isSensitiveValue).map(classOf), ...carriedClasses(r)]),
  ),
  row(
    'sensitive_data_are_examples',
    'bool',
    'all that is sensitive in it are values, and each is a documented example',
    (r) => {
      // Data known by a field or a domain are no examples, whatever example somebody writes beside them.
      const sensitive = r.data.touched.filter((d) => d.severity > 1 || d.basis === 'value');
      const isExample = (d: (typeof sensitive)[number]): boolean =>
        d.basis === 'value' && isTestValue(d.value, r.ontology);
      return sensitive.length > 0 && r.data.carried.length === 0 && sensitive.every(isExample);
    },
  ),
  row(
    'written_classes',
    'list<string>',
    'payload_classes without what stands in a parameter made for credentials, which is used and not written',
    (r) => {
      const values = r.data.touched.filter(isSensitiveValue);
      if (values.length === 0 && r.data.carried.length === 0) return values.map(classOf);
      const used = new Set(r.arguments.filter((a) => a.role === 'secret').map((a) => `parameters.${a.path}`));
      const found = [...values, ...r.data.carried.map((c) => ({ ...c.data, where: c.where }))];
      return unique(found.filter((d) => !used.has(d.where)).map((d) => d.data_class));
    },
  ),
  row('data_severity', 'int', '0-4, highest severity touched', (r) => r.data.severity),
  row(
    'seen_classes',
    'list<string>',
    'classes the agent has read before',
    (r) => unique([...r.data.seen_classes, ...r.data.seen_values.map((d) => d.data_class), ...classesKnown(r)]),
    { ...fromText, ...fromPast },
  ),
  row(
    'carried_classes',
    'list<string>',
    'classes of values seen earlier that the parameters carry',
    (r) => unique(carriedClasses(r)),
    fromText,
  ),
  row(
    'carries_encoded_data',
    'bool',
    'a sensitive value is carried in a disguise',
    (r) => r.data.carried.some((c) => c.technique !== 'plain'),
    fromText,
  ),
  row('sink', 'string', 'where data go: none, user, internal, external, public, unknown', (r) => r.sink.sink),
  row('is_outward', 'bool', 'data go, or may go, outside', (r) => OUTWARD.has(r.sink.sink)),
  row(
    'destination_is_named_by_user',
    'bool',
    'every destination stands in the user’s own words',
    (r) => r.sink.is_named_by_user,
    fromText,
  ),
  row(
    'destination_is_chosen_for_user',
    'bool',
    'every destination is the user’s own or one whose choice the user left to a source («reply to her»)',
    (r) =>
      r.sink.destinations.length > 0 && r.sink.destinations.every((d) => d.provenance === 'user' || d.is_delegated),
    fromText,
  ),
  row('destination_is_collector', 'bool', 'a host known for throw-away collection', (r) => r.sink.is_exfiltration_host),
  row(
    'unprotected_channel',
    'string',
    'scheme or switch that leaves the connection unprotected, empty when none',
    (r) => unprotectedChannel(r.event, r.ontology, r.arguments),
  ),
  row('region_outside_eea', 'string', 'region or country outside the EEA and its adequacy list, empty when none', (r) =>
    regionOutsideEea(r.event, r.ontology),
  ),
  row('test_place_for_production', 'string', 'place for tests or of one person that production data go to', (r) =>
    testPlaceForProduction(r.event, r.ontology, r.action),
  ),
  row('payload_denies_machine', 'bool', 'a message says that no machine writes it', (r) =>
    r.arguments.some(
      ({ value }) => value.length >= 8 && matchesAny(r.ontology, 'human_claims', value.slice(0, 16_384)),
    ),
  ),
  row('content_was_generated', 'bool', 'an earlier action made content with a model', (r) =>
    contentWasGenerated(r.event, r.ontology),
  ),
  row('removes_marking', 'bool', 'takes away a mark that tells that content was generated', (r) =>
    removesMarking(r.event, r.ontology, r.action),
  ),
  row(
    'payload_spreads_instruction',
    'bool',
    'the payload repeats an instruction from outside that asks to be passed on, stored or run',
    (r) => spreadsInstruction(r.event, r.ontology, r.text),
    fromText,
  ),
  row(
    'payload_repeats_own_instructions',
    'bool',
    'the payload repeats what the operator told the agent',
    (r) => repeatsOwnInstructions(r.event, r.text),
    fromText,
  ),
  row(
    'place_left_behind',
    'string',
    'repository, channel or tenant whose text the payload takes to another one, empty when none',
    (r) => placeLeftBehind(r.event, r.ontology, r.text),
    fromText,
  ),
  // Content
  row('languages', 'list<string>', 'languages found in the parameters: shell, sql, python, javascript, http', (r) =>
    unique(r.content.languages),
  ),
  row('content_effects', 'list<string>', 'kinds of effects that code in the parameters has', (r) =>
    unique(r.content.effects.map((e) => e.kind)),
  ),
  row('wide_effects', 'list<string>', 'those that reach many objects or everything', (r) =>
    unique(r.content.effects.filter((e) => e.scope === 'many' || e.scope === 'everything').map((e) => e.kind)),
  ),
  row('effects', 'list<object>', 'each effect of the content', (r) => r.content.effects, {
    fields: { kind: 'string', scope: 'string', object: 'string', excerpt: 'string' },
  }),
  row(
    'statement_is_unbounded',
    'bool',
    'SQL: DELETE or UPDATE without a bounding WHERE',
    (r) => r.content.has_unbounded_statement,
  ),
  row('content_is_inert', 'bool', 'the code only computes and prints', (r) => r.content.is_inert),
  row(
    'content_is_unparsed',
    'bool',
    'something looked like code and could not be parsed',
    (r) => r.content.has_unparsed,
  ),
  // Arguments and their provenance
  row('arguments', 'list<object>', 'each leaf of the parameters, with role and provenance', (r) => r.arguments, {
    is_from_text: true,
    fields: {
      path: 'string',
      role: 'string',
      kind: 'string',
      value: 'string',
      provenance: 'string',
      is_delegated: 'bool',
      external: 'string',
      replaces: 'string',
      imitates: 'string',
    },
  }),
  row(
    'tainted_roles',
    'list<string>',
    'roles whose value stands only in text that tools brought in, and was not delegated',
    (r) =>
      unique(r.arguments.filter((a) => a.role !== '' && a.provenance === 'tool' && !a.is_delegated).map((a) => a.role)),
    fromText,
  ),
  row(
    'decisive_values_are_the_users',
    'bool',
    'whom and what the action reaches stands in the user’s own words, every such value of it',
    (r) => {
      const decisive = r.arguments.filter(({ role }) => DECISIVE.has(role));
      return decisive.length > 0 && decisive.every(({ provenance }) => provenance === 'user');
    },
    fromText,
  ),
  row(
    'invented_roles',
    'list<string>',
    'roles whose value stands nowhere, and was not left to be worked out («the rest»)',
    (r) =>
      unique(r.arguments.filter((a) => a.role !== '' && a.provenance === 'none' && !a.is_delegated).map((a) => a.role)),
    fromText,
  ),
  row('largest_amount', 'double', 'largest amount of money among the parameters, 0 when there is none', (r) =>
    r.arguments.filter((a) => a.role === 'amount').reduce((most, a) => Math.max(most, amountOf(a.value)), 0),
  ),
  row(
    'added_recipients',
    'list<string>',
    'recipients beside those whom the user named one by one',
    (r) => addedRecipients(r.ontology, r.arguments, r.text),
    fromText,
  ),
  row(
    'exceeded_amount',
    'double',
    'largest amount that the user named when the action moves clearly more, 0 otherwise',
    (r) => exceededAmount(r.ontology, r.arguments, r.text),
    fromText,
  ),
  row(
    'asked_object',
    'string',
    'object that the user named when the action takes another of the same shape, empty otherwise',
    (r) => objectsOf(r).asked,
    fromText,
  ),
  row('used_object', 'string', 'the object that it takes instead', (r) => objectsOf(r).used, fromText),
  row(
    'foreign_sites',
    'list<string>',
    'sites that only text from outside led to',
    (r) => foreignSites(r.arguments, r.text),
    fromText,
  ),
  // Instructions in untrusted text
  row('instructions', 'list<object>', 'each instruction found in untrusted text', (r) => r.instructions, {
    is_from_text: true,
    fields: {
      excerpt: 'string',
      strength: 'double',
      markers: 'list<string>',
      is_echoed: 'bool',
      is_in_identifier: 'bool',
    },
  }),
  row(
    'instruction_strength',
    'double',
    '0-1, of the strongest instruction in untrusted text',
    (r) => r.instructions.reduce((m, i) => Math.max(m, i.strength), 0),
    fromText,
  ),
  row(
    'instruction_is_echoed',
    'bool',
    'the action does what an instruction in untrusted text says',
    (r) => r.instructions.some((i) => i.is_echoed && i.strength >= 0.3),
    fromText,
  ),
  row(
    'echoed_strength',
    'double',
    '0-1, of the strongest instruction that the action follows, 0 when it follows none',
    (r) => r.instructions.reduce((m, i) => (i.is_echoed ? Math.max(m, i.strength) : m), 0),
    fromText,
  ),
  row(
    'echoed_markers',
    'list<string>',
    'markers of the instructions that the action follows',
    (r) => unique(r.instructions.filter((i) => i.is_echoed).flatMap((i) => i.markers)),
    fromText,
  ),
  row(
    'instruction_markers',
    'list<string>',
    'markers of all instructions found',
    (r) => unique(r.instructions.flatMap((i) => i.markers)),
    fromText,
  ),
  // The user's request
  row('has_request', 'bool', 'the user’s words are there', (r) => r.text.has_request, fromText),
  row('has_history', 'bool', 'a conversation is there', (r) => r.text.has_history, fromText),
  row('has_untrusted_text', 'bool', 'tools or documents brought in text', (r) => r.text.untrusted.length > 0, fromText),
  row(
    'user_spoke_after_untrusted',
    'bool',
    'the user spoke after the last such text',
    (r) => r.text.user_spoke_after_untrusted,
    fromText,
  ),
  row(
    'request_covers_action',
    'bool',
    'the request asks for this effect, or this prepares it',
    (r) => r.intent.covers_action,
    fromText,
  ),
  row(
    'goal_is_only_in_untrusted',
    'bool',
    'what this serves is mentioned only in untrusted text',
    (r) => r.intent.is_goal_only_in_untrusted,
    fromText,
  ),
  row(
    'outside_order_strength',
    'double',
    '0-1, of the strongest order in untrusted text that speaks of this action, followed or not',
    (r) => r.intent.outside_order_strength,
    fromText,
  ),
  row(
    'request_is_read_only',
    'bool',
    'the user asked only to look',
    (r) => r.intent.is_read_only || (!r.intent.is_open_ended && asksOnlyToLook(r.intent.asked_groups)),
    fromText,
  ),
  row(
    'request_wants_draft_only',
    'bool',
    'the user asked for a draft, plan or preview',
    (r) => r.intent.wants_draft_only,
    fromText,
  ),
  row(
    'effect_is_prohibited',
    'bool',
    'the user excluded this effect',
    (r) => r.intent.prohibited_groups.includes(r.action.effective_group),
    fromText,
  ),
  row('approval', 'double', '0, 0.5 or 1: did a person order exactly this?', (r) => r.intent.approval, fromText),
  row(
    'was_refused',
    'bool',
    'a person refused or stopped and nothing came after',
    (r) => r.intent.was_refused,
    fromText,
  ),
  row(
    'request_lifts_safeguards',
    'bool',
    'the user’s words ask the agent to drop its limits',
    (r) => liftsSafeguards(r.ontology, r.text),
    fromText,
  ),
  row(
    'request_is_for_non_production',
    'bool',
    'the user’s words name an environment for the task, and it is not production',
    (r) => requestedEnvironment(r.ontology, r.text) === 'non_production',
    fromText,
  ),
  // Approval, and what was said to get it
  row(
    'approval_claim',
    'string',
    'parameter that states an approval the user’s words do not hold, empty when none',
    (r) => approvalClaim(r.event, r.ontology, r.arguments),
    fromText,
  ),
  row('confirmation_switch', 'string', 'parameter or option that skips a confirmation, empty when none', (r) =>
    confirmationSwitch(r.event, r.ontology, r.content),
  ),
  row(
    'recovery_switch',
    'string',
    'backup, versioning or the like that a parameter switches off, empty when none',
    (r) => switchedOff(r.event, r.ontology, 'recovery_guards'),
  ),
  row(
    'approved_value',
    'string',
    'value that the user agreed to and the action replaces, empty when none',
    (r) => changedValue(r.ontology, r.arguments, r.text).approved,
    fromText,
  ),
  row(
    'executed_value',
    'string',
    'the value that it uses instead',
    (r) => changedValue(r.ontology, r.arguments, r.text).executed,
    fromText,
  ),
  row(
    'announced_otherwise',
    'bool',
    'the user agreed to an announcement of other effects',
    (r) => announcedOtherwise(r.ontology, r.action, r.text),
    fromText,
  ),
  // What came before
  row(
    'preceding_groups',
    'list<string>',
    'verb groups of the earlier actions',
    (r) => unique(r.sequence.groups),
    fromPast,
  ),
  row(
    'secret_was_read',
    'bool',
    'an earlier action read a secret',
    (r) =>
      r.sequence.has_read_secret ||
      r.data.seen_values.some((d) => d.data_class === 'secret') ||
      classesKnown(r).includes('secret'),
    fromPast,
  ),
  row(
    'sensitive_was_read',
    'bool',
    'an earlier action read personal, health, financial or restricted data',
    (r) => r.sequence.has_read_sensitive || classesKnown(r).length > 0,
    fromPast,
  ),
  row(
    'untrusted_was_read',
    'bool',
    'an earlier action read something from outside',
    (r) => r.sequence.has_read_untrusted,
    fromPast,
  ),
  row(
    'data_was_packaged',
    'bool',
    'an earlier action compressed, encoded or copied',
    (r) => r.sequence.has_packaged,
    fromPast,
  ),
  row(
    'rights_were_gained',
    'bool',
    'an earlier action granted or gained rights',
    (r) => r.sequence.has_granted,
    fromPast,
  ),
  row(
    'rights_were_discovered',
    'bool',
    'an earlier action looked into accounts, roles or hosts',
    (r) => r.sequence.has_discovered,
    fromPast,
  ),
  row('something_was_deleted', 'bool', 'an earlier action deleted', (r) => r.sequence.has_deleted, fromPast),
  row(
    'payee_was_changed',
    'bool',
    'an earlier action changed payee or bank details',
    (r) => r.sequence.has_changed_payee,
    fromPast,
  ),
  row('repeats', 'int', 'how often this action stands among the last ten', (r) => r.sequence.repeats, fromPast),
  row('earlier_sends', 'int', 'earlier actions that sent something out over the same kind of channel', (r) =>
    earlierSends(r.event, r.ontology, r.action),
  ),
  row('recent_approval_requests', 'int', 'how many of the last ten actions asked a person to approve', (r) =>
    recentApprovalRequests(r.event, r.ontology),
  ),
  row(
    'foreign_domains',
    'int',
    'domains of the session that the user’s words do not speak of',
    (r) => driftIn(r).domains,
    fromText,
  ),
  row(
    'session_rises',
    'bool',
    'from looking over changing to reaching outside, or ever riskier steps',
    (r) => driftIn(r).rises,
  ),
  row(
    'denied_before',
    'string',
    'refused call whose object this action reaches by another way, empty when none',
    (r) => deniedBefore(r.event, r.ontology, r.action, r.arguments, r.content),
    fromText,
  ),
  // MCP server
  row('has_mcp_server', 'bool', 'the call goes through an MCP server', (r) => r.event.mcp_context !== undefined),
  row(
    'server_is_unverified',
    'bool',
    'the MCP server is declared not verified',
    (r) => r.event.mcp_context?.is_verified === false,
  ),
  row('transport', 'string', 'stdio, sse, http or empty', (r) => r.event.mcp_context?.transport ?? ''),
  // The customer's policy
  row('blocked_by', 'string', 'the policy entry that blocks this action, empty when none', (r) =>
    blockedBy(r.evidence.policy, r),
  ),
  row('action_is_allowed', 'bool', 'no list of allowed actions, or this one is on it', (r) =>
    allowsAction(r.evidence.policy, r.event.action),
  ),
  row('tool_is_allowed', 'bool', 'no list of allowed tools, or this one is on it', (r) =>
    allowsTool(r.evidence.policy, r.action.tool_name, r.event.action),
  ),
  row('customer_sensitive_data', 'list<string>', 'fields and classes that the customer marked sensitive', (r) =>
    sensitiveData(r.evidence.policy, r),
  ),
  // What the server itself remembers
  row(
    'first_seen',
    'list<string>',
    'what an agent of known ways does for the first time: action, resource, destination',
    (r) => r.evidence.history?.first_seen ?? [],
    fromPast,
  ),
  row(
    'changes_per_minute',
    'int',
    'changing actions in the last minute: 0, 30 or 120',
    (r) => r.evidence.history?.changes_per_minute ?? 0,
    fromPast,
  ),
  row(
    'burst',
    'int',
    'how many times its usual pace the agent acts now: 0, 5 or 20',
    (r) => r.evidence.history?.burst ?? 0,
    fromPast,
  ),
  row(
    'hour_is_unusual',
    'bool',
    'the agent never acted at this time on such a day',
    (r) => r.evidence.history?.is_unusual_hour ?? false,
    fromPast,
  ),
  row(
    'session_drift',
    'int',
    'how far the session is from what it began with: 0, 1 or 2',
    (r) => r.evidence.history?.drift ?? 0,
    fromPast,
  ),
  row(
    'recent_refusals',
    'int',
    'actions refused in the last hour: 0, 2 or 4',
    (r) => r.evidence.history?.refused ?? 0,
    fromPast,
  ),
  row(
    'recent_high_risks',
    'int',
    'actions of high risk in the last hour: 0, 3 or 8',
    (r) => r.evidence.history?.high ?? 0,
    fromPast,
  ),
  row(
    'is_steady',
    'bool',
    'weeks of work without a refusal or a high score',
    (r) => r.evidence.history?.is_steady ?? false,
    fromPast,
  ),
  ...CONDUCT_FACTS,
];

export const FACT_BY_NAME: ReadonlyMap<string, Fact> = new Map(FACTS.map((f) => [f.name, f]));
