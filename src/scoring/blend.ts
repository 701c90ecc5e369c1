/**
 * Adds the opinion of a language model to an assessment by the rules: the one place where it counts for anything. Pure: the call is
 * made elsewhere (`engine/llm/`), and its result is an argument here.
 *
 * A model can be talked over by the text that it judges, so the guarantee does not rest on it: the score by the rules is a floor, and
 * violations, articles and flags of the rules stay. A weighted mean without a floor would be the hole: 80 by the rules and 0 by a model
 * that was talked over make 48.
 */
import { layerNames } from './combine.ts';
import { grpcLevelOf, levelOf } from './level.ts';
import type { Assessment, LlmOpinion, LlmVerdict } from './types.ts';

/**
 * The model's share in the score where it is entirely sure. A model that is 90 % sure of 90 then makes any action high, and one that
 * is unsure does not.
 */
const SHARE = 0.75;

/** From this sensitivity on, a model lowers nothing. */
const SENSITIVE = 3;

/** What bounds the lowering of a score. */
export interface Relief {
  /** Points, 0 to 10, by the customer's policy; 0: none. */
  points: number;
  /** 0-4, of the target: the larger of what the event declares and what is known. */
  sensitivity: number;
}

export const NO_RELIEF: Relief = { points: 0, sensitivity: SENSITIVE };

/** The assessment with the opinion in it. Never lower than `assessment` by more than the relief permits. */
export function blend(assessment: Assessment, opinion: LlmOpinion, relief: Relief = NO_RELIEF): Assessment {
  const { verdict, trouble, was_asked } = opinion;
  if (verdict === null)
    return {
      ...assessment,
      llm: opinion,
      llm_fallback: was_asked,
      // The colon tells these flags from those of rules.
      behavioral_flags: [...assessment.behavioral_flags, `llm_unavailable:${trouble}`],
    };
  const { score: graph_score } = assessment;
  const score = blendedScore(assessment, verdict, relief);
  const change = score - graph_score;
  const component = { rule: layerNames.llm, contribution: change };
  const flag = change > 0 ? ['llm_raised'] : change < 0 ? ['llm_lowered'] : [];
  return {
    ...assessment,
    score,
    reasoning: change === 0 ? assessment.reasoning : `${assessment.reasoning} ${sentenceOf(change, opinion, verdict)}`,
    score_components: change === 0 ? assessment.score_components : [...assessment.score_components, component],
    behavioral_flags: [...assessment.behavioral_flags, ...flag],
    llm: opinion,
    llm_score: verdict.score,
    llm_fallback: true,
  };
}

function blendedScore(assessment: Assessment, verdict: LlmVerdict, relief: Relief): number {
  const { score } = assessment;
  const share = SHARE * Math.min(1, Math.max(0, verdict.confidence));
  const mean = Math.round(score + share * (verdict.score - score));
  return Math.min(100, Math.max(mean, floorOf(assessment, relief)));
}

/** The score by the rules, less the relief where nothing speaks against it. */
function floorOf({ score, findings, violations }: Assessment, { points, sensitivity }: Relief): number {
  const is_found = violations.length > 0 || findings.some(({ contribution, floor }) => contribution > 0 || floor > 0);
  if (is_found || sensitivity >= SENSITIVE) return score;
  let floor = score;
  while (floor > 0 && score - floor < points && isSameLevel(floor - 1, score)) floor -= 1;
  return floor;
}

/** By both scales of the specification. */
const isSameLevel = (a: number, b: number): boolean => levelOf(a) === levelOf(b) && grpcLevelOf(a) === grpcLevelOf(b);

/** The model's own words are shown only where they raise the score: they may be those of whoever talked it over. */
function sentenceOf(change: number, { model }: LlmOpinion, { score, reasons }: LlmVerdict): string {
  const [reason] = reasons;
  const said = change > 0 && reason !== undefined ? ` It says: “${reason}”` : '';
  const moved = change > 0 ? `raises the score by ${change}` : `lowers the score by ${-change}`;
  return `The language model ${model} gives it ${score}, which ${moved}.${said}`;
}
