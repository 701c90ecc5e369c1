/**
 * Measures every rule on the labelled actions and writes docs/rules/measured.json, then the pages with
 * `npm run pages`. Needs the data (SHARED_DIR, default ../shared); a few minutes at most.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { judgeFiles } from '../evaluation/judge-files.ts';
import { MEASURED_FILE } from '../evaluation/measured.ts';
import { measuredOf } from '../evaluation/rule-figures.ts';

const SHARED = process.env['SHARED_DIR'] ?? resolve(import.meta.dirname, '../../../shared');
const DATA = join(SHARED, 'data/agent-actions');
const FILES = ['train.jsonl.gz', 'dev.jsonl.gz'];

const parts = [];
let rule_set_version = '';
for (const file of FILES) {
  const path = join(DATA, file);
  if (!existsSync(path)) throw new Error(`${path} is not there; set SHARED_DIR to the folder with data/agent-actions`);
  const evaluation = await judgeFiles([path], 1);
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
