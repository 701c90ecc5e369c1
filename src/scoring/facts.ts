/**
 * The table of facts: every name that a rule's `when` may read, its type, and how it follows from the readings.
 * Built-in rules and customers' conditions share it. To add a fact, add a row.
 *
 * `is_from_text`: the fact depends on free text (what the user or a tool said), which the judged party can write. A
 * customer's condition may read such a fact only in a rule that raises the score.
 */
import { allowsAction, allowsTool, blockedBy, sensitiveData } from './policy-match.ts';
import type { Readings } from './readings.ts';

export type FactType = 'bool' | 'int' | 'double' | 'string' | 'list<string>' | 'list<object>';

export type FactValue = boolean | number | string | readonly string[] | readonly object[];

export interface Fact {
  name: string;
  type: FactType;
  about: string;
  is_from_text: boolean;
  /** For `list<object>`: the fields a binding has, by name and type. */
  fields?: Readonly<Record<string, FactType>>;
  of: (r: Readings) => FactValue;
}

const MUTATING_EXCEPT = new Set(['read', 'list_search', 'unknown']);
const OUTWARD = new Set(['external', 'public', 'unknown']);

function row(name: string, type: FactType, about: string, of: Fact['of'], more: Partial<Fact> = {}): Fact {
  return { name, type, about, of, is_from_text: false, ...more };
}
const fromText = { is_from_text: true };

const asksOnlyToLook = (groups: readonly string[]): boolean =>
  groups.length > 0 && groups.every((group) => group === 'read' || group === 'list_search');

/** `1,250.00 EUR` → 1250; 0 for what is not a number. */
function amountOf(text: string): number {
  const amount = Number(text.replace(/[^0-9.-]/g, ''));
  return Number.isFinite(amount) ? Math.abs(amount) : 0;
}
/** Sorted, so that the order in which an event names things cannot show. */
const unique = (values: readonly string[]): readonly string[] =>
  values.length < 2 ? values : [...new Set(values)].sort();

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
  // Target, volume, time
  row('resource_type', 'string', 'type of the target as declared', (r) => r.target.resource_type),
  row('resource_id', 'string', 'id of the target as declared', (r) => r.target.resource_id),
  row('resource_is_known', 'bool', 'the resource type is in the ontology', (r) => r.target.is_known_resource),
  row('sensitivity', 'int', '0-4, the higher of declared and known', (r) => r.target.sensitivity),
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
  // Data and destination
  row(
    'data_classes',
    'list<string>',
    'classes touched now: secret, PHI, financial, PII, restricted, internal, public',
    (r) => unique([...r.data.touched.map((d) => d.data_class), ...r.data.carried.map((c) => c.data.data_class)]),
  ),
  row(
    'data_subclasses',
    'list<string>',
    'finer kinds touched now: card, card_sad, bank_account, special_category, …',
    (r) =>
      unique([...r.data.touched, ...r.data.carried.map((c) => c.data)].map((d) => d.subclass).filter((s) => s !== '')),
  ),
  row('payload_classes', 'list<string>', 'classes of values found in the parameters themselves', (r) =>
    unique([
      ...r.data.touched.filter((d) => d.basis === 'value').map((d) => d.data_class),
      ...r.data.carried.map((c) => c.data.data_class),
    ]),
  ),
  row('data_severity', 'int', '0-4, highest severity touched', (r) => r.data.severity),
  row(
    'seen_classes',
    'list<string>',
    'classes the agent has read before',
    (r) => unique([...r.data.seen_classes, ...r.data.seen_values.map((d) => d.data_class)]),
    fromText,
  ),
  row(
    'carried_classes',
    'list<string>',
    'classes of values seen earlier that the parameters carry',
    (r) => unique(r.data.carried.map((c) => c.data.data_class)),
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
  row('destination_is_collector', 'bool', 'a host known for throw-away collection', (r) => r.sink.is_exfiltration_host),
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
    'invented_roles',
    'list<string>',
    'roles whose value stands nowhere',
    (r) => unique(r.arguments.filter((a) => a.role !== '' && a.provenance === 'none').map((a) => a.role)),
    fromText,
  ),
  row('largest_amount', 'double', 'largest amount of money among the parameters, 0 when there is none', (r) =>
    r.arguments.filter((a) => a.role === 'amount').reduce((most, a) => Math.max(most, amountOf(a.value)), 0),
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
    'request_is_read_only',
    'bool',
    'the user asked only to look',
    (r) => r.intent.is_read_only || asksOnlyToLook(r.intent.asked_groups),
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
  // What came before
  row('preceding_groups', 'list<string>', 'verb groups of the earlier actions', (r) => unique(r.sequence.groups)),
  row(
    'secret_was_read',
    'bool',
    'an earlier action read a secret',
    (r) => r.sequence.has_read_secret || r.data.seen_values.some((d) => d.data_class === 'secret'),
  ),
  row(
    'sensitive_was_read',
    'bool',
    'an earlier action read personal, health, financial or restricted data',
    (r) => r.sequence.has_read_sensitive,
  ),
  row(
    'untrusted_was_read',
    'bool',
    'an earlier action read something from outside',
    (r) => r.sequence.has_read_untrusted,
  ),
  row('data_was_packaged', 'bool', 'an earlier action compressed, encoded or copied', (r) => r.sequence.has_packaged),
  row('rights_were_gained', 'bool', 'an earlier action granted or gained rights', (r) => r.sequence.has_granted),
  row(
    'rights_were_discovered',
    'bool',
    'an earlier action looked into accounts, roles or hosts',
    (r) => r.sequence.has_discovered,
  ),
  row('something_was_deleted', 'bool', 'an earlier action deleted', (r) => r.sequence.has_deleted),
  row(
    'payee_was_changed',
    'bool',
    'an earlier action changed payee or bank details',
    (r) => r.sequence.has_changed_payee,
  ),
  row('repeats', 'int', 'how often this action stands among the last ten', (r) => r.sequence.repeats),
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
];

export const FACT_BY_NAME: ReadonlyMap<string, Fact> = new Map(FACTS.map((f) => [f.name, f]));
