/** The cost of each change as tables. */
import { figures, oneDecimal, type Rendering, three } from '../rendering.ts';
import type { Change } from './change.ts';
import {
  type ChangeRow,
  type ChangeSummary,
  MOST_BENIGN_GAINED,
  MOST_POINTS,
  MOST_RECALL_LOST,
  recallLost,
} from './count-changes.ts';

const HEAD = ['', 'records', 'recall before', 'after', 'benign at high before', 'after', 'points mean', 'most'];

const cells = ({ recall, benign_at_high, points }: ChangeRow | ChangeSummary): string[] => [
  three(recall.before),
  three(recall.after),
  three(benign_at_high.before),
  three(benign_at_high.after),
  oneDecimal(points.mean),
  oneDecimal(points.largest),
];

export function renderChanges(
  rows: readonly ChangeRow[],
  summaries: readonly ChangeSummary[],
  changes: readonly Change[],
  is_whole: boolean,
  rendering: Rendering,
): string {
  const { heading } = rendering;
  const n = ({ recall, benign_at_high }: ChangeRow): number => recall.n + benign_at_high.n;
  const over = summaries.map((one) => [
    one.change,
    String(one.n),
    ...cells(one),
    `${one.beyond.length} of ${one.sources}`,
  ]);
  const shown = (is_whole ? rows : rows.filter(({ is_beyond }) => is_beyond)).map((row) => [
    `${row.is_beyond ? '! ' : ''}${row.change}, ${row.source}`,
    String(n(row)),
    ...cells(row),
    row.recall.n === 0 ? '–' : signed(-recallLost(row.recall)),
    row.benign_at_high.n === 0 ? '–' : signed(-recallLost(row.benign_at_high)),
  ]);
  const parts = [
    heading('Changes that keep the meaning: mean over sources'),
    figures(rendering, [...HEAD, 'beyond the bounds'], over),
    heading(is_whole ? 'By source; ! marks what is beyond the bounds' : 'Beyond the bounds'),
    shown.length === 0 ? 'Nothing.' : figures(rendering, [...HEAD, 'recall', 'benign'], shown),
    heading('The changes'),
    changes
      .filter(({ name }) => summaries.some(({ change }) => change === name))
      .map(({ name, about }) => `- ${name}: ${about}.`)
      .join('\n'),
    `Bounds: recall at high falls by at most ${MOST_RECALL_LOST}, false positives rise by at most ${MOST_BENIGN_GAINED}, where at least ten records are changed; the score of another host’s shape differs by at most ${MOST_POINTS} points. Figures are of the records that a change applies to.`,
  ];
  return parts.join('\n\n');
}

const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(3)}`;
