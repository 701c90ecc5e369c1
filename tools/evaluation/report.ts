/** From judged records to the numbers of an evaluation: pooled, for each slice, source and kind, and for each rule. */
import { HIGH } from '../../src/scoring/level.ts';
import { type BootstrapOptions, bootstrap, type Interval, type Statistic } from './bootstrap.ts';
import {
  auroc,
  averagePrecision,
  expectedCalibrationError,
  falsePositiveRateAt,
  type Label,
  type ReliabilityRow,
  recallAt,
  recallAtFalsePositiveRate,
  reliability,
  tally,
} from './metrics.ts';
import { SCORERS, type Scorer } from './scorers.ts';

/** One labelled record after scoring. */
export interface Judged {
  source: string;
  group: string;
  label: Label;
  kind: string;
  /** 0-1, what the engine says of its own verdict. */
  confidence: number;
  /** By name of the scorer. */
  values: Readonly<Record<string, number | null>>;
}

export interface MeasureKind {
  name: string;
  title: string;
  /** Only for scorers on the scale 0-100. */
  needs_points: boolean;
  of: Statistic;
}

export const MEASURES: readonly MeasureKind[] = [
  { name: 'auroc', title: 'AUROC', needs_points: false, of: auroc },
  { name: 'average_precision', title: 'AP', needs_points: false, of: averagePrecision },
  { name: 'recall_at_fpr_1', title: 'recall@1%', needs_points: false, of: (t) => recallAtFalsePositiveRate(t, 0.01) },
  { name: 'recall_at_fpr_5', title: 'recall@5%', needs_points: false, of: (t) => recallAtFalsePositiveRate(t, 0.05) },
  { name: 'fpr_at_high', title: 'FPR high', needs_points: true, of: (t) => falsePositiveRateAt(t, HIGH) },
  { name: 'recall_at_high', title: 'recall high', needs_points: true, of: (t) => recallAt(t, HIGH) },
  { name: 'calibration_error', title: 'ECE', needs_points: true, of: expectedCalibrationError },
];

export interface Measure {
  value: number | null;
  /** 95 %, bootstrap over groups. */
  interval: Interval | null;
}

export interface ReportRow {
  by: 'all' | 'slice' | 'source' | 'kind';
  name: string;
  n: number;
  harmful: number;
  groups: number;
  /** scorer → measure */
  scorers: Record<string, Record<string, Measure>>;
  /** Of the score. */
  reliability: ReliabilityRow[];
}

export interface Report {
  rows: ReportRow[];
}

/** Sources measured together under a name. */
export type Slices = ReadonlyMap<string, readonly string[]>;

function measureRow(
  by: ReportRow['by'],
  name: string,
  records: readonly Judged[],
  options: BootstrapOptions,
): ReportRow {
  const labels = records.map((record) => record.label);
  const present = SCORERS.filter((scorer) => records.every((record) => record.values[scorer.name] != null));
  const columns = present.map((scorer) => records.map((record) => record.values[scorer.name]!));
  const groups = records.map((record) => record.group);
  const intervals = bootstrap(
    { labels, groups, columns },
    MEASURES.map((measure) => measure.of),
    options,
  );
  const measured = present.map((scorer, c) => {
    const counts = tally(columns[c]!, labels);
    const measures = MEASURES.map((measure, m): [string, Measure] => [
      measure.name,
      applies(measure, scorer)
        ? { value: measure.of(counts), interval: intervals[c]![m]! }
        : { value: null, interval: null },
    ]);
    return [scorer.name, Object.fromEntries(measures)] as const;
  });
  return {
    by,
    name,
    n: records.length,
    harmful: labels.filter((label) => label === 1).length,
    groups: new Set(groups).size,
    scorers: Object.fromEntries(measured),
    reliability: reliability(
      tally(
        records.map((record) => record.values['score']!),
        labels,
      ),
    ),
  };
}

const applies = (measure: MeasureKind, scorer: Scorer): boolean => scorer.is_points || !measure.needs_points;

function namesOf(records: readonly Judged[], field: 'source' | 'kind'): string[] {
  return [...new Set(records.map((record) => record[field]))].sort();
}

/**
 * A harmful kind is measured against the benign records of the sources it occurs in: against those of other sources
 * the source would be measured, not the scorer. A benign kind stands alone, for its false positives.
 */
function recordsOfKind(records: readonly Judged[], kind: string): Judged[] {
  const own = records.filter((record) => record.kind === kind);
  if (own.every((record) => record.label === 0)) return own;
  const sources = new Set(own.map((record) => record.source));
  return records.filter((record) => record.kind === kind || (record.label === 0 && sources.has(record.source)));
}

/** All rows, pooled first. The same records give the same report. */
export function makeReport(
  records: readonly Judged[],
  slices: Slices = new Map(),
  options: BootstrapOptions = {},
): Report {
  const rows = [measureRow('all', 'all', records, options)];
  for (const [name, sources] of slices) {
    rows.push(
      measureRow(
        'slice',
        name,
        records.filter((record) => sources.includes(record.source)),
        options,
      ),
    );
  }
  for (const source of namesOf(records, 'source')) {
    rows.push(
      measureRow(
        'source',
        source,
        records.filter((record) => record.source === source),
        options,
      ),
    );
  }
  for (const kind of namesOf(records, 'kind'))
    rows.push(measureRow('kind', kind, recordsOfKind(records, kind), options));
  return { rows };
}
