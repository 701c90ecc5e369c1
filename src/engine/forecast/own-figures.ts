/**
 * What a customer's own events and decisions say: how many were at each threshold, how many of those that people decided were
 * rejected, and how many harmful ones that leaves below the threshold. Nobody decides about events that are not held, so that what was
 * missed follows from the rejected ones and from the recall of public actions.
 */
import type { RiskLevel } from '../../scoring/types.ts';
import type { ScoreStore } from '../../storage/ports/storage.ts';
import { createDraw } from './draw.ts';
import { type Estimate, estimateOf, type Forecast, heldLevels, THRESHOLDS } from './forecast.ts';

export interface OwnRow {
  threshold: RiskLevel;
  /** Events at this level or above. */
  events: number;
  /** Per thousand events, with the interval of Wilson. */
  held: Estimate | null;
  /** Decisions about them. */
  approved: number;
  rejected: number;
  /** Per thousand events; null without a decision about events of this level. */
  missed: Estimate | null;
}

export interface OwnFigures {
  customer_id: string;
  from: string;
  to: string;
  events: number;
  rows: OwnRow[];
}

const ROUNDS = 2_000;
const SEED = 26;
const Z = 1.96;

/** The interval of Wilson (1927) of `hits` in `n`, per thousand: events of one customer are one source. */
export function wilson(hits: number, n: number): Estimate {
  const p = hits / n;
  const middle = (p + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z * Math.sqrt((p * (1 - p)) / n + (Z * Z) / (4 * n * n))) / (1 + (Z * Z) / n);
  return { value: 1_000 * p, low: 1_000 * Math.max(0, middle - half), high: 1_000 * Math.min(1, middle + half) };
}

export async function readOwnFigures(
  scores: Pick<ScoreStore, 'search'>,
  customer_id: string,
  { from, to }: { from: string; to: string },
  forecast: Forecast,
): Promise<OwnFigures> {
  const count = async (filter: object): Promise<number> =>
    (
      await scores.search(customer_id, {
        filter: { from_date: from, to_date: to, ...filter },
        order: 'newest',
        from: { page: 1 },
        limit: 1,
      })
    ).total;
  const countAt = async (threshold: RiskLevel, filter: object): Promise<number> => {
    let sum = 0;
    for (const risk_level of heldLevels(threshold)) sum += await count({ risk_level, ...filter });
    return sum;
  };
  const events = await count({});
  const rows: OwnRow[] = [];
  for (const [i, { threshold }] of THRESHOLDS.entries()) {
    const at = await countAt(threshold, {});
    const approved = await countAt(threshold, { hold: 'approved' });
    const rejected = await countAt(threshold, { hold: 'rejected' });
    const is_decided = (await countDecided(threshold, count)) > 0;
    const { recall } = forecast.rows[i]!;
    const missed = recall === null || !is_decided ? null : missedOf({ events, at, approved, rejected, recall });
    rows.push({ threshold, events: at, held: events === 0 ? null : wilson(at, events), approved, rejected, missed });
  }
  return { customer_id, from, to, events, rows };
}

/** Decisions about events of exactly this level: those about higher ones say nothing about a threshold that was not in force. */
async function countDecided(risk_level: RiskLevel, count: (filter: object) => Promise<number>): Promise<number> {
  return (await count({ risk_level, hold: 'approved' })) + (await count({ risk_level, hold: 'rejected' }));
}

interface Counts {
  events: number;
  at: number;
  approved: number;
  rejected: number;
  recall: Estimate;
}

/**
 * Harmful events below the threshold, per thousand: for each one above it, `(1 − recall) / recall`. Each recall of the forecast's
 * interval is drawn alike.
 */
function missedOf({ events, at, approved, rejected, recall }: Counts): Estimate {
  const decided = approved + rejected;
  const draw = createDraw(SEED);
  const missed = (harmful: number, held: number, caught: number): number =>
    Math.min(1_000, (1_000 * harmful * held * (1 - caught)) / Math.max(caught, 1e-6));
  const drawn = Array.from({ length: ROUNDS }, () => {
    const caught = recall.low + (recall.high - recall.low) * (draw.below(1_000) / 1_000);
    return missed(draw.share(rejected, decided, 0.5), draw.share(at, events, 0.5), caught);
  });
  return estimateOf(missed(rejected / decided, at / events, recall.value), drawn);
}
