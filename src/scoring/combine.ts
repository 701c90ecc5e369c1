/** Combines the layers into one score, applies floors, and works out the exact share of each finding in the result. */
import { countedFindings, noisyOr } from './layers/policy.ts';
import { towards } from './layers/structural.ts';
import type { Finding, ScoreComponent } from './types.ts';

/** Specification 2.3, defaults of w1, w2, w3. */
const WEIGHTS = { intrinsic: 0.15, structural: 0.45, policy: 0.4 };

export interface Layers {
  intrinsic: number;
  /** `severity`: what the network expects, 0-100; null if the layer is absent. */
  structural: { severity: number } | null;
  /** 0.5-2.0 */
  modifier: number;
  findings: readonly Finding[];
}

export interface Combined {
  /** Integer 0-100. */
  score: number;
  policy_score: number;
  /** The structural layer's own score, 0-100; null if it is absent. */
  structural_score: number | null;
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
/** Without the structural layer. It repeats what these say and moves it, so they are the weights by which points are credited, too. */
const RULES: Weights = { w1: WEIGHTS.intrinsic / PRESENT, w2: 0, w3: WEIGHTS.policy / PRESENT };

/** Weights in force: an absent layer's weight is shared among the present ones in proportion; they sum to 1. */
const weightsOf = (structural: Layers['structural']): Weights => (structural === null ? RULES : ALL);

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
  /** What the other layers say without the structural one. */
  rules: number;
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
  const policy_score = clamp(found + impact / RULES.w3);
  // What the rules alone say, without and with the customer's own; the structural layer moves both alike.
  const built_in = RULES.w1 * intrinsic + RULES.w3 * clamp(found);
  const rules = RULES.w1 * intrinsic + RULES.w3 * policy_score;
  const moved = (score: number): number => (structural === null ? score : towards(score, structural.severity, w2));
  const structural_score = structural === null ? null : moved(rules);
  const raw_weighted = rules + w2 * (moved(rules) - rules);
  const is_violated = findings.some((finding) => finding.contribution > 0);
  const in_force = is_violated ? Math.max(1, modifier) : modifier;

  const composite = clamp(raw_weighted * in_force);
  const lifted =
    impact > 0
      ? Math.max(composite, clamp((built_in + w2 * (moved(built_in) - built_in)) * in_force + impact))
      : composite;
  const floor = findings.reduce((highest, finding) => Math.max(highest, finding.floor), 0);
  const exact = Math.max(lifted, floor);
  const score = Math.round(exact);
  const total = { score, policy_score, structural_score, raw_weighted, modifier: in_force, w1, w2, w3 };
  return { total, counted, custom, found, impact, rules, composite, lifted, exact, floor };
}

/**
 * `raw = w1 · intrinsic + w2 · structural + w3 · policy`, times the modifier, never below the highest floor. The structural score
 * is what the rules alone say, moved towards what the network expects; points that only repeat the rules are credited to them.
 *
 * A custom rule's `score_impact` is in points of the final score: it moves what the rules alone say, the policy layer by
 * `impact / w3` within 0-100, and where that layer is already full, a positive impact still lifts the result by its points, as a floor would.
 * Negative impacts never go below a floor.
 */
export function combine(layers: Layers): Combined {
  const sums = addUp(layers);
  return { ...sums.total, components: componentsOf(sums, layers) };
}

/** The score alone, 0-100. */
export const combinedScore = (layers: Layers): number => addUp(layers).total.score;

function componentsOf(sums: Sums, { intrinsic, findings }: Layers): ScoreComponent[] {
  const { rules: by_rules, composite, lifted, exact, floor } = sums;
  const { raw_weighted, modifier, score } = sums.total;
  const rules: string[] = [layerNames.intrinsic];
  const points: number[] = [RULES.w1 * intrinsic];
  const put = (rule: string, own: number): void => {
    rules.push(rule);
    points.push(own);
  };
  const custom = customShare(sums);
  const by_structure = raw_weighted - by_rules + custom.rest;
  if (by_structure !== 0) put(layerNames.structural, by_structure);
  if (findings.length > 0) putFindings(findings, sums, custom.total, put);
  if (modifier !== 1 || composite !== raw_weighted) put(layerNames.temporal, composite - raw_weighted);
  if (exact > lifted) {
    const raising = rules.findIndex((rule) => findings.some((f) => f.rule === rule && f.floor === floor));
    if (raising >= 0) points[raising]! += exact - lifted;
  }
  return mergeByRule(rules, apportion(points, score));
}

/**
 * What the custom rules add in all, at most the points of a positive impact. What the structural layer adds to reach these points
 * is its own.
 */
function customShare({ custom, impact, found, composite, lifted, total: { policy_score } }: Sums): {
  total: number;
  rest: number;
} {
  if (custom.length === 0) return { total: 0, rest: 0 };
  const lift = lifted - composite;
  const effect = RULES.w3 * (policy_score - found) + lift;
  const total = impact > 0 ? Math.min(effect, impact) : effect;
  return { total, rest: effect - total };
}

/** The points of each finding before rounding. */
function putFindings(
  findings: readonly Finding[],
  { counted, custom, found, impact }: Sums,
  custom_total: number,
  put: (rule: string, points: number) => void,
): void {
  const finding_points = shares(
    RULES.w3 * Math.min(found, 100),
    counted.map((finding) => finding.contribution),
  );
  const custom_points = customPoints(custom, custom_total, impact);
  for (const finding of findings) {
    const own = finding.is_custom ? custom_points[custom.indexOf(finding)] : finding_points[counted.indexOf(finding)];
    // 0 where a finding with a higher contribution rests on the same evidence.
    put(finding.rule, own ?? 0);
  }
}

/** What each custom rule adds: its own impact, or its part of what was left of all impacts after the layer's bounds. */
function customPoints(custom: readonly Finding[], total: number, impact: number): number[] {
  if (custom.length === 0) return [];
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
