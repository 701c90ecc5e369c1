/**
 * Why an event got its score, for a person who has to answer for it. Made from the rules alone: the engine is run again
 * on the stored evidence, and every sentence comes from a rule, an article of the ontology, a playbook or a further run.
 */

import type { ArticleEntry } from '../ontology/index.ts';
import type { Clock } from '../platform/clock.ts';
import { WeirError } from '../platform/errors.ts';
import type { StoredScore } from '../records/record.ts';
import { byImportance } from '../scoring/explain.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { levelOf } from '../scoring/level.ts';
import { score } from '../scoring/score.ts';
import type { Assessment, Evidence, RiskLevel } from '../scoring/types.ts';
import type { Storage } from '../storage/ports/storage.ts';
import { evidenceOf, extentOf } from './evidence.ts';
import { overriddenRules, scoreJustification } from './justification/account.ts';
import { type CounterfactualView, findCounterfactuals } from './justification/counterfactuals.ts';
import { isInForce, type ViolationDetail, violationDetails } from './justification/details.ts';
import { remediationSteps } from './justification/remediation.ts';
import type { Policies } from './policies.ts';
import { createTurns, inTurns, type TurnLimits, type TurnWords } from './turns.ts';

/** Specification 2.8, and ours: what would have kept it below high, and by which versions it was scored. */
export interface Justification {
  event_id: string;
  score: number;
  risk_level: RiskLevel;
  summary: string;
  score_justification: string;
  violation_details: ViolationDetail[];
  remediation_steps: string[];
  frameworks_impacted: string[];
  /** Empty when the score is below high, or no change that was tried brings it there. */
  counterfactuals: CounterfactualView[];
  rule_set_version: string;
  policy_version: number;
}

/**
 * `null` when the customer has no such event, `queued` while it waits to be scored. `checkWanted` throws when nobody waits
 * for it any more. Throws what `Turns` throw.
 */
export type Justify = (
  customer_id: string,
  event_id: string,
  checkWanted: () => void,
) => Promise<Justification | 'queued' | null>;

export interface JustifyParts {
  storage: Storage;
  policies: Policies;
  knowledge: Knowledge;
  clock: Clock;
}

/**
 * An event is scored up to dozens of times here, by the thread that reads requests: many side by side would leave it no time
 * for anybody else. So one is made at a time, and customers take turns.
 */
const TURNS: Partial<TurnLimits> = { in_work: 1, waiting_each: 256, waiting: 1_024, wait_ms: 10_000 };

const WORDS: TurnWords = {
  yours: 'justifications that you asked for are not made yet',
  all: 'too many justifications are asked for',
  one: 'this justification waited too long to be made',
};

export function createJustify({ clock, ...parts }: JustifyParts): Justify {
  const turns = createTurns({ clock, limits: TURNS, words: WORDS });
  return async (customer_id, event_id, checkWanted) =>
    inTurns(turns, turns.take(customer_id, checkWanted), () => justifyEvent(parts, customer_id, event_id));
}

async function justifyEvent(
  { storage, policies, knowledge }: Omit<JustifyParts, 'clock'>,
  customer_id: string,
  event_id: string,
): Promise<Justification | 'queued' | null> {
  const record = await storage.scores.lookUp(customer_id, event_id);
  if (record === null || record === 'queued') return record;
  // Not even whether it was scored by its outline is known then, nor, hence, what to run the rules on.
  if (record.lost !== undefined)
    throw new WeirError('internal', { detail: `this score cannot be justified any more ${record.lost}` });
  const policy = await policies.atVersion(customer_id, record.assessment.policy_version);
  const history = record.past?.history ?? null;
  return justification(record, evidenceOf(record.event, policy, history, extentOf(record.assessment)), knowledge);
}

async function justification(
  { event_id, assessment }: StoredScore,
  evidence: Evidence,
  knowledge: Knowledge,
): Promise<Justification> {
  const again = score(evidence, knowledge);
  const { lines, counterfactuals } = await findCounterfactuals(evidence, assessment.score, again.score, knowledge);
  const findings = byImportance(assessment.findings).filter((finding) => finding.contribution > 0 || finding.floor > 0);
  const claimed = assessment.compliance_refs.flatMap((id) => knowledge.ontology.articles.get(id) ?? []);
  const account = { assessment, again, without_overrides: withoutOverrides(assessment, evidence, knowledge) };
  return {
    event_id,
    score: assessment.score,
    risk_level: levelOf(assessment.score),
    summary: [assessment.reasoning, ...readinessGaps(claimed, evidence.event.timestamp)].join(' '),
    score_justification: [scoreJustification(account), ...lines].join('\n'),
    violation_details: violationDetails(findings, {
      claimed: new Set(assessment.compliance_refs),
      timestamp: evidence.event.timestamp,
      profile: evidence.policy.profile,
      knowledge,
    }),
    remediation_steps: remediationSteps(findings, knowledge),
    frameworks_impacted: impacted(claimed, knowledge),
    counterfactuals,
    rule_set_version: assessment.rule_set_version,
    policy_version: assessment.policy_version,
  };
}

function withoutOverrides(assessment: Assessment, evidence: Evidence, knowledge: Knowledge): Assessment | null {
  if (overriddenRules(assessment).length === 0) return null;
  return score({ ...evidence, policy: { ...evidence.policy, rule_overrides: new Map() } }, knowledge);
}

/** What applies only after the day of the event, named as such. */
function readinessGaps(claimed: readonly ArticleEntry[], timestamp: string): string[] {
  const later = claimed.filter((article) => !isInForce(article, timestamp));
  if (later.length === 0) return [];
  const named = later.map(
    ({ framework, article, enforceable_from }) => `${framework} ${article} (from ${enforceable_from})`,
  );
  return [`Readiness gaps, no breach on the day of the event: ${named.join(', ')}.`];
}

/** Threat lists name dangers and oblige nobody: they count only where nothing else is cited. */
function impacted(articles: readonly ArticleEntry[], { ontology }: Knowledge): string[] {
  const duties = articles.filter((article) => ontology.phrasing.get(article.kind)?.counts_as_impacted ?? true);
  return [...new Set((duties.length > 0 ? duties : articles).map((article) => article.framework))];
}
