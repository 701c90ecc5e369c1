/**
 * The stored form of an assessment: texts of the rules are left out, and names are numbers. Two thirds of an assessment are
 * texts of its rules (articles, flags, advice), the same in every event; written out, they were most of the bytes of a row. They
 * are stored once for each version of the rules, as `RuleTexts` (docs/decisions/0017-what-a-row-keeps.md). Reading uses the texts
 * of that version and never today's rules, so an assessment reads as it was given whatever became of them.
 */
import type { Keeping } from '../../../records/texts.ts';
import type { Knowledge } from '../../../scoring/knowledge.ts';
import type { Assessment, Decomposition, Finding, ScoreComponent } from '../../../scoring/types.ts';

/** The texts of one version of the rules, as plain JSON. The numbers in a kept assessment are places in these lists. */
export interface RuleTexts {
  rules: readonly RuleText[];
  citations: readonly string[];
  mitigations: readonly string[];
  flags: readonly string[];
  facts: readonly string[];
}

/** The members that are equal in all findings of one rule. */
interface RuleText extends Pick<Finding, 'family' | 'flag' | 'citations'> {
  id: string;
}

/** The place of a text in its list; the text itself where the lists lack it, as for a customer's rule. */
type Name = number | string;

/** Rule, contribution, floor, confidence, violation; facts and values in turns; members that differ from most findings. */
type KeptFinding = [
  number,
  number,
  number,
  number,
  string,
  Name[],
  Pick<Partial<Finding>, 'evidence' | 'reduced_by' | 'mitigations'>?,
];

/** Values of a decomposition, in the order of `DECOMPOSITION`. */
type KeptDecomposition = (number | null)[];

/** An absent member has its value in `USUAL`; an absent `graph_score` equals `score`. */
interface KeptAssessment extends Partial<typeof USUAL> {
  score: number;
  reasoning: string;
  violations: Name[];
  compliance_refs: Name[];
  mitigations: Name[];
  /** Rules and contributions in turns. */
  score_components: Name[];
  behavioral_flags: Name[];
  graph_score?: number;
  rule_score: number;
  confidence: number;
  decomposition: KeptDecomposition;
  /** Whole where a finding differs from its rule. */
  findings: (KeptFinding | Finding)[];
  /** The version of the rules whose texts the numbers stand for. Only a kept assessment has a member of this name. */
  texts: string;
}

const USUAL: Pick<Assessment, 'llm_score' | 'llm_fallback' | 'llm' | 'doubts' | 'gnn_score' | 'policy_version'> = {
  llm_score: null,
  llm_fallback: false,
  llm: null,
  doubts: [],
  gnn_score: null,
  policy_version: 0,
};

const DECOMPOSITION = [
  'intrinsic_score',
  'gnn_score',
  'policy_score',
  'temporal_modifier',
  'raw_weighted',
  'w1',
  'w2',
  'w3',
  'gnn_confidence',
  'overall_confidence',
] as const satisfies readonly (keyof Decomposition)[];

/** The rules whose assessments a process will store. */
export type RuleSet = Pick<Knowledge, 'version' | 'rules'>;

export function ruleTextsOf({ rules }: Pick<RuleSet, 'rules'>): RuleTexts {
  const all = (texts: Iterable<string>): string[] => [...new Set(texts)];
  return {
    rules: rules.map(({ id, document: { family, flag }, citations }) => ({ id, family, flag, citations })),
    citations: all(rules.flatMap(({ citations }) => citations)),
    mitigations: all(rules.flatMap(({ document }) => document.mitigations)),
    flags: all(rules.map(({ document }) => document.flag)),
    facts: all(rules.flatMap(({ when }) => when.reads)),
  };
}

/**
 * Assessments of this version of the rules are shortened by its texts. Those of another version, as of a scoring thread that loaded
 * changed files, are kept whole: their texts were not stored.
 */
