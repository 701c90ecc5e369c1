/** What a learned layer is worth on a source: the order by its logit alone, and that of the composite. */
import { combinedScore } from '../../src/scoring/combine.ts';
import { HIGH } from '../../src/scoring/level.ts';
import { type Calibration, severityOf } from '../../src/scoring/network/severity.ts';
import type { Finding } from '../../src/scoring/types.ts';
import { auroc, falsePositiveRateAt, recallAt, recallAtFalsePositiveRate, tally } from '../evaluation/metrics.ts';
import type { CompactFinding, Example } from './example.ts';

/** `null` where a source has one class only. */
export interface Figures {
  auroc: number | null;
  recall_at_1: number | null;
  benign_at_high: number | null;
  recall_at_high: number | null;
}

/** The final score with the layer, or without it where `logit` is null. */
export function compositeOf({ intrinsic, findings }: Example, logit: number | null, calibration: Calibration): number {
  const structural = logit === null ? null : { severity: severityOf(logit, calibration).expected };
  return combinedScore({ intrinsic, structural, modifier: 1, findings: findings.map(asFinding) });
}

/** Each counted finding rests on evidence of its own; the others only bring their floor. */
function asFinding({ is_counted, ...own }: CompactFinding, i: number): Finding {
  return {
    ...own,
    contribution: is_counted ? own.contribution : 0,
    flag: '',
    violation: '',
    citations: [],
    premises: [],
    evidence: String(i),
    is_custom: false,
  };
}

export function figuresOf(examples: readonly Example[], scores: readonly number[]): Figures {
  const counts = tally(
    scores,
    examples.map(({ label }) => label),
  );
  return {
    auroc: auroc(counts),
    recall_at_1: recallAtFalsePositiveRate(counts, 0.01),
    benign_at_high: falsePositiveRateAt(counts, HIGH),
    recall_at_high: recallAt(counts, HIGH),
  };
}
