/** Scores every labelled record of a file and keeps of each what an evaluation needs. */

import type { AgentEvent } from '../../src/events/event.ts';
import { readEvent } from '../../src/events/read-event.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { WeirError } from '../../src/platform/errors.ts';
import { isBlank, type Line, openInput } from '../../src/platform/terminal/input.ts';
import { startProgress } from '../../src/platform/terminal/progress.ts';
import { MAX_LINE_BYTES, parseLine } from '../../src/platform/terminal/read-record.ts';
import type { Knowledge } from '../../src/scoring/knowledge.ts';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import { score } from '../../src/scoring/score.ts';
import type { Assessment } from '../../src/scoring/types.ts';
import { type LabelledRecord, readLabelled } from './labelled.ts';
import { Misses } from './misses.ts';
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

/** An event without a timestamp takes place on a working day at noon: a run tomorrow must equal a run today. */
const NOON: Clock = { now: () => Date.UTC(2026, 0, 14, 12), ticks: () => 0 };

interface JudgedLine {
  record: LabelledRecord;
  event: AgentEvent;
  assessment: Assessment;
}

function judgeLine(line: Line, knowledge: Knowledge): JudgedLine {
  const { value, has_odd_characters } = parseLine(line);
  const record = readLabelled(value, line.number);
  const { event } = readEvent({ value: record.event, has_odd_characters }, NOON);
  return { record, event, assessment: score(event, null, NO_POLICY, knowledge) };
}

function toJudged({ record, event, assessment }: JudgedLine, { ontology }: Knowledge): Judged {
  const values = SCORERS.map((scorer) => [scorer.name, scorer.of(event, assessment, ontology)] as const);
  const { source, group, label, kind } = record;
  return { source, group, label, kind, values: Object.fromEntries(values) };
}

export async function judgeFile(file: string, max_misses: number): Promise<Evaluation> {
  const { loadKnowledge } = await import('../../src/engine/knowledge/knowledge.ts');
  const knowledge = await loadKnowledge();
  const judged: Judged[] = [];
  const misses = new Misses(max_misses);
  const rules = new RuleCounts(knowledge.rules.map((rule) => rule.id));
  let refused = 0;
  const input = await openInput(file, MAX_LINE_BYTES);
  const progress = startProgress(input);
  try {
    for await (const line of input.lines) {
      if (isBlank(line)) continue;
      try {
        const one = judgeLine(line, knowledge);
        judged.push(toJudged(one, knowledge));
        misses.add(one.record, one.event, one.assessment);
        rules.add(
          one.record,
          one.assessment.findings.map((finding) => finding.rule),
        );
      } catch (error) {
        if (!(error instanceof WeirError)) throw error;
        refused += 1;
        process.stderr.write(`weir: line ${line.number}: ${error.detail}\n`);
      }
      progress.tick();
    }
  } finally {
    progress.stop();
  }
  return { judged, misses, rules, refused, rule_set_version: knowledge.version };
}
