/** The scores of public labelled actions that a forecast rests on: counts by source, made by `tools/pages/measure-forecast.ts`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const MEASURED_FILE = fileURLToPath(new URL('../../../models/forecast/measured.json', import.meta.url));
export const DEFAULT_MIX_FILE = fileURLToPath(new URL('../../../models/forecast/default-mix.json', import.meta.url));

/** Kinds of agents, by what they work with. */
export const AGENT_KINDS = [
  'coding',
  'office',
  'database',
  'customer_service',
  'tools',
  'cloud',
  'browser',
  'household',
] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

/** How many actions have each score (0-100). */
export type ScoreCounts = Readonly<Record<string, number>>;

export interface MeasuredSource {
  source: string;
  kind: AgentKind;
  honest: ScoreCounts;
  harmful: ScoreCounts;
}

export interface Measured {
  /** Of the rules that scored the actions. */
  rule_set_version: string;
  files: readonly string[];
  sources: readonly MeasuredSource[];
}

export const loadMeasured = (path: string = MEASURED_FILE): Measured =>
  JSON.parse(readFileSync(path, 'utf8')) as Measured;

/** Of one class of one source: how many actions, and how many at or above a score. */
export interface Tail {
  n: number;
  above: number;
}

export function tailOf(counts: ScoreCounts, from: number): Tail {
  let n = 0;
  let above = 0;
  for (const [score, count] of Object.entries(counts)) {
    n += count;
    if (Number(score) >= from) above += count;
  }
  return { n, above };
}
