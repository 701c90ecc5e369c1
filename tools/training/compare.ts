/** The comparison of the model card: each kind of model on the same sources left out, with intervals. */
import { type Calibration, harmOf, severityOf } from '../../src/scoring/network/severity.ts';
import { bootstrap, type Interval } from '../evaluation/bootstrap.ts';
import {
  auroc,
  expectedCalibrationError,
  recallAtFalsePositiveRate,
  reliability,
  tally,
} from '../evaluation/metrics.ts';
import type { Example } from './example.ts';
import { type FitOptions, fitNetwork, logitsOf } from './fit.ts';
import {
  type Held,
  type HeldLogits,
  hasBothClasses,
  leaveOut,
  logisticLearner,
  networkLearner,
  treesLearner,
} from './folds.ts';
import { compositeOf, type Figures, figuresOf } from './judge.ts';
import { say } from './progress.ts';

export interface ModelRow extends Figures {
  source: string;
  is_seen: boolean;
  harmful: number;
  benign: number;
  auroc_interval: Interval | null;
  recall_interval: Interval | null;
}

export interface ModelFigures {
  model: string;
  /** By source left out that has both classes, as it is and unseen by the rules. */
  rows: ModelRow[];
}

export interface Comparison {
  models: ModelFigures[];
  calibration: Calibration;
  /** Benign at high of every source left out, without and with the layer. */
  benign_at_high: { source: string; n: number; without: number; with_layer: number }[];
  /** What is stated of sources left out, against what came true. */
  reliability: ReliabilityTables;
  /** Files that no choice has seen. */
  checked: ModelFigures[];
}

export interface ReliabilityTables {
  harm: Reliability;
  gnn_confidence: Reliability;
  composite: Reliability;
}

export interface Reliability {
  rows: ReturnType<typeof reliability>;
  calibration_error: number | null;
}

const ROUNDS = 200;

function rowsOf(held: readonly Held[], scoresOf: (one: Held, at: number) => readonly number[]): ModelRow[] {
  return held.flatMap((one, at) => {
    if (!hasBothClasses(one)) return [];
    const { source, is_seen, examples } = one;
    const scores = scoresOf(one, at);
    const labels = examples.map(({ label }) => label);
    const groups = examples.map(({ group }) => group);
    const [intervals] = bootstrap(
      { labels, groups, columns: [scores] },
      [auroc, (counts) => recallAtFalsePositiveRate(counts, 0.01)],
      { rounds: ROUNDS },
    );
    const harmful = labels.filter((label) => label === 1).length;
    return [
      {
        source,
        is_seen,
        harmful,
        benign: labels.length - harmful,
        ...figuresOf(examples, scores),
        auroc_interval: intervals![0]!,
        recall_interval: intervals![1]!,
      },
    ];
  });
}

const rulesAlone = (held: readonly Held[], calibration: Calibration): ModelFigures => ({
  model: 'rules alone',
  rows: rowsOf(held, ({ examples }) => examples.map((example) => compositeOf(example, null, calibration))),
});

/** Two rows: the order by the logit alone, and the composite with it. */
function bothWays(model: string, held: readonly HeldLogits[], calibration: Calibration): ModelFigures[] {
  return [
    { model, rows: rowsOf(held, (_, at) => held[at]!.logits) },
    {
      model: `composite with ${model}`,
      rows: rowsOf(held, ({ examples }, at) =>
        examples.map((example, i) => compositeOf(example, held[at]!.logits[i]!, calibration)),
      ),
    },
  ];
}

export interface Compared {
  examples: readonly Example[];
  held: readonly Held[];
  network: readonly HeldLogits[];
  calibration: Calibration;
  checked: readonly Example[];
  options: FitOptions;
}

export function compare({ examples, held, network, calibration, checked, options }: Compared): Comparison {
  const judged = held.filter(hasBothClasses);
  const others: [string, Parameters<typeof leaveOut>[2]][] = [
    ['logistic regression', logisticLearner],
    ['boosted trees', treesLearner],
    ['network without edges', networkLearner({ ...options, has_edges: false })],
  ];
  const models = [rulesAlone(judged, calibration)];
  for (const [model, learner] of others) {
    say(`${model}, each source left out in turn`);
    models.push(...bothWays(model, leaveOut(examples, judged, learner, say), calibration));
  }
  models.push(...bothWays('network', network.filter(hasBothClasses), calibration));
  return {
    models,
    calibration,
    benign_at_high: benignAtHigh(network, calibration),
    reliability: reliabilityOf(network, calibration),
    checked: checkedFigures(examples, checked, calibration, options),
  };
}

function benignAtHigh(network: readonly HeldLogits[], calibration: Calibration): Comparison['benign_at_high'] {
  return network
    .filter(({ is_seen }) => is_seen)
    .map(({ source, examples, logits }) => {
      const without = figuresOf(
        examples,
        examples.map((one) => compositeOf(one, null, calibration)),
      );
      const after = figuresOf(
        examples,
        examples.map((one, i) => compositeOf(one, logits[i]!, calibration)),
      );
      const n = examples.filter(({ label }) => label === 0).length;
      return { source, n, without: without.benign_at_high ?? 0, with_layer: after.benign_at_high ?? 0 };
    })
    .filter(({ n }) => n > 0);
}

export function reliabilityOf(network: readonly HeldLogits[], calibration: Calibration): ReliabilityTables {
  const stated = network
    .filter(({ is_seen }) => is_seen)
    .flatMap(({ examples, logits }) => examples.map((example, i) => ({ example, logit: logits[i]! })));
  const labels = stated.map(({ example }) => example.label);
  const severities = stated.map(({ logit }) => severityOf(logit, calibration));
  // Without the shift for real traffic: the labelled actions are not that rare.
  const harm = stated.map(({ logit }) => harmOf(logit, { ...calibration, shift: 0 }));
  const composites = stated.map(({ example, logit }) => compositeOf(example, logit, calibration));
  return {
    harm: promised(
      harm.map((share) => 100 * share),
      labels,
    ),
    gnn_confidence: promised(
      severities.map(({ confidence }) => 100 * confidence),
      severities.map(({ is_high }, i) => (is_high === (labels[i] === 1) ? 1 : 0)),
    ),
    composite: promised(composites, labels),
  };
}

/** @param percents what was stated, 0-100 @param came_true 1 where it came true */
function promised(percents: readonly number[], came_true: readonly (0 | 1)[]): Reliability {
  const counts = tally(percents, came_true);
  return { rows: reliability(counts), calibration_error: expectedCalibrationError(counts) };
}

function checkedFigures(
  examples: readonly Example[],
  checked: readonly Example[],
  calibration: Calibration,
  options: FitOptions,
): ModelFigures[] {
  if (checked.length === 0) return [];
  const weights = fitNetwork(examples, options);
  const held = [...Map.groupBy(checked, ({ source }) => source)].map(([source, own]) => ({
    source,
    is_seen: true,
    examples: own,
    logits: [
      ...logitsOf(
        weights,
        own.map(({ graph }) => graph),
      ),
    ],
  }));
  return [rulesAlone(held, calibration), ...bothWays('network', held, calibration)];
}
