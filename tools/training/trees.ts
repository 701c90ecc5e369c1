/** Boosted trees on pooled features, for the comparison: histograms, logistic loss, Newton steps (Friedman, 2001; Chen and Guestrin, 2016). */
import type { CompactGraph, Example } from './example.ts';
import { POOLED_WIDTH, pooledRow } from './pooled.ts';
import { balancedWeights } from './weighing.ts';

const TREES = 80;
const DEPTH = 3;
const RATE = 0.1;
const BINS = 16;
/** Smallest share of all weight in a leaf, and the pull of a leaf towards zero. */
const LEAST = 0.004;
const PULL = 0.005;

type Tree = { leaf: number } | { feature: number; above: number; low: Tree; high: Tree };

export interface Trees {
  base: number;
  trees: Tree[];
}

interface Data {
  bins: Uint8Array[];
  slope: Float64Array;
  curve: Float64Array;
}

const binOf = (value: number): number => Math.min(BINS - 1, Math.floor(value * BINS));

export function fitTrees(examples: readonly Example[]): Trees {
  const bins = examples.map(({ graph }) => Uint8Array.from(pooledRow(graph), binOf));
  const own = balancedWeights(examples);
  const logits = new Float64Array(examples.length);
  const data: Data = { bins, slope: new Float64Array(bins.length), curve: new Float64Array(bins.length) };
  const all = examples.map((_, n) => n);
  const trees: Tree[] = [];
  for (let tree = 0; tree < TREES; tree += 1) {
    for (let n = 0; n < bins.length; n += 1) {
      const chance = 1 / (1 + Math.exp(-logits[n]!));
      data.slope[n] = own[n]! * (chance - examples[n]!.label);
      data.curve[n] = own[n]! * Math.max(1e-4, chance * (1 - chance));
    }
    const grown = grow(all, DEPTH, data);
    trees.push(grown);
    for (let n = 0; n < bins.length; n += 1) logits[n]! += RATE * leafOf(grown, bins[n]!);
  }
  return { base: 0, trees };
}

function grow(rows: readonly number[], depth: number, data: Data): Tree {
  let slope = 0;
  let curve = 0;
  for (const n of rows) {
    slope += data.slope[n]!;
    curve += data.curve[n]!;
  }
  const leaf = { leaf: -slope / (curve + PULL) };
  if (depth === 0 || curve < 2 * LEAST) return leaf;
  const best = bestSplit(rows, slope, curve, data);
  if (best === null) return leaf;
  const low = rows.filter((n) => data.bins[n]![best.feature]! <= best.above);
  const high = rows.filter((n) => data.bins[n]![best.feature]! > best.above);
  return { ...best, low: grow(low, depth - 1, data), high: grow(high, depth - 1, data) };
}

const gain = (slope: number, curve: number): number => (slope * slope) / (curve + PULL);

function bestSplit(
  rows: readonly number[],
  slope: number,
  curve: number,
  { bins, slope: slopes, curve: curves }: Data,
) {
  const sums = new Float64Array(POOLED_WIDTH * BINS * 2);
  for (const n of rows)
    for (let i = 0; i < POOLED_WIDTH; i += 1) {
      const at = (i * BINS + bins[n]![i]!) * 2;
      sums[at]! += slopes[n]!;
      sums[at + 1]! += curves[n]!;
    }
  let best: { feature: number; above: number } | null = null;
  let most = gain(slope, curve) + 1e-6;
  for (let feature = 0; feature < POOLED_WIDTH; feature += 1) {
    let low_slope = 0;
    let low_curve = 0;
    for (let above = 0; above < BINS - 1; above += 1) {
      low_slope += sums[(feature * BINS + above) * 2]!;
      low_curve += sums[(feature * BINS + above) * 2 + 1]!;
      if (low_curve < LEAST || curve - low_curve < LEAST) continue;
      const worth = gain(low_slope, low_curve) + gain(slope - low_slope, curve - low_curve);
      if (worth > most) {
        most = worth;
        best = { feature, above };
      }
    }
  }
  return best;
}

function leafOf(tree: Tree, bins: Uint8Array): number {
  let at = tree;
  while ('feature' in at) at = bins[at.feature]! > at.above ? at.high : at.low;
  return at.leaf;
}

export function treesLogit({ base, trees }: Trees, graph: CompactGraph): number {
  const bins = Uint8Array.from(pooledRow(graph), binOf);
  return trees.reduce((sum, tree) => sum + RATE * leafOf(tree, bins), base);
}
