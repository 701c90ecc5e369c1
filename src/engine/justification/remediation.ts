/** The steps to take, in order: the immediate ones of every important finding, then those that repair, then those that prevent. */
import { withoutEnd } from '../../lang/ends.ts';
import { mitigationsOf } from '../../scoring/explanation/advice.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import type { Finding } from '../../scoring/types.ts';
import type { ComplianceContext } from '../../storage/ports/graph.ts';

/**
 * `findings`: most important first. `playbooks`: of their rules, from the compliance graph. Each step once, however many findings ask
 * for it.
 */
export function remediationSteps(
  findings: readonly Finding[],
  playbooks: ComplianceContext['playbooks'],
  knowledge: Knowledge,
): string[] {
  const named = new Set(findings.flatMap((finding) => playbooksOf(finding, knowledge)));
  const steps_of = new Map(playbooks.map(({ playbook, steps }) => [playbook, steps]));
  const books = [...named].flatMap((name) => [steps_of.get(name) ?? []]);
  return distinct([
    // The first step of a playbook is the one to take at once (ontology/playbooks.yaml).
    ...books.flatMap((steps) => steps.slice(0, 1)),
    ...findings.flatMap((finding) => mitigationsOf(finding, knowledge)),
    ...books.flatMap((steps) => steps.slice(1)),
  ]);
}

function playbooksOf({ rule }: Finding, knowledge: Knowledge): readonly string[] {
  return knowledge.rule_by_id.get(rule)?.document.playbooks ?? [];
}

/** `Hold.` and `hold` are one step. */
function distinct(steps: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const step of steps) {
    const key = withoutEnd(step.toLowerCase(), /[\s.]/);
    if (!seen.has(key)) seen.set(key, step);
  }
  return [...seen.values()];
}
