/** Fits the network: logistic loss, Adam (Kingma and Ba, 2015), weights projected to be non-negative. */
import { SHAPE } from '../../src/scoring/network/shape.ts';
import { randomIntegers } from '../evaluation/random.ts';
import { kernelArithmetic } from './arithmetic.ts';
import { batchOf } from './batch.ts';
import type { CompactGraph, Example } from './example.ts';
import { TrainedNetwork } from './network.ts';
import { type Losses, vary } from './variants.ts';

export interface FitOptions {
  seed: number;
  steps: number;
  /** False: every node stands alone, for the comparison. */
  has_edges: boolean;
  rate: number;
  /** Share of a weight that each step at full rate takes away. */
  decay: number;
  /** Share of the examples that are varied. */
  varied: number;
  losses: Losses;
  /** Called at these steps with the weights of then. */
  checkpoints?: readonly number[];
  at?: (step: number, weights: Float32Array) => void;
  progress?: (step: number) => void;
}

export const DEFAULTS: Omit<FitOptions, 'steps'> = {
  seed: 11,
  has_edges: true,
  rate: 0.004,
  decay: 0.002,
  varied: 0.5,
  losses: { finding: 0.35, kind: 0.1 },
};

const BATCH = 64;
/** Room for one batch of the largest graphs, with both passes. */
const FLOATS = 12_000_000;

/** Draws examples so that both classes, and within a class all sources, are equally frequent. */
function drawer(examples: readonly Example[], random: (below: number) => number): () => Example {
  const pools = [0, 1].map((label) => [
    ...Map.groupBy(
      examples.filter((example) => example.label === label),
      ({ source }) => source,
    ).values(),
  ]);
  return () => {
    const sources = pools[random(2)]!;
    const pool = sources[random(sources.length)]!;
    return pool[random(pool.length)]!;
  };
}

function initial(network: TrainedNetwork, random: (below: number) => number): void {
  const unit = (): number => random(1 << 24) / (1 << 24);
  for (const { from, rows, columns, is_bounded } of SHAPE.parts) {
    if (!is_bounded) continue;
    // Non-negative weights all add up, so they begin small: a row sums to about one half.
    const scale = 1 / Math.max(rows, 4);
    for (let i = from; i < from + rows * columns; i += 1) network.weights[i] = unit() * scale;
  }
  network.weights[SHAPE.output_bias.from] = -2;
  for (const { bias } of SHAPE.rounds) network.weights.fill(-0.1, bias.from, bias.from + bias.columns);
}

export function fitNetwork(examples: readonly Example[], options: FitOptions): Float32Array {
  const random = randomIntegers(options.seed);
  const draw = drawer(examples, random);
  const network = new TrainedNetwork(kernelArithmetic(FLOATS));
  initial(network, random);
  const bounded = new Uint8Array(SHAPE.size);
  for (const { from, rows, columns, is_bounded } of SHAPE.parts)
    if (is_bounded) bounded.fill(1, from, from + rows * columns);
  const mean = new Float64Array(SHAPE.size);
  const square = new Float64Array(SHAPE.size);
  for (let step = 1; step <= options.steps; step += 1) {
    const drawn = Array.from({ length: BATCH }, () => {
      const example = draw();
      return random(1_000) < 1_000 * options.varied ? vary(example, options.losses, random) : example;
    });
    const batch = batchOf(
      drawn.map(({ graph }) => graph),
      options.has_edges,
    );
    const pass = network.forward(batch);
    network.gradient.fill(0);
    const slopes = drawn.map(({ label }, i) => (1 / (1 + Math.exp(-pass.logits[i]!)) - label) / BATCH);
    network.backward(batch, pass, slopes);
    // Down to a tenth over the whole fit.
    const rate = options.rate * (1 - (0.9 * step) / options.steps);
    for (let i = 0; i < SHAPE.size; i += 1) {
      const slope = network.gradient[i]!;
      mean[i] = 0.9 * mean[i]! + 0.1 * slope;
      square[i] = 0.999 * square[i]! + 0.001 * slope * slope;
      const pace = mean[i]! / (1 - 0.9 ** step) / (Math.sqrt(square[i]! / (1 - 0.999 ** step)) + 1e-8);
      let weight = network.weights[i]! - rate * pace;
      if (bounded[i] === 1) weight = Math.max(0, weight - rate * options.decay * weight);
      network.weights[i] = weight;
    }
    if (options.checkpoints?.includes(step)) options.at?.(step, Float32Array.from(network.weights));
    options.progress?.(step);
  }
  return Float32Array.from(network.weights);
}

/** Logits of many graphs. */
export function logitsOf(weights: Float32Array, graphs: readonly CompactGraph[], has_edges = true): Float64Array {
  const network = new TrainedNetwork(kernelArithmetic(FLOATS));
  network.weights.set(weights);
  const logits = new Float64Array(graphs.length);
  for (let from = 0; from < graphs.length; from += BATCH) {
    const some = graphs.slice(from, from + BATCH);
    logits.set(network.forward(batchOf(some, has_edges)).logits, from);
  }
  return logits;
}
