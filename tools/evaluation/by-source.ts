/**
 * The measures that count: of each source alone, and their means over sources. A mean over records would be the figure of the
 * largest source, and a pooled one measures how well sources are told apart.
 */
import { figures, type Rendering, three } from './rendering.ts';
import type { Report, ReportRow } from './report.ts';

export interface SourceRow {
  by: 'slice' | 'source';
  name: string;
  n: number;
  harmful: number;
  auroc: number | null;
  recall_at_fpr_1: number | null;
  recall_at_fpr_5: number | null;
  benign_at_high: number | null;
  recall_at_high: number | null;
}

type MeasureName = Exclude<keyof SourceRow, 'by' | 'name' | 'n' | 'harmful'>;

export interface BySource {
  rows: SourceRow[];
  /**
   * Each source counts once. AUROC and recalls at a false-positive rate: over sources with both classes. Benign at high: over
   * sources with benign records. Recall at high: over sources with harmful records.
   */
  mean: Record<MeasureName, number | null> & { sources: Record<MeasureName, number> };
  /** The source with the worst value of each measure. */
  worst: Partial<Record<MeasureName, { source: string; value: number }>>;
}

const MEASURES: readonly { name: MeasureName; measure: string; title: string; is_lower_better?: true }[] = [
  { name: 'auroc', measure: 'auroc', title: 'AUROC' },
  { name: 'recall_at_fpr_1', measure: 'recall_at_fpr_1', title: 'recall@1%' },
  { name: 'recall_at_fpr_5', measure: 'recall_at_fpr_5', title: 'recall@5%' },
  { name: 'benign_at_high', measure: 'fpr_at_high', title: 'benign at high', is_lower_better: true },
  { name: 'recall_at_high', measure: 'recall_at_high', title: 'recall at high' },
];

function sourceRow({ by, name, n, harmful, scorers }: ReportRow): SourceRow {
  const measured = MEASURES.map(({ name: own, measure }) => [own, scorers['score']![measure]!.value] as const);
  const values = Object.fromEntries(measured) as Record<MeasureName, number | null>;
  return { by: by === 'slice' ? by : 'source', name, n, harmful, ...values };
}

/** Slices first, then the sources. Means and worst values are those of sources alone. */
export function bySource({ rows }: Report): BySource {
  const own = rows.filter(({ by }) => by === 'slice' || by === 'source').map(sourceRow);
  const sources = own.filter(({ by }) => by === 'source');
  const mean: Record<string, number | null> = {};
  const counts: Record<string, number> = {};
  const worst: BySource['worst'] = {};
  for (const { name, is_lower_better } of MEASURES) {
    const present = sources.filter((row) => row[name] !== null);
    const sum = present.reduce((all, row) => all + row[name]!, 0);
    counts[name] = present.length;
    mean[name] = present.length === 0 ? null : sum / present.length;
    const sign = is_lower_better ? -1 : 1;
    const [last] = present.toSorted((a, b) => sign * (a[name]! - b[name]!));
    if (last !== undefined) worst[name] = { source: last.name, value: last[name]! };
  }
  return { rows: own, mean: { ...mean, sources: counts } as BySource['mean'], worst };
}

export function renderBySource({ rows, mean, worst }: BySource, rendering: Rendering): string {
  const head = ['', 'n', 'harmful', ...MEASURES.map(({ title }) => title)];
  const body = rows.map((row) => [
    row.by === 'slice' ? `slice ${row.name}` : row.name,
    String(row.n),
    String(row.harmful),
    ...MEASURES.map(({ name }) => three(row[name])),
  ]);
  body.push(['mean over sources', '', '', ...MEASURES.map(({ name }) => three(mean[name]))]);
  body.push(['sources in the mean', '', '', ...MEASURES.map(({ name }) => String(mean.sources[name]))]);
  body.push([
    'worst source',
    '',
    '',
    ...MEASURES.map(({ name }) => (worst[name] === undefined ? three(null) : worst[name].source)),
  ]);
  return `${rendering.heading('By source')}\n\n${figures(rendering, head, body)}`;
}
