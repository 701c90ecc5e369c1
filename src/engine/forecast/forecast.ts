/**
 * How many events would be held, and how many harmful ones missed, at each threshold: from the scores of public labelled actions,
 * mixed as a customer's agents act.
 *
 * Each source of a kind counts alike. Intervals are drawn by source: a source says little about another one, so that an interval over
 * single actions would promise too much. Each draw takes sources with replacement, and of each a share from its posterior under what
 * the others have, so that «none of 37» is not taken for never. A kind with few sources borrows: half of its draws come from the sources of all kinds.
 */
import { CRITICAL, HIGH, LEVELS } from '../../scoring/level.ts';
import type { RiskLevel } from '../../scoring/types.ts';
import { createDraw, type Draw } from './draw.ts';
import { type AgentKind, type Measured, type Tail, tailOf } from './measured.ts';
import type { Mix } from './mix.ts';

/** An estimate with its 95 % interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

export interface ForecastRow {
  /** Value of `HOLD_THRESHOLD`. */
  threshold: RiskLevel;
  /** The lowest score that is held. */
  from_score: number;
  /** Per thousand events: held in all, honest ones held, harmful ones held, harmful ones not held. */
  held: Estimate;
  false_alarms: Estimate;
  caught: Estimate;
  missed: Estimate;
  /** Share of harmful events that are held, 0-1; null in a mix without harm. */
  recall: Estimate | null;
  /** The same of so many events; their interval includes chance. */
  held_events: Estimate;
  missed_events: Estimate;
}

export interface Forecast {
  events: number;
  rows: ForecastRow[];
  /** Kinds of the mix whose shares rest on few sources. */
  thin: { kind: AgentKind; of: 'honest' | 'harmful'; sources: number }[];
}

/** Thresholds that hold something, the lowest first, with the lowest score of each. */
export const THRESHOLDS: readonly { threshold: RiskLevel; from_score: number }[] = [
  { threshold: 'low', from_score: 11 },
  { threshold: 'medium', from_score: 31 },
  { threshold: 'high', from_score: HIGH },
  { threshold: 'critical', from_score: CRITICAL },
];

/** From so many sources on, a kind's interval rests on its own sources alone. */
export const ENOUGH_SOURCES = 3;
const ROUNDS = 2_000;
const SEED = 25;

type Class = 'honest' | 'harmful';

/** Tails of the sources of one kind, and those of all kinds. */
interface Pool {
  own: readonly Tail[];
  all: readonly Tail[];
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param events how many events are forecast */
export function makeForecast(measured: Measured, mix: Mix, events: number): Forecast {
  const draw = createDraw(SEED);
  const parts = mix.filter(({ share }) => share > 0);
  return {
    events,
    rows: THRESHOLDS.map((threshold) => rowOf(threshold, measured, parts, events, draw)),
    thin: parts.flatMap(({ kind }) =>
      (['honest', 'harmful'] as const).flatMap((of) => {
        const sources = poolOf(measured, kind, of, HIGH).own.length;
        return sources < ENOUGH_SOURCES ? [{ kind, of, sources }] : [];
      }),
    ),
  };
}

/** Sources that have actions of this class. */
function poolOf({ sources }: Measured, kind: AgentKind, of: Class, from_score: number): Pool {
  const tails = sources.map((source) => ({ kind: source.kind, tail: tailOf(source[of], from_score) }));
  const present = tails.filter(({ tail }) => tail.n > 0);
  const tailsOf = (some: typeof present): Tail[] => some.map(({ tail }) => tail);
  return { own: tailsOf(present.filter((one) => one.kind === kind)), all: tailsOf(present) };
}

const shareOf = ({ own, all }: Pool): number => mean((own.length === 0 ? all : own).map(({ n, above }) => above / n));

/** The share of all actions of a pool, never quite none and never quite all. */
function expectedOf(pool: readonly Tail[]): number {
  let hits = 0.5;
  let total = 1;
  for (const { n, above } of pool) {
    hits += above;
    total += n;
  }
  return hits / total;
}

function drawShare({ own, all }: Pool, draw: Draw): number {
  const is_own = own.length >= ENOUGH_SOURCES || (own.length > 0 && draw.below(2) === 0);
  const pool = is_own ? own : all;
  const expected = expectedOf(pool);
  let sum = 0;
  for (let i = 0; i < pool.length; i += 1) {
    const { n, above } = pool[draw.below(pool.length)]!;
    sum += draw.share(above, n, expected);
  }
  return sum / pool.length;
}

/** Of one event: that it is honest and held, harmful and held, harmful and not held. */
interface Shares {
  false_alarms: number;
  caught: number;
  missed: number;
}

function addUp(parts: readonly { share: number; harmful: number; held: number; recall: number }[]): Shares {
  const total = { false_alarms: 0, caught: 0, missed: 0 };
  for (const { share, harmful, held, recall } of parts) {
    total.false_alarms += share * (1 - harmful) * held;
    total.caught += share * harmful * recall;
    total.missed += share * harmful * (1 - recall);
  }
  return total;
}

function rowOf(
  { threshold, from_score }: (typeof THRESHOLDS)[number],
  measured: Measured,
  mix: Mix,
  events: number,
  draw: Draw,
): ForecastRow {
  const pools = mix.map((part) => ({
    ...part,
    honest_pool: poolOf(measured, part.kind, 'honest', from_score),
    harmful_pool: poolOf(measured, part.kind, 'harmful', from_score),
  }));
  const sharesBy = (of: (pool: Pool) => number): Shares =>
    addUp(pools.map((part) => ({ ...part, held: of(part.honest_pool), recall: of(part.harmful_pool) })));
  const value = sharesBy(shareOf);
  const drawn = Array.from({ length: ROUNDS }, () => sharesBy((pool) => drawShare(pool, draw)));
  const per = (of: (shares: Shares) => number): Estimate =>
    estimateOf(
      1_000 * of(value),
      drawn.map((one) => 1_000 * of(one)),
    );
  const counted = (of: (shares: Shares) => number): Estimate =>
    estimateOf(
      events * of(value),
      drawn.map((one) => draw.count(events * of(one))),
    );
  const held = ({ false_alarms, caught }: Shares): number => false_alarms + caught;
  const missed = (shares: Shares): number => shares.missed;
  const recall = ({ caught, missed: lost }: Shares): number => caught / (caught + lost);
  return {
    threshold,
    from_score,
    held: per(held),
    false_alarms: per((shares) => shares.false_alarms),
    caught: per((shares) => shares.caught),
    missed: per(missed),
    recall: value.caught + value.missed === 0 ? null : estimateOf(recall(value), drawn.map(recall)),
    held_events: counted(held),
    missed_events: counted(missed),
  };
}

/** The value with the middle 95 % of the draws; the interval always holds the value. */
export function estimateOf(value: number, drawn: readonly number[]): Estimate {
  const sorted = drawn.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
  return { value, low: Math.min(value, at(0.025)), high: Math.max(value, at(0.975)) };
}

/** The levels that are held at a threshold. */
export const heldLevels = (threshold: RiskLevel): readonly RiskLevel[] => LEVELS.slice(LEVELS.indexOf(threshold));
