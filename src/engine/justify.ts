/**
 * Why an event got its score, for a person who has to answer for it. Made from the rules alone: the engine is run again
 * on the stored evidence, and every sentence comes from a rule, an article of the ontology or a playbook.
 */
import { CUSTOM_RULE_CITATIONS } from '../scoring/custom-rules.ts';
import { byImportance, mitigationsOf } from '../scoring/explain.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { levelOf } from '../scoring/level.ts';
import type { ArticleEntry } from '../scoring/ontology.ts';
import { score } from '../scoring/score.ts';
import type { Assessment, Finding, RiskLevel } from '../scoring/types.ts';
import type { Storage, StoredScore } from '../storage/ports.ts';
import type { Policies } from './policies.ts';

export interface ViolationDetail {
  /** Id of the rule, as in `violations`. */
  violation: string;
  article: string;
  framework: string;
  explanation: string;
  consequence: string;
}

/** Specification 2.8. */
export interface Justification {
  event_id: string;
  score: number;
  risk_level: RiskLevel;
  summary: string;
  score_justification: string;
  violation_details: ViolationDetail[];
  remediation_steps: string[];
  frameworks_impacted: string[];
}

/** `null` when the customer has no such event. */
export type Justify = (customer_id: string, event_id: string) => Promise<Justification | null>;

export interface JustifyParts {
  storage: Storage;
  policies: Policies;
  knowledge: Knowledge;
}

export function createJustify({ storage, policies, knowledge }: JustifyParts): Justify {
  return async (customer_id, event_id) => {
    const record = await storage.scores.find(customer_id, event_id);
    if (record === null) return null;
    const policy = await policies.atVersion(customer_id, record.assessment.policy_version);
    const again = score({ event: record.event, policy, history: null }, knowledge);
    return justification(record, again, knowledge);
  };
}

function justification(record: StoredScore, again: Assessment, knowledge: Knowledge): Justification {
  const { assessment } = record;
  const findings = byImportance(assessment.findings).filter((finding) => finding.contribution > 0 || finding.floor > 0);
  const claimed = new Set(assessment.compliance_refs);
  const details = findings.flatMap((finding) => detailsOf(finding, claimed, record.event.timestamp, knowledge));
  const steps = findings.flatMap((finding) => [
    ...mitigationsOf(finding, knowledge),
    ...playbookSteps(finding, knowledge),
  ]);
  return {
    event_id: record.event_id,
    score: assessment.score,
    risk_level: levelOf(assessment.score),
    summary: assessment.reasoning,
    score_justification: scoreJustification(assessment, again),
    violation_details: details,
    remediation_steps: [...new Set(steps)],
    frameworks_impacted: impacted(assessment.compliance_refs, knowledge),
  };
}

/** Threat lists name dangers and oblige nobody: they count only where nothing else is cited. */
function impacted(refs: readonly string[], knowledge: Knowledge): string[] {
  const articles = refs.flatMap((id) => knowledge.ontology.articles.get(id) ?? []);
  const duties = articles.filter(
    (article) => knowledge.ontology.phrasing.get(article.kind)?.counts_as_impacted ?? true,
  );
  return [...new Set((duties.length > 0 ? duties : articles).map((article) => article.framework))];
}

function playbookSteps(finding: Finding, knowledge: Knowledge): readonly string[] {
  const playbooks = knowledge.rule_by_id.get(finding.rule)?.document.playbooks ?? [];
  return playbooks.flatMap((name) => knowledge.ontology.remediation_playbooks.get(name) ?? []);
}

