/** Reads labelled records into examples: each record as it is, and once in other words or another shape. */
import { loadKnowledge } from '../../src/engine/knowledge/knowledge.ts';
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { WeirError } from '../../src/platform/errors.ts';
import type { Knowledge } from '../../src/scoring/knowledge.ts';
import { countedFindings } from '../../src/scoring/layers/policy.ts';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import { read } from '../../src/scoring/score.ts';
import { CHANGES } from '../evaluation/metamorphic/changes.ts';
import { randomIntegers } from '../evaluation/random.ts';
import { eachRecord, readSent } from '../evaluation/read-records.ts';
import { compactGraph, type Example } from './example.ts';

/** Changes tried for one record; most apply to records with a conversation only. */
const TRIES = 4;
const SEED = 20_261;

export interface CollectOptions {
  /** Whether records are told again in other words. Default true. */
  is_varied?: boolean;
}

/** Examples of all records of the files, in their order; a changed telling follows its record. */
export async function collectExamples(files: readonly string[], options: CollectOptions = {}): Promise<Example[]> {
  const knowledge = await loadKnowledge({ is_structural: false });
  const random = randomIntegers(SEED);
  const examples: Example[] = [];
  await eachRecord(files, {}, ({ record, read: { event } }) => {
    const { source, group, label } = record;
    examples.push(exampleOf(event, { source, group, label, change: '' }, knowledge));
    if (options.is_varied === false) return;
    const other = retold(record.event as JsonObject, random, knowledge);
    if (other !== null)
      examples.push(exampleOf(other.event, { source, group, label, change: other.change }, knowledge));
  });
  return examples;
}

type Record = Pick<Example, 'source' | 'group' | 'label' | 'change'>;

function exampleOf(event: AgentEvent, record: Record, knowledge: Knowledge): Example {
  const reading = read(event, NO_POLICY, knowledge);
  const { score, findings, decomposition } = reading.score(null);
  const counted = new Set(countedFindings(findings));
  return {
    ...record,
    graph: compactGraph(reading.graph(null)),
    findings: findings.map((finding) => {
      const { rule, family, contribution, floor, confidence } = finding;
      return { rule, family, contribution, floor, confidence, is_counted: counted.has(finding) };
    }),
    intrinsic: decomposition.intrinsic_score,
    rule_score: score,
  };
}

/** The record in other words or another shape, or `null` where none of the changes tried applies. */
function retold(
  sent: JsonObject,
  random: (below: number) => number,
  knowledge: Knowledge,
): { event: AgentEvent; change: string } | null {
  for (let i = 0; i < TRIES; i += 1) {
    const change = CHANGES[random(CHANGES.length)]!;
    const changed = change.apply(sent, knowledge.ontology);
    if (changed === null) continue;
    try {
      return { event: readSent(changed).event, change: change.name };
    } catch (error) {
      // Two escapes can make an event larger than a door takes.
      if (!(error instanceof WeirError)) throw error;
    }
  }
  return null;
}
