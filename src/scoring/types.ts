/**
 * The nouns of scoring. Data keeps the wire's snake_case, so nothing is renamed on its way from the door to the database.
 *
 * `score(event, past, policy, knowledge) → assessment`: event, past and policy together are the evidence, everything that may differ
 * between two events; knowledge is what ships with the product (ontology and rules); an assessment is everything any door may show.
 */

import type { AgentEvent } from '../events/event.ts';
import type { Condition } from '../lang/conditions/conditions.ts';
import type { JsonObject } from '../lang/json.ts';
import type { ActionPattern } from '../lang/patterns.ts';

/** Parts of an action that can be new for an agent with a known record. */
export type Novelty = 'action' | 'resource' | 'destination';

/** How the agent of an earlier event is related to this one: itself in another session, the one that delegated to it, … */
export type Kin = 'self' | 'parent' | 'child' | 'sibling' | 'other';

/**
 * What the server itself remembers of the agent and the session, as far as it is relevant to this event
 * (`history/recall.ts`). Numbers are rounded down to steps, so that similar circumstances are equal evidence. A history
 * without any content is null, and an event without `agent_id` and `session_id` has no history.
 */
export interface History {
  first_seen: Novelty[];
  /** Actions that change something in the last minute: 0, 30 or 120. */
  changes_per_minute: number;
  /** Actions of any kind in the last minute: 0, 120 or 600. */
  actions_per_minute: number;
  /** Actions in the last minute as a multiple of the agent's usual minute: 0, 5 or 20. */
  burst: number;
  /** The agent has never acted around this hour, by the server's clock or by the timestamps it sent. */
  is_unusual_hour: boolean;
  /** A high-impact action at night or at a weekend: in the event's own offset, or only in UTC. */
  off_hours: 'local' | 'utc' | '';
  /** Inconsistency in the times that the event states; empty if there is none. */
  clock: 'from_the_future' | 'before_its_session' | 'session_too_long' | '';
  /** Distance of the session from its beginning: 0 near, 1 far, 2 nothing in common. */
  drift: 0 | 1 | 2;
  /** Actions in the last hour that a person or the policy refused: 0, 2 or 4. */
  refused: number;
  /** Actions in the last hour that scored high: 0, 3 or 8. */
  high: number;
  /** Other actions of the session that `preceding_actions` leaves out, in order of their names. */
  earlier_actions: string[];
  /** Classes of data that the session has read, in order of their names. */
  seen_classes: string[];
  /** Files that this action runs, schedules or sends and that an earlier one wrote as an attack, `effect path`. */
  runs_written: string[];
  /** How often this action occurs among the last ten of the session: 0, 5 or 10. */
  repeats: number;
  /** The agent has done this kind of work for weeks without a refusal or a high score. */
  is_steady: boolean;
  /** Who of the customer's agents was refused the same in another session, within a day; '' for nobody. */
  refused_elsewhere: Kin | '';
  /** A person refused it, by a decision about the held event. */
  is_refused_by_person: boolean;
  /** Another session's sends to a place of this event within a day: refused by a person, or with sensitive data and high; '' for neither. */
  troubled_place: 'refused' | 'filled' | '';
  /** Sensitive classes that other sessions left within a day in things which this event names, in order. */
  classes_of_others: string[];
  /** The same for the earlier events of the session, in order. */
  inherited: string[];
}

export interface CustomRule {
  name: string;
  condition: Condition;
  /** −100 to 100, in points of the final score. */
  score_impact: number;
  description: string;
  /** Whether the rule counts for an event that has a value of another type than the condition needs. */
  counts_when_mistyped: boolean;
}

/** What a customer changes about one built-in rule. */
export interface RuleOverride {
  is_enabled: boolean;
  /** Instead of the rule's own contribution, aggravated or not; `null` keeps it. */
  contribution: number | null;
  /** Instead of the rule's own floor; `null` keeps it. */
  floor: number | null;
  /** If one holds, the rule does not count. Exceptions read nothing that depends on free text. */
  exceptions: readonly Condition[];
}

/** The profile that a customer states. */
export interface CustomerProfile {
  /** Framework → whether it binds the customer, as the customer states. */
  frameworks: ReadonlyMap<string, boolean>;
  /** `EU`, countries and parts of countries where the customer operates; `null` if not stated. */
  regions: ReadonlySet<string> | null;
  /** Sectors, as the ontology names them; `null` if not stated. */
  sectors: ReadonlySet<string> | null;
}

/** A pattern with its original text, which the answer shows. */
export interface NamedPattern {
  text: string;
  pattern: ActionPattern;
}

export interface Observed {
  everything: boolean;
  /** agent_ids, as events state them. */
  agents: ReadonlySet<string>;
  /** key_ids. */
  api_keys: ReadonlySet<string>;
}

/** People of a rule: those with one of the roles, and those with one of the emails. */
export interface ApprovalGroup {
  roles: ReadonlySet<string>;
  /** Lower case. */
  emails: ReadonlySet<string>;
}

/** Who may decide about held events of some levels, and how. Scoring does not read it. */
export interface ApprovalRule {
  levels: ReadonlySet<RiskLevel>;
  /** `null`: everyone who may decide at all. */
  by: ApprovalGroup | null;
  /** Approvals that it takes, each of another person. */
  people: number;
  /** The user of the event's session does not approve it. */
  not_own: boolean;
  needs_reason: boolean;
  /** Who else may decide, once the event has waited that long. */
  escalation: { after_minutes: number; by: ApprovalGroup } | null;
}

