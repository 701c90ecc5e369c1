/**
 * `npm run fit:confidence -- FILE… [--write]`: fits the weights of `src/scoring/confidence.ts` on labelled
 * records and prints them, with what each source would have had without itself. `--write` writes them into that file, and the
 * reliability of confidence on sources left out into decision 23.
 *
 * Each weight lies between its `least` and its `most`: a logistic fit, drawn to zero, then moved to where most wrong verdicts are unsure. Each
 * source weighs alike in its wrong and in its right verdicts, so that no source decides. The base is set so that at most `HONEST` of honest actions, and at most `CAUGHT` of
 * harmful ones at high, are unsure. Nothing reads a source's name or a word.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadKnowledge } from '../../../src/engine/knowledge/knowledge.ts';
import { markdownTable } from '../../../src/platform/terminal/table.ts';
import { confidenceAt, type Signs, signsOf } from '../../../src/scoring/confidence.ts';
import { Facts } from '../../../src/scoring/facts/fact-table.ts';
import { structuralScore } from '../../../src/scoring/layers/structural.ts';
import { HIGH } from '../../../src/scoring/level.ts';
import { NO_POLICY } from '../../../src/scoring/policy/policy.ts';
import { Readings } from '../../../src/scoring/read/readings.ts';
import { score } from '../../../src/scoring/score.ts';
import { replacePart } from '../../pages/markdown.ts';
import { eachRecord } from '../read-records.ts';
import { three } from '../rendering.ts';
import { promisesOf, UNSURE_BELOW } from './count-confidence.ts';
import { baseFor, fitWeights, type Row } from './logistic.ts';
import { withWeights } from './with-weights.ts';

const CONFIDENCE_FILE = fileURLToPath(new URL('../../../src/scoring/confidence.ts', import.meta.url));
const DECISION = fileURLToPath(new URL('../../../docs/decisions/0023-confidence.md', import.meta.url));

const HONEST = 0.12;
const CAUGHT = 0.3;

interface Side {
  name: string;
  /** Name of the list in the source. */
  list: string;
  signs: Signs['signs'];
  /** Share of right verdicts that may be unsure. */
  most_unsure: number;
  rows: Row[];
}

const BELOW_HIGH = { name: 'below high', list: 'SIGNS_BELOW_HIGH' };
const AT_HIGH = { name: 'high', list: 'SIGNS_AT_HIGH' };

async function readSides(files: readonly string[]): Promise<Side[]> {
  const knowledge = await loadKnowledge();
  const sides = new Map<boolean, Side>();
  await eachRecord(files, {}, ({ record, read: { event } }) => {
    const assessment = score(event, null, NO_POLICY, knowledge);
    const facts = new Facts(new Readings({ event, policy: NO_POLICY, history: null }, knowledge.ontology));
    const { findings, decomposition } = assessment;
    const { policy_score, intrinsic_score: intrinsic } = decomposition;
    const severity = structuralScore(facts, { policy_score, findings }, knowledge.structural)?.severity ?? null;
    const verdict = { score: assessment.score, policy_score, severity, intrinsic, findings };
    const { signs } = signsOf(verdict);
    const is_high = verdict.score >= HIGH;
    let side = sides.get(is_high);
    if (side === undefined) {
      side = { ...(is_high ? AT_HIGH : BELOW_HIGH), signs, most_unsure: is_high ? CAUGHT : HONEST, rows: [] };
      sides.set(is_high, side);
    }
    const values = signs.map((sign) => Math.round(20 * sign.of(facts, verdict)) / 20);
    side.rows.push({ source: record.source, is_wrong: (record.label === 1) !== is_high, values });
  });
  return [...sides.values()];
}

interface Left {
  source: string;
  /** Confidence of each verdict. */
  wrong: number[];
  right: number[];
}

/** What a source has with weights that were fitted without it. */
function leaveOut(source: string, { rows, signs, most_unsure }: Side): Left {
  const others = rows.filter((row) => row.source !== source);
  const own = rows.filter((row) => row.source === source);
  const weights = fitWeights(others, signs, most_unsure);
  const base = baseFor(others, weights, most_unsure, UNSURE_BELOW);
  const confidence = ({ values }: Row): number => confidenceAt(base + dot(values, weights));
  return {
    source,
    wrong: own.filter((row) => row.is_wrong).map(confidence),
    right: own.filter((row) => !row.is_wrong).map(confidence),
  };
}

const dot = (values: readonly number[], weights: readonly number[]): number =>
  values.reduce((sum, value, i) => sum + value * weights[i]!, 0);

const share = (confidences: readonly number[]): string =>
  confidences.length === 0
    ? '–'
    : (confidences.filter((one) => one < UNSURE_BELOW).length / confidences.length).toFixed(3);

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

function fitSide(side: Side): Left[] {
  const weights = fitWeights(side.rows, side.signs, side.most_unsure);
  const base = baseFor(side.rows, weights, side.most_unsure, UNSURE_BELOW);
  print(`\n${side.name}: base ${base.toFixed(2)}`);
  for (const [i, { what }] of side.signs.entries()) print(`  ${weights[i]!.toFixed(2)}  ${what}`);
  const sources = [...new Set(side.rows.map(({ source }) => source))].sort();
  const left = sources.map((source) => leaveOut(source, side));
  print('  each source left out: wrong verdicts, unsure; right verdicts, unsure');
  for (const { source, wrong, right } of left)
    print(`  ${source.padEnd(18)} ${wrong.length} ${share(wrong)}  ${right.length} ${share(right)}`);
  print(
    `  all: wrong ${share(left.flatMap(({ wrong }) => wrong))}, right ${share(left.flatMap(({ right }) => right))}`,
  );
  if (options.write) writeWeights(side, base, weights);
  return left;
}

function writeWeights({ list, signs }: Side, base: number, weights: readonly number[]): void {
  const fitted = signs.map(({ what }, i) => ({ what, weight: weights[i]! }));
  writeFileSync(CONFIDENCE_FILE, withWeights(readFileSync(CONFIDENCE_FILE, 'utf8'), list, base, fitted));
}

function writeReliability(left: readonly Left[]): void {
  const verdicts = left.flatMap(({ wrong, right }) => [
    ...wrong.map((confidence) => ({ confidence, is_right: false })),
    ...right.map((confidence) => ({ confidence, is_right: true })),
  ]);
  const rows = promisesOf(verdicts).map(({ from, to, n, mean_confidence, right, wrong }) => [
    `${from.toFixed(2)} to ${to.toFixed(2)}`,
    String(n),
    three(mean_confidence),
    three(right),
    String(wrong),
  ]);
  const head = ['confidence', 'verdicts', 'mean', 'share right', 'wrong'];
  const table = markdownTable(head, rows, { right: [1, 2, 3, 4] });
  writeFileSync(DECISION, replacePart(readFileSync(DECISION, 'utf8'), 'reliability', table));
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
if (positionals.length === 0) {
  process.stderr.write('weir: name the files of labelled records: npm run fit:confidence -- FILE… [--write]\n');
  process.exit(2);
}
const left = (await readSides(positionals)).flatMap(fitSide);
if (options.write) writeReliability(left);
print(`\nwrong verdicts of all sources left out, unsure: ${share(left.flatMap(({ wrong }) => wrong))}`);
