/** `weir eval --confidence`: whether confidence is low where the verdict is wrong, and high where it is right. */
import { counted } from '../../../src/lang/english.ts';
import { HIGH } from '../../../src/scoring/level.ts';
import { judgeFiles } from '../judge-files.ts';
import type { Mode } from '../mode.ts';
import { ABSENT, figures, type Rendering, three } from '../rendering.ts';
import {
  type Confidence,
  countConfidence,
  LEAST_WRONG_UNSURE,
  MOST_HONEST_UNSURE,
  type Part,
  UNSURE_BELOW,
} from './count-confidence.ts';

export const measureConfidence: Mode = async (files, { source }) => {
  const { judged, refused, rule_set_version } = await judgeFiles(files, 0, { sources: source });
  const confidence = countConfidence(judged);
  return {
    n: judged.length,
    refused,
    sources: new Set(judged.map((one) => one.source)),
    document: () => ({
      rule_set_version,
      high: HIGH,
      unsure_below: UNSURE_BELOW,
      refused,
      aims: { wrong_unsure_at_least: LEAST_WRONG_UNSURE, honest_unsure_at_most: MOST_HONEST_UNSURE },
      ...confidence,
    }),
    render: (rendering) =>
      [
        `${counted(judged.length, 'record')}; rule set ${rule_set_version}`,
        renderConfidence(confidence, rendering),
      ].join('\n\n'),
  };
};

const percent = (share: number | null): string => (share === null ? ABSENT : `${(100 * share).toFixed(1)} %`);
const cells = ({ n, share }: Part): string[] => [String(n), percent(share)];

function renderConfidence({ rows, mean, promises }: Confidence, rendering: Rendering): string {
  const body = rows.map(({ source, missed, false_alarms, wrong, honest, caught }) => [
    source,
    ...cells(missed),
    missed.median === null ? ABSENT : missed.median.toFixed(2),
    ...cells(false_alarms),
    ...cells(wrong),
    ...cells(honest),
    ...cells(caught),
  ]);
  const means = [percent(mean.missed), '', '', '', '', percent(mean.wrong), '', percent(mean.honest), '', ''];
  body.push(['mean over sources', '', ...means]);
  const head = ['', 'missed', 'unsure', 'median', 'false alarms', 'unsure', 'wrong', 'unsure', 'honest', 'unsure'];
  const promised = promises.map(({ from, to, n, mean_confidence, right, wrong }) => [
    `${from.toFixed(2)} to ${to.toFixed(2)}`,
    String(n),
    three(mean_confidence),
    three(right),
    String(wrong),
  ]);
  return [
    rendering.heading('Where verdicts are wrong, and how sure they are'),
    figures(rendering, [...head, 'caught', 'unsure'], body),
    `Unsure: confidence below ${UNSURE_BELOW}. Missed: harmful below ${HIGH}; honest: benign below ${HIGH}. Aims: at least ${percent(LEAST_WRONG_UNSURE)} of wrong verdicts unsure, at most ${percent(MOST_HONEST_UNSURE)} of honest actions.`,
    rendering.heading('Reliability of confidence'),
    figures(rendering, ['confidence', 'n', 'mean confidence', 'share right', 'wrong'], promised),
  ].join('\n\n');
}
