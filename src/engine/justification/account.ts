/** The account of a score, line by line: layers, rules with their premises, overrides, and whether the score can be reproduced. */
import type { Assessment } from '../../scoring/types.ts';

export interface Account {
  /** As stored. */
  assessment: Assessment;
  /** The same evidence scored with the rule set in force now. */
  again: Assessment;
  /** The same without the policy's overrides; `null` where these changed nothing. */
  without_overrides: Assessment | null;
}

export function scoreJustification({ assessment, again, without_overrides }: Account): string {
  return [
    compositeLine(assessment),
    ...assessment.score_components.map(({ rule, contribution }) => componentLine(assessment, rule, contribution)),
    ...(without_overrides === null ? [] : [overrideLine(assessment, without_overrides)]),
    ...againLines(assessment, again),
  ].join('\n');
}

function compositeLine({ score, decomposition: d, llm_score }: Assessment): string {
  const structural = d.gnn_score === null ? '' : ` + structural ${d.gnn_score} × ${d.w2.toFixed(2)}`;
  const model = llm_score === null ? '' : `; a language model gave ${llm_score}, which can only raise it`;
  return `Score ${score} = intrinsic ${d.intrinsic_score} × ${d.w1.toFixed(2)} + policy ${d.policy_score} × ${d.w3.toFixed(2)}${structural}, times ${d.temporal_modifier}, never below the highest floor${model}.`;
}

/** A rule that fired for several arguments has one line, with the premises of each. */
function componentLine({ findings }: Assessment, rule: string, contribution: number): string {
  const points = `${contribution >= 0 ? '+' : ''}${contribution}`;
  const own = findings.filter((finding) => finding.rule === rule);
  if (own.length === 0) return `${points} ${rule}`;
  const floor = Math.max(...own.map((finding) => finding.floor));
  const reducers = [...new Set(own.flatMap((finding) => finding.reduced_by ?? []))];
  const reduced = reducers.length === 0 ? '' : `, reduced because ${reducers.join(' and ')}`;
  const reasons = own.map(({ violation, premises }) => {
    const because = premises.map(({ fact, value }) => `${fact} = ${value}`).join('; ');
    return `${violation}${because === '' ? '' : ` (because ${because})`}`;
  });
  return `${points} ${rule}${floor > 0 ? `, floor ${floor}` : ''}${reduced}: ${[...new Set(reasons)].join(' · ')}`;
}

const OVERRIDDEN = 'rule_overridden:';

/** The rules whose findings the customer's policy changed or left out. */
export function overriddenRules({ behavioral_flags }: Assessment): string[] {
  return behavioral_flags.filter((flag) => flag.startsWith(OVERRIDDEN)).map((flag) => flag.slice(OVERRIDDEN.length));
}

function overrideLine(assessment: Assessment, without: Assessment): string {
  const rules = overriddenRules(assessment).join(', ');
  return `Policy version ${assessment.policy_version} overrides ${rules}; without its overrides the score would be ${without.score}.`;
}

function againLines(before: Assessment, again: Assessment): string[] {
  const { rule_set_version } = before;
  // The part of a language model is not run again, so the score by the rules is compared.
  if (again.graph_score === before.graph_score && again.rule_set_version === rule_set_version) {
    return [
      `Run again on the stored evidence with rule set ${rule_set_version} and policy version ${before.policy_version}: the same score.`,
    ];
  }
  const lines = [
    `Scored with rule set ${rule_set_version}; rule set ${again.rule_set_version}, in force now, gives ${again.graph_score} to the same evidence.`,
  ];
  const lost = before.violations.filter((rule) => !again.violations.includes(rule));
  const gained = again.violations.filter((rule) => !before.violations.includes(rule));
  if (lost.length > 0) lines.push(`No longer found: ${lost.join(', ')}.`);
  if (gained.length > 0) lines.push(`Found now: ${gained.join(', ')}.`);
  return lines;
}
