/** What each change costs on each source: recall at high and false positives, before and after, of the records it changed. */
import { HIGH } from '../../../src/scoring/level.ts';
import type { Label } from '../metrics.ts';

/** One changed record. */
export interface ChangedScore {
  change: string;
  source: string;
  id: string;
  label: Label;
  before: number;
  after: number;
}

interface Shares {
  n: number;
  before: number | null;
  after: number | null;
}

export interface ChangeRow {
  change: string;
  source: string;
  /** Harmful records: share at high. */
  recall: Shares;
  /** Benign records: share at high. */
  benign_at_high: Shares;
  /** Change of the score, without its sign. */
  points: { mean: number; largest: number; within_bound: number };
  /** Loss beyond the bounds, on enough records to say so. */
  is_beyond: boolean;
}

/** Recall at high may fall by this, and false positives rise by that; the score of another host's shape may differ by so many points. */
export const MOST_RECALL_LOST = 0.05;
export const MOST_BENIGN_GAINED = 0.01;
export const MOST_POINTS = 3;
/** With fewer records one record is more than the bound, and the row is not marked. */
const LEAST_RECORDS = 10;

export function countChanges(
  scores: readonly ChangedScore[],
  keeps: ReadonlyMap<string, 'verdict' | 'score'>,
): ChangeRow[] {
  const parts = Map.groupBy(scores, ({ change, source }) => `${change}\n${source}`);
  return [...parts.values()].map((part) => rowOf(part, keeps.get(part[0]!.change)!));
}

function rowOf(part: readonly ChangedScore[], keeps: 'verdict' | 'score'): ChangeRow {
  const { change, source } = part[0]!;
  const recall = shares(part.filter(({ label }) => label === 1));
  const benign_at_high = shares(part.filter(({ label }) => label === 0));
  const differences = part.map(({ before, after }) => Math.abs(after - before));
  const points = {
    mean: differences.reduce((a, b) => a + b, 0) / part.length,
    largest: Math.max(...differences),
    within_bound: differences.filter((difference) => difference <= MOST_POINTS).length / part.length,
  };
  const is_lost = recall.n >= LEAST_RECORDS && recallLost(recall) > MOST_RECALL_LOST;
  const is_gained = benign_at_high.n >= LEAST_RECORDS && -recallLost(benign_at_high) > MOST_BENIGN_GAINED;
  const is_moved = keeps === 'score' && points.largest > MOST_POINTS;
  return { change, source, recall, benign_at_high, points, is_beyond: is_lost || is_gained || is_moved };
}

function shares(part: readonly ChangedScore[]): Shares {
  const share = (high: readonly ChangedScore[]): number | null =>
    part.length === 0 ? null : high.length / part.length;
  return {
    n: part.length,
    before: share(part.filter(({ before }) => before >= HIGH)),
    after: share(part.filter(({ after }) => after >= HIGH)),
  };
}

export const recallLost = ({ before, after }: Shares): number => (before ?? 0) - (after ?? 0);

/** A change over all sources: each source counts once. */
export interface ChangeSummary {
  change: string;
  sources: number;
  n: number;
  recall: Shares;
  benign_at_high: Shares;
  points: ChangeRow['points'];
  beyond: string[];
}

export function summarise(rows: readonly ChangeRow[]): ChangeSummary[] {
  return [...Map.groupBy(rows, ({ change }) => change)].map(([change, own]) => ({
    change,
    sources: own.length,
    n: own.reduce((all, { recall, benign_at_high }) => all + recall.n + benign_at_high.n, 0),
    recall: meanOf(own.map(({ recall }) => recall)),
    benign_at_high: meanOf(own.map(({ benign_at_high }) => benign_at_high)),
    points: {
      mean: mean(own.map(({ points }) => points.mean))!,
      largest: Math.max(...own.map(({ points }) => points.largest)),
      within_bound: mean(own.map(({ points }) => points.within_bound))!,
    },
    beyond: own.filter(({ is_beyond }) => is_beyond).map(({ source }) => source),
  }));
}

function meanOf(all: readonly Shares[]): Shares {
  const present = all.filter(({ n }) => n > 0);
  return {
    n: present.reduce((sum, { n }) => sum + n, 0),
    before: mean(present.map(({ before }) => before!)),
    after: mean(present.map(({ after }) => after!)),
  };
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
