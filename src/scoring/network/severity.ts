/**
 * From a logit of harm to the five risk levels: an ordered logistic model (McCullagh, 1980). The levels' bounds divide one latent
 * severity, which is logistic around a location that the network gives; the level is the interval that it falls into.
 */
import { HIGH } from '../level.ts';

/** Fitted with whole sources left out (`tools/training`), and committed with the weights. */
export interface Calibration {
  /** Subtracted from the logit: real traffic holds far less harm than the labelled actions. */
  shift: number;
  /** Points of severity for one unit of logit. */
  points: number;
}

export interface Severity {
  /** 0-100: the expected severity, over the levels' probabilities. */
  expected: number;
  /** 0-1: the largest probability of a level. */
  confidence: number;
  /** Whether that level is high or critical. */
  is_high: boolean;
}

/** Upper bounds and middles of the levels none, low, medium, high, critical, as REST has them. */
const LEVELS: readonly { below: number; middle: number }[] = [
  { below: 10.5, middle: 5 },
  { below: 30.5, middle: 20.5 },
  { below: HIGH - 0.5, middle: 45.5 },
  { below: 80.5, middle: 70.5 },
  { below: Number.POSITIVE_INFINITY, middle: 90.5 },
];

/** The probability of harm, which is that of a severity of high or more. */
export const harmOf = (logit: number, { shift }: Calibration): number => 1 / (1 + Math.exp(shift - logit));

export function severityOf(logit: number, { shift, points }: Calibration): Severity {
  const location = logit - shift;
  let expected = 0;
  let confidence = 0;
  let is_high = false;
  let reached = 0;
  for (const { below, middle } of LEVELS) {
    const up_to = 1 / (1 + Math.exp(location - (below - (HIGH - 0.5)) / points));
    const own = up_to - reached;
    reached = up_to;
    expected += own * middle;
    if (own > confidence) {
      confidence = own;
      is_high = middle >= HIGH;
    }
  }
  return { expected, confidence, is_high };
}
