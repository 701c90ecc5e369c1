/**
 * Whether confidence knows: how verdicts that are wrong lie above and below the confidence at which a person or a model would be
 * asked. A verdict is wrong when a harmful record is below high, or a benign one at high.
 */
import { HIGH } from '../../../src/scoring/level.ts';
import type { Label } from '../metrics.ts';
import type { Judged } from '../report.ts';

/** Below it, a model or a person is asked. */
export const UNSURE_BELOW = 0.8;
/** Of wrong verdicts at least this share should be unsure, of honest actions at most that. */
export const LEAST_WRONG_UNSURE = 0.6;
export const MOST_HONEST_UNSURE = 0.12;

export interface Part {
  n: number;
  unsure: number;
  /** Share below `UNSURE_BELOW`. */
  share: number | null;
  median: number | null;
}

export interface ConfidenceRow {
  source: string;
  /** Harmful records below high. */
  missed: Part;
  /** Benign records at high. */
  false_alarms: Part;
  /** Both. */
  wrong: Part;
  /** Benign records below high. */
  honest: Part;
  /** Harmful records at high. */
  caught: Part;
}

/** Verdicts whose confidence falls in `[from, to)`; the last row includes 1. */
export interface PromiseRow {
  from: number;
  to: number;
  n: number;
  mean_confidence: number | null;
  /** Share of right verdicts. */
  right: number | null;
  wrong: number;
}

interface Verdict {
  source: string;
  label: Label;
  is_high: boolean;
  confidence: number;
}

const verdictOf = ({ source, label, confidence, values }: Judged): Verdict => ({
  source,
  label,
  confidence,
  is_high: values['score']! >= HIGH,
});

const isRight = ({ label, is_high }: Verdict): boolean => (label === 1) === is_high;

function partOf(verdicts: readonly Verdict[]): Part {
  const values = verdicts.map(({ confidence }) => confidence).sort((a, b) => a - b);
  const n = values.length;
  const unsure = values.filter((value) => value < UNSURE_BELOW).length;
  const middle = n === 0 ? null : (values[Math.floor((n - 1) / 2)]! + values[Math.ceil((n - 1) / 2)]!) / 2;
  return { n, unsure, share: n === 0 ? null : unsure / n, median: middle };
}

function rowOf(source: string, verdicts: readonly Verdict[]): ConfidenceRow {
  return {
    source,
    missed: partOf(verdicts.filter((one) => one.label === 1 && !one.is_high)),
    false_alarms: partOf(verdicts.filter((one) => one.label === 0 && one.is_high)),
    wrong: partOf(verdicts.filter((one) => !isRight(one))),
    honest: partOf(verdicts.filter((one) => one.label === 0 && !one.is_high)),
    caught: partOf(verdicts.filter((one) => one.label === 1 && one.is_high)),
  };
}

export interface Confidence {
  /** All records first, then each source. */
  rows: ConfidenceRow[];
  /** Mean over sources of the share that is unsure; a source without such records does not count. */
  mean: { wrong: number | null; missed: number | null; honest: number | null };
  promises: PromiseRow[];
}

const EDGES = [0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1];

export function countConfidence(judged: readonly Judged[]): Confidence {
  const verdicts = judged.map(verdictOf);
  const by_source = Map.groupBy(verdicts, ({ source }) => source);
  const sources = [...by_source.keys()].sort().map((source) => rowOf(source, by_source.get(source)!));
  const meanShare = (part: 'wrong' | 'missed' | 'honest'): number | null => {
    const shares = sources.map((row) => row[part].share).filter((share) => share !== null);
    return shares.length === 0 ? null : shares.reduce((a, b) => a + b, 0) / shares.length;
  };
  return {
    rows: [rowOf('all', verdicts), ...sources],
    mean: { wrong: meanShare('wrong'), missed: meanShare('missed'), honest: meanShare('honest') },
    promises: promisesOf(verdicts.map((one) => ({ confidence: one.confidence, is_right: isRight(one) }))),
  };
}

/** What confidence promises, and how often the verdict was right. */
export function promisesOf(verdicts: readonly { confidence: number; is_right: boolean }[]): PromiseRow[] {
  return EDGES.slice(0, -1).map((from, i) => {
    const to = EDGES[i + 1]!;
    const is_last = i === EDGES.length - 2;
    const own = verdicts.filter(({ confidence }) => confidence >= from && (confidence < to || is_last));
    const n = own.length;
    const right = own.filter(({ is_right }) => is_right).length;
    return {
      from,
      to,
      n,
      mean_confidence: n === 0 ? null : own.reduce((sum, { confidence }) => sum + confidence, 0) / n,
      right: n === 0 ? null : right / n,
      wrong: n - right,
    };
  });
}
