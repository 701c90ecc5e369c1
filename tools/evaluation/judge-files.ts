/** Scores every labelled record of some files and keeps of each what an evaluation needs. */
import type { AgentEvent } from '../../src/events/event.ts';
import type { Knowledge } from '../../src/scoring/knowledge.ts';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import { score } from '../../src/scoring/score.ts';
import type { Assessment } from '../../src/scoring/types.ts';
import type { LabelledRecord } from './labelled.ts';
import { Misses } from './misses.ts';
import { eachRecord, type ReadOptions } from './read-records.ts';
import type { Judged } from './report.ts';
import { RuleCounts } from './rule-counts.ts';
import { SCORERS } from './scorers.ts';

export interface Evaluation {
  judged: Judged[];
  misses: Misses;
  rules: RuleCounts;
  /** Lines that were no labelled record; each was named on standard error. */
  refused: number;
  rule_set_version: string;
}

function toJudged(record: LabelledRecord, event: AgentEvent, assessment: Assessment, { ontology }: Knowledge): Judged {
  const values = SCORERS.map((scorer) => [scorer.name, scorer.of(event, assessment, ontology)] as const);
  const { source, group, label, kind } = record;
  return { source, group, label, kind, confidence: assessment.confidence, values: Object.fromEntries(values) };
}

export async function judgeFiles(
  files: readonly string[],
  max_misses: number,
  options: ReadOptions = {},
): Promise<Evaluation> {
  const { knowledgeHere } = await import('../../src/engine/knowledge/knowledge-here.ts');
  const knowledge = await knowledgeHere();
  const judged: Judged[] = [];
  const misses = new Misses(max_misses);
  const rules = new RuleCounts(knowledge.rules.map((rule) => rule.id));
  const refused = await eachRecord(files, options, ({ record, read: { event } }) => {
    const assessment = score(event, null, NO_POLICY, knowledge);
    judged.push(toJudged(record, event, assessment, knowledge));
    misses.add(record, event, assessment);
    rules.add(
      record,
      assessment.findings.map((finding) => finding.rule),
    );
  });
  return { judged, misses, rules, refused, rule_set_version: knowledge.version };
}
