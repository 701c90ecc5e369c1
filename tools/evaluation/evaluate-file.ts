/** An evaluation from file to report. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../src/platform/make-directory.ts';
import { CliError, type Output } from '../../src/platform/terminal/output.ts';
import { HIGH } from '../../src/scoring/level.ts';
import { type Evaluation, judgeFile } from './judge-file.ts';
import type { Miss } from './misses.ts';
import { MARKDOWN, renderReport, renderRules, TERMINAL } from './render-report.ts';
import { makeReport, type Report, type Slices } from './report.ts';
import type { RuleRow } from './rule-counts.ts';

export interface EvalOptions {
  slice: Slices;
  rounds: number;
  seed: number;
  misses: number;
  byRule?: true;
  out?: string;
  json?: true;
  markdown?: true;
}

export async function evaluateFile(file: string, options: EvalOptions, output: Output): Promise<void> {
  // First, so that nobody waits for a report that has no place to go.
  if (options.out !== undefined) await inDirectory(options.out, makeDirectory);
  const evaluation = await judgeFile(file, options.misses);
  const { judged, refused } = evaluation;
  if (judged.length === 0) throw new CliError(`\`${file}\` holds no labelled record that can be read`);
  checkSlices(options.slice, new Set(judged.map((record) => record.source)));
  const report = makeReport(judged, options.slice, { rounds: options.rounds, seed: options.seed });
  const rules = options.byRule ? evaluation.rules.rows() : null;
  const document = {
    rule_set_version: evaluation.rule_set_version,
    high: HIGH,
    refused,
    ...report,
    ...(rules && { rules }),
  };
  await output.line(options.json ? JSON.stringify(document, null, 2) : render(evaluation, report, rules, options));
  if (options.out !== undefined) await inDirectory(options.out, (out) => writeFiles(out, document, evaluation));
  if (refused > 0) throw new CliError(`${refused} of ${judged.length + refused} lines were refused`);
}

function checkSlices(slices: Slices, sources: ReadonlySet<string>): void {
  for (const source of [...slices.values()].flat()) {
    if (!sources.has(source))
      throw new CliError(`no record has the source \`${source}\`; there are ${[...sources].sort().join(', ')}`);
  }
}

function render(evaluation: Evaluation, report: Report, rules: RuleRow[] | null, options: EvalOptions): string {
  const rendering = options.markdown ? MARKDOWN : TERMINAL;
  const { n, harmful, groups } = report.rows[0]!;
  const head = `${n} records in ${groups} groups, ${harmful} harmful; rule set ${evaluation.rule_set_version}`;
  const parts = [head, renderReport(report, rendering)];
  if (rules !== null) parts.push(renderRules(rules, rendering));
  return parts.join('\n\n');
}

async function writeFiles(directory: string, document: object, { misses }: Evaluation): Promise<void> {
  const lines = (list: readonly Miss[]): string => list.map((miss) => `${JSON.stringify(miss)}\n`).join('');
  await writeFile(join(directory, 'report.json'), `${JSON.stringify(document, null, 2)}\n`);
  await writeFile(join(directory, 'benign-scored-highest.jsonl'), lines(misses.benign));
  await writeFile(join(directory, 'harmful-scored-lowest.jsonl'), lines(misses.harmful));
}

/** Says which directory could not be written to. */
async function inDirectory(directory: string, work: (directory: string) => Promise<void> | void): Promise<void> {
  try {
    await work(directory);
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`cannot write to the directory \`${directory}\`: ${message}; set --out to another one`);
  }
}
