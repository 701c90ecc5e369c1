/**
 * Measures every rule on the labelled actions and writes docs/rules/measured.json, then the pages with
 * `npm run pages`. Needs the data (SHARED_DIR, default ../shared); a few minutes at most.
 */
import { writeFileSync } from 'node:fs';
import { judgeFiles } from '../evaluation/judge-files.ts';
import { MEASURED_FILE } from '../evaluation/measured.ts';
import { measuredOf } from '../evaluation/rule-figures.ts';
import { labelledFiles } from './labelled-files.ts';

const parts = [];
let rule_set_version = '';
for (const { name: file, path } of labelledFiles()) {
  const evaluation = await judgeFiles([path], 0);
  if (evaluation.refused > 0) throw new Error(`${evaluation.refused} lines of ${file} are no labelled records`);
  rule_set_version = evaluation.rule_set_version;
  parts.push({ file, judged: evaluation.judged, rows: evaluation.rules.rows() });
}
const { rules, ...rest } = measuredOf(rule_set_version, parts);
// One line a rule, so that a change of one rule is a change of one line.
const lines = Object.entries(rules).map(([rule, own]) => `    ${JSON.stringify(rule)}: ${JSON.stringify(own)}`);
const head = JSON.stringify(rest, null, 2).replace(/\n\}$/, '');
writeFileSync(MEASURED_FILE, `${head},\n  "rules": {\n${lines.join(',\n')}\n  }\n}\n`);
console.log(`wrote ${MEASURED_FILE}`);
