/**
 * The nouns of scoring. Data keeps the wire's snake_case, so nothing is renamed on its way from the door to the database.
 *
 * `score(event, past, policy, knowledge) → assessment`: event, past and policy together are the evidence, everything that may differ
 * between two events; knowledge is what ships with the product (ontology and rules); an assessment is everything any door may show.
 */

import type { AgentEvent } from '../events/event.ts';
import type { Condition } from '../lang/conditions.ts';
import type { JsonObject } from '../lang/json.ts';
import type { ActionPattern } from '../lang/patterns.ts';
/** What of an action can be new to an agent whose ways are known. */
export type Novelty = 'action' | 'resource' | 'destination';

/**
 * What the server itself remembers of the agent and the session, as far as it bears on this event (`history/recall.ts`).
 * Numbers are rounded down to steps, so that equal circumstances are equal evidence. What says nothing is null, and an
 * event without `agent_id` and `session_id` has no history.
 */
export interface History {
  first_seen: Novelty[];
  /** Actions that change something in the last minute: 0, 30 or 120. */
  changes_per_minute: number;
  /** Actions of any kind in the last minute: 0, 120 or 600. */
  actions_per_minute: number;
  /** How many times the agent's own usual minute this minute is: 0, 5 or 20. */
  burst: number;
  /** The agent never acted around this hour before, by the server's clock or by the timestamps it sent. */
  is_unusual_hour: boolean;
  /** A high-impact action at night or at a weekend: by the clock of the event's own offset, or only by UTC. */
  off_hours: 'local' | 'utc' | '';
  /** What does not fit in the times that the event states. */
  clock: 'from_the_future' | 'before_its_session' | 'session_too_long' | '';
  /** How far the session is from what it began with: 0 near, 1 far, 2 nothing in common. */
  drift: 0 | 1 | 2;
  /** Actions in the last hour that a person or the policy refused: 0, 2 or 4. */
  refused: number;
  /** Actions in the last hour that scored high: 0, 3 or 8. */
  high: number;
  /** Other actions of the session that `preceding_actions` leaves out, in order of their names. */
  earlier_actions: string[];
  /** Classes of data that the session has read, in order of their names. */
  seen_classes: string[];
  /** How often this very action stands among the last ten of the session: 0, 5 or 10. */
  repeats: number;
  /** Weeks of work of this kind without anything to remark. */
  is_steady: boolean;
}

export interface CustomRule {
  name: string;
  condition: Condition;
  /** −100 to 100, in points of the final score. */
  score_impact: number;
  description: string;
}

/** What a customer changes about one built-in rule. */
export interface RuleOverride {
  is_enabled: boolean;
  /** Instead of the rule's own contribution, aggravated or not; `null` keeps it. */
  contribution: number | null;
  /** Instead of the rule's own floor; `null` keeps it. */
  floor: number | null;
  /** Where one holds, the rule does not count. They read nothing that depends on free text. */
  exceptions: readonly Condition[];
}

/** Who a customer is, as far as it says. */
export interface CustomerProfile {
  /** framework → whether it binds the customer, in the customer's own words */
  frameworks: ReadonlyMap<string, boolean>;
  /** `EU`, countries and parts of countries where it works; `null` when it does not say. */
  regions: ReadonlySet<string> | null;
  /** Sectors of the ontology's profile; `null` when it does not say. */
  sectors: ReadonlySet<string> | null;
}

/** A pattern with the text it was written as, for the answer that names it. */
export interface NamedPattern {
  text: string;
  pattern: ActionPattern;
}

/** A customer's policy, checked and compiled once per version (`policy.ts`); `policy-match.ts` asks it. */
export interface CompiledPolicy {
  /** 0 for the policy of a customer who never wrote one. */
  version: number;
  /** Normal form as stored and shown: actions and patterns in lower case. */
  policies: JsonObject;
  custom_rules: readonly CustomRule[];
  /** By rule id. Never one of the rules that say what the policy itself forbids. */
  rule_overrides: ReadonlyMap<string, RuleOverride>;
  profile: CustomerProfile;
  /** Domains of the customer's organisation, lower case; each with everything below it. */
  internal_domains: ReadonlySet<string>;
  /** Lowest level that waits for a person, `none` for no event; `null` leaves it to the setting. Never read by scoring. */
  hold_threshold: RiskLevel | null;
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
  /** The event is here without its content, which could not be scored (`outline.ts`). */
  is_outline?: boolean;
}

export type RiskLevel = 'none' | 'low' | 'medium' | 'high' | 'critical';

/** One fact that a rule read, with the value it had: the chain of premises a justification prints. */
export interface Premise {
  fact: string;
  /** The value as shown to a person: shortened, secrets masked, control characters escaped. */
  value: string;
}

/** One rule that fired, once per binding. */
export interface Finding {
  rule: string;
  family: string;
  /** 0-100: how much this alone would make the policy layer; for a custom rule its `score_impact`, -100 to 100. */
  contribution: number;
  /** The final score is never below this; 0 when the rule sets none. */
  floor: number;
  confidence: number;
  flag: string;
  /** One sentence, placeholders filled in. */
  violation: string;
  /** Ids of articles; the reason for each stands in the rule. */
  citations: readonly string[];
  premises: Premise[];
  /** What the finding rests on: two findings of one family with the same evidence count once. */
  evidence: string;
  /** Reducers that lessened the contribution, absent when none did. */
  reduced_by?: readonly string[];
  /** True for a rule of the customer's own policy. */
  is_custom: boolean;
}

export interface ScoreComponent {
  rule: string;
  /** Points of the final score; all components of an assessment sum exactly to its score. */
  contribution: number;
}

/** Specification 2.3. Layers are 0-100 or null when absent; weights in force sum to 1. */
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

/** The whole answer. Doors select from it (`records/views.ts`); none adds to it. */
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
  gnn_score: number | null;
  confidence: number;
  decomposition: Decomposition;
  findings: readonly Finding[];
  /** Version of ontology and rules together: the same version gives the same answer to the same evidence. */
  rule_set_version: string;
  /** Version of the customer's policy, 0 when none was ever written. */
  policy_version: number;
}
