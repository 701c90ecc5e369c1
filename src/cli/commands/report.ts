/** `weir report`: what was seen, what would have been held and why, and what to change in the policy. */

import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readSettings } from '../../platform/settings.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { uuid } from '../arguments.ts';
import { openData } from '../open-data.ts';

const EXAMPLES = `
Works on the same data as the server, which may run meanwhile: DATABASE_URL, or the embedded database in DATA_DIR.

Examples:
  weir report --customer ID --days 7
  weir report --customer ID --days 30 --format html --out report.html
`;

interface Options {
  customer: string;
  days: number;
  format: 'markdown' | 'html' | 'json';
  out?: string;
}

const MAX_DAYS = 3_650;
const DAY_MS = 86_400_000;

export function addReport(program: Command, output: Output): void {
  program
    .command('report')
    .description('what was seen and held in the last days, and what would have been held')
    .requiredOption('--customer <id>', 'the customer, a UUID', uuid)
    .option('--days <number>', 'how many days back', days, 7)
    .addOption(new Option('--format <format>', 'how').choices(['markdown', 'html', 'json']).default('markdown'))
    .option('--out <file>', 'write to this file, not to standard output')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => report(options, output));
}

function days(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_DAYS)
    throw new InvalidArgumentError(`it must be a whole number from 1 to ${MAX_DAYS}.`);
  return number;
}

async function report({ customer, days: back, format, out }: Options, output: Output): Promise<void> {
  const settings = readSettings(process.env);
  const [{ loadKnowledge }, { createPolicies }, { makeReport }, { reportHtml, reportMarkdown }] = await Promise.all([
    import('../../engine/knowledge/knowledge.ts'),
    import('../../engine/policies.ts'),
    import('../../engine/report.ts'),
    import('../report-page.ts'),
  ]);
  const knowledge = await loadKnowledge();
  const storage = await openData(settings);
  try {
    const policy = await createPolicies({ storage, knowledge }).inForce(customer);
    const parts = { scores: storage.scores, knowledge, policy, threshold: settings.HOLD_THRESHOLD };
    const to = new Date();
    const from = new Date(to.getTime() - back * DAY_MS);
    const made = await makeReport(parts, customer, from.toISOString(), to.toISOString());
    const pages = { markdown: reportMarkdown, html: reportHtml, json: (one: object) => `${JSON.stringify(one)}\n` };
    const text = pages[format](made);
    await (out === undefined ? output.write(text) : writeFile(out, text));
  } finally {
    await storage.close();
  }
}
