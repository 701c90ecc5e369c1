/**
 * Start reading here. `score(event, past, policy, knowledge) → assessment`, a pure function, and the only way to a score: the
 * server, its scoring threads, the justification and the command line all come through it.
 *
 *   event → readings → facts → findings (built-in rules with their reducers, as the policy counts them, then the
 *   customer's) → layers → composite → explanation
 *
 * Equal arguments give the same assessment, byte for byte, on every machine.
 *
 * The server cannot know the past before it has read the event: which of the remembered places, resources and classes matter
 * depends on what the event touches. So it calls the two halves of `score` in turn: `read(event, policy, knowledge)`,
 * whose `footprint()` says what to look for in the memories (`history/recall.ts` makes the past of both), and then `.score(past)`.
 */

import type { AgentEvent } from '../events/event.ts';
import { unreadFields } from '../events/event.ts';
import { legacyReading } from '../events/legacy.ts';
import { distinct } from '../lang/in-order.ts';
import type { ArticleEntry } from '../ontology/index.ts';
import { type Combined, combine, combinedScore, layerNames } from './combine.ts';
import { confidenceOf, doubtsOf, UNSURE_BELOW } from './confidence.ts';
import { explain } from './explain.ts';
import { type StructureWords, structureWords } from './explanation/structure.ts';
import { Facts } from './facts/fact-table.ts';
import type { EventGraph } from './graph/event-graph.ts';
import type { Verdict } from './graph/features.ts';
import { graphOfEvent } from './graph/graph-of-event.ts';
import { type Footprint, footprintOf } from './history/trace.ts';
import type { Knowledge } from './knowledge.ts';
import { intrinsicScore } from './layers/intrinsic.ts';
import { countedFindings, noisyOr } from './layers/policy.ts';
import { type StructuralReading, structuralScore } from './layers/structural.ts';
import { temporalModifier } from './layers/temporal.ts';
import { formsBeside, withBare, withStep } from './nested.ts';
import { type Extent, outlineOf } from './outline.ts';
import { applyOverrides, type Overridden } from './policy/apply-overrides.ts';
import { isShownToBind } from './policy/bindings.ts';
import { customFindings } from './policy/try-custom-rules.ts';
import { stepsOf } from './read/action/steps/steps.ts';
import { Readings } from './read/readings.ts';
import { chain } from './rules/chain.ts';
import { reduceFindings } from './rules/reducers.ts';
import type { Assessment, CompiledPolicy, Evidence, Finding, History } from './types.ts';

/** Rounding keeps floating-point noise out of the answer; more decimals would be of no use to a person. */
const round = (value: number, digits: number): number =>
  Number.isInteger(value) ? value : Number(value.toFixed(digits));

const NO_FLAGS: readonly string[] = [];
const NO_DOUBTS: readonly string[] = [];

/**
 * Scores one event. Never throws for anything an event or a policy can hold.
 *
 * @param past what is remembered of its agent and session, as far as it bears on the event; null: nothing
 * @param extent `outline` scores the event without its content, for one whose content brings the engine down
 */
export function score(
  event: AgentEvent,
  past: History | null,
  policy: CompiledPolicy,
  knowledge: Knowledge,
  extent: Extent = 'whole',
): Assessment {
  return read(event, policy, knowledge, extent).score(past);
}

/** The first half of `score`: everything that does not depend on the past. */
export function read(
  event: AgentEvent,
  policy: CompiledPolicy,
  knowledge: Knowledge,
  extent: Extent = 'whole',
): EventReading {
  return new EventReading(evidenceOf(event, null, policy, extent), knowledge);
}

/** Everything that a score depends on besides the knowledge. */
export function evidenceOf(event: AgentEvent, past: History | null, policy: CompiledPolicy, extent: Extent): Evidence {
  const is_outline = extent === 'outline';
  return { event: is_outline ? outlineOf(event) : event, policy, history: past, is_outline };
}

/** One event while it is scored. Each side of it is read when it is first needed, and once, however many pasts it is scored with. */
export class EventReading {
  readonly #facts: Facts;
  readonly #knowledge: Knowledge;
  #nested: readonly Nested[] | undefined;
  /** Its facts without its remarks, and without messages of tools that no call explains; empty where it has neither. */
  #bare: readonly Facts[] | undefined;

  constructor(evidence: Evidence, knowledge: Knowledge) {
    this.#facts = new Facts(new Readings(evidence, knowledge.ontology));
    this.#knowledge = knowledge;
  }

