/** Logistic regression on pooled features with non-negative weights, for the comparison. Accelerated projected gradient. */
import type { CompactGraph, Example } from './example.ts';
import { POOLED_WIDTH, pooledRow } from './pooled.ts';
import { balancedWeights } from './weighing.ts';

const STEPS = 300;
const RATE = 0.6;
const DECAY = 0.003;

export interface Logistic {
  base: number;
  weights: Float64Array;
}

export function fitLogistic(examples: readonly Example[]): Logistic {
  const rows = examples.map(({ graph }) => pooledRow(graph));
  const own = balancedWeights(examples);
  let weights = new Float64Array(POOLED_WIDTH);
  let ahead = weights.slice();
  let base = 0;
  let ahead_base = 0;
  let pace = 1;
  for (let step = 0; step < STEPS; step += 1) {
    const slope = ahead.map((weight) => DECAY * weight);
    let slope_base = 0;
    for (let n = 0; n < rows.length; n += 1) {
      const row = rows[n]!;
      let logit = ahead_base;
      for (let i = 0; i < POOLED_WIDTH; i += 1) logit += ahead[i]! * row[i]!;
      const error = own[n]! * (1 / (1 + Math.exp(-logit)) - examples[n]!.label);
      slope_base += error;
      for (let i = 0; i < POOLED_WIDTH; i += 1) slope[i]! += error * row[i]!;
    }
    const next = ahead.map((weight, i) => Math.max(0, weight - RATE * slope[i]!));
    const next_base = ahead_base - RATE * slope_base;
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

export function logisticLogit({ base, weights }: Logistic, graph: CompactGraph): number {
  const row = pooledRow(graph);
  let logit = base;
  for (let i = 0; i < POOLED_WIDTH; i += 1) logit += weights[i]! * row[i]!;
  return logit;
}
