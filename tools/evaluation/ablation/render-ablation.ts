/** What parts of the ontology are worth: one line each, and every source where there are few parts. */
import { ABSENT, figures, type Rendering, three } from '../rendering.ts';
import type { AblationRow, Worth } from './measure-ablation.ts';

const FEW_PARTS = 3;

type Pair = readonly [number | null, number | null];
type MeasureName = 'auroc' | 'recall_at_high' | 'benign_at_high';

/** What the part adds. */
const gain = ([before, after]: Pair): number | null => (before === null || after === null ? null : before - after);

const signed = (value: number | null): string =>
  value === null ? ABSENT : value === 0 ? '0' : `${value > 0 ? '+' : '−'}${Math.abs(value).toFixed(3)}`;

function sum(sources: readonly Worth[], name: MeasureName): string {
  const gains = sources.map((one) => gain(one[name])).filter((value) => value !== null && value !== 0);
  return gains.length === 0 ? '0' : signed(gains.reduce((all, value) => all! + value!, 0));
}

function most(sources: readonly Worth[]): string {
  const parts = sources.flatMap(({ source, ...worth }) =>
    (['recall_at_high', 'benign_at_high', 'auroc'] as const).map((name) => ({
      source,
      name,
      value: gain(worth[name]) ?? 0,
    })),
  );
  return parts
    .filter(({ value }) => Math.abs(value) >= 0.001)
    .toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, 4)
    .map(({ source, name, value }) => `${source} ${name.replaceAll('_', ' ')} ${signed(value)}`)
    .join(', ');
}

export function renderAblation(rows: readonly AblationRow[], rendering: Rendering): string {
  const lines = rows.map(({ name, refused, sources }) => [
    name,
    String(sources.reduce((all, { changed }) => all + changed, 0)),
    String(sources.length),
    sum(sources, 'auroc'),
    sum(sources, 'recall_at_high'),
    sum(sources, 'benign_at_high'),
    refused === '' ? most(sources) : `cannot be taken out: ${refused}`,
  ]);
  const head = ['', 'scores changed', 'sources', 'AUROC', 'recall at high', 'benign at high', 'where'];
  const parts = [
    rendering.heading('What each part adds, summed over sources'),
    rendering.table(head, lines, { right: [1, 2, 3, 4, 5] }),
  ];
  if (rows.length <= FEW_PARTS) {
    for (const { name, sources } of rows)
      parts.push(rendering.heading(`Without ${name}`), bySource(sources, rendering));
  }
  parts.push('A part adds what is lost without it: + is more. More benign at high is a cost.');
  return parts.join('\n\n');
}

function bySource(sources: readonly Worth[], rendering: Rendering): string {
  if (sources.length === 0) return 'No score differs.';
  const body = sources.map((worth) => [
    worth.source,
    String(worth.changed),
    ...(['auroc', 'recall_at_high', 'benign_at_high'] as const).flatMap((name) => worth[name].map(three)),
  ]);
  const head = ['', 'scores changed', 'AUROC', 'without', 'recall at high', 'without', 'benign at high', 'without'];
  return figures(rendering, head, body);
}
