/** What a plan counts for: as much as the gravest of its steps, each judged as if it came alone. */
import { distinct } from '../lang/in-order.ts';
import type { Assessment, Finding } from './types.ts';

/**
 * The assessment of a plan with that of one of its steps. A step that scores higher gives score, layers and reasons; what was found in
 * either stays.
 */
export function withStep(plan: Assessment, step: Assessment, name: string): Assessment {
  if (step.score <= plan.score) return withBare(plan, step);
  const both = withBare(plan, step);
  return {
    ...both,
    reasoning: `${step.reasoning} This is the score of the step \`${name}\`, which is judged as an action of its own.`,
    behavioral_flags: distinct([...both.behavioral_flags, `step_counts:${name}`]),
  };
}

/**
 * The assessment of an event with that of the same event without its remarks. What a remark says may add, so the higher score counts
 * and every violation of either stays.
 */
export function withBare(whole: Assessment, bare: Assessment): Assessment {
  const isMissing = bare.violations.some((one) => !whole.violations.includes(one));
  if (bare.score <= whole.score && !isMissing) return whole;
  const [higher, lower] = bare.score > whole.score ? [bare, whole] : [whole, bare];
  return {
    ...higher,
    violations: distinct([...higher.violations, ...lower.violations]),
    compliance_refs: distinct([...higher.compliance_refs, ...lower.compliance_refs]),
    mitigations: distinct([...higher.mitigations, ...lower.mitigations]),
    behavioral_flags: distinct([...higher.behavioral_flags, ...lower.behavioral_flags]),
    findings: [
      ...higher.findings,
      ...lower.findings.filter((one) => !higher.findings.some((other) => isSame(one, other))),
    ],
  };
}

const isSame = (one: Finding, other: Finding): boolean => one.rule === other.rule && one.evidence === other.evidence;
