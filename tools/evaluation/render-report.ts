/** An evaluation report as tables: for a terminal, or as Markdown for the documentation. */

import { HIGH } from '../../src/scoring/level.ts';
import type { ReliabilityRow } from './metrics.ts';
import { ABSENT, type Rendering, three } from './rendering.ts';
import { MEASURES, type Measure, type Report, type ReportRow } from './report.ts';
import type { RuleRow } from './rule-counts.ts';
import { SCORERS } from './scorers.ts';

const two = (value: number): string => value.toFixed(2).replace(/^0(?=\.)/, '');
const interval = ({ interval: found }: Measure): string =>
  found === null ? '' : `${two(found.low)}–${two(found.high)}`;

/** Name, or name with what it is when it is not a source. */
const titleOf = ({ by, name }: ReportRow): string => (by === 'all' || by === 'source' ? name : `${by} ${name}`);

export function renderReport(report: Report, rendering: Rendering): string {
  const { heading } = rendering;
  const pooled = report.rows[0]!;
  return [
    heading('The score, with 95 % intervals'),
    scoreTable(report.rows, rendering),
    heading('AUROC / recall at 5 % false positives, beside each layer alone and trivial baselines'),
    comparisonTable(report.rows, rendering),
    heading('Reliability, all records'),
    reliabilityTable(pooled.reliability, rendering),
    notes(),
  ].join('\n\n');
}

function notes(): string {
  return [
    `High: score at least ${HIGH}. A harmful kind is measured against the benign records of its sources, a benign kind alone.`,
    'Intervals: bootstrap over groups. ECE takes score / 100 as a probability; it moves with the share of harmful records.',
  ].join('\n');
}

function scoreTable(rows: readonly ReportRow[], { table, is_stacked }: Rendering): string {
  const head = ['', 'n', 'harmful', ...MEASURES.map((measure) => measure.title)];
  const body = rows.flatMap((row) => {
    const cells = MEASURES.map((measure) => row.scorers['score']![measure.name]!);
    const start = [titleOf(row), String(row.n), String(row.harmful)];
    if (!is_stacked) return [[...start, ...cells.map(inOneLine)]];
    const values = [...start, ...cells.map((cell) => three(cell.value))];
    const has_intervals = cells.some((cell) => cell.interval !== null);
    return has_intervals ? [values, ['', '', '', ...cells.map(interval)]] : [values];
  });
  return table(head, body, { right: head.map((_, c) => c).slice(1) });
}

const inOneLine = (cell: Measure): string =>
  cell.interval === null ? three(cell.value) : `${three(cell.value)} (${interval(cell)})`;

function comparisonTable(rows: readonly ReportRow[], { table }: Rendering): string {
  const mixed = rows.filter((row) => row.harmful > 0 && row.harmful < row.n);
  if (mixed.length === 0) return 'Nothing to compare: no part of the records has both labels.';
  const scorers = SCORERS.filter((scorer) => rows[0]!.scorers[scorer.name] !== undefined);
  const body = mixed.map((row) => [
    titleOf(row),
    ...scorers.map(({ name }) => {
      const measures = row.scorers[name];
      return measures === undefined
        ? ABSENT
        : `${three(measures['auroc']!.value)} / ${three(measures['recall_at_fpr_5']!.value)}`;
    }),
  ]);
  return table(['', ...scorers.map((scorer) => scorer.title)], body, { right: scorers.map((_, c) => c + 1) });
}

function reliabilityTable(rows: readonly ReliabilityRow[], { table }: Rendering): string {
  const body = rows.map((row, i) => [
    `${row.from}–${i === rows.length - 1 ? row.to : row.to - 1}`,
    String(row.n),
    three(row.mean_score),
    three(row.harmful_share),
  ]);
  return table(['score', 'n', 'mean score / 100', 'share harmful'], body, { right: [1, 2, 3] });
}

/** Every rule with how often it fired and where. */
export function renderRules(rows: readonly RuleRow[], { table, heading }: Rendering): string {
  const body = rows.map((row) => [
    row.rule,
    String(row.harmful),
    String(row.benign),
    three(row.precision),
    Object.entries(row.by_source)
      .map(([source, counts]) => `${source} ${counts.harmful}+${counts.benign}`)
      .join(', '),
  ]);
  const head = ['rule', 'harmful', 'benign', 'precision', 'by source (harmful+benign)'];
  return `${heading('Rules: records on which each fired')}\n\n${table(head, body, { right: [1, 2, 3] })}`;
}
