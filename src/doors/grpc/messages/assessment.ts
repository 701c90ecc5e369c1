/** PURE: a stored score as gRPC shows it (specification 2.3). Disabled layers show 0, and their weight is 0. */

import { counted } from '../../../lang/english.ts';
import type { StoredScore } from '../../../records/record.ts';
import { byImportance } from '../../../scoring/explain.ts';
import { MOST_ARTICLES } from '../../../scoring/explanation/articles.ts';
import { grpcLevelOf } from '../../../scoring/level.ts';
import type { Assessment, Decomposition, RiskLevel as LevelName } from '../../../scoring/types.ts';
import { type RiskAssessment, RiskLevel, type ScoreDecomposition } from './messages.ts';
import { codecOf, type Encoder } from './proto.ts';

type Shown = Pick<StoredScore, 'assessment' | 'hold' | 'json'>;

/**
 * Encoded as a `RiskAssessment`, once for all events with this score. Bytes appended to an encoded message add fields
 * to it.
 */
export function riskAssessment({ assessment, hold, json }: Shown): Uint8Array {
  const encoded = json?.assessment.encoded(encode) ?? encode(assessment);
  return hold === null ? encoded : Buffer.concat([encoded, codec.encode({ hold_state: hold.state })]);
}

const codec: Encoder<Partial<RiskAssessment>> = codecOf('risk.v1.RiskAssessment');

/**
 * Copied into its own memory: it is cached, and a slice of Node's buffer pool would retain all of its eight kilobytes.
 */
const encode = (assessment: Assessment): Uint8Array => new Uint8Array(codec.encode(unheld(assessment)));

/** All fields but `hold_state`, which belongs to the event and not to the score. */
function unheld(assessment: Assessment): Omit<RiskAssessment, 'hold_state'> {
  return {
    level: RiskLevel[grpcLevelOf(assessment.score).toUpperCase() as Uppercase<LevelName>],
    confidence: assessment.confidence,
    reasoning: assessment.reasoning,
    mitigations: assessment.mitigations,
    justification: shortJustification(assessment),
    score: assessment.score,
    violations: assessment.violations,
    compliance_refs: assessment.compliance_refs.slice(0, MOST_ARTICLES),
    scoring_source: assessment.llm_score === null ? 'graph_reasoner' : 'graph_reasoner+llm',
    behavioral_flags: assessment.behavioral_flags,
    graph_score: assessment.graph_score,
    llm_score: assessment.llm_score ?? 0,
    llm_fallback: assessment.llm_fallback,
    score_decomposition: decomposition(assessment.decomposition),
  };
}

function decomposition({ gnn_score, gnn_confidence, ...layers }: Decomposition): ScoreDecomposition {
  return { ...layers, gnn_score: gnn_score ?? 0, gnn_confidence: gnn_confidence ?? 0 };
}

/** Articles that the short form names. */
const MAX_ARTICLES = 3;

/** At most three sentences: the score, the finding with the largest contribution, its articles. */
function shortJustification(assessment: Assessment): string {
  const raising = assessment.findings.filter((finding) => finding.contribution > 0 || finding.floor > 0);
  const [first] = byImportance(raising);
  const others = assessment.violations.length - 1;
  const score = `The score is ${assessment.score} of 100${others > 0 ? `, with ${counted(others, 'more violation')}` : ''}.`;
  if (first === undefined) return `${score} No rule fired.`;
  const articles = assessment.compliance_refs.slice(0, MAX_ARTICLES);
  const bearing = articles.length === 0 ? '' : ` It bears on ${articles.join(', ')}.`;
  return `${sentence(firstSentence(first.violation))} ${score}${bearing}`;
}

/** Where a sentence may end, with the quotes and brackets that close there; text quoted as code is skipped. */
const ENDS =
  /`[^`]{0,4000}`|(?:[.!?](?=["'”’)\]]{0,8}(?:\s{1,16}[^\s\p{Ll}\p{N}]|\s{0,16}$))|[。！？])["'”’)\]]{0,8}/gu;
/** Before a point that does not end a sentence: the last letter of `e.g` and `U.S`, and usual abbreviations. */
const SHORT_FORM = /(?:\.\p{L}|(?:^|\P{L})(?:cf|vs|approx|Mr|Mrs|Ms|Dr|Prof))$/u;
const LONGEST_SHORT_FORM = 'approx'.length + 1;

/** A customer may describe a rule in any number of sentences. */
function firstSentence(text: string): string {
  for (const { 0: end, index } of text.matchAll(ENDS)) {
    if (end.startsWith('`')) continue;
    const before = text.slice(Math.max(0, index - LONGEST_SHORT_FORM), index);
    if (!(end.startsWith('.') && SHORT_FORM.test(before))) return text.slice(0, index + end.length).trim();
  }
  return text.trim();
}

const IS_ENDED = /[.!?。！？]["'”’)\]]*$/;

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${IS_ENDED.test(text) ? '' : '.'}`;
