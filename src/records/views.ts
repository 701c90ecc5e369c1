/** PURE: one stored score as each door shows it. Views select; they compute nothing that is not in the record. */

import type { AgentEvent } from '../events/event.ts';
import { MOST_ARTICLES } from '../scoring/explanation/articles.ts';
import type { Assessment, Decomposition, LlmOpinion, RiskLevel, ScoreComponent } from '../scoring/types.ts';
import type { Decider, HoldState, StoredHold } from './hold.ts';
import type { StoredPolicy } from './policy.ts';
import type { StoredScore } from './record.ts';
import { shownOf } from './texts.ts';

/** The parts of graph, LLM and GNN in the final score, as shares that sum to 1. */
export interface WeightShares {
  graph_weight: number;
  llm_weight: number;
  gnn_weight: number;
  final: number;
}

/** The state of a hold, and its decision. */
export interface HoldView {
  state: HoldState;
  /** The time at which the hold expires. */
  expires_at: string;
  decided_at: string | null;
  /** As given by the person who decided. */
  reason: string | null;
  /** Everyone behind the decision. */
  decided_by: readonly Decider[] | null;
}

/** The same with the fields that an enforcing side needs to check a decision. */
export interface HoldDetail extends HoldView {
  action_hash: string;
  cosignature: string | null;
}

/** Answer to POST /events (specification 2.5). */
export interface ScoreResult {
  event_id: string;
  status: 'scored';
  score: number;
  risk_level: RiskLevel;
  reasoning: string;
  violations: string[];
  scoring_source: 'graph' | 'llm' | 'hybrid';
  compliance_refs: string[];
  mitigations: string[];
  score_components: ScoreComponent[];
  behavioral_flags: string[];
  graph_score: number;
  llm_score: number | null;
  llm_fallback: boolean;
  score_decomposition: WeightShares;
  gnn_score: number | null;
  confidence: number;
  rule_score: number;
  /** Null for an event that was never held. */
  hold: HoldView | null;
  /** It would have been held, but it is only observed. */
  would_have_held: boolean;
}

/** Core fields of a stored record (specification 2.6). */
export interface ScoreCore {
  event_id: string;
  final_score: number;
  risk_level: RiskLevel;
  reasoning: string;
  violations: string[];
  scoring_source: 'graph_reasoner' | 'graph_reasoner+llm';
  compliance_refs: string[];
  mitigations: string[];
  graph_score: number;
  llm_score: number | null;
  llm_fallback: boolean;
  confidence: number;
  gnn_score: number | null;
  cache_hit: boolean;
  scored_at: string;
  rule_score: number;
}

/** The parts of an event that a queue of decisions is read by. */
export interface EventOutline {
  action: string;
  /** Null, here and below: the event does not name it. */
  agent_id: string | null;
  session_id: string | null;
  user_id: string | null;
  target: { resource_type: string | null; resource_id: string | null } | null;
  /** The gravest violation, with its sentence; null for a score without any. */
  first_reason: { rule: string; text: string } | null;
}

export interface ScoreListItem extends ScoreCore, EventOutline {
  score_decomposition: WeightShares;
  hold: HoldView | null;
  /** It would have been held, but it is only observed. */
  would_have_held: boolean;
}

/** Everything about one event, the event itself included. */
export interface ScoreDetail extends ScoreCore {
  score_decomposition: Decomposition;
  customer_id: string;
  timestamp: string;
  action: string;
  score_components: ScoreComponent[];
  behavioral_flags: string[];
  /** What lowered the confidence; empty where it is 0.8 or more. */
  doubts: readonly string[];
  /** What came of asking a language model; null where it was not to be asked. */
  llm: LlmView | null;
  policy_version: number;
  rule_set_version: string;
  event: AgentEvent;
  hold: HoldDetail | null;
  would_have_held: boolean;
}

/** The opinion of a language model, and what it cost. */
export interface LlmView extends Omit<LlmOpinion, 'verdict' | 'was_asked'> {
  confidence: number | null;
  /** In the model's words, which are shown only where it raised the score. */
  reasons: readonly string[];
}

export interface PolicyEnvelope {
  customer_id: string;
  policies: StoredPolicy['policies'];
  updated_at: string;
}

export function scoreResult({
  event_id,
  risk_level,
  assessment,
  hold,
  would_hold,
}: Pick<StoredScore, 'event_id' | 'risk_level' | 'assessment' | 'hold' | 'would_hold'>): ScoreResult {
  return {
    event_id,
    status: 'scored',
    score: assessment.score,
    risk_level,
    reasoning: assessment.reasoning,
    violations: assessment.violations,
    scoring_source: scoringSource(assessment),
    compliance_refs: firstArticles(assessment),
    mitigations: assessment.mitigations,
    score_components: assessment.score_components,
    behavioral_flags: assessment.behavioral_flags,
    graph_score: assessment.graph_score,
    llm_score: assessment.llm_score,
    llm_fallback: assessment.llm_fallback,
    score_decomposition: weightShares(assessment),
    gnn_score: assessment.gnn_score,
    confidence: assessment.confidence,
    rule_score: assessment.rule_score,
    hold: hold === null ? null : holdView(hold),
    would_have_held: would_hold,
  };
}