export function keepingOf(version: string, texts: RuleTexts): Keeping {
  const by_place = byPlace(texts);
  const shorten = shortenBy(texts);
  return {
    shorten: (assessment) =>
      assessment.rule_set_version === version ? shorten(assessment) : JSON.stringify(assessment),
    restore: (stored) => restore(stored, by_place),
  };
}

/**
 * An assessment whose texts are lost: its numbers, and the sentences that were stored with it, with `notice` after the reasoning.
 * In place of each lost text stands a note that it is missing.
 */
export function restoreWithoutTexts(stored: object, notice: string): Assessment {
  const assessment = restore(stored, LOST);
  return { ...assessment, reasoning: `${assessment.reasoning} ${notice}` };
}

function shortenBy(texts: RuleTexts): Keeping['shorten'] {
  const rule_numbers = numbered(texts.rules.map(({ id }) => id));
  const citations = numbered(texts.citations);
  const mitigations = numbered(texts.mitigations);
  const flags = numbered(texts.flags);
  const facts = numbered(texts.facts);

  const keptFinding = (finding: Finding): KeptFinding | Finding => {
    const number = rule_numbers.get(finding.rule);
    if (number === undefined || !isAsItsRule(finding, texts.rules[number]!)) return finding;
    const { contribution, floor, confidence, violation, evidence, reduced_by, mitigations: advice } = finding;
    const premises = finding.premises.flatMap(({ fact, value }) => [facts.get(fact) ?? fact, value]);
    const kept: KeptFinding = [number, contribution, floor, confidence, violation, premises];
    const has_own_evidence = evidence !== finding.rule;
    if (has_own_evidence || reduced_by !== undefined || advice !== undefined)
      kept.push({
        ...(has_own_evidence && { evidence }),
        ...(reduced_by !== undefined && { reduced_by }),
        ...(advice !== undefined && { mitigations: advice }),
      });
    return kept;
  };

  return (assessment) => {
    const { score, graph_score, llm_score, llm_fallback, llm, doubts, gnn_score, policy_version } = assessment;
    const kept: KeptAssessment = {
      score,
      reasoning: assessment.reasoning,
      violations: namesOf(assessment.violations, rule_numbers),
      compliance_refs: namesOf(assessment.compliance_refs, citations),
      mitigations: namesOf(assessment.mitigations, mitigations),
      score_components: assessment.score_components.flatMap(({ rule, contribution }) => [
        rule_numbers.get(rule) ?? rule,
        contribution,
      ]),
      behavioral_flags: namesOf(assessment.behavioral_flags, flags),
      rule_score: assessment.rule_score,
      confidence: assessment.confidence,
      decomposition: DECOMPOSITION.map((name) => assessment.decomposition[name]),
      findings: assessment.findings.map(keptFinding),
      texts: assessment.rule_set_version,
    };
    if (graph_score !== score) kept.graph_score = graph_score;
    if (llm_score !== USUAL.llm_score) kept.llm_score = llm_score;
    if (llm_fallback !== USUAL.llm_fallback) kept.llm_fallback = llm_fallback;
    if (llm !== null) kept.llm = llm;
    if (doubts.length > 0) kept.doubts = doubts;
    if (gnn_score !== USUAL.gnn_score) kept.gnn_score = gnn_score;
    if (policy_version !== USUAL.policy_version) kept.policy_version = policy_version;
    return JSON.stringify(kept);
  };
}

const numbered = (texts: readonly string[]): ReadonlyMap<string, number> =>
  new Map(texts.map((text, number) => [text, number]));

const namesOf = (texts: readonly string[], numbers: ReadonlyMap<string, number>): Name[] =>
  texts.map((text) => numbers.get(text) ?? text);

function isAsItsRule({ family, flag, citations, is_custom }: Finding, rule: RuleText): boolean {
  return !is_custom && family === rule.family && flag === rule.flag && isSame(citations, rule.citations);
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, i) => text === b[i]));

