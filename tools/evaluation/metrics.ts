/**
 * Measures of a scorer on labelled records. Everything works on a tally: per distinct value how many harmful and how
 * many benign records have it. Ties are then one row, and a bootstrap only has to count again, not to sort again.
 *
 * A measure that needs both classes is `null` where one is missing: no number is better than a made-up one.
 */

/** 1: harmful, 0: benign. */
export type Label = 0 | 1;

/** Rows run from the highest value to the lowest; the three arrays have the same length. */
export interface Tally {
  readonly values: readonly number[];
  readonly harmful: readonly number[];
  readonly benign: readonly number[];
}

/** One row of the reliability table: records whose score falls in `[from, to)`; the last row includes 100. */
export interface ReliabilityRow {
  from: number;
  to: number;
  n: number;
  /** Mean of score / 100; what a calibrated scorer promises. */
  mean_score: number | null;
  /** What came true. */
  harmful_share: number | null;
}

const BIN_WIDTH = 10;
const BINS = 10;

/** Distinct values, highest first: the rows of every tally over these values. */
export function distinctDescending(values: Iterable<number>): number[] {
  return [...new Set(values)].sort((a, b) => b - a);
}

/** Counts labels per distinct value. */
export function tally(values: readonly number[], labels: readonly Label[]): Tally {
  const distinct = distinctDescending(values);
  const rowOf = new Map(distinct.map((value, row) => [value, row]));
  const harmful = distinct.map(() => 0);
  const benign = distinct.map(() => 0);
  values.forEach((value, i) => {
    const counts = labels[i] === 1 ? harmful : benign;
    counts[rowOf.get(value)!]! += 1;
  });
  return { values: distinct, harmful, benign };
}

/** A plain loop: a bootstrap comes here hundreds of thousands of times. */
function sum(counts: readonly number[]): number {
  let total = 0;
  for (let row = 0; row < counts.length; row += 1) total += counts[row]!;
  return total;
}

/** Chance that a harmful record has a higher value than a benign one; a tie counts one half (mid-ranks). */
export function auroc({ harmful, benign }: Tally): number | null {
  const positives = sum(harmful);
  const negatives = sum(benign);
  if (positives === 0 || negatives === 0) return null;
  let below = negatives;
  let wins = 0;
  for (let row = 0; row < harmful.length; row += 1) {
    below -= benign[row]!;
    wins += harmful[row]! * (below + benign[row]! / 2);
  }
  return wins / (positives * negatives);
}

/** Mean of the precision at each threshold, weighted by the recall that it adds; tied records enter together. */
export function averagePrecision({ harmful, benign }: Tally): number | null {
  const positives = sum(harmful);
  if (positives === 0 || sum(benign) === 0) return null;
  let caught = 0;
  let taken = 0;
  let area = 0;
  for (let row = 0; row < harmful.length; row += 1) {
    caught += harmful[row]!;
    taken += harmful[row]! + benign[row]!;
    if (taken > 0) area += (harmful[row]! / positives) * (caught / taken);
  }
  return area;
}

/**
 * Highest recall of any threshold whose false-positive rate is at most `limit`. Thresholds lie between distinct values,
 * so no point is interpolated: what is reported can be had.
 */
export function recallAtFalsePositiveRate({ harmful, benign }: Tally, limit: number): number | null {
  const positives = sum(harmful);
  const negatives = sum(benign);
  if (positives === 0 || negatives === 0) return null;
  let caught = 0;
  let false_alarms = 0;
  for (let row = 0; row < harmful.length; row += 1) {
    false_alarms += benign[row]!;
    if (false_alarms / negatives > limit) break;
    caught += harmful[row]!;
  }
  return caught / positives;
}

/** Share of the counted class with a value of at least `threshold`, `null` when the class is empty. */
function shareAtLeast(values: readonly number[], counts: readonly number[], threshold: number): number | null {
  const total = sum(counts);
  if (total === 0) return null;
  let taken = 0;
  for (let row = 0; row < counts.length && values[row]! >= threshold; row += 1) taken += counts[row]!;
  return taken / total;
}

/** Share of benign records with a value of at least `threshold`. */
export const falsePositiveRateAt = (t: Tally, threshold: number): number | null =>
  shareAtLeast(t.values, t.benign, threshold);

/** Share of harmful records with a value of at least `threshold`. */
export const recallAt = (t: Tally, threshold: number): number | null => shareAtLeast(t.values, t.harmful, threshold);

/** Ten rows of ten points: what the score says and what came true. For values on the scale 0-100. */
export function reliability({ values, harmful, benign }: Tally): ReliabilityRow[] {
  const bins = Array.from({ length: BINS }, () => ({ n: 0, scores: 0, harmful: 0 }));
  values.forEach((value, row) => {
    const bin = bins[Math.min(BINS - 1, Math.max(0, Math.floor(value / BIN_WIDTH)))]!;
    const n = harmful[row]! + benign[row]!;
    bin.n += n;
    bin.scores += (n * value) / 100;
    bin.harmful += harmful[row]!;
  });
  return bins.map((bin, i) => ({
    from: i * BIN_WIDTH,
    to: (i + 1) * BIN_WIDTH,
    n: bin.n,
    mean_score: bin.n === 0 ? null : bin.scores / bin.n,
    harmful_share: bin.n === 0 ? null : bin.harmful / bin.n,
  }));
}

/** Expected calibration error: mean distance of promise and outcome over the rows of the reliability table. */
export function expectedCalibrationError(t: Tally): number | null {
  const rows = reliability(t).filter((row) => row.n > 0);
  const n = sum(rows.map((row) => row.n));
  if (n === 0) return null;
  return sum(rows.map((row) => (row.n / n) * Math.abs(row.mean_score! - row.harmful_share!)));
}
