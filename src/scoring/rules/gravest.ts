/** Bounds the findings of one rule in one event without letting the order of a list or a flood of light ones matter. */

/**
 * Findings of one rule in one event, each for another element. By then the policy layer is full, and an answer with two
 * thousand sentences helps nobody: the record of a list of addresses would be larger than the list.
 */
const MAX_FIRINGS = 64;

/** A rule that holds for one element. */
export interface Firing {
  /** Place of the element in its list. */
  at: number;
  /** What the finding will rest on: those with the same evidence count once. */
  evidence: string;
  contribution: number;
  floor: number;
}

/** The gravest firings, each evidence once, and always one with the highest floor; all of them where they are few. */
export function gravest(firings: readonly Firing[]): readonly Firing[] {
  if (firings.length <= MAX_FIRINGS) return firings;
  const ordered = [...firings].sort(byWeight);
  const distinct = new Map<string, Firing>();
  for (const firing of ordered) {
    if (distinct.size === MAX_FIRINGS) break;
    if (!distinct.has(firing.evidence)) distinct.set(firing.evidence, firing);
  }
  const kept = [...distinct.values()];
  const highest = ordered.reduce((most, firing) => (firing.floor > most.floor ? firing : most));
  return kept.some(({ floor }) => floor === highest.floor) ? kept : [...kept, highest];
}

function byWeight(a: Firing, b: Firing): number {
  return b.contribution - a.contribution || b.floor - a.floor || compare(a.evidence, b.evidence) || a.at - b.at;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
