/** The model card, written from what was measured. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replacePart } from '../pages/markdown.ts';
import { CARD_TEXT, RELIABILITY_TEXT } from './card-text.ts';
import type { Comparison, ModelFigures, ModelRow, Reliability, ReliabilityTables } from './compare.ts';

const CARD = fileURLToPath(new URL('../../models/structural/README.md', import.meta.url));

const three = (value: number | null): string => (value === null ? '–' : value.toFixed(3));
const mean = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

/** Means over the sources, one row a model. */
function means(models: readonly ModelFigures[], is_seen: boolean): string {
  return table(
    ['model', 'mean AUROC', 'worst source', 'mean recall at 1 %'],
    models.map(({ model, rows }) => {
      const own = rows.filter((row) => row.is_seen === is_seen);
      return [
        model,
        three(mean(own.map(({ auroc }) => auroc))),
        three(Math.min(...own.map(({ auroc }) => auroc ?? 1))),
        three(mean(own.map(({ recall_at_1 }) => recall_at_1))),
      ];
    }),
  );
}

const withInterval = (value: number | null, interval: ModelRow['auroc_interval']): string =>
  interval === null ? three(value) : `${three(value)} (${three(interval.low)}–${three(interval.high)})`;

/** Each source, rules alone beside the composite. */
function bySource(models: readonly ModelFigures[], is_seen: boolean): string {
  const without = models.find(({ model }) => model === 'rules alone')!;
  const composite = models.find(({ model }) => model === 'composite with network')!;
  return table(
    [
      'source',
      'harmful / benign',
      'AUROC, rules alone',
      'AUROC, composite',
      'recall at 1 %, rules',
      'recall at 1 %, composite',
    ],
    without.rows
      .filter((row) => row.is_seen === is_seen)
      .map((row) => {
        const other = composite.rows.find((one) => one.source === row.source && one.is_seen === is_seen)!;
        return [
          row.source,
          `${row.harmful} / ${row.benign}`,
          withInterval(row.auroc, row.auroc_interval),
          withInterval(other.auroc, other.auroc_interval),
          withInterval(row.recall_at_1, row.recall_interval),
          withInterval(other.recall_at_1, other.recall_interval),
        ];
      }),
  );
}

const promises = ({ rows }: Reliability, came_true: string): string =>
  table(
    ['stated', 'actions', 'mean stated', came_true],
    rows
      .filter(({ n }) => n > 0)
      .map(({ from, to, n, mean_score, harmful_share }) => [
        `${from / 100}–${to / 100}`,
        String(n),
        three(mean_score),
        three(harmful_share),
      ]),
  );

/** Writes `models/structural/README.md`. */
export function writeCard(comparison: Comparison): void {
  const { models, calibration, benign_at_high, reliability, checked } = comparison;
  const sections: Record<string, string> = {
    MEANS_SEEN: means(models, true),
    MEANS_UNSEEN: means(models, false),
    BY_SOURCE_SEEN: bySource(models, true),
    BY_SOURCE_UNSEEN: bySource(models, false),
    BENIGN: table(
      ['source', 'honest actions', 'at high, rules alone', 'at high, composite'],
      benign_at_high.map(({ source, n, without, with_layer }) => [
        source,
        String(n),
        three(without),
        three(with_layer),
      ]),
    ),
    SHIFT: String(calibration.shift),
    POINTS: String(calibration.points),
    CHECKED: checked.length === 0 ? 'Not measured in this run.' : bySource(checked, true),
  };
  mkdirSync(dirname(CARD), { recursive: true });
  writeFileSync(CARD, filled(CARD_TEXT, sections));
  writeReliability(reliability);
}

const filled = (text: string, sections: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => sections[name] ?? '');

/** Renews the part on reliability in a card that is there. */
export function writeReliability({ harm, gnn_confidence, composite }: ReliabilityTables): void {
  const text = filled(RELIABILITY_TEXT, {
    HARM: promises(harm, 'harmful'),
    HARM_ERROR: three(harm.calibration_error),
    GNN_CONFIDENCE: promises(gnn_confidence, 'right'),
    GNN_CONFIDENCE_ERROR: three(gnn_confidence.calibration_error),
    COMPOSITE: promises(composite, 'harmful'),
  });
  writeFileSync(CARD, replacePart(readFileSync(CARD, 'utf8'), 'reliability', text));
}
