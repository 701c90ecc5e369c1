/**
 * Why an event got its score, for a person who has to answer for it. Deterministic: the event is scored again from its stored
 * evidence, and every sentence comes from a rule, an article of the ontology, a playbook or a further run.
 */

import type { ArticleEntry } from '../ontology/index.ts';
import type { Waiter } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { WeirError } from '../platform/errors.ts';
import type { StoredScore } from '../records/record.ts';
import { byImportance } from '../scoring/explain.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { levelOf } from '../scoring/level.ts';
import { extentOf } from '../scoring/outline.ts';
import { evidenceOf, read, score } from '../scoring/score.ts';
import type { Assessment, CompiledPolicy, Finding, RiskLevel } from '../scoring/types.ts';
import type { ComplianceContext, SourcedContext } from '../storage/ports/graph.ts';
import type { Storage } from '../storage/ports/storage.ts';
import type { FindContext } from './compliance/context.ts';
import { overriddenRules, scoreJustification } from './justification/account.ts';
import { type CounterfactualView, findCounterfactuals } from './justification/counterfactuals.ts';
import { isInForce, type ViolationDetail, violationDetails } from './justification/details.ts';
import { remediationSteps } from './justification/remediation.ts';
import type { Policies } from './policies.ts';
import { createTurns, inTurns, type TurnLimits, type TurnWords } from './turns.ts';

/** What the graph adds to a justification. */
export interface ContextView {
  /** Who answered: the graph in use, or `built_in`, the ontology in memory, while no graph does. */
  source: SourcedContext['source'];
  /** Of the graph that answered; differs from that of the score where no graph has the older one any more. */
  rule_set_version: string;
  /** Articles of different frameworks that bind here and are about one theme. */
  mappings: ComplianceContext['mappings'];
  /** The customer's own controls and internal policies that are at stake. */
  controls: ComplianceContext['controls'];
}

/** The fields of specification 2.8, and Weir's own: `counterfactuals`, `compliance_context`, `rule_set_version`, `policy_version`. */
export interface Justification {
  event_id: string;
  score: number;
  risk_level: RiskLevel;
  summary: string;
  score_justification: string;
  /** Ids of the rules, as in the score. */
  violations: string[];
  violation_details: ViolationDetail[];
  remediation_steps: string[];
  frameworks_impacted: string[];
  /** Changes that bring the score below high; empty when it is below high, or when no change that was tried does. */
  counterfactuals: CounterfactualView[];
  compliance_context: ContextView;
  rule_set_version: string;
  policy_version: number;
}

/**
 * `null` when the customer has no such event, `queued` while it waits to be scored. `waiter`: the caller. Throws what `Turns`
 * throw.
 */
export type Justify = (
  customer_id: string,
  event_id: string,
  waiter: Waiter,
) => Promise<Justification | 'queued' | null>;

export interface JustifyParts {
  storage: Storage;
  policies: Policies;
  knowledge: Knowledge;
  find_context: FindContext;
  clock: Clock;
}

/**
 * One justification scores its event up to dozens of times, in the thread that reads requests: several side by side would leave no
 * time for other requests. So one is made at a time, and customers take turns.
 */
const TURNS: Partial<TurnLimits> = { in_work: 1, waiting_each: 256, waiting: 1_024, wait_ms: 10_000 };

const WORDS: TurnWords = {
  yours: 'of your justifications are waiting already',
  all: 'too many justifications are waiting',
  one: 'this justification waited too long',
};

export function createJustify({ clock, ...parts }: JustifyParts): Justify {
  const turns = createTurns({ clock, limits: TURNS, words: WORDS });
  return async (customer_id, event_id, { checkWanted }) =>
    inTurns(turns, customer_id, turns.take(customer_id, checkWanted), () => justifyEvent(parts, customer_id, event_id));
}

