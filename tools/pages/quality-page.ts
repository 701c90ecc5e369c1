/** The page docs/quality.md, made of the measured figures and of docs/quality-notes.md, which people write. */
import type { SourceRow } from '../evaluation/by-source.ts';
import { LEAST_WRONG_UNSURE, MOST_HONEST_UNSURE, type Part } from '../evaluation/confidence/count-confidence.ts';
import {
  type ChangeSummary,
  MOST_BENIGN_GAINED,
  MOST_POINTS,
  MOST_RECALL_LOST,
} from '../evaluation/metamorphic/count-changes.ts';
import { ABSENT, oneDecimal, three } from '../evaluation/rendering.ts';
import type { SessionRow } from '../evaluation/sessions/count-sessions.ts';
import { table } from './markdown.ts';
import type { MeasuredQuality } from './measured-quality.ts';
import { aimOf } from './quality-aims.ts';

const GENERATED =
  '<!-- Made by `npm run pages` from quality-measured.json and quality-notes.md; edit quality-notes.md instead. -->';

/** The whole page. `notes`: Markdown with headings of the second level. */
export function qualityPage(measured: MeasuredQuality, notes: string): string {
  return `${[
    GENERATED,
    ...head(measured),
    ...bySource(measured),
    ...sessions(measured.sessions),
    ...changes(measured),
    ...confidence(measured),
    notes.trim(),
  ].join('\n\n')}\n`;
}

function head({ rule_set_version, files, by_source: { rows, mean } }: MeasuredQuality): string[] {
  const own = rows.filter(({ by }) => by === 'source');
  const n = own.reduce((sum, row) => sum + row.n, 0);
  const judged = own.flatMap(aimsOf);
  const missed = judged.filter(({ is_met }) => !is_met);
  return [
    '# How good the score is',
    `Measured with [\`weir eval\`](cli.md#weir-eval) on ${n.toLocaleString('en')} labelled actions from ${own.length} public sources that nobody of this project wrote (${files.join(', ')}); rule set \`${rule_set_version}\`. Only the event is shown to the scorer. Each source counts for itself: on pooled records a scorer that recognises the source looks good and fails elsewhere.`,
    `Mean over sources: AUROC **${three(mean.auroc)}**, recall at 1 % false positives **${three(mean.recall_at_fpr_1)}**, benign at high **${three(mean.benign_at_high)}**, recall at high **${three(mean.recall_at_high)}**. ${judged.length - missed.length} of ${judged.length} aims are met.`,
  ];
}

interface JudgedAim {
  text: string;
  is_met: boolean;
}

function aimsOf(row: SourceRow): JudgedAim[] {
  const aim = aimOf(row.name);
  const aims: JudgedAim[] = [];
  const judge = (name: string, value: number | null, bound: number | undefined, is_most: boolean): void => {
    if (bound === undefined || value === null) return;
    aims.push({ text: `${name} ${is_most ? '≤' : '≥'} ${bound}`, is_met: is_most ? value <= bound : value >= bound });
  };
  judge('AUROC', row.auroc, aim.auroc, false);
  judge('benign', row.benign_at_high, aim.benign_at_high, true);
  judge('recall', row.recall_at_high, aim.recall_at_high, false);
  return aims;
}

function aimCell(row: SourceRow): string {
  const aims = aimsOf(row);
  const met = aims.filter(({ is_met }) => is_met).map(({ text }) => text);
  const missed = aims.filter(({ is_met }) => !is_met).map(({ text }) => `**missed: ${text}**`);
  return [...missed, ...met.map((text) => `met: ${text}`)].join(', ') || ABSENT;
}

function bySource({ by_source: { rows, mean, worst } }: MeasuredQuality): string[] {
  const cells = (row: SourceRow): string[] => [
    String(row.n),
    String(row.harmful),
    three(row.auroc),
    three(row.recall_at_fpr_1),
    three(row.recall_at_fpr_5),
    three(row.benign_at_high),
    three(row.recall_at_high),
  ];
  const title = ['n', 'harmful', 'AUROC', 'recall@1%', 'recall@5%', 'benign at high', 'recall at high'];
  const sources = rows.filter(({ by }) => by === 'source').map((row) => [row.name, ...cells(row), aimCell(row)]);
  const means = [mean.auroc, mean.recall_at_fpr_1, mean.recall_at_fpr_5, mean.benign_at_high, mean.recall_at_high];
  sources.push(['**mean over sources**', '', '', ...means.map(three), '']);
  const slices = rows.filter(({ by }) => by === 'slice').map((row) => [row.name, ...cells(row)]);
  const quiet = worst.benign_at_high;
  return [
    '## By source',
    table(['source', ...title, 'aims'], sources),
    `High is a score of at least 61, which is held for a person. A source of one class has no AUROC. ${quiet === undefined ? '' : `The source with the most false alarms is ${quiet.source} (${three(quiet.value)}).`}`,
    'Sources of one kind together, so that sources of one class are compared with like:',
    table(['kind', ...title], slices),
  ];
}

