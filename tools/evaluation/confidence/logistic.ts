/** The fit of the signs' bounded weights, for few signs and some ten thousand rows. */
import { fitBoundedLogistic } from '../bounded-logistic.ts';
import { type Cell, sharpen } from './sharpen.ts';

export interface Row {
  source: string;
  is_wrong: boolean;
  /** 0-1 each. */
  values: readonly number[];
}

/** Bounds and pull of the weights: no sign decides alone, and none is believed for what few sources show. */
const MOST = 2.5;
const PULL = 0.01;
/** Share of wrong verdicts in the weighted rows. */
const WRONG = 0.3;
const STEPS = 250;
const RATE = 1.5;

export interface Bounds {
  least: number;
  most?: number;
}

/** Equal rows together, each source weighing alike. */
function cellsOf(rows: readonly Row[]): Cell[] {
  const counts = new Map<string, number>();
  const keyOf = ({ source, is_wrong }: Row): string => `${is_wrong} ${source}`;
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  const total = { wrong: 0, right: 0 };
  const cells = new Map<string, Cell>();
  for (const row of rows) {
    const key = row.values.join();
    const cell = cells.get(key) ?? { values: row.values, wrong: 0, right: 0 };
    cells.set(key, cell);
    const weight = 1 / counts.get(keyOf(row))!;
    cell[row.is_wrong ? 'wrong' : 'right'] += weight;
    total[row.is_wrong ? 'wrong' : 'right'] += weight;
  }
  return [...cells.values()].map(({ values, wrong, right }) => ({
    values,
    wrong: wrong / Math.max(total.wrong, 1e-9),
    right: right / Math.max(total.right, 1e-9),
  }));
}

/**
 * Weights by a logistic fit, moved to where the fewest wrong verdicts stay sure while `most_unsure` of the right ones are unsure:
 * the logistic fit counts every verdict, and confidence is asked at one line only.
 */
export function fitWeights(rows: readonly Row[], signs: readonly Bounds[], most_unsure: number): number[] {
  const cells = cellsOf(rows);
  const examples = cells.map(({ values, wrong, right }) => {
    const hits = WRONG * wrong;
    return { values, weight: hits + (1 - WRONG) * right, hits };
  });
  const least = signs.map((sign) => sign.least);
  const most = signs.map((sign) => sign.most ?? MOST);
  const { weights } = fitBoundedLogistic(examples, { least, most, base: -1, steps: STEPS, rate: RATE, pull: PULL });
  return sharpen(cells, weights, { least, most }, most_unsure);
}

/** The base at which at most this share of right verdicts has a confidence below `unsure_below`, over all rows and in the mean over sources. */
export function baseFor(
  rows: readonly Row[],
  weights: readonly number[],
  most_unsure: number,
  unsure_below: number,
): number {
  const by_source = Map.groupBy(
    rows.filter(({ is_wrong }) => !is_wrong),
    ({ source }) => source,
  );
  const doubts = [...by_source.values()].map((own) =>
    own.map(({ values }) => values.reduce((sum, value, i) => sum + value * weights[i]!, 0)),
  );
  const isQuiet = (line: number): boolean => {
    const unsure = doubts.map((own) => own.filter((doubt) => doubt > line).length);
    const total = doubts.reduce((sum, own) => sum + own.length, 0);
    const pooled = unsure.reduce((sum, n) => sum + n, 0) / total;
    const mean = unsure.reduce((sum, n, i) => sum + n / doubts[i]!.length, 0) / doubts.length;
    return Math.max(pooled, mean) <= most_unsure;
  };
  let below = 0;
  let above = weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < 24; i += 1) {
    const middle = (below + above) / 2;
    if (isQuiet(middle)) above = middle;
    else below = middle;
  }
  return Math.log(1 / unsure_below - 1) - above;
}