/** A customer's policy, checked and compiled once per version (`policy/policy.ts`). */
export interface CompiledPolicy {
  /** 0 for a customer without a policy. */
  version: number;
  /** Normal form as stored and shown: actions and patterns in lower case. */
  policies: JsonObject;
  custom_rules: readonly CustomRule[];
  /** By rule id. Never contains a rule that enforces the policy itself. */
  rule_overrides: ReadonlyMap<string, RuleOverride>;
  profile: CustomerProfile;
  /** Domains of the customer's organisation, in lower case; each includes its subdomains. */
  internal_domains: ReadonlySet<string>;
  /** Lowest level that waits for a person; `none` holds nothing, `null` uses the setting. Scoring does not read it. */
  hold_threshold: RiskLevel | null;
  /** Points by which a language model may lower a score; 0: it may only raise one. */
  llm_relief: number;
  /** What is only observed: scored and counted, and never held. Scoring does not read it. */
  observed: Observed;
  /** The first that has the level of a held event applies. Scoring does not read them. */
  approvals: readonly ApprovalRule[];
  blocked_actions: ReadonlySet<string>;
  blocked_patterns: readonly NamedPattern[];
  allowed_patterns: readonly NamedPattern[];
  allowed_tools: ReadonlySet<string>;
  /** Lower case. */
  sensitive_fields: ReadonlySet<string>;
  sensitive_classifications: ReadonlySet<string>;
}

/** Everything a score depends on besides the knowledge that ships with the product. */
export interface Evidence {
  event: AgentEvent;
  policy: CompiledPolicy;
  history: History | null;
  /** The event lacks its content, because the content could not be scored (`outline.ts`). */
  is_outline?: boolean;
}

export type RiskLevel = 'none' | 'low' | 'medium' | 'high' | 'critical';

/** One fact that a rule read, with its value. A justification prints the chain of premises. */
export interface Premise {
  fact: string;
  /** The value as shown to a person: shortened, secrets masked, control characters escaped. */
  value: string;
}

/** A rule that fired, one finding per binding. */
export interface Finding {
  rule: string;
  family: string;
  /** 0-100: the policy layer if this were the only finding; for a custom rule its `score_impact`, -100 to 100. */
  contribution: number;
  /** The final score is never below this; 0 if the rule sets no floor. */
  floor: number;
  confidence: number;
  flag: string;
  /** One sentence with its placeholders filled in. */
  violation: string;
  /** Ids of articles; the rule has the reason for each. */
  citations: readonly string[];
  premises: Premise[];
  /** What the finding rests on: two findings of one family with the same evidence count once. */
  evidence: string;
  /** Ids of the reducers that lowered the contribution; absent if none did. */
  reduced_by?: readonly string[];
  /** What to do, where that names a thing of this event; absent where it is what the rule says of every event. */
  mitigations?: readonly string[];
  /** True for a rule of the customer's own policy. */
  is_custom: boolean;
}

export interface ScoreComponent {
  rule: string;
  /** Points of the final score; all components of an assessment sum exactly to its score. */
  contribution: number;
}

/** Specification 2.3. Layers are 0-100, or null if absent; the weights in force sum to 1. */
export interface Decomposition {
  intrinsic_score: number;
  gnn_score: number | null;
  policy_score: number;
  temporal_modifier: number;
  raw_weighted: number;
  w1: number;
  w2: number;
  w3: number;
  gnn_confidence: number | null;
  overall_confidence: number;
}

/** The judgement of a language model on one action. */
export interface LlmVerdict {
  /** Integer 0-100. */
  score: number;
  /** 0-1, as the model states it. */
  confidence: number;
  /** Short sentences, cleaned. */
  reasons: readonly string[];
}

/** Why there is no verdict: the call failed in one of five ways, was ended because its caller left, or was not made. */
export type LlmTroubleName =
  | 'late'
  | 'refused'
  | 'busy'
  | 'broken'
  | 'malformed'
  | 'cancelled'
  | 'paused'
  | 'crowded'
  | 'over_budget';

/** What came of the wish to ask a language model about an event. */
export interface LlmOpinion {
  model: string;
  /** False: no call was made and no earlier answer was used. */
  was_asked: boolean;
  verdict: LlmVerdict | null;
  /** Null where there is a verdict. */
  trouble: LlmTroubleName | null;
  /** An earlier answer to the same question was used. */
  was_cached: boolean;
  input_tokens: number;
  output_tokens: number;
  /** US dollars; null where no prices are set. */
  cost_usd: number | null;
}

/** The complete answer. Doors select from it (`records/views.ts`) and add nothing to it. */
export interface Assessment {
  score: number;
  reasoning: string;
  violations: string[];
  compliance_refs: string[];
  mitigations: string[];
  score_components: ScoreComponent[];
  behavioral_flags: string[];
  graph_score: number;
  rule_score: number;
  llm_score: number | null;
  llm_fallback: boolean;
  /** Null where confidence was sufficient, or no language model is set up. */
  llm: LlmOpinion | null;
  gnn_score: number | null;
  confidence: number;
  /** What lowered the confidence, weightiest first; empty where it is 0.8 or more. */
  doubts: readonly string[];
  decomposition: Decomposition;
  findings: readonly Finding[];
  /** Version of ontology and rules together: the same version gives the same answer to the same evidence. */
  rule_set_version: string;
  /** Version of the customer's policy; 0 if the customer has none. */
  policy_version: number;
}
