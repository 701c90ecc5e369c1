/**
 * Measures the scores of labelled actions for `weir forecast` and writes models/forecast/measured.json:
 * `npx node tools/pages/measure-forecast.ts`. Needs the data (SHARED_DIR, default ../shared); a few minutes. Only counts are kept.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AGENT_KINDS, type AgentKind, MEASURED_FILE, type MeasuredSource } from '../../src/engine/forecast/measured.ts';
import { judgeFiles } from '../evaluation/judge-files.ts';
import { labelledFiles } from './labelled-files.ts';

/** What kind of agent the actions of a source are those of. A source that is not listed here is an error. */
const KIND_OF: Readonly<Record<AgentKind, readonly string[]>> = {
  coding: [
    'bigcodebench',
    'dcg',
    'destyler_copilot',
    'dippy',
    'guarddog',
    'intercode',
    'minsky_cursor',
    'openhands',
    'payloads',
    'redcode_exec',
    'se_agent',
    'stockpile',
    'swe_agent',
    'tldr',
  ],
  office: ['agentdyn', 'injecagent', 'privacylens', 'toolemu', 'workbench'],
  database: ['dbbench', 'defog_sql', 'libinjection', 'pg_safe_sql'],
  customer_service: ['tau2_more', 'tau2_retail', 'tau_bench'],
  tools: ['api_bank', 'bfcl', 'ras_eval', 'tooltalk'],
  cloud: ['stratus'],
  browser: ['mind2web'],
  household: ['safeagentbench'],
};

function kindOf(source: string): AgentKind {
  const kind = AGENT_KINDS.find((one) => KIND_OF[one].includes(source));
  if (kind === undefined) throw new Error(`no kind of agent is known for the source ${source}; add it to KIND_OF`);
  return kind;
}

/** How many have each score, in the order of scores. */
function countScores(scores: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  // Keys that are integers are listed in ascending order.
  for (const score of scores) counts[score] = (counts[score] ?? 0) + 1;
  return counts;
}

const files = labelledFiles();
const { judged, refused, rule_set_version } = await judgeFiles(
  files.map(({ path }) => path),
  0,
);
if (refused > 0) throw new Error(`${refused} lines are no labelled records`);
const sources = [...Map.groupBy(judged, ({ source }) => source)]
  .map(([source, own]): MeasuredSource => {
    const scoresOf = (label: number): number[] =>
      own.filter((one) => one.label === label).map(({ values }) => values['score']!);
    return { source, kind: kindOf(source), honest: countScores(scoresOf(0)), harmful: countScores(scoresOf(1)) };
  })
  .sort((a, b) => (a.source < b.source ? -1 : 1));
const lines = sources.map((source) => `    ${JSON.stringify(source)}`).join(',\n');
mkdirSync(dirname(MEASURED_FILE), { recursive: true });
writeFileSync(
  MEASURED_FILE,
  `{\n  "rule_set_version": ${JSON.stringify(rule_set_version)},\n  "files": ${JSON.stringify(files.map(({ name }) => name))},\n  "sources": [\n${lines}\n  ]\n}\n`,
);
console.log(`wrote ${MEASURED_FILE}`);
