/** The steps to take, in order: the immediate ones of every important finding, then those that repair, then those that prevent. */
import { mitigationsOf } from '../../scoring/explanation/advice.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import type { Finding } from '../../scoring/types.ts';

/** `findings`: most important first. Each step once, however many findings ask for it. */
export function remediationSteps(findings: readonly Finding[], knowledge: Knowledge): string[] {
  const playbooks = new Set(findings.flatMap((finding) => playbooksOf(finding, knowledge)));
  const books = [...playbooks].flatMap((name) => [knowledge.ontology.remediation_playbooks.get(name) ?? []]);
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
    const key = step.toLowerCase().replace(/[\s.]+$/, '');
    if (!seen.has(key)) seen.set(key, step);
  }
  return [...seen.values()];
}