/** The version of the rules whose texts a stored assessment needs; null for a whole one, as in rows of older releases. */
export function textsNeededBy(stored: object): string | null {
  return 'texts' in stored ? (stored as KeptAssessment).texts : null;
}

/** The text at a place of each list. */
type TextsByPlace = { [List in keyof RuleTexts]: (place: number) => RuleTexts[List][number] };

const byPlace = ({ rules, citations, mitigations, flags, facts }: RuleTexts): TextsByPlace => ({
  rules: (place) => at(rules, place),
  citations: (place) => at(citations, place),
  mitigations: (place) => at(mitigations, place),
  flags: (place) => at(flags, place),
  facts: (place) => at(facts, place),
});

const lost = (what: string) => (place: number) => `[${what} ${place}: its text is missing]`;
const LOST: TextsByPlace = {
  rules: (place) => ({
    id: lost('rule')(place),
    family: lost('family of rule')(place),
    flag: lost('flag of rule')(place),
    citations: [],
  }),
  citations: lost('article'),
  mitigations: lost('mitigation'),
  flags: lost('flag'),
  facts: lost('fact'),
};

/** Throws `RangeError` for texts that lack what it names. */
function restore(stored: object, texts: TextsByPlace): Assessment {
  // Rows of older releases are whole and lack what came later.
  if (textsNeededBy(stored) === null) return { llm: USUAL.llm, doubts: USUAL.doubts, ...stored } as Assessment;
  const kept = stored as KeptAssessment;
  const ruleOf = (name: Name): string => (typeof name === 'number' ? texts.rules(name).id : name);
  const usual = { ...USUAL, ...kept };
  const { score, graph_score = score, llm_score, llm_fallback, llm, doubts, gnn_score, policy_version } = usual;
  return {
    score,
    reasoning: kept.reasoning,
    violations: kept.violations.map(ruleOf),
    compliance_refs: textsOf(kept.compliance_refs, texts.citations),
    mitigations: textsOf(kept.mitigations, texts.mitigations),
    score_components: pairs(kept.score_components).map(
      ([rule, contribution]): ScoreComponent => ({ rule: ruleOf(rule), contribution: contribution as number }),
    ),
    behavioral_flags: textsOf(kept.behavioral_flags, texts.flags),
    graph_score,
    rule_score: kept.rule_score,
    llm_score,
    llm_fallback,
    gnn_score,
    confidence: kept.confidence,
    decomposition: Object.fromEntries(
      DECOMPOSITION.map((name, i) => [name, kept.decomposition[i]]),
    ) as unknown as Decomposition,
    findings: kept.findings.map((finding) => (Array.isArray(finding) ? findingOf(finding, texts) : finding)),
    rule_set_version: kept.texts,
    policy_version,
    llm,
    doubts,
  };
}

function findingOf(
  [number, contribution, floor, confidence, violation, premises, own]: KeptFinding,
  texts: TextsByPlace,
): Finding {
  const { id, family, flag, citations } = texts.rules(number);
  return {
    rule: id,
    family,
    contribution,
    floor,
    confidence,
    flag,
    violation,
    citations,
    premises: pairs(premises).map(([fact, value]) => ({ fact: textOf(fact, texts.facts), value: value as string })),
    evidence: own?.evidence ?? id,
    is_custom: false,
    ...(own?.mitigations !== undefined && { mitigations: own.mitigations }),
    ...(own?.reduced_by !== undefined && { reduced_by: own.reduced_by }),
  };
}

function at<T>(list: readonly T[], place: number): T {
  const found = list[place];
  if (found === undefined) throw new RangeError(`an assessment names text ${place} of ${list.length}`);
  return found;
}

const textOf = (name: Name, textAt: (place: number) => string): string =>
  typeof name === 'number' ? textAt(name) : name;
const textsOf = (names: readonly Name[], textAt: (place: number) => string): string[] =>
  names.map((name) => textOf(name, textAt));

const pairs = <T>(flat: readonly T[]): [T, T][] =>
  Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!]);
