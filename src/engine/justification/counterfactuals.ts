/** The changes that would have kept the action below high, in sentences. */
import { setImmediate } from 'node:timers/promises';
import { type Counterfactual, type Search, searchCounterfactuals } from '../../scoring/counterfactual/search.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import { HIGH } from '../../scoring/level.ts';
import type { Evidence } from '../../scoring/types.ts';

/** One change that brings the action below high, as the API shows it. */
export type CounterfactualView = Pick<Counterfactual, 'change' | 'score' | 'decided_by'>;

export interface Counterfactuals {
  counterfactuals: CounterfactualView[];
  /** Lines for `score_justification`. */
  lines: string[];
}

/**
 * Searches in small steps, so that events that arrive meanwhile are scored between two steps.
 *
 * @param stored the score that the event got
 * @param now the score of the same evidence by the rules in force now, which all runs of the search use
 */
export async function findCounterfactuals(
  evidence: Evidence,
  stored: number,
  now: number,
  knowledge: Knowledge,
): Promise<Counterfactuals> {
  if (now < HIGH)
    return {
      counterfactuals: [],
      lines: stored < HIGH ? [] : [`By the rules in force now alone it is below high (${now}) as it stands.`],
    };
  const steps = searchCounterfactuals(evidence, knowledge);
  let step = steps.next();
  while (!step.done) {
    await setImmediate();
    step = steps.next();
  }
  const { found } = step.value;
  return {
    counterfactuals: found.map(({ change, score: lower, decided_by }) => ({ change, score: lower, decided_by })),
    lines: linesOf(step.value),
  };
}

function linesOf({ found, changes, nearest, runs }: Search): string[] {
  const lines = found.map(({ change, score }) => `Below high (${score}) if ${change}.`);
  if (found.length > 0 && changes === 1) return lines;
  if (found.length > 0) return ['No single change that was tried brings it below high; two together do.', ...lines];
  const closest = nearest === null ? '' : ` The nearest: ${nearest.score} if ${nearest.change}.`;
  const tried =
    runs === 1
      ? 'The one change that was tried does not bring'
      : `None of the ${runs} changes that were tried, alone or in pairs, brings`;
  return [`${tried} it below high (${HIGH}).${closest}`];
}