  /** What is looked for in the memories of its agent and session, and added to them once it is scored. */
  footprint(): Footprint {
    return footprintOf(this.#facts.readings);
  }

  /** The second half of `score`. A call that holds further calls is scored with each of them, and the highest score counts. */
  score(past: History | null): Assessment {
    let assessment = this.#scoreWhole(past);
    for (const bare of this.#bareFacts()) {
      bare.recall(past);
      // A customer's rule may ask for a remark, so it is tried with the whole event.
      assessment = withBare(assessment, scoreReading(bare, this.#knowledge, this.#facts));
    }
    this.#nested ??= this.#nestedFacts();
    for (const { name, facts } of this.#nested) {
      facts.recall(past);
      assessment = withStep(assessment, scoreReading(facts, this.#knowledge), name);
    }
    return assessment;
  }

  #bareFacts(): readonly Facts[] {
    if (this.#bare !== undefined) return this.#bare;
    const { event, evidence, ontology } = this.#facts.readings;
    this.#bare = formsBeside(event, ontology).map(
      (one) => new Facts(new Readings({ ...evidence, event: one }, ontology)),
    );
    return this.#bare;
  }

  /** How many events were read for this one so far: itself, its forms and the steps of a plan. */
  get read_count(): number {
    return 1 + (this.#bare?.length ?? 0) + (this.#nested?.length ?? 0);
  }

  /** The facts of each step of a plan, and of each call of a tool in a program. */
  #nestedFacts(): Nested[] {
    const { event, evidence, ontology, content } = this.#facts.readings;
    return stepsOf(event, ontology, content.tool_calls).map((step) => ({
      name: step.name,
      facts: new Facts(new Readings({ ...evidence, event: step.event }, ontology)),
    }));
  }

  /** An event that contradicts itself in fields of older clients is scored both ways, and the higher score counts. */
  #scoreWhole(past: History | null): Assessment {
    this.#facts.recall(past);
    const assessment = scoreReading(this.#facts, this.#knowledge);
    const { evidence, ontology } = this.#facts.readings;
    const legacy = legacyReading(evidence.event);
    if (legacy === null) return assessment;
    const other = new Facts(new Readings({ ...evidence, event: legacy.event }, ontology));
    return higherOf(assessment, scoreReading(other, this.#knowledge), legacy.contradicting);
  }

  /** The graph that the structural layer reads, with this past. */
  graph(past: History | null): EventGraph {
    this.#facts.recall(past);
    return graphOfEvent(this.#facts, verdictOf(builtInFindings(this.#facts, this.#knowledge).findings));
  }

  /** Ids of those of the articles that the event and the customer's profile show to bind. */
  shownToBind(articles: readonly ArticleEntry[]): ReadonlySet<string> {
    const shown = articles.filter((article) => isShownToBind(article, this.#facts, this.#knowledge));
    return new Set(shown.map(({ id }) => id));
  }

  /**
   * Replaces the policy by another object of the same version, and forgets the past: a reading that is kept for later must not
   * keep either of them in memory. Findings that were made with that version stay valid.
   */
  setPolicy(policy: CompiledPolicy): void {
    const more = [...(this.#bare ?? []), ...(this.#nested ?? []).map(({ facts }) => facts)];
    for (const { readings } of [this.#facts, ...more])
      readings.evidence = { ...readings.evidence, policy, history: null };
  }
}

/** A call that the event holds, under the name by which the event calls it. */
interface Nested {
  name: string;
  facts: Facts;
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

/** Unknown fields are named up to this number. */
const MOST_NAMED = 8;
const LONGEST_NAMED = 64;

/** What of the event was not read, or not recognised. The colon tells the flags of fields from those of rules. */
function notReadFlags({ evidence, action, content }: Readings): string[] {
  const flags = unreadFields(evidence.event)
    .slice(0, MOST_NAMED)
    .map((name) => `field_not_read:${name.slice(0, LONGEST_NAMED)}`);
  const isBlank =
    content.languages.length === 0 && content.effects.length === 0 && content.dormant_effects.length === 0;
  if (action.is_unknown && action.known_domain === '' && isBlank) flags.push('nothing_recognised');
  return flags;
}

/** What the network reads of the findings: the built-in ones, which alone it was trained with. */
function verdictOf(findings: readonly Finding[]): Verdict {
  const built_in = findings.some(({ is_custom }) => is_custom) ? findings.filter((one) => !one.is_custom) : findings;
  return { findings: built_in, policy_score: noisyOr(countedFindings(built_in)) };
}

/** The built-in findings as the policy counts them. */
function builtInFindings(facts: Facts, knowledge: Knowledge): Overridden {
  const reduced = reduceFindings(chain(knowledge.index, facts), knowledge.reducers, facts);
  return applyOverrides(facts.readings.evidence, facts, reduced);
}

function wordsOfStructure(
  structural: StructuralReading | null,
  { components }: Combined,
  { structural: model, ontology }: Knowledge,
): StructureWords | null {
  if (structural === null || model === null) return null;
  const own = components.find(({ rule }) => rule === layerNames.structural)?.contribution ?? 0;
  return structureWords(structural, own, model, ontology);
}

/** @param whole what the rules of the customer are tried with */
function scoreReading(facts: Facts, knowledge: Knowledge, whole: Facts = facts): Assessment {
  const { evidence } = facts.readings;
  const built_in = builtInFindings(facts, knowledge);
  const custom = customFindings(whole.readings.evidence, whole);
  const findings = custom.findings.length === 0 ? built_in.findings : [...built_in.findings, ...custom.findings];

  const intrinsic = intrinsicScore(facts);
  const structural = structuralScore(facts, verdictOf(findings), knowledge.structural);
  const temporal = temporalModifier(evidence.history, facts);
  const combined = combine({ intrinsic, structural, modifier: temporal.modifier, findings });
  // A relief that a violation suspends does not explain this score.
  const temporal_flags = combined.modifier === temporal.modifier ? temporal.flags : NO_FLAGS;
  const rules_only =
    structural === null && combined.modifier === 1
      ? combined.score
      : combinedScore({ intrinsic, structural: null, modifier: 1, findings });

  const severity = structural?.severity ?? null;
  const { policy_score } = combined;
  const verdict = { score: combined.score, policy_score, severity, intrinsic, findings };
  const confidence = round(confidenceOf(facts, verdict), 3);
  const gnn_score = combined.structural_score === null ? null : round(combined.structural_score, 2);
  const structure = wordsOfStructure(structural, combined, knowledge);
  const words = explain(combined, findings, facts, knowledge, structure);
  const { flags } = words;
  flags.push(...temporal_flags, ...custom.flags, ...built_in.flags, ...notReadFlags(facts.readings));
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
    gnn_score,
    confidence,
    decomposition: {
      intrinsic_score: round(intrinsic, 2),
      gnn_score,
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
    llm: null,
    doubts: confidence < UNSURE_BELOW ? doubtsOf(facts, verdict) : NO_DOUBTS,
  };
}
