/** Limits the findings of one rule in one event, independent of the order of a list and of the number of light findings. */

/**
 * Most findings of one rule in one event, each for another element. With that many the policy layer is at its maximum,
 * and an answer of two thousand sentences is of no use: the record of a list of addresses would be larger than the list.
 */
const MAX_FIRINGS = 64;

/** A rule that holds for one element. */
export interface Firing {
  /** Index of the element in its list. */
  at: number;
  /** What the finding rests on: findings with the same evidence count once. */
  evidence: string;
  contribution: number;
  floor: number;
}

/** The gravest firings, each evidence once, always including one with the highest floor; all firings if there are at most 64. */
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
