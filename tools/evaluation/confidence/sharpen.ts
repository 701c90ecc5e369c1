/**
 * Moves weights so that more wrong verdicts lie above the line at which a verdict is unsure, while the share of right ones above it
 * stays what it may be. A step across the line is made smooth, and its slope is followed with momentum.
 */
/** Equal rows together. */
export interface Cell {
  values: readonly number[];
  /** Share of all wrong verdicts, each source weighing alike. */
  wrong: number;
  right: number;
}

/** How steep the smooth step is: it rises from 0.1 to 0.9 within 0.9 of doubt. */
const STEEP = 5;
/** How strongly weights are drawn back to where they began. */
const PULL = 0.02;
const STEPS = 300;
const RATE = 0.06;
const MOMENTUM = 0.8;
/** Steps between two settings of the line. */
const BETWEEN = 5;

export interface WeightBounds {
  least: readonly number[];
  most: readonly number[];
}

const doubtOf = (values: readonly number[], weights: readonly number[]): number => {
  let doubt = 0;
  for (let i = 0; i < weights.length; i += 1) doubt += values[i]! * weights[i]!;
  return doubt;
};

/** The doubt that at most this share of right verdicts exceeds. */
function lineOf(cells: readonly Cell[], doubts: readonly number[], most_unsure: number): number {
  const order = doubts.map((_, i) => i).sort((a, b) => doubts[b]! - doubts[a]!);
  let above = 0;
  for (const i of order) {
    above += cells[i]!.right;
    if (above > most_unsure) return doubts[i]!;
  }
  return 0;
}

/** Slope of the smooth step at each cell. */
const slopesOf = (doubts: readonly number[], line: number): number[] =>
  doubts.map((doubt) => {
    const step = 1 / (1 + Math.exp(STEEP * (line - doubt)));
    return STEEP * step * (1 - step);
  });

export function sharpen(
  cells: readonly Cell[],
  from: readonly number[],
  { least, most }: WeightBounds,
  most_unsure: number,
): number[] {
  let weights = [...from];
  let speed = from.map(() => 0);
  let line = 0;
  // What a right verdict above the line costs, in wrong ones: near the line both are worth the same.
  let cost = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const doubts = cells.map(({ values }) => doubtOf(values, weights));
    if (step % BETWEEN === 0) line = lineOf(cells, doubts, most_unsure);
    const slopes = slopesOf(doubts, line);
    if (step % BETWEEN === 0) {
      const sum = (of: 'wrong' | 'right'): number => slopes.reduce((all, slope, i) => all + slope * cells[i]![of], 0);
      cost = sum('wrong') / Math.max(sum('right'), 1e-9);
    }
    const gains = cells.map(({ wrong, right }, i) => slopes[i]! * (wrong - cost * right));
    const slope = weights.map((weight, k) => PULL * (from[k]! - weight));
    for (const [i, { values }] of cells.entries())
      for (let k = 0; k < slope.length; k += 1) slope[k]! += gains[i]! * values[k]!;
    speed = speed.map((own, k) => MOMENTUM * own + slope[k]!);
    weights = weights.map((weight, k) => Math.min(most[k]!, Math.max(least[k]!, weight + RATE * speed[k]!)));
  }
  return weights;
}
