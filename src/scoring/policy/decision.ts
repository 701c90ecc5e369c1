/** What is decided about an event follows from the level of its score and the policy. */
import { isHeldAt, LEVELS } from '../level.ts';
import type { ApprovalRule, CompiledPolicy, RiskLevel } from '../types.ts';

/**
 * Whether every higher level would be decided in the same way: the event is held already, and the same rule says who decides.
 *
 * @param default_threshold of policies that do not set one
 */
export function isDecisionSettled(
  level: RiskLevel,
  { hold_threshold, approvals }: Pick<CompiledPolicy, 'hold_threshold' | 'approvals'>,
  default_threshold: RiskLevel,
): boolean {
  const higher = LEVELS.slice(LEVELS.indexOf(level) + 1);
  if (higher.length === 0) return true;
  if (!isHeldAt(level, hold_threshold ?? default_threshold)) return false;
  const ruleOf = (one: RiskLevel): ApprovalRule | undefined => approvals.find(({ levels }) => levels.has(one));
  const rule = ruleOf(level);
  return higher.every((one) => ruleOf(one) === rule);
}
