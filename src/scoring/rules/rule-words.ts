/** The weight and the facts of a rule in words, for the terminal and the generated pages. */
import { FACT_BY_NAME } from '../facts/index.ts';
import type { Rule } from './rules.ts';

/** `55–75`: from the mildest case to the gravest, one number where they are equal. */
function spread(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? String(low) : `${low}–${high}`;
}

export const contributionOf = ({ contribution, aggravated }: Rule): string =>
  spread([contribution, ...aggravated.map((more) => more.contribution)]);

/** `–` for a rule without a floor. */
export function floorOf({ floor, aggravated }: Rule): string {
  const floors = [floor, ...aggravated.map((more) => more.floor)];
  return floors.every((one) => one === 0) ? '–' : spread(floors);
}

/** Condition and aggravations as they are written. */
export function whenText({ each, document }: Rule): string {
  const lines = each === '' ? [document.when] : [`for each ${each}:`, document.when];
  for (const more of document.aggravated ?? []) {
    const adds = more.contribution === undefined ? [] : [`adds ${more.contribution}`];
    const floor = more.floor === undefined ? [] : [`never below ${more.floor}`];
    lines.push(`${[...adds, ...floor].join(', ')} where:`, more.when);
  }
  return lines.map((line) => line.trim()).join('\n');
}

/** The facts that the rule reads, each with its meaning. */
export function readsOf(rule: Rule): [name: string, about: string][] {
  const names = [...new Set([...rule.when.reads, ...rule.aggravated.flatMap((more) => more.when.reads)])];
  const about = (name: string): string =>
    name === rule.each
      ? 'The element that the rule is tried with.'
      : (FACT_BY_NAME.get(name)?.about ?? 'Asserted by another rule.');
  return names.map((name) => [name, about(name)]);
}
