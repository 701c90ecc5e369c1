/** Combines the layers into one score, applies floors, and works out the exact share of each finding in the result. */
import { countedFindings, noisyOr } from './layers/policy.ts';
import type { StructuralReading } from './layers/structural.ts';
import type { Finding, ScoreComponent } from './types.ts';

/** Specification 2.3, defaults of w1, w2, w3. */
const WEIGHTS = { intrinsic: 0.15, structural: 0.45, policy: 0.4 };

export interface Layers {
  intrinsic: number;
  structural: StructuralReading | null;
  /** 0.5-2.0 */
  modifier: number;
  findings: readonly Finding[];
}

export interface Combined {
  /** Integer 0-100. */
  score: number;
  policy_score: number;
  raw_weighted: number;
  /** The modifier in force: never below 1 while a violation stands. */
  modifier: number;
  w1: number;
  w2: number;
  w3: number;
  components: ScoreComponent[];
}

interface Weights {
  w1: number;
  w2: number;
  w3: number;
}

const ALL: Weights = { w1: WEIGHTS.intrinsic, w2: WEIGHTS.structural, w3: WEIGHTS.policy };
const PRESENT = WEIGHTS.intrinsic + WEIGHTS.policy;
const WITHOUT_STRUCTURAL: Weights = { w1: WEIGHTS.intrinsic / PRESENT, w2: 0, w3: WEIGHTS.policy / PRESENT };

/** Weights in force: an absent layer's weight is shared among the present ones in proportion; they sum to 1. */
const weightsOf = (structural: StructuralReading | null): Weights => (structural === null ? WITHOUT_STRUCTURAL : ALL);

const clamp = (value: number): number => Math.min(100, Math.max(0, value));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Integers that sum exactly to `total` and lie closest to `exact`: each part rounded down, what is left given to the
 * largest fractions, the earlier part on a tie (largest remainder, Hare quota).
 */
export function apportion(exact: readonly number[], total: number): number[] {
  // Float noise must not move a point away from a part that is an integer.
  const parts = exact.map((value) => (Math.abs(value - Math.round(value)) < 1e-9 ? Math.round(value) : value));
  const whole = parts.map(Math.floor);
  let left = total - sum(whole);
  if (left <= 0) return whole;
  const fraction = (index: number): number => parts[index]! - whole[index]!;
  const order = whole.map((_, index) => index);
  if (order.length > 1) order.sort((a, b) => fraction(b) - fraction(a) || a - b);
  for (let i = 0; left > 0; left -= 1, i += 1) whole[order[i % order.length]!]! += 1;
  return whole;
}

/** `share · (own / all)` for each, all zero when there is nothing to share by. */
function shares(share: number, by: readonly number[]): number[] {
  const all = sum(by);
  return by.map((own) => (all === 0 ? 0 : (share * own) / all));
}

/** Names of contributions that are no rule's: no rule may be called so. */
export const layerNames = {
  intrinsic: 'intrinsic',
  structural: 'structural',
  temporal: 'temporal_modifier',
  llm: 'language_model',
} as const;

/** What the layers add up to, and what the shares of single findings are worked out from. */
interface Sums {
  total: Omit<Combined, 'components'>;
  counted: readonly Finding[];
  custom: readonly Finding[];
  /** Of the built-in findings, 0-100. */
  found: number;
  /** Of the custom rules, in points of the result. */
  impact: number;
  /** Before custom rules lift it beyond a full layer, after that, and after the highest floor. */
  composite: number;
  lifted: number;
  exact: number;
  floor: number;
}

const NONE: readonly Finding[] = [];
const isCustom = ({ is_custom }: Finding): boolean => is_custom;

function addUp({ intrinsic, structural, modifier, findings }: Layers): Sums {
  const { w1, w2, w3 } = weightsOf(structural);
  const counted = countedFindings(findings);
  const custom = findings.some(isCustom) ? findings.filter(isCustom) : NONE;
  const impact = custom === NONE ? 0 : sum(custom.map((finding) => finding.contribution));
  const found = noisyOr(counted);
  const policy_score = clamp(found + impact / w3);
  const base = w1 * intrinsic + w2 * (structural?.score ?? 0);
  const raw_weighted = base + w3 * policy_score;
  const is_violated = findings.some((finding) => finding.contribution > 0);
  const in_force = is_violated ? Math.max(1, modifier) : modifier;

  const composite = clamp(raw_weighted * in_force);
  const lifted = impact > 0 ? Math.max(composite, clamp((base + w3 * found) * in_force + impact)) : composite;
  const floor = findings.reduce((highest, finding) => Math.max(highest, finding.floor), 0);
  const exact = Math.max(lifted, floor);
  const total = { score: Math.round(exact), policy_score, raw_weighted, modifier: in_force, w1, w2, w3 };
  return { total, counted, custom, found, impact, composite, lifted, exact, floor };
}

