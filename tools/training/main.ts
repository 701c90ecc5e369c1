/**
 * `npm run train -- FILE… [--check FILE…] [--examples FILE] [--quick]`: trains the structural layer on labelled records and writes
 * `models/structural/weights.json` and its model card.
 *
 * Everything that is chosen is chosen with whole sources left out of the files. `--check` measures the result on further files,
 * after all choices. `--examples` keeps what was read from the files, so that another run need not read them again. `--quick` keeps the
 * calibration and the comparison of the card, fits the weights again, and renews the card's part on reliability.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { checksumOf, WEIGHTS_FILE } from '../../src/engine/knowledge/load-structural.ts';
import type { Calibration } from '../../src/scoring/network/severity.ts';
import { layoutNow, type WeightsFile } from '../../src/scoring/network/weights-file.ts';
import { writeCard, writeReliability } from './card.ts';
import { chooseCalibration } from './choose.ts';
import { collectExamples } from './collect.ts';
import { compare, reliabilityOf } from './compare.ts';
import type { Example } from './example.ts';
import { DEFAULTS, fitNetwork } from './fit.ts';
import { heldSources, leaveOut, leavePartsOut, networkLearner } from './folds.ts';
import { say, steps } from './progress.ts';

/** Chosen with sources left out, between 200 and 1,600; more brings nothing on them. */
const STEPS = 400;
/** In so many parts `--quick` leaves sources out. */
const PARTS = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'string', multiple: true, default: [] },
    examples: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
if (positionals.length === 0) {
  process.stderr.write('weir: name the files of labelled records: npm run train -- FILE… [--check FILE…]\n');
  process.exit(2);
}

async function readExamples(): Promise<Example[]> {
  const { examples: kept } = values;
  if (kept !== undefined && existsSync(kept))
    return readFileSync(kept, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Example);
  const examples = await collectExamples(positionals);
  if (kept !== undefined) writeFileSync(kept, examples.map((example) => `${JSON.stringify(example)}\n`).join(''));
  return examples;
}

function base64Of(weights: Float32Array): string {
  const bytes = Buffer.alloc(weights.length * 4);
  for (const [i, weight] of weights.entries()) bytes.writeFloatLE(weight, 4 * i);
  return bytes.toString('base64');
}

function writeWeights(weights: Float32Array, calibration: Calibration, examples: readonly Example[]): void {
  const sources = new Set(examples.map(({ source }) => source));
  const unchanged = examples.filter(({ change }) => change === '').length;
  const file: Omit<WeightsFile, 'checksum'> = {
    format: 1,
    trained_on: `${unchanged} labelled actions of ${sources.size} sources`,
    ...layoutNow(),
    calibration,
    weights: base64Of(weights),
  };
  mkdirSync(dirname(WEIGHTS_FILE), { recursive: true });
  writeFileSync(WEIGHTS_FILE, `${JSON.stringify({ ...file, checksum: checksumOf(file) }, null, 1)}\n`);
}

say('reading the records and drawing their graphs');
const examples = await readExamples();
const options = { ...DEFAULTS, steps: STEPS };

let calibration: Calibration;
if (values.quick) {
  ({ calibration } = JSON.parse(readFileSync(WEIGHTS_FILE, 'utf8')) as WeightsFile);
  say(`the network, in ${PARTS} fits, each without another part of the sources`);
  writeReliability(
    reliabilityOf(leavePartsOut(examples, heldSources(examples), PARTS, networkLearner(options)), calibration),
  );
} else {
  const held = heldSources(examples);
  say('the network, each source left out in turn');
  const network = leaveOut(examples, held, networkLearner(options), say);
  calibration = chooseCalibration(network);
  say(`calibration: shift ${calibration.shift}, ${calibration.points} points`);
  const checked = values.check.length === 0 ? [] : await collectExamples(values.check, { is_varied: false });
  const comparison = compare({ examples, held, network, calibration, checked, options });
  writeCard(comparison);
}
say('the network on all sources');
writeWeights(fitNetwork(examples, { ...options, progress: steps(STEPS) }), calibration, examples);
say(`wrote ${WEIGHTS_FILE}`);
