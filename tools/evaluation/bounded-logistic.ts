/** Logistic regression whose weights have bounds: accelerated projected gradient (Beck and Teboulle, 2009). */

/** Some equal examples: their values, their weight in all, and that of those which are hits. */
export interface WeightedExample {
  values: ArrayLike<number>;
  weight: number;
  hits: number;
}

export interface BoundedFit {
  /** The least of each weight, and where it begins. */
  least: readonly number[];
  /** The most of each weight, or of all. */
  most: number | readonly number[];
  /** Where the base begins. */
  base: number;
  steps: number;
  rate: number;
  /** How strongly weights are drawn to zero. */
  pull: number;
}

export interface BoundedLogistic {
  base: number;
  weights: number[];
}

export function fitBoundedLogistic(examples: readonly WeightedExample[], fit: BoundedFit): BoundedLogistic {
  const { least, steps, rate, pull } = fit;
  const most = least.map((_, i) => (typeof fit.most === 'number' ? fit.most : fit.most[i]!));
  let weights = [...least];
  let base = fit.base;
  let ahead = [...weights];
  let ahead_base = base;
  let pace = 1;
  for (let step = 0; step < steps; step += 1) {
    const { slope, slope_base } = slopeOf(examples, ahead, ahead_base, pull);
    const next = ahead.map((weight, i) => Math.min(most[i]!, Math.max(least[i]!, weight - rate * slope[i]!)));
    const next_base = ahead_base - rate * slope_base;
    const next_pace = (1 + Math.sqrt(1 + 4 * pace * pace)) / 2;
    const push = (pace - 1) / next_pace;
    ahead = next.map((weight, i) => weight + push * (weight - weights[i]!));
    ahead_base = next_base + push * (next_base - base);
    weights = next;
    base = next_base;
    pace = next_pace;
  }
  return { base, weights };
}

/** Of the loss at these weights. */
function slopeOf(
  examples: readonly WeightedExample[],
  weights: readonly number[],
  base: number,
  pull: number,
): { slope: number[]; slope_base: number } {
  const slope = weights.map((weight) => pull * weight);
  let slope_base = 0;
  for (const { values, weight, hits } of examples) {
    let logit = base;
    for (let i = 0; i < weights.length; i += 1) logit += values[i]! * weights[i]!;
    const error = weight / (1 + Math.exp(-logit)) - hits;
    slope_base += error;
    for (let i = 0; i < weights.length; i += 1) slope[i]! += error * values[i]!;
  }
  return { slope, slope_base };
}