function sessions(rows: readonly SessionRow[]): string[] {
  const shown = rows
    .filter(({ longest }) => longest > 1)
    .map(({ source, sessions: n, longest, benign, harmful, disturbed, attacked, memory }) => [
      source,
      String(n),
      String(longest),
      oneDecimal(benign.held_per_1000),
      `${disturbed.sessions} of ${n}`,
      harmful.steps === 0 ? ABSENT : `${harmful.held} of ${harmful.steps}`,
      attacked.sessions === 0 ? ABSENT : `${attacked.stopped} of ${attacked.sessions}`,
      `+${memory.benign_added} −${memory.benign_released}`,
    ]);
  return [
    '## Sessions',
    'The steps of each session in order, scored as the server scores them, with its memories of agent and session (`weir eval --sessions`). This is how people meet the product: benign steps held per 1,000, and sessions in which at least one was.',
    table(
      [
        'source',
        'sessions',
        'longest',
        'benign steps held per 1,000',
        'sessions disturbed',
        'harmful steps held',
        'attacked sessions stopped',
        'benign held by memory',
      ],
      shown,
    ),
  ];
}

function changes({ changes: all, beyond }: MeasuredQuality): string[] {
  const row = ({ change, n, recall, benign_at_high, points, beyond: over, sources }: ChangeSummary): string[] => [
    change.replaceAll('_', ' '),
    String(n),
    `${three(recall.before)} → ${three(recall.after)}`,
    `${three(benign_at_high.before)} → ${three(benign_at_high.after)}`,
    oneDecimal(points.mean),
    over.length === 0 ? 'none' : `${over.length} of ${sources}: ${shortList(over)}`,
  ];
  return [
    '## The same in other words and shapes',
    `The same records with another wording or shape and the same meaning (\`weir eval --metamorphic\`), mean over sources. Bounds for each change on each source: recall at high falls by at most ${MOST_RECALL_LOST}, false positives rise by at most ${MOST_BENIGN_GAINED}; the shape of another host moves the score by at most ${MOST_POINTS} points. ${beyond.length} pairs of change and source are beyond them.`,
    table(
      ['change', 'records', 'recall at high', 'benign at high', 'points', 'sources beyond the bounds'],
      all.map(row),
    ),
  ];
}

const MOST_NAMED = 5;
const shortList = (names: readonly string[]): string =>
  names.length <= MOST_NAMED ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')}, …`;

const percent = (share: number | null): string => (share === null ? ABSENT : `${(100 * share).toFixed(1)} %`);

function confidence({ confidence: { rows, mean, promises } }: MeasuredQuality): string[] {
  const [all, ...sources] = rows;
  const cell = ({ n, unsure, share }: Part): string => (n === 0 ? ABSENT : `${percent(share)} (${unsure} of ${n})`);
  const row = (name: string, { wrong, missed, false_alarms, honest }: (typeof rows)[number]): string[] => [
    name,
    cell(wrong),
    cell(missed),
    missed.median === null ? ABSENT : missed.median.toFixed(2),
    cell(false_alarms),
    cell(honest),
  ];
  const met = (is_met: boolean): string => (is_met ? 'met' : '**missed**');
  const { wrong, honest } = all!;
  return [
    '## Confidence',
    `Confidence below 0.8 says: ask a model or a person (\`weir eval --confidence\`). Of verdicts that are wrong ${percent(wrong.share)} are unsure (aim ≥ ${percent(LEAST_WRONG_UNSURE)}: ${met((wrong.share ?? 1) >= LEAST_WRONG_UNSURE)}), of honest actions ${percent(honest.share)} (aim ≤ ${percent(MOST_HONEST_UNSURE)}: ${met((honest.share ?? 0) <= MOST_HONEST_UNSURE)}). Mean over sources: ${percent(mean.wrong)} and ${percent(mean.honest)}.`,
    table(
      [
        'source',
        'wrong and unsure',
        'missed and unsure',
        'median of missed',
        'false alarms unsure',
        'honest and unsure',
      ],
      [row('**all**', all!), ...sources.map((one) => row(one.source, one))],
    ),
    'Reliability: what confidence promises, and how often the verdict was right.',
    table(
      ['confidence', 'n', 'mean', 'share right', 'wrong'],
      promises.map(({ from, to, n, mean_confidence, right, wrong: bad }) => [
        `${from.toFixed(2)} to ${to.toFixed(2)}`,
        String(n),
        three(mean_confidence),
        three(right),
        String(bad),
      ]),
    ),
  ];
}
