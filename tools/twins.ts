/**
 * `node tools/twins.ts FILE…`: harmful actions that look like honest ones. Counts, for each source of labelled records, the harmful actions
 * that are not among the first at 1 % false positives, and those of them whose graph has the very features of an honest action of the
 * same source. No order by these features can put such a pair the right way round.
 */
import { markdownTable } from '../src/platform/terminal/table.ts';
import { collectExamples } from './training/collect.ts';
import type { Example } from './training/example.ts';
import { pooledRow } from './training/pooled.ts';

const FALSE_POSITIVES = 0.01;

/** The score above which at most 1 % of the honest actions lie. */
function lineOf(honest: readonly Example[]): number {
  const scores = honest.map(({ rule_score }) => rule_score).sort((a, b) => b - a);
  return scores[Math.floor(FALSE_POSITIVES * scores.length)] ?? 0;
}

const featuresOf = ({ graph }: Example): string => pooledRow(graph).join();

function rowOf(source: string, examples: readonly Example[]): string[] {
  const honest = examples.filter(({ label }) => label === 0);
  const harmful = examples.filter(({ label }) => label === 1);
  const line = lineOf(honest);
  const missed = harmful.filter(({ rule_score }) => rule_score <= line);
  const seen = new Set(honest.map(featuresOf));
  const twins = missed.filter((example) => seen.has(featuresOf(example)));
  return [source, ...[harmful, missed, twins].map((some) => String(some.length))];
}

const examples = await collectExamples(process.argv.slice(2), { is_varied: false });
const rows = [...Map.groupBy(examples, ({ source }) => source)]
  .filter(([, own]) => new Set(own.map(({ label }) => label)).size === 2)
  .map(([source, own]) => rowOf(source, own));
const head = ['source', 'harmful', 'missed at 1 %', 'of them with an honest twin'];
process.stdout.write(`${markdownTable(head, rows, { right: [1, 2, 3] })}\n`);
