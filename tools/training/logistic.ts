/** Logistic regression on pooled features with non-negative weights, for the comparison. */
import { type BoundedLogistic, fitBoundedLogistic } from '../evaluation/bounded-logistic.ts';
import type { CompactGraph, Example } from './example.ts';
import { POOLED_WIDTH, pooledRow } from './pooled.ts';
import { balancedWeights } from './weighing.ts';

const STEPS = 300;
const RATE = 0.6;
const PULL = 0.003;

export type Logistic = BoundedLogistic;

export function fitLogistic(examples: readonly Example[]): Logistic {
  const own = balancedWeights(examples);
  const rows = examples.map(({ graph, label }, n) => ({
    values: pooledRow(graph),
    weight: own[n]!,
    hits: label * own[n]!,
  }));
  const least = new Array<number>(POOLED_WIDTH).fill(0);
  return fitBoundedLogistic(rows, { least, most: Infinity, base: 0, steps: STEPS, rate: RATE, pull: PULL });
}

export function logisticLogit({ base, weights }: Logistic, graph: CompactGraph): number {
  const row = pooledRow(graph);
  let logit = base;
  for (let i = 0; i < POOLED_WIDTH; i += 1) logit += weights[i]! * row[i]!;
  return logit;
}