/** One entry for each article that the finding cites and that binds here; one without article where none does. */
function detailsOf(
  finding: Finding,
  claimed: ReadonlySet<string>,
  timestamp: string,
  knowledge: Knowledge,
): ViolationDetail[] {
  const whys = new Map<string, string | undefined>(
    finding.is_custom
      ? CUSTOM_RULE_CITATIONS.map((id) => [id, 'the customer governs its agents by a rule of its own'])
      : knowledge.rule_by_id.get(finding.rule)?.document.cites.map((cite) => [cite.id, cite.why]),
  );
  return finding.citations
    .filter((id) => claimed.has(id))
    .flatMap((id) => knowledge.ontology.articles.get(id) ?? [])
    .map((article) => ({
      violation: finding.rule,
      article: `${article.article}: ${article.title}`,
      framework: article.framework,
      explanation: explanationOf(finding, article, whys.get(article.id), timestamp, knowledge),
      consequence: consequenceOf(article, timestamp),
    }));
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The sentence of the article's kind of framework, then why this rule names it. */
function explanationOf(
  finding: Finding,
  article: ArticleEntry,
  why: string | undefined,
  timestamp: string,
  knowledge: Knowledge,
): string {
  const { phrasing, phrasing_condition } = knowledge.ontology;
  const words = phrasing.get(article.kind);
  const values: Record<string, string> = {
    article: article.article,
    title: article.title,
    bound: article.bound,
    obligation: sentence(article.obligation),
    violation: sentence(finding.violation),
    // Stands in a field of its own.
    consequence: '',
    enforceable_from: article.enforceable_from,
  };
  const fill = (text: string): string => text.replace(/\{([a-z_]+)\}/g, (_, name: string) => values[name] ?? '');
  const phrase = fill((isInForce(article, timestamp) ? words?.in_force : words?.not_yet) ?? '{violation}').trim();
  const condition = article.is_conditional ? `${fill(phrasing_condition)} ` : '';
  return `${condition}${phrase} ${why === undefined ? `It applies when: ${sentence(article.applies_when)}` : `It is named because ${sentence(why)}`}`;
}

const isInForce = (article: ArticleEntry, timestamp: string): boolean =>
  article.enforceable_from <= timestamp.slice(0, 10);

/** A duty that does not apply yet is a readiness gap; its fine is never stated as a present exposure. */
function consequenceOf(article: ArticleEntry, timestamp: string): string {
  if (isInForce(article, timestamp)) return article.consequence;
  return `Readiness gap: ${article.article} applies from ${article.enforceable_from}; no consequence today.`;
}

function scoreJustification(assessment: Assessment, again: Assessment): string {
  const { decomposition: d } = assessment;
  const lines = [
    `Score ${assessment.score} = intrinsic ${d.intrinsic_score} × ${d.w1.toFixed(2)} + policy ${d.policy_score} × ${d.w3.toFixed(2)}` +
      `${d.gnn_score === null ? '' : ` + structural ${d.gnn_score} × ${d.w2.toFixed(2)}`}, times ${d.temporal_modifier}, never below the highest floor.`,
    ...assessment.score_components.map(({ rule, contribution }) => componentLine(assessment, rule, contribution)),
  ];
  const is_same = again.score === assessment.score && again.rule_set_version === assessment.rule_set_version;
  lines.push(
    is_same
      ? `Run again on the stored evidence with rule set ${assessment.rule_set_version}: the same score.`
      : `Scored with rule set ${assessment.rule_set_version}; rule set ${again.rule_set_version}, in force now, gives ${again.score} to the same evidence.`,
  );
  return lines.join('\n');
}

function componentLine(assessment: Assessment, rule: string, contribution: number): string {
  const points = `${contribution >= 0 ? '+' : ''}${contribution}`;
  const finding = assessment.findings.find((candidate) => candidate.rule === rule);
  if (finding === undefined) return `${points} ${rule}`;
  const floor = finding.floor > 0 ? `, floor ${finding.floor}` : '';
  const premises = finding.premises.map(({ fact, value }) => `${fact} = ${value}`).join('; ');
  return `${points} ${rule}${floor}: ${finding.violation}${premises === '' ? '' : ` (because ${premises})`}`;
}
