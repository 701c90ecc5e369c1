/**
 * Start reading here. `score(evidence, knowledge) → assessment`, a pure function:
 *
 *   evidence → readings → facts → findings (built-in rules with their reducers, as the policy counts them, then the
 *   customer's) → layers → composite → explanation
 *
 * The same evidence and knowledge give the same assessment, byte for byte, on every machine.
 */

import { legacyReading } from '../events/legacy.ts';
import { distinct } from '../lang/in-order.ts';
import { combine, combinedScore } from './combine.ts';
import { confidenceOf } from './confidence.ts';
import { explain } from './explain.ts';
import { Facts } from './facts/fact-table.ts';
import type { Knowledge } from './knowledge.ts';
import { intrinsicScore } from './layers/intrinsic.ts';
import { structuralScore } from './layers/structural.ts';
import { temporalModifier } from './layers/temporal.ts';
import { applyOverrides } from './policy/apply-overrides.ts';
import { customFindings } from './policy/try-custom-rules.ts';
import { Readings } from './read/readings.ts';
import { reduceFindings } from './rules/reducers.ts';
import { chain } from './rules/rules.ts';
import type { Assessment, Evidence } from './types.ts';

/** Rounding keeps floating-point noise out of the answer; more decimals would be of no use to a person. */
const round = (value: number, digits: number): number =>
  Number.isInteger(value) ? value : Number(value.toFixed(digits));

const NO_FLAGS: readonly string[] = [];

/** Scores one event. Never throws for anything an event or a policy can hold. */
export function score(evidence: Evidence, knowledge: Knowledge): Assessment {
  return scoreFacts(new Facts(new Readings(evidence, knowledge.ontology)), knowledge);
}

/**
 * Scores an event of which some facts may already be known. If fields of older clients contradict the current ones, the
 * event is scored both ways and the higher score counts.
 */
export function scoreFacts(facts: Facts, knowledge: Knowledge): Assessment {
  const assessment = scoreReading(facts, knowledge);
  const { evidence, ontology } = facts.readings;
  const legacy = legacyReading(evidence.event);
  if (legacy === null) return assessment;
  const other = scoreReading(new Facts(new Readings({ ...evidence, event: legacy.event }, ontology)), knowledge);
  return higherOf(assessment, other, legacy.contradicting);
}

/** The higher of two readings, with a flag for each contradicting field. The colon tells these flags from those of rules. */
function higherOf(own: Assessment, other: Assessment, contradicting: readonly string[]): Assessment {
  const is_other = other.score > own.score;
  const higher = is_other ? other : own;
  const names = contradicting.map((name) => `\`${name}\``).join(', ');
  const which = is_other
    ? 'this is the score as they have it, the higher one'
    : 'read as they have it, it scores no higher';
  return {
    ...higher,
    reasoning: `${higher.reasoning} Fields of older clients contradict the others (${names}); ${which}.`,
    behavioral_flags: [...higher.behavioral_flags, ...contradicting.map((name) => `legacy_contradicts:${name}`)],
  };
}

function scoreReading(facts: Facts, knowledge: Knowledge): Assessment {
  const { evidence } = facts.readings;
  const reduced = reduceFindings(chain(knowledge.index, facts), knowledge.reducers, facts);
  const built_in = applyOverrides(evidence, facts, reduced);
  const custom = customFindings(evidence, facts);
  const findings = custom.findings.length === 0 ? built_in.findings : [...built_in.findings, ...custom.findings];

  const intrinsic = intrinsicScore(facts);
  const structural = structuralScore();
  const temporal = temporalModifier(evidence.history, facts);
  const combined = combine({ intrinsic, structural, modifier: temporal.modifier, findings });
  // A relief that a violation suspends does not explain this score.
  const temporal_flags = combined.modifier === temporal.modifier ? temporal.flags : NO_FLAGS;
  const rules_only =
    structural === null && combined.modifier === 1
      ? combined.score
      : combinedScore({ intrinsic, structural: null, modifier: 1, findings });

  const confidence = round(confidenceOf(facts, findings), 3);
  const words = explain(combined, findings, facts, knowledge);
  const { flags } = words;
  flags.push(...temporal_flags, ...custom.flags, ...built_in.flags);
  return {
    score: combined.score,
    reasoning: words.reasoning,
    violations: words.violations,
    compliance_refs: words.compliance_refs,
    mitigations: words.mitigations,
    score_components: combined.components,
    behavioral_flags: distinct(flags),
    graph_score: combined.score,
    rule_score: rules_only,
    llm_score: null,
    llm_fallback: false,
    gnn_score: structural === null ? null : round(structural.score, 2),
    confidence,
    decomposition: {
      intrinsic_score: round(intrinsic, 2),
      gnn_score: structural === null ? null : round(structural.score, 2),
      policy_score: round(combined.policy_score, 2),
      temporal_modifier: combined.modifier,
      raw_weighted: round(combined.raw_weighted, 2),
      w1: combined.w1,
      w2: combined.w2,
      w3: combined.w3,
      gnn_confidence: structural === null ? null : round(structural.confidence, 3),
      overall_confidence: confidence,
    },
    findings,
    rule_set_version: knowledge.version,
    policy_version: evidence.policy.version,
  };
}