/** `scoreResult` as JSON, composed from the text that is cached with the assessment. */
export function scoreResultJson({
  event_id,
  risk_level,
  assessment,
  hold,
  would_hold,
  json,
}: Pick<StoredScore, 'event_id' | 'risk_level' | 'assessment' | 'hold' | 'would_hold' | 'json'>): string {
  const shown = json?.assessment.shown ?? shownOf(assessment);
  const rest = {
    scoring_source: scoringSource(assessment),
    score_decomposition: weightShares(assessment),
    hold: hold === null ? null : holdView(hold),
    would_have_held: would_hold,
  };
  const head = JSON.stringify({ event_id, status: 'scored', risk_level });
  return `${head.slice(0, -1)},${shown},${JSON.stringify(rest).slice(1)}`;
}

const firstArticles = ({ compliance_refs }: Assessment): string[] => compliance_refs.slice(0, MOST_ARTICLES);

/** The scoring source that an answer names. */
const scoringSource = ({ llm_score }: Assessment): ScoreResult['scoring_source'] =>
  llm_score === null ? 'graph' : 'hybrid';

export function scoreListItem(record: StoredScore): ScoreListItem {
  const { assessment, hold } = record;
  return {
    ...scoreCore(record),
    ...outlineOf(record),
    score_decomposition: weightShares(assessment),
    hold: hold === null ? null : holdView(hold),
    would_have_held: record.would_hold,
  };
}

export function outlineOf({ event, assessment }: Pick<StoredScore, 'event' | 'assessment'>): EventOutline {
  const { agent, session, target } = event;
  return {
    action: event.action,
    agent_id: agent?.agent_id ?? null,
    session_id: session?.session_id ?? null,
    user_id: session?.user_id ?? null,
    target:
      target?.resource_type === undefined && target?.resource_id === undefined
        ? null
        : { resource_type: target.resource_type ?? null, resource_id: target.resource_id ?? null },
    first_reason: reasonsOf(assessment, 1)[0] ?? null,
  };
}

/** The gravest violations, each with its sentence. */
export function reasonsOf({ violations, findings }: Assessment, most: number): { rule: string; text: string }[] {
  return violations
    .slice(0, most)
    .map((rule) => ({ rule, text: findings.find((finding) => finding.rule === rule)?.violation ?? rule }));
}

/** @param articles `first`: those to name first; `all`: every article that is touched */
export function scoreDetail(record: StoredScore, articles: 'first' | 'all' = 'first'): ScoreDetail {
  const { assessment, event, hold } = record;
  return {
    ...scoreCore(record),
    ...(articles === 'all' && { compliance_refs: assessment.compliance_refs }),
    score_decomposition: assessment.decomposition,
    customer_id: record.customer_id,
    timestamp: event.timestamp,
    action: event.action,
    score_components: assessment.score_components,
    behavioral_flags: assessment.behavioral_flags,
    doubts: assessment.doubts,
    llm: assessment.llm === null ? null : llmView(assessment, assessment.llm),
    policy_version: assessment.policy_version,
    rule_set_version: assessment.rule_set_version,
    event,
    hold: hold === null ? null : { ...holdView(hold), action_hash: hold.action_hash, cosignature: hold.cosignature },
    would_have_held: record.would_hold,
  };
}

function holdView({ state, expires_at, decided_at, reason, decided_by }: StoredHold): HoldView {
  return { state, expires_at, decided_at, reason, decided_by };
}

function llmView(
  { score, graph_score }: Assessment,
  { verdict, was_asked: _was_asked, ...opinion }: LlmOpinion,
): LlmView {
  const reasons = score > graph_score ? (verdict?.reasons ?? []) : [];
  return { ...opinion, confidence: verdict?.confidence ?? null, reasons };
}

export function policyEnvelope({ customer_id, policies, updated_at }: StoredPolicy): PolicyEnvelope {
  return { customer_id, policies, updated_at };
}

function scoreCore(record: StoredScore): ScoreCore {
  const { assessment } = record;
  return {
    event_id: record.event_id,
    final_score: assessment.score,
    risk_level: record.risk_level,
    reasoning: assessment.reasoning,
    violations: assessment.violations,
    scoring_source: assessment.llm_score === null ? 'graph_reasoner' : 'graph_reasoner+llm',
    compliance_refs: firstArticles(assessment),
    mitigations: assessment.mitigations,
    graph_score: assessment.graph_score,
    llm_score: assessment.llm_score,
    llm_fallback: assessment.llm_fallback,
    confidence: assessment.confidence,
    gnn_score: assessment.gnn_score,
    cache_hit: record.cache_hit,
    scored_at: record.scored_at,
    rule_score: assessment.rule_score,
  };
}

/**
 * Shares of graph, LLM and GNN in the final score. The LLM's share is how far it moved the score from the graph's
 * towards its own; of the rest, the GNN has its weight `w2` in force and the graph everything else.
 */
function weightShares(assessment: Assessment): WeightShares {
  const llm_weight = llmShare(assessment);
  const gnn_weight = round(assessment.decomposition.w2 * (1 - llm_weight));
  return { graph_weight: round(1 - llm_weight - gnn_weight), llm_weight, gnn_weight, final: assessment.score };
}

function llmShare({ score, graph_score, llm_score }: Assessment): number {
  if (llm_score === null || llm_score === graph_score) return 0;
  return round(Math.min(1, Math.max(0, (score - graph_score) / (llm_score - graph_score))));
}

/** Four decimals: shares are for people, and their sum must not show a 0.30000000000000004. */
function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
