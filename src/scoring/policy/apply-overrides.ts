/**
 * A customer's overrides of built-in rules, applied to the findings. They change how much a finding counts, and leave
 * asserted facts in place, so that disabling one rule does not silence another.
 */
import type { Condition, Environment } from '../../lang/conditions/conditions.ts';
import type { Facts } from '../facts/fact-table.ts';
import type { Evidence, Finding, RuleOverride } from '../types.ts';
import { isFixed } from './overrides.ts';
import { environmentWithoutText } from './try-custom-rules.ts';

export interface Overridden {
  findings: readonly Finding[];
  /** `rule_overridden:<rule>` if the policy changed how much a finding counts, `exception_unevaluable:<rule>`. */
  flags: readonly string[];
}

const NO_FLAGS: readonly string[] = [];

/** The findings as the customer's policy counts them. Findings of rules that enforce the policy itself are never changed. */
export function applyOverrides(evidence: Evidence, facts: Facts, findings: readonly Finding[]): Overridden {
  const { rule_overrides } = evidence.policy;
  if (rule_overrides.size === 0) return { findings, flags: NO_FLAGS };
  const exceptions = new Exceptions(evidence, facts);
  const flags = new Set<string>();
  const kept = findings.flatMap((finding) => {
    const override = isFixed(finding) ? undefined : rule_overrides.get(finding.rule);
    if (override === undefined) return [finding];
    const changed = exceptions.hold(finding.rule, override, flags) ? null : recount(finding, override);
    if (changed !== finding) flags.add(`rule_overridden:${finding.rule}`);
    return changed === null ? [] : [changed];
  });
  return { findings: kept, flags: [...flags].sort() };
}

/** The finding with the policy's numbers; the same object if nothing changes; `null` if it no longer counts. */
function recount(finding: Finding, override: RuleOverride): Finding | null {
  if (!override.is_enabled) return null;
  const contribution = override.contribution ?? finding.contribution;
  const floor = override.floor ?? finding.floor;
  if (contribution === finding.contribution && floor === finding.floor) return finding;
  return contribution === 0 && floor === 0 ? null : { ...finding, contribution, floor };
}

/** Exceptions of overrides, evaluated on the event without its free text. */
class Exceptions {
  readonly #evidence: Evidence;
  readonly #facts: Facts;
  /** Memoized per rule, because a rule may have several findings. */
  readonly #answers = new Map<string, boolean>();
  #env: Environment | undefined;

  constructor(evidence: Evidence, facts: Facts) {
    this.#evidence = evidence;
    this.#facts = facts;
  }

  hold(rule: string, { exceptions }: RuleOverride, flags: Set<string>): boolean {
    if (exceptions.length === 0) return false;
    const known = this.#answers.get(rule);
    if (known !== undefined) return known;
    const answer = exceptions.some((exception) => this.#holds(rule, exception, flags));
    this.#answers.set(rule, answer);
    return answer;
  }

  /** An exception that depends on a missing value does not hold, because the missing value may be the decisive one. */
  #holds(rule: string, exception: Condition, flags: Set<string>): boolean {
    this.#env ??= environmentWithoutText(this.#evidence, this.#facts);
    this.#env.unevaluable = false;
    const holds = exception.test(this.#env);
    if (this.#env.unevaluable) flags.add(`exception_unevaluable:${rule}`);
    return holds && !this.#env.unevaluable;
  }
}
