/**
 * `npm run fit:confidence -- FILE…`: fits the weights of `src/scoring/confidence.ts` on labelled
 * records and prints them, with what each source would have had without itself.
 *
 * Logistic, each weight between its `least` and `MOST`, drawn to zero. Each source weighs alike in its
 * wrong and in its right verdicts, so that no source decides. The base is set so that at most `HONEST` of honest actions, and at most `CAUGHT` of
 * harmful ones at high, are unsure. Nothing reads a source's name or a word.
 */
import { loadKnowledge } from '../../../src/engine/knowledge/knowledge.ts';
import { type Signs, signsOf } from '../../../src/scoring/confidence.ts';
import { Facts } from '../../../src/scoring/facts/fact-table.ts';
import { structuralScore } from '../../../src/scoring/layers/structural.ts';
import { HIGH } from '../../../src/scoring/level.ts';
import { NO_POLICY } from '../../../src/scoring/policy/policy.ts';
import { Readings } from '../../../src/scoring/read/readings.ts';
import { score } from '../../../src/scoring/score.ts';
import { eachRecord } from '../read-records.ts';
import { UNSURE_BELOW } from './count-confidence.ts';
import { baseFor, fitWeights, type Row } from './logistic.ts';

const HONEST = 0.115;
const CAUGHT = 0.3;

interface Side {
  name: string;
  signs: Signs['signs'];
  /** Share of right verdicts that may be unsure. */
  most_unsure: number;
  rows: Row[];
}

async function readSides(files: readonly string[]): Promise<Side[]> {
  const knowledge = await loadKnowledge();
  const sides = new Map<boolean, Side>();
  await eachRecord(files, {}, ({ record, read: { event } }) => {
    const assessment = score(event, null, NO_POLICY, knowledge);
    const facts = new Facts(new Readings({ event, policy: NO_POLICY, history: null }, knowledge.ontology));
    const { findings, decomposition } = assessment;
    const { policy_score } = decomposition;
    const severity = structuralScore(facts, { policy_score, findings }, knowledge.structural)?.severity ?? 0;
    const verdict = { score: assessment.score, policy_score, severity, findings };
    const { signs } = signsOf(verdict);
    const is_high = verdict.score >= HIGH;
    let side = sides.get(is_high);
    if (side === undefined) {
      side = { name: is_high ? 'high' : 'below high', signs, most_unsure: is_high ? CAUGHT : HONEST, rows: [] };
      sides.set(is_high, side);
    }
    const values = signs.map((sign) => Math.round(20 * sign.of(facts, verdict)) / 20);
    side.rows.push({ source: record.source, is_wrong: (record.label === 1) !== is_high, values });
  });
  return [...sides.values()];
}

interface Left {
  source: string;
  wrong: boolean[];
  right: boolean[];
}

/** What a source has with weights that were fitted without it. */
function leaveOut(source: string, { rows, signs, most_unsure }: Side): Left {
  const others = rows.filter((row) => row.source !== source);
  const own = rows.filter((row) => row.source === source);
  const weights = fitWeights(others, signs);
  const base = baseFor(others, weights, most_unsure, UNSURE_BELOW);
  const isUnsure = ({ values }: Row): boolean => base + dot(values, weights) > Math.log(1 / UNSURE_BELOW - 1);
  return {
    source,
    wrong: own.filter((row) => row.is_wrong).map(isUnsure),
    right: own.filter((row) => !row.is_wrong).map(isUnsure),
  };
}

const dot = (values: readonly number[], weights: readonly number[]): number =>
  values.reduce((sum, value, i) => sum + value * weights[i]!, 0);

const share = (flags: readonly boolean[]): string =>
  flags.length === 0 ? '–' : (flags.filter(Boolean).length / flags.length).toFixed(3);

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const all_wrong: boolean[] = [];
for (const side of await readSides(process.argv.slice(2))) {
  const weights = fitWeights(side.rows, side.signs);
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
  all_wrong.push(...left.flatMap(({ wrong }) => wrong));
}
print(`\nwrong verdicts of all sources left out, unsure: ${share(all_wrong)}`);
