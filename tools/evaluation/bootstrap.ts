/**
 * 95 % intervals by the cluster bootstrap. Records of one group (one user task, one scenario) resemble each other, so
 * whole groups are drawn with replacement: drawing single records would promise more certainty than there is.
 */
import { distinctDescending, type Label, type Tally } from './metrics.ts';
import { randomIntegers } from './random.ts';

export interface Interval {
  low: number;
  high: number;
}

/** Records as columns. */
export interface Sample {
  labels: readonly Label[];
  groups: readonly string[];
  /** One list of values for each scorer. */
  columns: readonly (readonly number[])[];
}

export interface BootstrapOptions {
  /** Default 1000: the ends of a 95 % interval then rest on 25 draws each. */
  rounds?: number;
  /** Default 1: any fixed number, so that the same records give the same interval. */
  seed?: number;
}

/** A measure of one tally; `null` where a draw leaves it undefined. */
export type Statistic = (tally: Tally) => number | null;

interface Column {
  /** Row of the tally for each record. */
  rows: Uint32Array;
  tally: Tally & { harmful: number[]; benign: number[] };
}

function indexColumn(column: readonly number[]): Column {
  const values = distinctDescending(column);
  const rowOf = new Map(values.map((value, row) => [value, row]));
  const rows = Uint32Array.from(column, (value) => rowOf.get(value)!);
  return { rows, tally: { values, harmful: values.map(() => 0), benign: values.map(() => 0) } };
}

function indexGroups(groups: readonly string[]): { of: Uint32Array; count: number } {
  const ids = new Map<string, number>();
  const of = Uint32Array.from(groups, (group) => {
    const id = ids.get(group) ?? ids.size;
    ids.set(group, id);
    return id;
  });
  return { of, count: ids.size };
}

/** Counts records by their group's weight into the column's own tally, which the next draw overwrites. */
function countWeighted(
  { rows, tally }: Column,
  labels: readonly Label[],
  groupOf: Uint32Array,
  weights: Uint32Array,
): Tally {
  const { harmful, benign } = tally;
  harmful.fill(0);
  benign.fill(0);
  for (let i = 0; i < rows.length; i += 1) {
    const weight = weights[groupOf[i]!]!;
    if (weight === 0) continue;
    if (labels[i] === 1) harmful[rows[i]!]! += weight;
    else benign[rows[i]!]! += weight;
  }
  return tally;
}

/** Linear between order statistics, as most packages do. `sorted` is not empty. */
function quantile(sorted: readonly number[], q: number): number {
  const position = (sorted.length - 1) * q;
  const index = Math.floor(position);
  const value = sorted[index]!;
  const next = sorted[Math.min(index + 1, sorted.length - 1)]!;
  return value + (next - value) * (position - index);
}

function interval(drawn: readonly number[]): Interval | null {
  if (drawn.length === 0) return null;
  const sorted = drawn.toSorted((a, b) => a - b);
  return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

/**
 * Interval of each statistic for each column: `result[column][statistic]`. Every column sees the same draws, so two
 * scorers can be compared. `null` where there are fewer than two groups (nothing to draw from) or no draw has a value.
 */
export function bootstrap(
  { labels, groups, columns }: Sample,
  statistics: readonly Statistic[],
  { rounds = 1000, seed = 1 }: BootstrapOptions = {},
): (Interval | null)[][] {
  const { of: groupOf, count } = indexGroups(groups);
  if (count < 2) return columns.map(() => statistics.map(() => null));
  const draw = randomIntegers(seed);
  const indexed = columns.map(indexColumn);
  const drawn = columns.map(() => statistics.map((): number[] => []));
  const weights = new Uint32Array(count);
  for (let round = 0; round < rounds; round += 1) {
    weights.fill(0);
    for (let i = 0; i < count; i += 1) weights[draw(count)]! += 1;
    indexed.forEach((column, c) => {
      const tally = countWeighted(column, labels, groupOf, weights);
      statistics.forEach((statistic, s) => {
        const value = statistic(tally);
        if (value !== null) drawn[c]![s]!.push(value);
      });
    });
  }
  return drawn.map((byStatistic) => byStatistic.map(interval));
}