/**
 * `raw = w1 · intrinsic + w2 · structural + w3 · policy`, times the modifier, never below the highest floor.
 *
 * A custom rule's `score_impact` is in points of the final score: it moves the policy layer by `impact / w3` within
 * 0-100, and where that layer is already full, a positive impact still lifts the result by its points, as a floor would.
 * Negative impacts never go below a floor.
 */
export function combine(layers: Layers): Combined {
  const sums = addUp(layers);
  const { score, policy_score, raw_weighted, modifier, w1, w2, w3 } = sums.total;
  return { score, policy_score, raw_weighted, modifier, w1, w2, w3, components: componentsOf(sums, layers) };
}

/** The score alone, 0-100. */
export const combinedScore = (layers: Layers): number => addUp(layers).total.score;

function componentsOf(sums: Sums, { intrinsic, structural, findings }: Layers): ScoreComponent[] {
  const { composite, lifted, exact, floor } = sums;
  const { w1, w2, raw_weighted, modifier, score } = sums.total;
  const rules: string[] = [layerNames.intrinsic];
  const points: number[] = [w1 * intrinsic];
  const put = (rule: string, own: number): void => {
    rules.push(rule);
    points.push(own);
  };
  if (structural !== null) put(layerNames.structural, w2 * structural.score);
  if (findings.length > 0) putFindings(findings, sums, put);
  if (modifier !== 1 || composite !== raw_weighted) put(layerNames.temporal, composite - raw_weighted);
  if (exact > lifted) {
    const raising = rules.findIndex((rule) => findings.some((f) => f.rule === rule && f.floor === floor));
    if (raising >= 0) points[raising]! += exact - lifted;
  }
  return mergeByRule(rules, apportion(points, score));
}

/** The points of each finding before rounding. */
function putFindings(findings: readonly Finding[], sums: Sums, put: (rule: string, points: number) => void): void {
  const { counted, custom, found, impact, composite, lifted } = sums;
  const { w3, policy_score } = sums.total;
  const finding_points = shares(
    w3 * Math.min(found, 100),
    counted.map((finding) => finding.contribution),
  );
  const custom_points = customPoints(custom, w3 * (policy_score - found), impact, lifted - composite);
  for (const finding of findings) {
    const own = finding.is_custom ? custom_points[custom.indexOf(finding)] : finding_points[counted.indexOf(finding)];
    // 0 where a finding with a higher contribution rests on the same evidence.
    put(finding.rule, own ?? 0);
  }
}

/** What each custom rule adds: its own impact, or its part of what was left of all impacts after the layer's bounds. */
function customPoints(custom: readonly Finding[], effect: number, impact: number, lift: number): number[] {
  if (custom.length === 0) return [];
  const total = effect + lift;
  const is_bounded = Math.abs(total - impact) > 1e-9;
  if (!is_bounded) return custom.map((finding) => finding.contribution);
  const same_sign = custom.map((finding) =>
    Math.sign(finding.contribution) === Math.sign(impact) ? finding.contribution : 0,
  );
  const others = sum(custom.map((finding, i) => (same_sign[i] === 0 ? finding.contribution : 0)));
  const shared = shares(total - others, same_sign);
  return custom.map((finding, i) => (same_sign[i] === 0 ? finding.contribution : shared[i]!));
}

/** One component a rule: a rule that fired for several bindings shows their sum. */
function mergeByRule(rules: readonly string[], contributions: readonly number[]): ScoreComponent[] {
  const merged: ScoreComponent[] = [];
  for (let i = 0; i < rules.length; i += 1) {
    const rule = rules[i]!;
    const contribution = contributions[i]!;
    // Few rules fire, and the same one in a row: the search begins with the newest.
    const known = merged.findLast((component) => component.rule === rule);
    if (known === undefined) merged.push({ rule, contribution });
    else known.contribution += contribution;
  }
  return merged;
}
