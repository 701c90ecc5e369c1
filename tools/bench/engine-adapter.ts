/**
 * Weir's engine as a module that a comparison of policy engines can load: `prepare(policy)` once, `score(event, policy)`
 * for each event. Conditions written for other engines are put into Weir's words first.
 */
import { loadKnowledge } from '../../src/engine/knowledge/knowledge.ts';
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { compilePolicy } from '../../src/scoring/policy/policy.ts';
import { score as scoreEvent } from '../../src/scoring/score.ts';
import type { Assessment, CompiledPolicy } from '../../src/scoring/types.ts';

const knowledge = await loadKnowledge();

export const name = 'Weir';

/** Names of the comparison's own condition language → Weir's. */
const NAMES: readonly [RegExp, string][] = [
  [/contains\((\w+), *('[^']*')\)/g, '$2 in $1'],
  [/count\((\w+)\)/g, 'size($1)'],
  [/\bclassifications\b/g, 'data_classes'],
  [/\bfields\b/g, 'data_fields_accessed'],
  [/\b(amount|recipients|external|dry_run)\b/g, 'parameters.$1'],
];

const inOwnWords = (condition: string): string =>
  NAMES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), condition);

interface ForeignPolicy {
  custom_rules: Record<string, { condition: string; score_impact: number; description: string }>;
}

/**
 * The comparison lets claims lower a score (a declared dry run), which a policy of ours refuses (docs/policies.md, exceptions that hold).
 * Such a rule is evaluated all the same and changes nothing, so that every engine does the same work.
 */
export function prepare(policy: ForeignPolicy): CompiledPolicy {
  const custom_rules = Object.fromEntries(
    Object.entries(policy.custom_rules).map(([rule, given]) => [
      rule,
      { ...given, condition: inOwnWords(given.condition), score_impact: Math.max(0, given.score_impact) },
    ]),
  );
  return compilePolicy({ ...policy, custom_rules } as unknown as JsonObject, 1, () => false);
}

export function score(event: AgentEvent, policy: CompiledPolicy): Assessment {
  return scoreEvent(event, null, policy, knowledge);
}

const POLICY_RULES: Readonly<Record<string, string>> = {
  action_is_blocked_by_policy: 'blocked',
  action_is_not_on_the_allow_list: 'not_allowed',
  customer_sensitive_data_are_touched: 'sensitive',
};

/** Which of the comparison's rules fired; verdict and score are Weir's own and not comparable. */
export function toDecision(assessment: Assessment): { fired: string[] } {
  return { fired: assessment.findings.map(({ rule }) => POLICY_RULES[rule] ?? rule) };
}