async function justifyEvent(
  { storage, policies, knowledge, find_context }: Omit<JustifyParts, 'clock'>,
  customer_id: string,
  event_id: string,
): Promise<Justification | 'queued' | null> {
  const record = await storage.scores.lookUp(customer_id, event_id);
  if (record === null || record === 'queued') return record;
  // Without its texts it is unknown whether the event was scored whole or by its outline, so it cannot be scored again.
  if (record.lost !== undefined)
    throw new WeirError('internal', { detail: `this score cannot be justified any more ${record.lost}` });
  const policy = await policies.atVersion(customer_id, record.assessment.policy_version);
  const fired = raising(record.assessment).map(({ rule }) => rule);
  const context = await find_context(customer_id, record.assessment.rule_set_version, [...new Set(fired)]);
  return justification(record, policy, knowledge, context);
}

/** What raised the score, most important first. */
function raising({ findings }: Assessment): Finding[] {
  return byImportance(findings).filter((finding) => finding.contribution > 0 || finding.floor > 0);
}

async function justification(
  { event_id, event, past, assessment }: StoredScore,
  policy: CompiledPolicy,
  knowledge: Knowledge,
  context: SourcedContext,
): Promise<Justification> {
  const history = past?.history ?? null;
  const extent = extentOf(assessment);
  const scoreUnder = (one: CompiledPolicy): Assessment => score(event, history, one, knowledge, extent);
  const again = scoreUnder(policy);
  const evidence = evidenceOf(event, history, policy, extent);
  const { lines, counterfactuals } = await findCounterfactuals(evidence, assessment.score, again.score, knowledge);
  const findings = raising(assessment);
  const claimed = assessment.compliance_refs.flatMap((id) => knowledge.ontology.articles.get(id) ?? []);
  const has_overrides = overriddenRules(assessment).length > 0;
  const without_overrides = has_overrides ? scoreUnder({ ...policy, rule_overrides: new Map() }) : null;
  const account = { assessment, again, without_overrides };
  return {
    event_id,
    score: assessment.score,
    risk_level: levelOf(assessment.score),
    summary: [assessment.reasoning, ...readinessGaps(claimed, event.timestamp)].join(' '),
    score_justification: [scoreJustification(account), ...lines].join('\n'),
    violations: assessment.violations,
    violation_details: violationDetails(findings, {
      claimed: new Set(assessment.compliance_refs),
      context,
      shown: read(event, policy, knowledge, extent).shownToBind(claimed),
      timestamp: event.timestamp,
      profile: policy.profile,
      knowledge,
    }),
    remediation_steps: remediationSteps(findings, context.playbooks, knowledge),
    frameworks_impacted: impacted(claimed, knowledge),
    counterfactuals,
    compliance_context: contextView(context, new Set(assessment.compliance_refs)),
    rule_set_version: assessment.rule_set_version,
    policy_version: assessment.policy_version,
  };
}

/** Only what concerns articles that bind. */
function contextView(
  { source, rule_set_version, mappings, controls }: SourcedContext,
  claimed: ReadonlySet<string>,
): ContextView {
  const binding = mappings
    .map(({ theme, articles }) => ({ theme, articles: articles.filter((id) => claimed.has(id)) }))
    .filter(({ articles }) => articles.length > 1);
  return { source, rule_set_version, mappings: binding, controls };
}

/** Names the articles that apply only after the day of the event. */
function readinessGaps(claimed: readonly ArticleEntry[], timestamp: string): string[] {
  const later = claimed.filter((article) => !isInForce(article, timestamp));
  if (later.length === 0) return [];
  const named = later.map(
    ({ framework, article, enforceable_from }) => `${framework} ${article} (from ${enforceable_from})`,
  );
  return [`Readiness gaps, no breach on the day of the event: ${named.join(', ')}.`];
}

/** Threat lists impose no duty, so they count only where nothing else is cited. */
function impacted(articles: readonly ArticleEntry[], { ontology }: Knowledge): string[] {
  const duties = articles.filter((article) => ontology.phrasing.get(article.kind)?.counts_as_impacted ?? true);
  return [...new Set((duties.length > 0 ? duties : articles).map((article) => article.framework))];
}
