/** Chooses the calibration on sources left out: how far a logit moves a score. */
import type { Calibration } from '../../src/scoring/network/severity.ts';
import { type HeldLogits, hasBothClasses } from './folds.ts';
import { compositeOf, figuresOf } from './judge.ts';

const SHIFTS = [2, 3, 4, 5];
const POINTS = [8, 10, 12, 14, 16];
/** Nine in ten honest actions move by no more than this (points). */
const MOST_MOVED = 3;
/** No source may lose more than this (AUROC). */
const MOST_LOST = 0.01;

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

interface Worth {
  gain: number;
  worst: number;
  /** Nine in ten honest actions move by at most so many points. */
  moved: number;
}

export function worthOf(held: readonly HeldLogits[], calibration: Calibration): Worth {
  const gains: number[] = [];
  const auroc_gains: number[] = [];
  const moves: number[] = [];
  for (const one of held) {
    const { examples, logits, is_seen } = one;
    const without = examples.map((example) => compositeOf(example, null, calibration));
    const scores = examples.map((example, i) => compositeOf(example, logits[i]!, calibration));
    if (is_seen) for (const [i, { label }] of examples.entries()) if (label === 0) moves.push(scores[i]! - without[i]!);
    if (!hasBothClasses(one)) continue;
    const before = figuresOf(examples, without);
    const after = figuresOf(examples, scores);
    auroc_gains.push(after.auroc! - before.auroc!);
    gains.push(after.auroc! - before.auroc! + after.recall_at_1! - before.recall_at_1!);
  }
  moves.sort((a, b) => a - b);
  return {
    gain: mean(gains),
    worst: Math.min(...auroc_gains),
    moved: moves[Math.floor(0.9 * (moves.length - 1))] ?? 0,
  };
}

/** The calibration that gains most without moving honest actions much. */
export function chooseCalibration(held: readonly HeldLogits[]): Calibration {
  let best: Calibration | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const shift of SHIFTS)
    for (const points of POINTS) {
      const { gain, worst, moved } = worthOf(held, { shift, points });
      if (moved > MOST_MOVED || worst < -MOST_LOST || gain <= most) continue;
      best = { shift, points };
      most = gain;
    }
  if (best === null) throw new Error('no calibration keeps honest actions where they are: the network is not usable');
  return best;
}
