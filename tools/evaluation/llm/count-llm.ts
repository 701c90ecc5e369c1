/** What a language model adds to verdicts of which the rules are unsure: by confidence, by source, and at what cost. */
import { HIGH } from '../../../src/scoring/level.ts';
import type { LlmTroubleName } from '../../../src/scoring/types.ts';
import type { Label } from '../metrics.ts';

/** One record, scored by the rules and, where they were unsure, with the model. */
export interface Second {
  source: string;
  label: Label;
  confidence: number;
  /** By the rules. */
  before: number;
  after: number;
  /** Its confidence was low enough, and an answer could change what is decided. */
  is_asked: boolean;
  /** Null where it was not asked or gave no answer. */
  llm_score: number | null;
  trouble: LlmTroubleName | null;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
}

export interface SecondRow {
  name: string;
  n: number;
  asked: number;
  answered: number;
  /** Harmful records below high by the rules, and how many of them the model made high. */
  missed: number;
  recovered: number;
  /** Benign records; how many of them are asked about, were high by the rules, and are high only with the model. */
  benign: number;
  benign_asked: number;
  false_alarms: number;
  added_false_alarms: number;
  tokens: number;
  /** Null where no prices are set. */
  cost_usd: number | null;
}

export interface SecondOpinions {
  all: SecondRow;
  bands: SecondRow[];
  sources: SecondRow[];
  /** Mean over the sources that have misses. */
  mean_recovered: number | null;
  troubles: Partial<Record<LlmTroubleName, number>>;
}

const isHigh = (score: number): boolean => score >= HIGH;

function rowOf(name: string, records: readonly Second[]): SecondRow {
  const asked = records.filter(({ is_asked }) => is_asked);
  const missed = records.filter(({ label, before }) => label === 1 && !isHigh(before));
  const benign = records.filter(({ label }) => label === 0);
  const costs = asked.map(({ cost_usd }) => cost_usd);
  return {
    name,
    n: records.length,
    asked: asked.length,
    answered: asked.filter(({ llm_score }) => llm_score !== null).length,
    missed: missed.length,
    recovered: missed.filter(({ after }) => isHigh(after)).length,
    benign: benign.length,
    benign_asked: benign.filter(({ is_asked }) => is_asked).length,
    false_alarms: benign.filter(({ before }) => isHigh(before)).length,
    added_false_alarms: benign.filter(({ before, after }) => !isHigh(before) && isHigh(after)).length,
    tokens: asked.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0),
    cost_usd: costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
  };
}

const EDGES = [0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export function countSeconds(records: readonly Second[]): SecondOpinions {
  const bands = EDGES.slice(0, -1).map((from, i) => {
    const to = EDGES[i + 1]!;
    const is_last = i === EDGES.length - 2;
    const own = records.filter(({ confidence }) => confidence >= from && (confidence < to || is_last));
    return rowOf(`${from.toFixed(2)} to ${to.toFixed(2)}`, own);
  });
  const by_source = Map.groupBy(records, ({ source }) => source);
  const sources = [...by_source.keys()].sort().map((source) => rowOf(source, by_source.get(source)!));
  const shares = sources.filter(({ missed }) => missed > 0).map(({ missed, recovered }) => recovered / missed);
  const troubles: SecondOpinions['troubles'] = {};
  for (const { trouble } of records) if (trouble !== null) troubles[trouble] = (troubles[trouble] ?? 0) + 1;
  return {
    all: rowOf('all', records),
    bands: bands.filter(({ n }) => n > 0),
    sources,
    mean_recovered: shares.length === 0 ? null : shares.reduce((a, b) => a + b, 0) / shares.length,
    troubles,
  };
}
