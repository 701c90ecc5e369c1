/** Each violation with its articles: the duty, why this rule cites it, the possible penalty and since when it applies. */

import type { ArticleEntry } from '../../ontology/index.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import { isUncertain } from '../../scoring/policy/bindings.ts';
import { CUSTOM_RULE_CITATIONS } from '../../scoring/policy/try-custom-rules.ts';
import type { CustomerProfile, Finding } from '../../scoring/types.ts';
import type { ComplianceContext } from '../../storage/ports/graph.ts';

export interface ViolationDetail {
  /** Id of the rule, as in `violations`. */
  violation: string;
  article: string;
  framework: string;
  explanation: string;
  consequence: string;
}

/** What the details of one event depend on besides its findings. */
export interface Circumstances {
  /** Ids of articles whose framework binds: `compliance_refs`. */
  claimed: ReadonlySet<string>;
  /** Those of them that the event and the profile show to bind. */
  shown: ReadonlySet<string>;
  /** Of the event, ISO 8601: what applies on that day is a duty, what applies later a readiness gap. */
  timestamp: string;
  profile: CustomerProfile;
  /** What the compliance graph knows of the findings' rules. */
  context: Pick<ComplianceContext, 'articles' | 'controls'>;
  knowledge: Knowledge;
}

export const isInForce = (article: ArticleEntry, timestamp: string): boolean =>
  article.enforceable_from <= timestamp.slice(0, 10);

/**
 * One entry for each rule and article that it cites and that binds, in the order of the findings, then one for each rule and control
 * or internal policy of the customer.
 */
export function violationDetails(findings: readonly Finding[], circumstances: Circumstances): ViolationDetail[] {
  const details = new Map<string, ViolationDetail>();
  for (const finding of findings) {
    // A rule that fired for several arguments names its articles once, for the gravest.
    for (const article of claimedArticles(finding, circumstances)) {
      const key = `${finding.rule}\n${article.id}`;
      if (!details.has(key)) details.set(key, detailOf(finding, article, circumstances));
    }
  }
  return [...details.values(), ...ownDetails(findings, circumstances)];
}

/** `framework` of what a customer added. */
const OWN_FRAMEWORKS = { control: 'Internal_Control', internal_policy: 'Internal_Policy' } as const;

function ownDetails(findings: readonly Finding[], { context }: Circumstances): ViolationDetail[] {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return rules.flatMap((rule) =>
    context.controls
      .filter(({ cited_for }) => cited_for.includes(rule))
      .map(({ control_id, kind, name, description, articles }) => {
        const why = articles.length === 0 ? `it covers \`${rule}\`` : `it puts ${articles.join(', ')} into practice`;
        return {
          violation: rule,
          article: `${control_id}: ${name}`,
          framework: OWN_FRAMEWORKS[kind],
          explanation: `${sentence(description)} It is named because ${why}.`,
          consequence: 'Set by the organisation itself; what follows from a breach is for the organisation to say.',
        };
      }),
  );
}

function claimedArticles({ citations }: Finding, { claimed, knowledge }: Circumstances): ArticleEntry[] {
  return citations.filter((id) => claimed.has(id)).flatMap((id) => knowledge.ontology.articles.get(id) ?? []);
}

function detailOf(finding: Finding, article: ArticleEntry, circumstances: Circumstances): ViolationDetail {
  return {
    violation: finding.rule,
    article: `${article.article}: ${article.title}`,
    framework: article.framework,
    explanation: explanationOf(finding, article, circumstances),
    consequence: consequenceOf(article, circumstances),
  };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Why this rule cites this article, as the rule states it. */
function whyOf(finding: Finding, article: ArticleEntry, { context }: Circumstances): string | undefined {
  if (finding.is_custom) {
    return CUSTOM_RULE_CITATIONS.includes(article.id)
      ? 'the customer governs its agents by a rule of its own'
      : undefined;
  }
  const known = context.articles.find(({ id }) => id === article.id);
  return known?.cited_by.find(({ rule }) => rule === finding.rule)?.why || undefined;
}

/** Below this a finding is a doubt and no likely breach, as the policy layer would make it without any other finding. */
const GRAVE = 60;
const isGrave = ({ contribution, floor }: Finding): boolean => contribution >= GRAVE || floor >= GRAVE;

/** The sentence for the article's kind of framework, then why this rule cites it. */
function explanationOf(finding: Finding, article: ArticleEntry, circumstances: Circumstances): string {
  const { knowledge, timestamp } = circumstances;
  const { phrasing, phrasing_condition } = knowledge.ontology;
  const words = phrasing.get(article.kind);
  const values: Record<string, string> = {
    article: article.article,
    title: article.title,
    bound: article.bound,
    obligation: sentence(article.obligation),
    violation: sentence(finding.violation),
    // It has a field of its own.
    consequence: '',
    enforceable_from: article.enforceable_from,
  };
  const fill = (text: string): string => text.replace(/\{([a-z_]+)\}/g, (_, name: string) => values[name] ?? '');
  const phrase = fill((isInForce(article, timestamp) ? words?.in_force : words?.not_yet) ?? '{violation}').trim();
  const why = whyOf(finding, article, circumstances);
  const condition = isUncertain(article, circumstances.profile, knowledge) ? `${fill(phrasing_condition)} ` : '';
  const is_shown = circumstances.shown.has(article.id) && isInForce(article, timestamp) && isGrave(finding);
  const breach = is_shown && words !== undefined && words.where_shown !== '' ? ` ${words.where_shown}` : '';
  return `${condition}${phrase}${breach} ${why === undefined ? `It applies when: ${sentence(article.applies_when)}` : `It is named because ${sentence(why)}`}`;
}

/** The possible penalty, for whom, and since when. A duty that does not apply yet is never stated as a present exposure. */
function consequenceOf(article: ArticleEntry, { timestamp, knowledge }: Circumstances): string {
  const note = article.enforceable_note === '' ? '' : ` ${sentence(article.enforceable_note)}`;
  if (!isInForce(article, timestamp)) {
    return `Readiness gap: ${article.article} applies from ${article.enforceable_from} and will bind: ${sentence(article.bound)} No consequence today.${note}`;
  }
  const is_duty = knowledge.ontology.phrasing.get(article.kind)?.counts_as_impacted ?? true;
  // The rest of the tier's text tells authors of rules how to cite a threat.
  if (!is_duty) return article.consequence.slice(0, article.consequence.indexOf('.') + 1) || article.consequence;
  return `${sentence(article.consequence)} Bound: ${sentence(article.bound)} In force since ${article.enforceable_from}.${note}`;
}
