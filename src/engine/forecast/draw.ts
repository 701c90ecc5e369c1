/** Random draws for intervals, from one seed: a forecast that is printed twice has the same intervals. */
import { seededNumbers } from '../../lang/seeded.ts';

export interface Draw {
  /** An integer from 0 to below `n`. */
  below: (n: number) => number;
  /** From the posterior of a share of which `hits` of `n` were seen; `expected` counts as one more that was seen before. */
  share: (hits: number, n: number, expected: number) => number;
  /** How often something happens whose mean is this. */
  count: (mean: number) => number;
}

/** Up to here a count is drawn exactly; above it, by the normal distribution. */
const EXACT_MEAN = 30;

export function createDraw(seed: number): Draw {
  const unit = seededNumbers(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
  const gamma = (shape: number): number => drawGamma(shape, unit, normal);
  return {
    below: (n) => Math.floor(unit() * n),
    share: (hits, n, expected) => {
      const yes = gamma(hits + expected);
      return yes / (yes + gamma(n - hits + 1 - expected));
    },
    count: (mean) =>
      mean > EXACT_MEAN ? Math.max(0, Math.round(mean + Math.sqrt(mean) * normal())) : poisson(mean, unit),
  };
}

/** Marsaglia and Tsang (2000); below a shape of 1 by their boost. */
function drawGamma(shape: number, unit: () => number, normal: () => number): number {
  if (shape < 1) return drawGamma(shape + 1, unit, normal) * (1 - unit()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal();
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - unit()) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
  }
}

/** Knuth: how many uniform factors keep a product above e^-mean. */
function poisson(mean: number, unit: () => number): number {
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = unit(); product > least; product *= unit()) count += 1;
  return count;
}
